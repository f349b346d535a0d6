"""Asks the backends what the metrics want to know, keeps what came back, and gives pages and
commands what they show.
"""
