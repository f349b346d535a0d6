"""Names the type of a place in a text."""

# from which and up to which character
Span = tuple[int, int]
