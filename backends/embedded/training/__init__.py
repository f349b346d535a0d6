"""Training of the embedded models on Primer drawings: ``python -m backends.embedded.training.judge``."""
