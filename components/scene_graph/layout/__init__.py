"""Lays out two scene graphs side by side as plain values; nothing is drawn here.

It decides what belongs together, in which words, and where it stands.
"""
