"""Counts the errors of a picture by type (paper, section 3.5), and grades it from 1 to 7.

The grade is the paper's scale for people (section 4.1); that it is the score is not in the paper.
"""

from collections import Counter
from collections.abc import Sequence

from hallascope.data.graphs import ERROR_TYPES, ErrorType, GraphError

BEST = 7
SENTENCES = {
    1: "Nothing of the prompt is found in the image.",
    2: "More than two objects are missing or in a wrong relation.",
    3: "One or two objects are missing or in a wrong relation.",
    4: "More than two attributes or counts are wrong.",
    5: "One or two attributes or counts are wrong.",
    6: "Everything is as asked, plus extra objects.",
    7: "Everything is as asked.",
}
FEW = 2  # errors, up to which there are few


def counts(errors: Sequence[GraphError]) -> dict[ErrorType, int]:
    """Return how many errors there are of each type."""
    by_type = Counter(error.type for error in errors)
    return {error_type: by_type[error_type] for error_type in ERROR_TYPES}


def grade(errors: Sequence[GraphError], things: int) -> int:
    """Return the first grade of the scale that applies, from the top.

    `things`: how many things the prompt asks for.

    1: all of them are missing. Missing things and wrong relations are counted together, so are all
    attributes. A wrong count, for which the paper has no type and no grade, weighs as much as a
    wrong attribute, and what must not be there and is, is extraneous.
    """
    by_type = counts(errors)
    grave = by_type["omission"] + by_type["relation"]
    if things and by_type["omission"] >= things:
        return 1
    if grave:
        return 3 if grave <= FEW else 2
    minor = by_type["attribute"] + by_type["count"]
    if minor:
        return 5 if minor <= FEW else 4
    return 6 if by_type["extraneous"] else BEST


def normalized(grade: int) -> float:
    """Return the grade in [0, 1]."""
    return (grade - 1) / (BEST - 1)
