"""Reads and writes what prompts ask for, as files that people correct."""
