"""Says what a live class shows to its teacher and to a pupil, as JSON with HTML."""

from typing import Any

from hallascope.components.learn.live.step_html import (
    heat_map,
    is_reached,
    pupil_lobby,
    pupil_step,
    roster,
)
from hallascope.engine.teaching.live_class import LiveClass


def teacher_view(live: LiveClass) -> dict[str, Any]:
    """Return each pupil's number and answers, and what all answered to the step that is shown."""
    tally, pupils = live.tally(), live.pupils
    return {
        "step": live.shown.step,
        "phase": live.shown.phase,
        "pupils": list(pupils.items()),
        "roster": roster(pupils, live.is_open),
        "open": live.is_open,
        "answered": tally.answered,
        "counts": list(tally.counts),
        "taps": [list(point) for point in tally.taps],
        "heat": heat_map(tally.taps),
        "hits": tally.hits,
    }


def pupil_view(live: LiveClass, token: str) -> dict[str, Any]:
    """Return what a pupil sees, and nothing that is still to be revealed. Raises NotInClass."""
    number, mine = live.answer_of(token)
    choice, mark = (mine.choice, mine.at) if mine else (None, None)
    shown, step = live.shown, live.step
    if step is None:
        html = pupil_lobby(live.lesson, number, is_over=shown.step >= 0)
    else:
        counts = live.tally().counts if is_reached("class", shown.phase, step) else ()
        html = pupil_step(live.lesson, shown.step, shown.phase, number, choice, mark, counts)
    return {
        "step": shown.step,
        "phase": shown.phase,
        "html": html,
        "mine": {"choice": choice, "at": list(mark) if mark else None},
    }
