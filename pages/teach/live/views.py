"""Says what a live class shows to its teacher and to a pupil, as JSON."""

from typing import Any

from hallascope.components.teach.live.step_view import shown_to_pupils, step_view
from hallascope.engine.teaching.live.live_class import LiveClass, is_shown


def teacher_view(live: LiveClass) -> dict[str, Any]:
    """Return each pupil's number and answers, and what all answered to the step that is shown."""
    tally = live.tally()
    return {
        "step": live.shown.step,
        "phase": live.shown.phase,
        "pupils": list(live.pupils.items()),
        "open": live.is_open,
        "answered": tally.answered,
        "chosen": tally.chosen,
        "counts": list(tally.counts),
        "taps": [list(point) for point in tally.taps],
        "hits": tally.hits,
    }


def pupil_view(live: LiveClass, token: str) -> dict[str, Any]:
    """Return what a pupil sees, and nothing that is still to be revealed. Raises NotInClass."""
    number, mine = live.answer_of(token)
    shown = live.shown
    view: dict[str, Any] = {
        "place": "join",
        "title": live.lesson.title,
        "phase": shown.phase,
        "number": number,
    }
    step = live.step
    if step is None:
        return view if shown.step < 0 else view | {"place": "end"}
    view |= {
        "place": "step",
        "view": shown_to_pupils(step_view(live.lesson, shown.step), shown.phase),
    }
    view["mine"] = {
        "choice": mine.choice if mine else None,
        "at": list(mine.at) if mine and mine.at else None,
    }
    view["tally"] = None
    if is_shown("class", shown.phase, step.phases):
        tally = live.tally()
        view["tally"] = {"counts": list(tally.counts), "chosen": tally.chosen}
    return view
