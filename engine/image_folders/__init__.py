"""Brings images that exist already into the store under the names of the models that made them."""
