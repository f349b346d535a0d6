"""Finds groups of judged images that fail more than the rest, and compares two runs by group."""
