"""Reads and writes what prompts ask for: gold readings, gold names, and what people correct."""
