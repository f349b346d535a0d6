"""What is wrong in this picture: exercises, the sets a teacher makes of them, and what is right.

It knows no model and no page.
"""
