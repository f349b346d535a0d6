"""Builds the part of a document that says what knowledge injection changes of the scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from hallascope.engine.events import Evaluation, GeneratedPicture


def changes(
    evaluation: Evaluation,
    pictures: Mapping[str, GeneratedPicture],
    evaluations: Sequence[Evaluation],
) -> dict[str, Any]:
    """Return by how much every score of a picture with knowledge differs from that without.

    Both have the same model, seed, metric and trial; `pictures` are by generation. Of a picture
    without knowledge nothing is returned; a change is None where one of the two has no score.
    """
    picture = pictures[evaluation.generation]
    if not picture.injected:
        return {}
    same = _conditions(evaluation, pictures)
    plain = next(
        (
            other
            for other in evaluations
            if pictures[other.generation].injected is None and _conditions(other, pictures) == same
        ),
        None,
    )
    values = {name: score.value for name, score in plain.report.scores.items()} if plain else {}
    change = {
        name: _difference(score.value, values.get(name))
        for name, score in evaluation.report.scores.items()
    }
    return {"injected": picture.injected, "change": change}


def _conditions(
    evaluation: Evaluation, pictures: Mapping[str, GeneratedPicture]
) -> tuple[object, ...]:
    picture = pictures[evaluation.generation]
    return picture.model, picture.seed, evaluation.metric, evaluation.trial


def _difference(value: float | None, other: float | None) -> float | None:
    return None if value is None or other is None else value - other
