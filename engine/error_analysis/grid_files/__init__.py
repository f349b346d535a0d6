"""Writes a grid of judged images as files: one image, or one page that needs no other file."""
