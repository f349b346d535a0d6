"""Shows the desk at which a learner finds what is wrong in a picture; it grades nothing.

The truth is shown as the evidence viewer shows it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gradio as gr

from hallascope.components.evidence.exhibit import (
    EvidenceGroup,
    EvidenceKeys,
    Exhibit,
    ImageRegion,
    key,
    size,
)
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import file_url, icon, keyed, text
from hallascope.data import outlines
from hallascope.data.records import COIS, Category, Picture
from hallascope.data.teaching.exercise import BACKGROUND, LEVELS, MISSING, Exercise
from hallascope.data.teaching.lesson import LessonItem, as_plain

ServerFunction = Callable[
    ..., dict[str, Any]
]  # what the browser asks, and what it is told: {"wrong": a sentence} where it cannot be
BODY = '<div class="teach"></div>'
_LIT: EvidenceKeys = (key("finding", 0),)


def exercise_panel(functions: Sequence[ServerFunction], elem_id: str) -> gr.HTML:
    """The desk.

    In the browser `functions` are called `begin`, `show`, `check`, `judge`, `practice`; it begins
    with what `begin` gives.
    """
    return holder(
        "teach/exercise",
        BODY,
        None,
        sorts=sorts(),
        server_functions=list(functions),
        elem_id=elem_id,
    )


def sorts() -> dict[str, list[list[str]]]:
    """What one can practise, as pairs of a value and its words."""
    return {
        "level": [
            ["", "All levels"],
            *([str(number), words] for number, (words, _) in LEVELS.items()),
        ],
        "coi": [["", "All compositions"], *([str(coi), str(coi)] for coi in COIS)],
        "category": [
            ["", "All categories"],
            *([str(one.value), str(one.value)] for one in Category),
        ],
    }


def work(
    items: Sequence[LessonItem],
    title: str = "",
    token: str = "",
    wanted: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Exercises in their order.

    `title` and `token`: of the set they are of, "" in practice; `wanted`: what was asked for there.
    """
    return {
        "items": [as_plain(item) for item in items],
        "title": title,
        "token": token,
        "wanted": dict(wanted or {}),
    }


def sheet(exercise: Exercise, picture: Picture) -> dict[str, Any]:
    """What is shown of an exercise before it is answered; the truth is not in it."""
    width, height = size(picture.path)
    return {
        "picture": file_url(picture.path),
        "width": width,
        "height": height,
        "prompt": exercise.prompt,
        "facts": list(exercise.facts),
        "parts": [part for part in exercise.parts if part != MISSING],
        "place": exercise.near is not None,
    }


# --- the truth
# --------------------------------------------------------------------------------------------------


def truth(exercise: Exercise, picture: Picture, right: Picture | None) -> str:
    """Return the picture with its wrong part lit up, and the one as it should be, if any."""
    return viewer([_wrong(exercise, picture), *([_right(exercise, right)] if right else [])])


def _wrong(exercise: Exercise, picture: Picture) -> Exhibit:
    said = f"{exercise.shown} instead of {exercise.truth}"
    return Exhibit(
        run="",
        key=picture.sha256,
        name="what is wrong",
        path=picture.path,
        alt=f"{exercise.prompt}: {said}",
        hint="The place is not known." if exercise.lit is None else "",
        marks=_marks(exercise, said),
        groups=(EvidenceGroup("What is wrong", _fault(exercise, said)),),
        chosen=_LIT[0],
    )


def _marks(exercise: Exercise, said: str) -> tuple[ImageRegion, ...]:
    shapes = outlines.polygons(exercise.lit) if exercise.lit else ()
    names = ", ".join(sorted(exercise.right_parts - {MISSING}))
    return (
        (
            ImageRegion(
                name=names or BACKGROUND, keys=_LIT, polygons=shapes, kind="incorrect", words=said
            ),
        )
        if shapes
        else ()
    )


def _fault(exercise: Exercise, said: str) -> str:
    """The fault in words; chosen again, the picture is plain."""
    spoken = f"Lit up: {said}." if exercise.lit else f"{said}."
    counts = " data-counts" if exercise.coi == "counting" else ""
    button = (
        '<button type="button" class="lead-button"'
        f' aria-pressed="false">{text(exercise.facts[exercise.wrong])}</button>'
    )
    return (
        f'<div class="fault incorrect" {keyed(_LIT)} data-kind="incorrect"'
        f' data-said="{text(spoken)}"{counts}><p class="fault-title"><span class="sign'
        f' incorrect">{icon("cross")}</span>{button}</p><p>{text(_explanation(exercise))}</p><p'
        f' class="about">After {text(exercise.source)}.</p></div>'
    )


def _explanation(exercise: Exercise) -> str:
    """The explanation without the question, which stands above it."""
    return exercise.why.removeprefix(exercise.facts[exercise.wrong]).strip()


def _right(exercise: Exercise, right: Picture) -> Exhibit:
    hint = f"{exercise.truth}." if len(exercise.truth) > 2 else ""
    return Exhibit(
        run="",
        key=right.sha256,
        name="as it should be",
        path=right.path,
        alt=f"{exercise.prompt}, as it should be",
        hint=hint,
        side_by_side=True,
    )
