"""Repair what spaCy's small model often tags or parses wrongly, before the rules read it."""
