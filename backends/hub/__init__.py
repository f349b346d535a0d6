"""Brings models of the Hub to this disk: their description, the needed files, the download."""
