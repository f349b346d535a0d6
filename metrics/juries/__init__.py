"""Combines the answers of several judges, and answers questions from what other models see."""
