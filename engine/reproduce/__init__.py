"""Reproduces the papers' tables: what they need and cost, and our numbers beside the published."""
