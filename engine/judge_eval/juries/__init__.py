"""Finds out what the members of juries are worth."""
