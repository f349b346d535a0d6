"""Holds baselines: scores of a picture and its prompt that tell no kinds of errors apart."""
