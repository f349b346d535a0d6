"""Holds the grammatical rules by which a prompt is read, one in each file."""
