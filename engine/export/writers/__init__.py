"""Writes runs for a paper (LaTeX) and for other tools (FiftyOne)."""
