"""Holds the papers' numbers as facts; none of them is a measurement of ours."""
