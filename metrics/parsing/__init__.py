"""From a text to its noun phrases, positions and quoted words, each with its place.

`parser` is where it starts.
"""
