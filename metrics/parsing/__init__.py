"""Reads a text as noun phrases, positions, actions and quoted words, each with its place.

`parser.parse` is where it starts; its module says which rule is in which file.
"""
