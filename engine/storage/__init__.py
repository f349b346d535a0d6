"""Keeps what outlives a run: the database, its tables and migrations, and pictures as files."""
