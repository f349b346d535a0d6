"""Holds the tables of the papers as data: what each cell measures, and where its number stands."""
