"""Chooses images and verdicts of runs."""
