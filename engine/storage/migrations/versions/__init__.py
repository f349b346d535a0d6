"""Holds the steps in order, one file each.

A step that was released is never changed: another one mends it.
"""
