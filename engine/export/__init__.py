"""Exports runs as tables, lines, other formats and a data set on the Hub, and imports them."""
