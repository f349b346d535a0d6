"""Shows the panel in which a learner finds what is wrong in a picture, and then the truth."""

from collections.abc import Mapping, Sequence
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
from hallascope.components.html.gradio_html import ServerFunction, input_html
from hallascope.components.html.markup import file_url, icon, join, key_attributes, tag
from hallascope.components.learn.image_field import image_field
from hallascope.data import outlines
from hallascope.data.records import COIS, Category, Picture
from hallascope.data.teaching.exercise import BACKGROUND, LEVELS, MISSING, Exercise
from hallascope.data.teaching.lesson import LessonItem, as_plain

BODY = Markup('<div class="teach"></div>')
CRITERIA = {"level": "Level", "coi": "Type of mistake", "category": "Category"}
_LIT: EvidenceKeys = (key("finding", 0),)


def exercise_panel(functions: list[ServerFunction], elem_id: str) -> gr.HTML:
    """Return the panel.

    In the browser `functions` are called `begin`, `show`, `check`, `judge`, `practice`; it begins
    with what `begin` gives.
    """
    return input_html("learn/exercise", BODY, None, server_functions=functions, elem_id=elem_id)


def criteria_choices() -> dict[str, list[tuple[str, str]]]:
    """Return what one can practice, as pairs of words and a value, by criterion."""
    return {
        "level": [("All levels", ""), *((words, str(n)) for n, (words, _) in LEVELS.items())],
        "coi": [("All types", ""), *((str(coi), str(coi)) for coi in COIS)],
        "category": [("All categories", ""), *((str(each), str(each)) for each in Category)],
    }


def work(
    items: Sequence[LessonItem],
    title: str = "",
    token: str = "",
    wanted: Mapping[str, str] | None = None,
    *,
    saves_answers: bool = True,
) -> dict[str, Any]:
    """Return exercises in their order, and the frame that they are shown in.

    `title` and `token`: of the set they are of, "" in practice; `wanted`: what was asked for there.
    """
    return {
        "items": [as_plain(item) for item in items],
        "token": token,
        "html": _FRAME.format(
            head=tag("h2", title, class_="lesson") if title else _criteria(wanted or {}),
            note="Enter a name to save your answers." if saves_answers else "",
        ),
    }


_FRAME = Markup("""<div class="desk-head">{head}<label class="who"><span>Your name</span>\
<input class="name" type="text" maxlength="80" autocomplete="name"><span class="soft">{note}</span>\
</label></div><div class="body"></div><p class="told" role="status"></p>
<div class="moves"><button type="button" class="previous">Previous</button>
<button type="button" class="next">Next image</button><span class="score soft"></span>\
<span class="standing soft"></span></div>""")


def _criteria(wanted: Mapping[str, str]) -> Markup:
    labels = []
    for name, choices in criteria_choices().items():
        options = (
            tag("option", words, value=value, selected=wanted.get(name, "") == value)
            for words, value in choices
        )
        select = tag("select", *options, name=name)
        labels.append(tag("label", tag("span", CRITERIA[name]), select))
    shuffle = Markup('<button type="button" class="more">Shuffle</button>')
    return tag("div", *labels, shuffle, class_="sorts")


_SHEET = Markup("""<section class="shown" aria-label="The image">\
<h2 class="number">Image {number} of {total}</h2>
<p class="meant">Prompt: <strong>{prompt}</strong>. Find the mistake.</p>{field}</section>
<section class="asks" aria-label="Your answer"><fieldset class="where">\
<legend>1. Where is the mistake?</legend>{place}</fieldset><fieldset class="which">\
<legend>2. Which question does the image get wrong?</legend>{facts}</fieldset>\
<button type="button" class="check primary">Check</button>
<div class="verdict" hidden><h3 tabindex="-1"></h3><ul>{lines}</ul><p class="judge soft"></p></div>\
</section>""")
_IMAGE = Markup("""<img src="{url}" width="{width}" height="{height}" draggable="false"\
 alt="An image that was to show {prompt}">""")
_PLACE = Markup("""<p class="soft">Click the place in the image, or name it:</p><div class="named">\
<select class="parts" aria-label="Name the part">{options}</select><button type="button"\
 class="missing" aria-pressed="false" data-part="{missing}">Something is missing</button></div>""")
_NO_PLACE = Markup("""<p class="soft">The place is not known exactly, so you only choose the\
 question.</p>""")
_FACT = Markup("""<label class="mark"><input type="radio" name="fact" value="{}"><span>{}</span>\
</label>""")
_ASKED = {"place": "place", "fact": "question"}
_LINE = Markup("""<li class="{about} {kind}"><span class="sign {kind}">{sign}</span>\
<span>{words}.</span></li>""")


def sheet(exercise: Exercise, picture: Picture, number: int, total: int) -> dict[str, Any]:
    """Return what is shown of an exercise before it is answered; the truth is not in it.

    It is the exercise at `number`, from 0, of so many.
    """
    width, height = size(picture.path)
    has_place = exercise.near is not None
    image = _IMAGE.format(
        url=file_url(picture.path), width=width, height=height, prompt=exercise.prompt
    )
    return {
        "html": _SHEET.format(
            number=number + 1,
            total=total,
            prompt=exercise.prompt,
            field=image_field(image, can_mark=has_place),
            place=_place_form(exercise) if has_place else _NO_PLACE,
            facts=join(*(_FACT.format(*fact) for fact in enumerate(exercise.facts))),
            lines=_verdict_lines("place", "fact") if has_place else _verdict_lines("fact"),
        )
    }


def _place_form(exercise: Exercise) -> Markup:
    parts = (part for part in exercise.parts if part != MISSING)
    options = (tag("option", part or "choose a part", value=part) for part in ("", *parts))
    return _PLACE.format(options=join(*options), missing=MISSING)


def _verdict_lines(*abouts: str) -> Markup:
    """Return lines on an answer, right and wrong ones; the script keeps those that hold."""
    kinds = (("correct", "check", "Right"), ("incorrect", "cross", "Not the right"))
    return join(
        *(
            _LINE.format(about=about, kind=kind, sign=icon(sign), words=f"{words} {_ASKED[about]}")
            for about in abouts
            for kind, sign, words in kinds
        )
    )


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
        tag("button", fact, class_="lead-button", aria_pressed="false"),
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
        tag("p", f"Source: {exercise.source}.", class_="about"),
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
