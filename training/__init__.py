"""Makes the weights that ship: ``python -m training.MODEL``, one command a model."""
