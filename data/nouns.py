"""Counts things in words."""


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s unless there is one: "2,000 images"."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
