"""Exercises with their pictures, what a judge says of them, and what a class answered.

It knows no page.
"""
