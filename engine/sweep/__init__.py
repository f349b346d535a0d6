"""Sweeps: many prompts, models and metrics as one piece of work that can be stopped and gone on
with at any moment.
"""
