"""Writes runs for a paper (LaTeX), for other tools (FiftyOne) and for continuous integration."""
