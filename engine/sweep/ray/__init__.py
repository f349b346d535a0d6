"""The models of a sweep on many machines: each in workers of its own, asked from here.

Plans, cache, money and store stay here.
"""
