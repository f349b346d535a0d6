"""Holds the command that reproduces the tables of the papers."""
