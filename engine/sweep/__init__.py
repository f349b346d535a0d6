"""Runs sweeps: many prompts, models and metrics as one piece of work that can be resumed.

It can be stopped at any moment.
"""
