"""Shows the panel in which a learner finds what is wrong in a picture, and then the truth."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

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
from hallascope.components.html.markup import file_url, icon, key_attributes, tag
from hallascope.data import outlines
from hallascope.data.records import COIS, Category, Picture
from hallascope.data.teaching.exercise import BACKGROUND, LEVELS, MISSING, Exercise
from hallascope.data.teaching.lesson import LessonItem, as_plain

# what the browser calls, with its result: {"wrong": a sentence} where there is none
ServerFunction = Callable[..., dict[str, Any]]
BODY = Markup('<div class="teach"></div>')
_LIT: EvidenceKeys = (key("finding", 0),)


def exercise_panel(functions: Sequence[ServerFunction], elem_id: str) -> gr.HTML:
    """Return the panel.

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
    """Return what one can practice, as pairs of a value and its words."""
    return {
        "level": [
            ["", "All levels"],
            *([str(number), words] for number, (words, _) in LEVELS.items()),
        ],
        "coi": [["", "All compositions"], *([str(coi), str(coi)] for coi in COIS)],
        "category": [
            ["", "All categories"],
            *([str(category), str(category)] for category in Category),
        ],
    }


def work(
    items: Sequence[LessonItem],
    title: str = "",
    token: str = "",
    wanted: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return exercises in their order.

    `title` and `token`: of the set they are of, "" in practice; `wanted`: what was asked for there.
    """
    return {
        "items": [as_plain(item) for item in items],
        "title": title,
        "token": token,
        "wanted": dict(wanted or {}),
    }


def sheet(exercise: Exercise, picture: Picture) -> dict[str, Any]:
    """Return what is shown of an exercise before it is answered; the truth is not in it."""
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


# --- the truth ---


def truth(exercise: Exercise, picture: Picture, right: Picture | None) -> Markup:
    """Return the picture with its wrong part lit up, and the one as it should be, if any."""
    exhibits = [_wrong(exercise, picture)]
    if right:
        hint = f"{exercise.truth}." if len(exercise.truth) > 2 else ""
        exhibits.append(right_exhibit(right.sha256, right, exercise.prompt, hint))
    return viewer(exhibits)


def right_exhibit(key: str, picture: Picture, prompt: str, hint: str = "") -> Exhibit:
    """Return the picture as it should be, to stand beside the wrong one."""
    return Exhibit(
        run="",
        key=key,
        name="as it should be",
        path=picture.path,
        alt=f"{prompt}, as it should be",
        hint=hint,
        side_by_side=True,
    )


def fault_panel(index: int, fact: str, *body: Markup, said: str, counts: bool = False) -> Markup:
    """Return a wrong fact as the lead button of finding `index`, and beneath it what is wrong.

    `said` is the sentence when it is chosen; `counts`: the fact is a number of parts.
    """
    title = tag(
        "p",
        tag("span", icon("cross"), class_="sign incorrect"),
        tag("button", fact, type="button", class_="lead-button", aria_pressed="false"),
        class_="fault-title",
    )
    return tag(
        "div",
        title,
        *body,
        class_="fault incorrect",
        **key_attributes((key("finding", index),)),
        data_kind="incorrect",
        data_said=said,
        data_counts=counts,
    )


def _wrong(exercise: Exercise, picture: Picture) -> Exhibit:
    fault = f"{exercise.shown} instead of {exercise.truth}"
    shapes = outlines.polygons(exercise.lit) if exercise.lit else ()
    fact = exercise.facts[exercise.wrong]
    panel = fault_panel(
        0,
        fact,
        tag("p", exercise.why.removeprefix(fact).strip()),
        tag("p", f"After {exercise.source}.", class_="about"),
        said=f"Lit up: {fault}." if exercise.lit else f"{fault}.",
        counts=exercise.coi == "counting",
    )
    region = ImageRegion(
        name=", ".join(sorted(exercise.right_parts - {MISSING})) or BACKGROUND,
        keys=_LIT,
        polygons=shapes,
        kind="incorrect",
        words=fault,
    )
    return Exhibit(
        run="",
        key=picture.sha256,
        name="what is wrong",
        path=picture.path,
        alt=f"{exercise.prompt}: {fault}",
        hint="The place is not known." if exercise.lit is None else "",
        marks=(region,) if shapes else (),
        groups=(EvidenceGroup("What is wrong", panel),),
        chosen=_LIT[0],
    )
