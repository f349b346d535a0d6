"""From what a person asks on the Explore tab to what it shows, moment by moment.

Tested without Gradio.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.components.cards import status
from hallascope.components.cards.cards import grid, previous_run_grid
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.events import EvaluateRequest, RunView
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.explore.metric_choice import runnable, takes_writer
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.model_picker import name, names, split_names
from hallascope.pages.shared.numbers import parse_whole

MOST_PICTURES = 64
MOST_A_MODEL = 16  # pictures
MOST_TRIALS = 9  # of the judge
MOST_SEED = 2**31 - 1
NO_WRITER = "none"  # the chip that stands for no writer


class ExploreSettings(NamedTuple):
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


class ExploreView(NamedTuple):
    """What the page shows at one moment of a run.

    `unasked`: there are no questions for the prompt, and some can be made.
    """

    status: str
    cards: str
    current: CurrentRun
    unasked: bool = False


# --- what is asked
# --------------------------------------------------------------------------------------------------


def request(said: ExploreSettings) -> EvaluateRequest:
    """The request as the engine takes it; a picture of one's own takes the place of all models.

    Raises BadRequest with one sentence where a control holds nothing that can be run.
    """
    models = names(said.models, said.other_models)
    metrics = tuple(said.metrics or ())
    if not said.upload and not models:
        raise BadRequest("No model is chosen: choose at least one, or bring a picture of your own.")
    if not metrics:
        raise BadRequest("No metric is chosen: choose at least one.")
    seed = parse_whole(said.seed, "seed", 0, MOST_SEED)
    count = parse_whole(said.pictures, "number of pictures", 1, MOST_A_MODEL)
    trials = parse_whole(said.trials, "number of trials", 1, MOST_TRIALS)
    if not said.upload and len(models) * count > MOST_PICTURES:
        raise BadRequest(
            f"{len(models)} models with {count} pictures each are more than {MOST_PICTURES}: ask"
            " for fewer."
        )
    judge = name(said.judge, said.other_judge)
    writer = name(said.writer, said.other_writer)
    return EvaluateRequest(
        prompt=said.prompt,
        models=() if said.upload else models,
        metrics=metrics,
        judge=judge,
        seed=seed,
        count=count,
        trials=trials,
        images=(Path(said.upload),) if said.upload else (),
        writer=None if writer == NO_WRITER or not takes_writer(metrics) else writer,
    )


def settings(services: Services, asked: EvaluateRequest) -> ExploreSettings:
    """The controls as they stood when the request was made."""
    models, other_models = split_names(asked.models, services.generators())
    judge, other_judge = split_names([asked.judge] if asked.judge else [], services.judges())
    writer, other_writer = (
        split_names([asked.writer], services.models("writer"))
        if asked.writer
        else ([NO_WRITER], "")
    )
    metrics = runnable(services, asked.metrics)
    return ExploreSettings(
        prompt=asked.prompt,
        models=models,
        other_models=other_models,
        judge=judge,
        other_judge=other_judge,
        metrics=metrics,
        writer=writer,
        other_writer=other_writer,
        seed=asked.seed,
        pictures=asked.count,
        trials=asked.trials,
    )


def estimate_html(services: Services, said: ExploreSettings, terms: SpendingPolicy) -> str:
    """What the run is likely to cost, as HTML.

    "" where it costs nothing, or cannot be run as it stands.
    """
    try:
        found = services.estimate(request(said), terms)
        caps = services.caps(terms)
        return (
            status.idle_message(
                run_progress.estimate(found, caps, services.spent_today(), terms.unpriced)
            )
            if found.lines
            else ""
        )
    except HallaScopeError:
        return ""


# --- a run
# --------------------------------------------------------------------------------------------------


def frame(progress: run_progress.RunProgress, left: float | None = None) -> ExploreView:
    """What the page shows at one moment.

    `left`: the seconds until the end, None where they are not known.
    """
    view = progress.view
    if view.state == "running":
        cards = grid(run_progress.tiles(view, progress.doing))
        words = " · ".join(
            filter(None, (run_progress.progress_text(progress), run_progress.spent(progress)))
        )
        line = status.progress(
            progress.completed_steps, progress.total, words, run_progress.time_left(left)
        )
        return ExploreView(line, cards, CurrentRun(view.run))
    said = status.result_message(
        _finish_summary(progress), run_progress.troubles(view, progress.failed)
    )
    return ExploreView(
        said, _finished(view), CurrentRun(view.run, done=True), run_progress.lacks_questions(view)
    )


def _finished(view: RunView) -> str:
    """The pictures of a run that is over.

    The worst of them is chosen where the person chose none.
    """
    worst = run_progress.worst_picture(view)
    return grid(run_progress.tiles(view), worst.generation if worst else "")


def _finish_summary(progress: run_progress.RunProgress) -> str:
    """What came of a run, and where to look first."""
    return " ".join(
        filter(None, (run_progress.summary(progress), run_progress.pointer(progress.view)))
    )


def frames(
    services: Services,
    asked: EvaluateRequest,
    stop: threading.Event,
    terms: SpendingPolicy | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[ExploreView]:
    """What the page shows, whenever it changes.

    Raises HallaScopeError before the first picture where the request cannot be done.
    """
    started = clock()
    pace = run_progress.TimeEstimator()
    for progress in run_progress.moments(services, asked, stop, terms or SpendingPolicy()):
        yield frame(progress, pace.seconds_left(progress, clock() - started))


def stored_run_view(view: RunView) -> ExploreView:
    """What the page shows of a stored run."""
    progress = run_progress.RunProgress(view=view, evaluations=0, doing={})
    words = (
        "This run was stopped before its end: Generate goes on where it was."
        if view.state != "finished"
        else _finish_summary(progress)
    )
    said = status.result_message(words, run_progress.troubles(view))
    return ExploreView(
        said, _finished(view), CurrentRun(view.run, done=True), run_progress.lacks_questions(view)
    )


def previous_run_html(services: Services, current: CurrentRun) -> str | None:
    """The pictures of the run that is shown, marked as those of an earlier one.

    None where none is shown, or it is not to be read.
    """
    try:
        return (
            previous_run_grid(run_progress.tiles(services.view(current.run)))
            if current.run
            else None
        )
    except HallaScopeError:
        return None


def open_run(services: Services, run: str) -> tuple[ExploreSettings, ExploreView]:
    """A stored run that an address names, with its settings. Raises UnknownRun."""
    view = services.view(run)
    return settings(services, view.request), stored_run_view(view)
