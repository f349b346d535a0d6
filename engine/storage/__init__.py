"""Keeps what outlives a run: the database, its tables and their upgrade, and pictures as files."""
