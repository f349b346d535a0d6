"""Readers of benchmark files as their authors give them away; they say what was wrong and mend nothing silently."""
