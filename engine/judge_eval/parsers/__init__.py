"""Measures how well prompts are read: against gold readings, and against themselves."""
