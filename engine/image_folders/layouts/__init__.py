"""Matches the images of a folder with their prompts: a module a published layout."""
