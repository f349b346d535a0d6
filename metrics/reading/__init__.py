"""Reads what a prompt asks for: one parse by spaCy, then passes over its dependency tree."""
