"""Runs metrics on models, stores what they say, and gives it to pages and commands."""
