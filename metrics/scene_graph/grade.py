"""The errors of a picture by type, and its grade from 1 to 7 (paper, sections 3.5 and 4.1).

It knows questions and answers, no picture.
"""

from collections import Counter
from collections.abc import Sequence

from hallascope.data.graphs import ERROR_TYPES, ErrorType, GraphError

BEST = 7
SENTENCES = {
    1: "Nothing of the prompt is found in the picture.",
    2: "More than two things are missing, or stand otherwise than asked.",
    3: "One or two things are missing, or stand otherwise than asked.",
    4: "More than two attributes are other than asked.",
    5: "One or two attributes are other than asked.",
    6: "Everything is as asked, and there are things nobody asked for.",
    7: "Everything is as asked.",
}
FEW = 2  # errors, up to which there are few


def counts(errors: Sequence[GraphError]) -> dict[ErrorType, int]:
    """How many errors there are of each type."""
    found = Counter(error.type for error in errors)
    return {each: found[each] for each in ERROR_TYPES}


def grade(errors: Sequence[GraphError], wanted: int) -> int | None:
    """The first of the scale that applies, from the top.

    `wanted`: how many things the prompt asks for; None where it asks for nothing.

    1: all of them are missing. Missing things and wrong relations are counted together, so are all
    attributes; our reading: a wrong number is a wrong attribute, and what must not be there and is,
    is extraneous.
    """
    found = counts(errors)
    grave = found["omission"] + found["relation"]
    if wanted and found["omission"] >= wanted:
        return 1
    if grave:
        return 3 if grave <= FEW else 2
    if found["attribute"]:
        return 5 if found["attribute"] <= FEW else 4
    return 6 if found["extraneous"] else BEST


def normalised(grade: int) -> float:
    """The grade in [0, 1]."""
    return (grade - 1) / (BEST - 1)
