"""Trains the embedded models: ``python -m hallascope.backends.embedded.training.judge``."""
