"""Builds the JSON documents that commands print and that the API and the tools answer with."""
