"""Shows the state of an answer as a sign: an icon, a color and a word."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Literal

from markupsafe import Markup

from hallascope.components.html.markup import tag
from hallascope.data.records import State

SignKind = Literal["correct", "incorrect", "left-out"]


@dataclass(frozen=True)
class Sign:
    """Says how a state is shown: an icon, a color (by kind) and words."""

    icon: str
    kind: SignKind
    word: str


SIGNS: dict[State, Sign] = {
    "correct": Sign("check", "correct", "correct"),
    "incorrect": Sign("cross", "incorrect", "incorrect"),
    "abstained": Sign("cross", "incorrect", "incorrect, none fits"),
    "unreadable": Sign("question", "left-out", "left out: reply not readable"),
    "failed": Sign("question", "left-out", "left out: no reply"),
}
ICONS: dict[SignKind, str] = {shown.kind: shown.icon for shown in SIGNS.values()}


def sign(state: State | None, label: str = "") -> Markup:
    """Return one small sign; `label` goes before its word in the accessible name.

    None: not answered yet.
    """
    if state is None:
        return named_sign("dot", "waiting", f"{label} not judged yet")
    shown = SIGNS[state]
    return named_sign(shown.icon, shown.kind, f"{label} {shown.word}".strip())


def named_sign(name: str, kind: str, words: str) -> Markup:
    """Return an icon on the color of its kind, which has a name of its own."""
    kinds = f"sign {kind} icon icon-{name}"
    return tag("span", class_=kinds, role="img", aria_label=words, title=words)


def verdict_strip(
    answers: Sequence[tuple[str, State]],
    places: int = 0,
    marks: Sequence[Markup] = (),
    label: str = "Answers",
) -> Markup:
    """Return the states of all answers as a row of signs.

    It has as many places as questions, so that nothing moves when answers come. `marks` stand on
    the signs, in the same order.
    """
    items = [
        tag("li", sign(state, label), mark)
        for (label, state), mark in zip(answers, chain(marks, repeat(Markup())), strict=False)
    ]
    items += [tag("li", sign(None, f"Question {i}:")) for i in range(len(items) + 1, places + 1)]
    return tag("ul", *items, class_="strip", aria_label=label) if items else Markup()
