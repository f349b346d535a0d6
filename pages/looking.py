"""From the pictures of a run to what FiG says of them, moment by moment; tested without Gradio."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from components import status
from components.exhibit import Exhibit
from components.standings import Standing, standings
from engine.budget import Terms
from engine.errors import HallaScopeError
from engine.events import EvaluateRequest, Queued, RunView
from engine.services import Services
from pages import views
from pages.evidence import exhibit
from pages.lineups import Lineup
from pages.place import Current

METRIC = "fig"
WHO = ("first line-up", "second line-up")
Frame = tuple[str, str, "Looked"]  # the status line, the table, and what is shown


@dataclass(frozen=True)
class Looked:
    """`runs`: those in which FiG looked at the same pictures, one a line-up; `of`: the run whose pictures they are."""

    runs: tuple[str, ...] = ()
    of: str | None = None


# --- which runs ---------------------------------------------------------------------------------------------------------------


def of_run(services: Services, current: Current, before: Looked) -> Looked:
    """What is to be shown for the run of the page: what was looked at last, the run itself where FiG is among its metrics, or nothing.

    Raises UnknownRun.
    """
    if current.run is None or current.run == before.of:
        return before
    asked = METRIC in services.view(current.run).request.metrics
    return Looked((current.run,) if asked else (), current.run)


def request(asked: EvaluateRequest, lineup: Lineup) -> EvaluateRequest:
    """The same pictures, looked at by FiG alone, by this line-up."""
    roles = {str(role): model for role, model in lineup.items()}
    return replace(asked, metrics=(METRIC,), judge=None, trials=1, **roles)  # type: ignore[arg-type]


def frames(services: Services, run: str, lineups: Sequence[Lineup], stop: threading.Event, terms: Terms) -> Iterator[Frame]:
    """What the page shows while the line-ups look, one after the other. Raises HallaScopeError where one cannot."""
    asked, before = services.view(run).request, list[RunView]()
    for number, lineup in enumerate(lineups):
        who, progress = WHO[number] if len(lineups) > 1 else "", None
        for event in services.evaluate(request(asked, lineup), stop, terms):
            if progress is not None:
                progress = views.after(progress, event)
            elif isinstance(event, Queued):
                progress = views.begin(event, request(asked, lineup))
            if progress is not None:
                yield _frame([*before, progress.view], progress, who, run)
        if progress is None or stop.is_set():
            return
        before.append(progress.view)


def _frame(found: Sequence[RunView], progress: views.Progress, who: str, run: str) -> Frame:
    shown, looked = standings(_standings(found)), Looked(tuple(view.run for view in found), run)
    if progress.view.state != "running":
        return status.said(_of(who, views.summary(progress)), views.troubles(progress.view, progress.failed)), shown, looked
    return status.progress(progress.done, progress.total, _of(who, views.so_far(progress))), shown, looked


def _of(who: str, words: str) -> str:
    return f"{who.capitalize()}: {words}" if who else words


def estimated(services: Services, run: str, lineups: Sequence[Lineup], terms: Terms) -> str:
    """What it is likely to cost to look, as HTML; "" where it costs nothing, or cannot be done as it stands."""
    try:
        asked, caps = services.view(run).request, services.caps(terms)
        found = [services.estimate(request(asked, lineup), terms) for lineup in lineups]
        said = [views.estimate(one, caps, services.spent_today(), terms.unpriced) if one.lines else "" for one in found]
    except HallaScopeError:
        return ""
    who = WHO if len(lineups) > 1 else ("",)
    words = " ".join(_of(name, one) for name, one in zip(who, said, strict=True) if one)
    return status.idle(words) if words else ""


# --- what is shown --------------------------------------------------------------------------------------------------------------


def table(services: Services, looked: Looked) -> str:
    """The scores of all pictures. Raises UnknownRun."""
    return standings(_standings([services.view(run) for run in looked.runs]))


def _standings(found: Sequence[RunView]) -> list[Standing]:
    """Picture by picture, the line-ups beneath each other."""
    who = WHO if len(found) > 1 else ("",)
    columns = [views.tiles(view, metric=METRIC) for view in found]
    return [Standing(tile, name) for tiles in zip(*columns, strict=True) for tile, name in zip(tiles, who, strict=True)]


def exhibits(services: Services, looked: Looked, key: str | None) -> list[Exhibit]:
    """The evidence of one picture, by each line-up that looked at it. Raises UnknownRun."""
    who = WHO if len(looked.runs) > 1 else ("",)
    found = [(view, views.chosen(view, key), name) for view, name in zip(map(services.view, looked.runs), who, strict=False)]
    return [exhibit(services, view, shot, METRIC, name) for view, shot, name in found if shot]
