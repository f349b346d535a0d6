"""Writes a set of exercises as one page that needs no server.

It holds the pictures, the truth, explanations and the judge's answers.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from hallascope.components.html import scripts
from hallascope.components.html.markup import file_urls, png_address, raw_element
from hallascope.components.learn import exercise as teaching
from hallascope.components.learn.live.class_page import to_script_json
from hallascope.components.theme import look
from hallascope.data.teaching.lesson import Lesson
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.engine.teaching import exercises
from hallascope.engine.teaching.exercises import ExerciseView
from hallascope.pages.learn import learner
from hallascope.pages.site import frame

FOOTER = (
    "The drawings are made with one fault that is known exactly. What a judge says is shown beside"
    " it, and is no truth. Made by HallaScope."
)


_PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8">\
<meta http-equiv="Content-Security-Policy" content="{policy}">\
<meta name="viewport" content="width=device-width, initial-scale=1">\
<meta name="color-scheme" content="light dark">\
<meta name="referrer" content="no-referrer">\
<title>{title}</title>{style}</head><body>\
<div class="gradio-container site"><header class="masthead">\
<span class="wordmark">HallaScope</span>{look}</header>\
<main><div class="sheet"><div class="tabitem" id="lesson">{panel}</div>\
<div><button type="button" class="file-button" id="save" hidden>Save my answers</button>\
</div></div></main><footer class="colophon"><p>{footer}</p></footer></div>\
{held}{script}</body></html>
""")


def page(services: Services, lesson: Lesson, judge: str | None) -> Markup:
    """Return the whole page; `judge`: whose opinions are in it, None for no judge.

    Raises what `hallascope.engine.teaching.exercises.exercise_view` raises.
    """
    views = [exercises.exercise_view(services, item) for item in lesson.items]
    with file_urls(png_address):
        items = [
            {**_exercise(view, number, len(views)), "judge": opinion}
            for number, (view, opinion) in enumerate(
                zip(views, _opinions(services, views, judge), strict=True)
            )
        ]
    held = {
        "work": teaching.work(lesson.items, lesson.title, saves_answers=False),
        "items": items,
    }
    script = scripts.join_modules(Path(__file__).parent / "lesson.js")
    return _PAGE.format(
        policy=_policy(script),
        title=lesson.title,
        style=raw_element("style", frame.style()),
        look=look.BUTTON,
        panel=teaching.BODY,
        footer=FOOTER,
        held=raw_element("script", to_script_json(held), type="application/json", id="held"),
        script=raw_element("script", script),
    )


def _policy(script: str) -> str:
    """Return the policy by which nothing is loaded from anywhere, and only this script runs."""
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline';"
        f" script-src {scripts.policy_hash(script)}; base-uri 'none'; form-action 'none'"
    )


# --- one exercise ---------------------------------------------------------------------------------


def _exercise(view: ExerciseView, number: int, total: int) -> dict[str, Any]:
    """Return all that the panel needs of an exercise, except the judge's opinion."""
    truth = learner.truth_fields(view)
    near = view.exercise.near
    # where a mark counts, as run lengths column by column; the first run is of what does not count
    mark_area = None
    if near:
        mark_area = {"height": near.height, "width": near.width, "counts": list(near.counts)}
    return {
        "prompt": view.exercise.prompt,
        "sheet": teaching.sheet(view.exercise, view.picture, number, total),
        "told": {**truth, "viewer": frame.without_server(truth["viewer"])},
        "near": mark_area,
        "parts": sorted(view.exercise.right_parts),
    }


def _opinions(services: Services, views: Sequence[ExerciseView], judge: str | None) -> list[str]:
    """Return the judge's opinion of each exercise, or why it has none; "" without a judge."""
    if judge is None:
        return [""] * len(views)
    try:
        return [
            learner.opinion_words(view, opinion)
            for view, opinion in zip(
                views, exercises.ask_judge(services, views, judge), strict=True
            )
        ]
    except HallaScopeError as error:
        return [str(error)] * len(views)
