"""Training of the embedded models on Primer drawings: ``python -m
hallascope.backends.embedded.training.judge``.
"""
