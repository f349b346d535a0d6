"""Holds what came of trials of judges: records, the store of trials, and what ships."""
