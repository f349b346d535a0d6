"""Draws sheets of images: to compare models side by side, and to label by hand."""
