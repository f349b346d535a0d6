"""Says what a live class shows to its teacher and to a pupil, as JSON."""

from typing import Any

from hallascope.components.teach.live.step_view import shown_to_pupils, step_view
from hallascope.engine.teaching.live.live_class import LiveClass, is_shown


def teacher_view(live: LiveClass) -> dict[str, Any]:
    """Return how many pupils there are and what they answered to the step that is shown."""
    tally = live.tally()
    return {
        "step": live.shown.step,
        "phase": live.shown.phase,
        "pupils": live.pupils,
        "answered": tally.answered,
        "chosen": tally.chosen,
        "counts": list(tally.counts),
        "taps": [list(point) for point in tally.taps],
        "hits": tally.hits,
    }


def pupil_view(live: LiveClass, token: str) -> dict[str, Any]:
    """Return what a pupil sees, and nothing that is still to be revealed. Raises NotInClass."""
    mine = live.answer_of(token)
    number = live.shown.step
    phase = live.shown.phase
    view: dict[str, Any] = {"place": "join", "title": live.lesson.title, "phase": phase}
    step = live.step
    if step is None:
        return view if number < 0 else view | {"place": "end"}
    view |= {"place": "step", "view": shown_to_pupils(step_view(live.lesson, number), phase)}
    view["mine"] = {
        "choice": mine.choice if mine else None,
        "at": list(mine.at) if mine and mine.at else None,
    }
    view["tally"] = None
    if is_shown("class", phase, step.phases):
        tally = live.tally()
        view["tally"] = {"counts": list(tally.counts), "chosen": tally.chosen}
    return view
