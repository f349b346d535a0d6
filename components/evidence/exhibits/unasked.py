"""Shows what is wrong in an image and is asked by no question, below the questions.

It comes from the stored truth of a drawing and stands there for people only.
"""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibit import EvidenceGroup, key
from hallascope.components.html.markup import icon, key_attributes, tag
from hallascope.metrics.true_answers import UnaskedError


def unasked_group(errors: Sequence[UnaskedError]) -> EvidenceGroup:
    """Return one row per error, with what is expected and what is drawn.

    Choosing a row marks the parts that it is about.
    """
    rows = [_row(i, error) for i, error in enumerate(errors)]
    title = "Errors that no question covers"
    body = tag("ol", *rows, class_="cards", aria_label=title)
    return EvidenceGroup(title, tag("div", body, class_="truth unasked"), str(len(errors)))


def _row(index: int, error: UnaskedError) -> Markup:
    title = tag("button", error.question, class_="question-title lead-button", aria_pressed="false")
    state = tag("span", icon("cross"), " wrong, not asked", class_="state incorrect")
    answers = tag(
        "ul",
        _answer(error.expected, "expected", "gold"),
        _answer(error.shown, "drawn", "wrong"),
        class_="choices",
    )
    return tag(
        "li",
        tag("div", title, state, class_="asked"),
        answers,
        class_="question incorrect",
        **key_attributes((key("fact", index),)),
        data_kind="incorrect",
        data_said=error_sentence(error),
        data_counts=error.question.startswith("How many "),
        data_whole=not error.parts,
    )


def _answer(words: str, role: str, kind: str) -> Markup:
    return tag("li", words, " ", tag("span", role, class_="who"), class_=f"choice {kind}")


def error_sentence(error: UnaskedError) -> str:
    """Return an error in words: "Not asked: the image shows Black, expected is Red."."""
    return f"Not asked: the image shows {error.shown}, expected is {error.expected}."
