"""Holds exercises on what is wrong in a picture, the sets of them, and what is right."""
