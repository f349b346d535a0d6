"""Holds the papers whose methods HallaScope computes, as BibTeX."""
