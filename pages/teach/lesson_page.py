"""Writes a set of exercises as one page that needs no server.

Pictures, truth, explanations and the judge's answers stand in it.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from hallascope.components.html import scripts
from hallascope.components.html.markup import addressed, text
from hallascope.components.teach import exercise as teaching
from hallascope.data.teaching.exercise import Exercise
from hallascope.data.teaching.lesson import Lesson
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.engine.teaching import exercises
from hallascope.engine.teaching.exercises import ExerciseView
from hallascope.pages.site import frame
from hallascope.pages.teach import learner

FOLDER = Path(__file__).parent
FOOTER = (
    "The drawings are made with one fault that is known exactly. What a judge says is shown beside"
    " it, and is no truth. Made by HallaScope."
)


def page(services: Services, lesson: Lesson, judge: str | None) -> str:
    """The whole page; without a judge nothing is said of one.

    Raises what `hallascope.engine.teaching.exercises.exercise_view` raises.
    """
    found = [exercises.exercise_view(services, item) for item in lesson.items]
    with addressed(_inline):
        items = [
            {**_exercise(one), "judge": said}
            for one, said in zip(found, _opinions(services, found, judge), strict=True)
        ]
    held = {
        "work": {**teaching.work(lesson.items, lesson.title), "token": ""},
        "items": items,
        "id": lesson.id,
    }
    script = _script()
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{text(_policy(script))}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{text(lesson.title)}</title><style>{frame.style()}</style></head><body>"
        '<div class="gradio-container site"><header class="masthead">'
        f'<span class="wordmark">HallaScope</span>{frame.LOOK}</header>'
        f'<main><div class="sheet"><div class="tabitem" id="lesson">{teaching.BODY}</div>'
        '<div><button type="button" class="file-button" id="save" hidden>Save my answers</button>'
        f'</div></div></main><footer class="colophon"><p>{text(FOOTER)}</p></footer></div>'
        f'<script type="application/json" id="held">{_json(held)}</script>'
        f"<script>{script}</script></body></html>\n"
    )


def _policy(script: str) -> str:
    """Nothing is loaded from anywhere, and no script runs but this one."""
    own = base64.b64encode(sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{own}';"
        " base-uri 'none'; form-action 'none'"
    )


def _script() -> str:
    desk = scripts.script("teach/exercise")
    lesson = (FOLDER / "lesson.js").read_text("utf-8")
    return f"{frame.script()}\n{lesson.replace('/* THE DESK */', desk)}"


def _json(value: Any) -> str:
    """JSON that ends no element it stands in."""
    return (
        json.dumps(value, ensure_ascii=False)
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )


# --- one exercise
# --------------------------------------------------------------------------------------------------


def _exercise(found: ExerciseView) -> dict[str, Any]:
    """All that the desk asks for of an exercise, but for the judge."""
    told = learner.truth_fields(found)
    return {
        "sheet": teaching.sheet(found.exercise, found.picture),
        "told": {**told, "viewer": frame.still(told["viewer"])},
        "near": _mark_area(found.exercise),
        "parts": sorted(found.exercise.right_parts),
    }


def _mark_area(exercise: Exercise) -> Mapping[str, Any] | None:
    """Return where a mark counts: height, width and run lengths column by column.

    The first run is of what does not count.
    """
    near = exercise.near
    return (
        {"height": near.height, "width": near.width, "counts": list(near.counts)} if near else None
    )


def _opinions(services: Services, found: Sequence[ExerciseView], judge: str | None) -> list[str]:
    """What the judge says of each; a sentence why not where it cannot, "" where none is asked."""
    if judge is None:
        return [""] * len(found)
    try:
        return [
            learner.opinion_words(one, said)
            for one, said in zip(found, exercises.ask_judge(services, found, judge), strict=True)
        ]
    except HallaScopeError as error:
        return [str(error)] * len(found)


@lru_cache(maxsize=128)
def _inline(path: Path) -> str:
    """The picture itself in place of its address."""
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"
