"""Runs leave the store and come back: tables, lines, other formats, a data set on the Hub.

The forms by name; it knows no page.
"""
