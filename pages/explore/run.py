"""Turns the settings of the Evaluate tab into a request, and its run into what the tab shows."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.cards import status
from hallascope.components.cards.cards import grid, previous_run_grid
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.result import RunResult, results
from hallascope.engine.services import Services
from hallascope.pages.explore.metric_choice import runnable, takes_writer
from hallascope.pages.shared import run_messages, run_pictures, time_left
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence.wording_choice import chosen_wording
from hallascope.pages.shared.model_picker import name, names, split_names
from hallascope.pages.shared.numbers import parse_whole
from hallascope.pages.shared.reliability import with_reliability
from hallascope.pages.shared.truths import with_truths

MOST_PICTURES = 64
MOST_A_MODEL = 16  # pictures
MOST_TRIALS = 9  # of the judge
MOST_SHOWN = 60  # characters of a prompt in a sentence
MOST_SEED = 2**31 - 1
NO_WRITER = "none"  # the chip that stands for no writer


class ExploreSettings(NamedTuple):
    """Holds the values of the controls, in their order; `other_…` are typed names of models."""

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
    wording: Sequence[str] | None = (OURS,)


class ExploreView(NamedTuple):
    """Holds what the page shows at one moment of a run.

    `unasked`: there are no questions for the prompt, and some can be made. `unreviewed`: a model
    wrote them, and no person has reviewed them.
    """

    status: str
    cards: str
    current: CurrentRun
    unasked: bool = False
    unreviewed: bool = False


# --- what is asked --------------------------------------------------------------------------------


def request(settings: ExploreSettings) -> EvaluateRequest:
    """Return the request for the engine; a person's own picture takes the place of all models.

    Raises BadRequest with one sentence where a control holds nothing that can be run.
    """
    models = names(settings.models, settings.other_models)
    metrics = tuple(settings.metrics or ())
    if not settings.upload and not models:
        raise BadRequest("No model is chosen: choose at least one, or bring an image of your own.")
    if not metrics:
        raise BadRequest("No metric is chosen: choose at least one.")
    seed = parse_whole(settings.seed, "seed", 0, MOST_SEED)
    count = parse_whole(settings.pictures, "number of images", 1, MOST_A_MODEL)
    trials = parse_whole(settings.trials, "number of trials", 1, MOST_TRIALS)
    if not settings.upload and len(models) * count > MOST_PICTURES:
        raise BadRequest(
            f"{len(models)} models with {count} images each are more than {MOST_PICTURES}: ask"
            " for fewer."
        )
    judge = name(settings.judge, settings.other_judge)
    writer = name(settings.writer, settings.other_writer)
    return EvaluateRequest(
        prompt=settings.prompt,
        models=() if settings.upload else models,
        metrics=metrics,
        judge=judge,
        seed=seed,
        count=count,
        trials=trials,
        images=(Path(settings.upload),) if settings.upload else (),
        writer=None if writer == NO_WRITER or not takes_writer(metrics) else writer,
        wording=chosen_wording(settings.wording),
    )


def judging_template(settings: ExploreSettings) -> EvaluateRequest:
    """Return how images that exist already are judged: by the metrics, the judge and the writer.

    Its prompt is empty. Raises BadRequest with one sentence.
    """
    metrics = tuple(settings.metrics or ())
    if not metrics:
        raise BadRequest("No metric is chosen: choose at least one.")
    writer = name(settings.writer, settings.other_writer)
    return EvaluateRequest(
        prompt="",
        metrics=metrics,
        judge=name(settings.judge, settings.other_judge),
        trials=parse_whole(settings.trials, "number of trials", 1, MOST_TRIALS),
        writer=None if writer == NO_WRITER or not takes_writer(metrics) else writer,
        wording=chosen_wording(settings.wording),
    )


def settings(services: Services, request: EvaluateRequest) -> ExploreSettings:
    """Return the controls as they stood when the request was made."""
    models, other_models = split_names(request.models, services.generators())
    judge, other_judge = split_names([request.judge] if request.judge else [], services.judges())
    writer, other_writer = (
        split_names([request.writer], services.models("writer"))
        if request.writer
        else ([NO_WRITER], "")
    )
    metrics = runnable(services, request.metrics)
    return ExploreSettings(
        prompt=request.prompt,
        models=models,
        other_models=other_models,
        judge=judge,
        other_judge=other_judge,
        metrics=metrics,
        writer=writer,
        other_writer=other_writer,
        seed=request.seed,
        pictures=request.count,
        trials=request.trials,
        wording=(request.wording,),
    )


def settings_summary(settings: ExploreSettings) -> list[str]:
    """Return in a few words what a run would use: models, judge, metrics, seed, repetitions."""
    models = names(settings.models, settings.other_models)
    judge = name(settings.judge, settings.other_judge)
    chosen = [metric.title for key in settings.metrics or () if (metric := metrics.find(key))]
    words = ["your own image" if settings.upload else _one_or_count(models, "model")]
    words += [judge or "no judge", _one_or_count(chosen, "metric")]
    if not settings.upload:
        words.append(f"seed {_number_text(settings.seed)}")
        if settings.pictures != 1:
            words.append(f"{_number_text(settings.pictures)} images per model")
    if (wording := chosen_wording(settings.wording)) != OURS:
        words.append(f"wording {Path(wording).name}")
    if settings.trials != 1:
        words.append(f"{_number_text(settings.trials)} judge repetitions")
    return words


def _one_or_count(chosen: Sequence[str], noun: str) -> str:
    if len(chosen) == 1:
        return chosen[0]
    return f"{len(chosen) or 'no'} {noun}s"


def _number_text(value: float | None) -> str:
    return "?" if value is None else f"{value:g}"


def estimate_html(services: Services, settings: ExploreSettings, terms: SpendingPolicy) -> Markup:
    """Return what the run is likely to cost, as HTML.

    "" where it costs nothing, or cannot be run as it stands.
    """
    try:
        understood = services.acting_for(terms.visitor).understand(request(settings))
        estimate = services.estimate(understood.request, terms)
        caps = services.caps(terms)
        today = services.spent_today()
    except HallaScopeError:
        return Markup()
    if not estimate.lines:
        return Markup()
    return status.idle_message(run_messages.estimate_text(estimate, caps, today, terms.unpriced))


# --- a run ----------------------------------------------------------------------------------------


def frame(services: Services, result: RunResult, left: float | None = None) -> ExploreView:
    """Return what the page shows at one moment.

    `left`: the seconds until the end, None where they are not known. The truth is looked up when
    the run is over.
    """
    if result.state == "running":
        cards = grid(with_reliability(services, run_pictures.tiles(result)))
        words = " · ".join(
            filter(None, (run_messages.progress_text(result), run_messages.spent_text(result)))
        )
        line = status.progress(
            result.completed_steps, result.steps, words, time_left.time_left_text(left)
        )
        return ExploreView(line, cards, CurrentRun(result.run))
    line = status.result_message(_finish_summary(result), run_messages.troubles(result))
    return _finished_view(services, result, line)


def _finished_view(services: Services, view: RunResult, line: str) -> ExploreView:
    """Return what the page shows of a run that is over, with the worst of its pictures chosen."""
    worst = run_pictures.worst_picture(view)
    tiles = with_reliability(services, with_truths(services, run_pictures.tiles(view)))
    cards = grid(tiles, worst.generation if worst else "")
    return ExploreView(
        line,
        cards,
        CurrentRun(view.run, done=True),
        unasked=run_messages.lacks_questions(view),
        unreviewed=bool(run_messages.unreviewed_note(view)),
    )


def _finish_summary(result: RunResult) -> str:
    """Return what came of a run, and where to look first."""
    return " ".join(filter(None, (run_messages.summary(result), run_messages.pointer(result))))


def cannot_draw_view(prompt: str) -> tuple[Markup, Markup, CurrentRun]:
    """Return status, cards and run for a prompt that no chosen model draws: nothing is run.

    No image of an earlier run stays under the new prompt.
    """
    shown = prompt if len(prompt) <= MOST_SHOWN else f"{prompt[: MOST_SHOWN - 3]}..."
    words = f"The built-in models cannot draw “{shown}”."
    return status.error_message(words), grid(()), CurrentRun()


def frames(
    services: Services,
    request: EvaluateRequest,
    stop: threading.Event,
    terms: SpendingPolicy | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[ExploreView]:
    """Yield what the page shows, whenever it changes.

    Raises HallaScopeError before the first picture where the request cannot be done.
    """
    started = clock()
    estimator = time_left.TimeEstimator()
    events = services.evaluate(request, stop, terms or SpendingPolicy())
    for result in results(request, events):
        yield frame(services, result, estimator.seconds_left(result, clock() - started))


def stored_run_view(services: Services, view: RunResult) -> ExploreView:
    """Return what the page shows of a stored run."""
    words = (
        "This run was stopped before its end. Generate resumes it."
        if view.state != "finished"
        else _finish_summary(view)
    )
    line = status.result_message(words, run_messages.troubles(view))
    return _finished_view(services, view, line)


def previous_run_html(services: Services, current: CurrentRun) -> Markup | None:
    """Return the pictures of the run that is shown, marked as those of an earlier one.

    None where none is shown, or it cannot be read.
    """
    if not current.run:
        return None
    try:
        tiles = with_truths(services, run_pictures.tiles(services.view(current.run)))
        return previous_run_grid(with_reliability(services, tiles))
    except HallaScopeError:
        return None


def open_run(services: Services, run: str) -> tuple[ExploreSettings, ExploreView]:
    """Return a stored run that an address names, with its settings. Raises UnknownRun."""
    view = services.view(run)
    return settings(services, view.request), stored_run_view(services, view)
