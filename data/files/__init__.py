"""Reads tables and lists on disk row by row, with the place of every fault."""
