"""Holds the facts and drawings of the domain food."""
