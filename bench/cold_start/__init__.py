"""Measures the start of the dashboard and its first clicks: ``python -m bench.cold_start``."""
