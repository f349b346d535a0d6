"""The models of a sweep on many machines: each in workers of its own, asked from here; plans, cache, money and store stay here."""
