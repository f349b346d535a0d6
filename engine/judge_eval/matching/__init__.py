"""Matches what a metric found against what is known to be drawn."""
