"""Formats trials and measurements as text, for people."""
