"""Injects faults and says what they changed: ``make torture``."""
