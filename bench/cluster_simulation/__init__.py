"""Simulates sweeps on clusters of up to thousands of GPU workers: ``make scale``."""
