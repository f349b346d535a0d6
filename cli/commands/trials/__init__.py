"""Holds the commands that try judges, metrics, generators and the parser on known truth."""
