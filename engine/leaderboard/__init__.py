"""Ranks models by what the metrics say of their pictures, over all that a store holds."""
