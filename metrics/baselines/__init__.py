"""Holds what scene-graph QA is compared with: scores that tell no kinds of errors apart.

They are of a picture and its prompt.
"""
