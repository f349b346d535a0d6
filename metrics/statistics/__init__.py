"""Judges and raters on trial: agreement, correlation, reliability, and how a judge answers."""
