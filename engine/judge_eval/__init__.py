"""Tries judges, metrics and generators where the truth is known."""
