"""Varies one thing of a prompt at a time, and finds where a model begins to fail."""
