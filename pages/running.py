"""From what a person asks on the Explore tab to what it shows, moment by moment; tested without Gradio."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from components import status
from components.cards import earlier, grid
from engine.budget import Terms
from engine.errors import BadRequest, HallaScopeError
from engine.events import EvaluateRequest, Queued, RunView
from engine.services import Services
from pages import views
from pages.choosing import apart, name, names
from pages.metric_choice import runnable, takes_writer
from pages.numbers import whole
from pages.place import Current

MOST_PICTURES = 64
MOST_A_MODEL = 16  # pictures
MOST_TRIALS = 9  # of the judge
MOST_SEED = 2**31 - 1
NO_WRITER = "none"  # the chip that stands for no writer


class Settings(NamedTuple):
    """What the controls of the page hold, in their order. `other_…`: models named in words."""

    prompt: str
    models: Sequence[str] | None = ()
    other_models: str | None = ""
    judge: Sequence[str] | None = ()
    other_judge: str | None = ""
    metrics: Sequence[str] | None = ("ihalla",)
    writer: Sequence[str] | None = ()
    other_writer: str | None = ""
    upload: str | None = None
    seed: float | None = 0
    pictures: float | None = 1
    trials: float | None = 1


class Frame(NamedTuple):
    """What the page shows at one moment of a run. `unasked`: there are no questions for the prompt, and some can be made."""

    status: str
    cards: str
    current: Current
    unasked: bool = False


# --- what is asked ---------------------------------------------------------------------------------------------------


def request(said: Settings) -> EvaluateRequest:
    """The request as the engine takes it; a picture of one's own takes the place of all models.

    Raises BadRequest with one sentence where a control holds nothing that can be run.
    """
    models, metrics = names(said.models, said.other_models), tuple(said.metrics or ())
    if not said.upload and not models:
        raise BadRequest("No model is chosen: choose at least one, or bring a picture of your own.")
    if not metrics:
        raise BadRequest("No metric is chosen: choose at least one.")
    seed = whole(said.seed, "seed", 0, MOST_SEED)
    count = whole(said.pictures, "number of pictures", 1, MOST_A_MODEL)
    trials = whole(said.trials, "number of trials", 1, MOST_TRIALS)
    if not said.upload and len(models) * count > MOST_PICTURES:
        raise BadRequest(f"{len(models)} models with {count} pictures each are more than {MOST_PICTURES}: ask for fewer.")
    judge, writer = name(said.judge, said.other_judge), name(said.writer, said.other_writer)
    return EvaluateRequest(
        said.prompt,
        () if said.upload else models,
        metrics,
        judge,
        seed,
        count,
        trials,
        (Path(said.upload),) if said.upload else (),
        writer=None if writer == NO_WRITER or not takes_writer(metrics) else writer,
    )


def settings(services: Services, asked: EvaluateRequest) -> Settings:
    """The controls as they stood when the request was made."""
    models = apart(asked.models, services.generators())
    judge = apart([asked.judge] if asked.judge else [], services.judges())
    writer = apart([asked.writer], services.models("writer")) if asked.writer else ([NO_WRITER], "")
    metrics = runnable(services, asked.metrics)
    return Settings(asked.prompt, *models, *judge, metrics, *writer, None, asked.seed, asked.count, asked.trials)


def estimated(services: Services, said: Settings, terms: Terms) -> str:
    """What the run is likely to cost, as HTML; "" where it costs nothing, or cannot be run as it stands."""
    try:
        found, caps = services.estimate(request(said), terms), services.caps(terms)
        return status.idle(views.estimate(found, caps, services.spent_today(), terms.unpriced)) if found.lines else ""
    except HallaScopeError:
        return ""


# --- a run -------------------------------------------------------------------------------------------------------------


def frame(progress: views.Progress, left: float | None = None) -> Frame:
    """What the page shows at one moment; `left`: the seconds until the end, None where they are not known."""
    view = progress.view
    if view.state == "running":
        cards = grid(views.tiles(view, progress.doing))
        words = " · ".join(filter(None, (views.so_far(progress), views.spent(progress))))
        line = status.progress(progress.done, progress.total, words, views.time_left(left))
        return Frame(line, cards, Current(view.run))
    said = status.said(_over(progress), views.troubles(view, progress.failed))
    return Frame(said, _finished(view), Current(view.run, done=True), views.unasked(view))


def _finished(view: RunView) -> str:
    """The pictures of a run that is over; the worst of them is chosen where the person chose none."""
    worst = views.worst(view)
    return grid(views.tiles(view), worst.generation if worst else "")


def _over(progress: views.Progress) -> str:
    """What came of a run, and where to look first."""
    return " ".join(filter(None, (views.summary(progress), views.pointer(progress.view))))


def frames(
    services: Services,
    asked: EvaluateRequest,
    stop: threading.Event,
    terms: Terms | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Frame]:
    """What the page shows, whenever it changes. Raises HallaScopeError before the first picture where the request cannot be done."""
    started, pace = clock(), views.Pace()
    for progress in moments(services, asked, stop, terms or Terms()):
        yield frame(progress, pace.left(progress, clock() - started))


def moments(services: Services, asked: EvaluateRequest, stop: threading.Event, terms: Terms) -> Iterator[views.Progress]:
    """How far a run is, after every event that changes it: a single answer does not. Raises HallaScopeError."""
    progress: views.Progress | None = None
    for event in services.evaluate(asked, stop, terms):
        last = progress
        if progress is not None:
            progress = views.after(progress, event)
        elif isinstance(event, Queued):
            progress = views.begin(event, asked)
        if progress is not None and progress is not last:
            yield progress


def stored(view: RunView) -> Frame:
    """What the page shows of a stored run."""
    progress = views.Progress(view, 0, {})
    words = "This run was stopped before its end: Generate goes on where it was." if view.state != "finished" else _over(progress)
    said = status.said(words, views.troubles(view))
    return Frame(said, _finished(view), Current(view.run, done=True), views.unasked(view))


def before(services: Services, current: Current) -> str | None:
    """The pictures of the run that is shown, marked as those of an earlier one; None where none is shown, or it is not to be read."""
    try:
        return earlier(views.tiles(services.view(current.run))) if current.run else None
    except HallaScopeError:
        return None


def opened(services: Services, run: str) -> tuple[Settings, Frame]:
    """A stored run that an address names, with its settings. Raises UnknownRun."""
    view = services.view(run)
    return settings(services, view.request), stored(view)
