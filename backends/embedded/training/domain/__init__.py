"""Trains the detector of images outside Primer's drawn style."""
