"""Compares metrics with what people say: ratings, preferences and answers to questions."""
