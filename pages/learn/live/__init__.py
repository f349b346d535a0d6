"""Serves the ready lessons and live classes, on light pages beside the dashboard."""
