"""Holds the commands on images that exist already."""
