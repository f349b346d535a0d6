"""Pictures of a run with questions and verdicts, as tests of what shows them need them, and a text
that would do harm as markup.
"""

from dataclasses import replace
from typing import Any

from hallascope.components.tiles.tile import Tile
from hallascope.data.records import Question, Report, Score, State, Verdict

CHOICES = ("Two", "Three", "Four", "Five", "None of the above")
QUESTION = Question(
    text="How many outer atoms are there?",
    choices=CHOICES,
    gold="C",
    coi="counting",
    regions=("hydrogen atom",),
)
EVIL = "<img src=x onerror=alert(1)>\"'`${1}{{2}}<script>alert(2)</script>"


def verdict(state: State, answer: str | None = "C", **changes: object) -> Verdict:
    return replace(
        Verdict(
            question=QUESTION,
            answer=answer,  # type: ignore[arg-type]
            state=state,
            raw="C) Four",
        ),
        **changes,  # type: ignore[arg-type]
    )


def report(
    *verdicts: Verdict, value: float | None = 0.6, counted: int = 5, left_out: int = 0
) -> Report:
    scores = {"score": Score(value, counted, left_out), "strict": Score(0.0, 1, 0)}
    return Report(
        metric="ihalla",
        version="1",
        prompt="a molecule",
        image="ab" * 32,
        scores=scores,
        verdicts=verdicts,
        published={"score": 0.6, "strict": 0.0},
    )


def tile(**changes: Any) -> Tile:
    return replace(
        Tile(
            run="run1",
            key="key1",
            model="primer/hasty",
            name="hasty",
            prompt="a molecule",
            seed=3,
            questions=(QUESTION,),
        ),
        **changes,
    )


def no_markup_of(evil: str, html: str) -> bool:
    """Whether no tag or quote of the text survived as markup."""
    return (
        "<script" not in html
        and "<img src=x" not in html
        and evil not in html
        and "\"'`" not in html
    )
