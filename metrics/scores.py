"""The scores of every metric: what they are called, which way is better, and in what range they lie; it counts nothing."""

import math
from collections.abc import Mapping
from typing import NamedTuple

Bounds = tuple[float, float]
SHARE: Bounds = (0.0, 1.0)
COUNT: Bounds = (0.0, math.inf)


class ScoreKind(NamedTuple):
    """A score by its name in a report, with a title for people."""

    name: str
    title: str
    higher_is_better: bool = True
    bounds: Bounds = SHARE


_ANSWERED = (ScoreKind("score", "Score"), ScoreKind("strict", "Strict"))
_STAGES = ("object", "color", "number", "position", "text")
_ROUNDS = (ScoreKind("score", "Score"), *(ScoreKind(name, name.capitalize()) for name in ("concept", "task", "composition")))
_GRAPH = (
    ScoreKind("score", "Normalised grade"),
    ScoreKind("grade", "Grade", bounds=(1.0, 7.0)),
    ScoreKind("correct", "Questions answered correctly"),
    ScoreKind("answered", "Questions answered"),
    *(
        ScoreKind(name, title, higher_is_better=False, bounds=COUNT)
        for name, title in (
            ("attribute", "Attribute errors"),
            ("relation", "Relation errors"),
            ("omission", "Omissions"),
            ("extraneous", "Extraneous objects"),
        )
    ),
)
SCORES: Mapping[str, tuple[ScoreKind, ...]] = {
    "ihalla": _ANSWERED,
    "tifa": _ANSWERED,
    "fig": (
        ScoreKind("score", "Stages 1 and 2, strict"),
        ScoreKind("soft", "Stages 1 and 2, soft"),
        *(
            ScoreKind(f"{stage}{suffix}", f"{stage.capitalize()}, {rule}")
            for suffix, rule in (("", "strict"), ("_soft", "soft"))
            for stage in _STAGES
        ),
        ScoreKind("chair_i", "CHAIR_i", higher_is_better=False),
        ScoreKind("chair_s", "CHAIR_s", higher_is_better=False),
    ),
    "scene-graph": _GRAPH,
    "caption-ablation": _GRAPH,
    "factualbench": _ROUNDS,
    "factualbench-no-reference": _ROUNDS,
}


def of(metric: str, name: str) -> ScoreKind:
    """The score of that name; one that is not listed is a share that is better the higher it is."""
    known = next((one for one in SCORES.get(metric, ()) if one.name == name), None)
    return known or ScoreKind(name, name.replace("_", " ").capitalize())
