"""Holds the commands that try judges, styles and intervals on known truth."""
