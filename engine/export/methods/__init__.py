"""Describes how runs were made and judged, for the methods section of a paper."""
