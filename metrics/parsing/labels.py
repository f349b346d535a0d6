"""Reads labels, names that stand alone, as the parser reads the things of a text."""

from functools import cache

from hallascope.metrics.parsing.name_matching import alike
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.words.language import article, singular


@cache
def label_phrase(label: str) -> Phrase | None:
    """Return the words of a label as the parser reads a thing.

    "Painting", too, is a thing where it stands alone.
    """
    is_plural = singular(label) != label
    parsed = parse(f"the {label}" if is_plural else article(label))
    return next(iter((*parsed.things, *parsed.phrases)), None)


def name_phrase(name: str) -> Phrase:
    """Return a name as the parser reads it; one that it cannot read stands as it is."""
    words = name.casefold().split() or [""]
    return label_phrase(name) or Phrase(
        span=(0, len(name)),
        name_span=(0, len(name)),
        name=name,
        lemmas=tuple(words),
        head=words[-1],
    )


def labels_alike(expected: str, observed: str) -> bool:
    """Return whether two labels are equal, or name the same thing by the lenient rule."""
    if expected.casefold() == observed.casefold():
        return True
    first, second = label_phrase(expected), label_phrase(observed)
    return first is not None and second is not None and alike(first, second)
