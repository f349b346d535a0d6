"""Turns the settings of the Evaluate tab into a request, and its run into what the tab shows."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

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
from hallascope.pages.shared import run_messages, run_pictures, time_left
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence.metric_models import (
    ROLES,
    chosen_roles,
    picked_roles,
)
from hallascope.pages.shared.evidence.runs import find_shown, first_metric
from hallascope.pages.shared.model_picker import chosen_model, chosen_models
from hallascope.pages.shared.numbers import parse_seed, parse_whole
from hallascope.pages.shared.reliability import with_reliability
from hallascope.pages.shared.truths import with_truths

MAX_IMAGES = 64
MAX_IMAGES_PER_MODEL = 16
MAX_REPETITIONS = 9  # of the judge


class EvaluateSettings(NamedTuple):
    """Holds the values of the controls, in their order; the last are those of `MetricModels`."""

    prompt: str
    models: Sequence[str] | None = ()
    metrics: Sequence[str] | None = ("ihalla",)
    upload: str | None = None
    seed: float | None = 0
    images: float | None = 1
    trials: float | None = 1
    judge: str | None = None
    writer: str | None = None
    detector: str | None = None
    segmenter: str | None = None
    captioner: str | None = None
    parser: str | None = None
    reader: str | None = None
    wording: str | None = OURS

    @property
    def roles(self) -> tuple[str | None, ...]:
        """Return the models of all roles, in the order of `ROLES`."""
        return tuple(getattr(self, role) for role in ROLES)


class EvaluateView(NamedTuple):
    """Holds what the page shows at one moment of a run.

    `unasked`: there are no questions for the prompt, and some can be made. `unreviewed`: a model
    wrote them, and no person has reviewed them.
    """

    status: str
    cards: str
    current: CurrentRun
    unasked: bool = False
    unreviewed: bool = False


# no image of an earlier run stays under a prompt that is not drawn
EMPTY_VIEW = EvaluateView(status.result_message(), grid(()), CurrentRun())
WELCOME = "Type a prompt and press Generate."
EXAMPLE = (
    "An example: {prompt}, drawn with mistakes. Click a cross to see its evidence, or type a prompt"
    " of your own."
)


# --- what is asked --------------------------------------------------------------------------------


def request(settings: EvaluateSettings) -> EvaluateRequest:
    """Return the request for the engine; a person's own image takes the place of all models.

    Raises BadRequest with one sentence where a control holds nothing that can be run.
    """
    models = chosen_models(settings.models)
    if not settings.upload and not models:
        raise BadRequest("No model is chosen: choose at least one, or upload an image of your own.")
    seed = parse_seed(settings.seed)
    count = parse_whole(settings.images, "number of images", 1, MAX_IMAGES_PER_MODEL)
    if not settings.upload and len(models) * count > MAX_IMAGES:
        raise BadRequest(
            f"{len(models)} models with {count} images each are more than {MAX_IMAGES}:"
            " choose fewer."
        )
    return replace(
        judging_template(settings),
        prompt=settings.prompt,
        models=() if settings.upload else models,
        seed=seed,
        count=count,
        images=(Path(settings.upload),) if settings.upload else (),
    )


def judging_template(settings: EvaluateSettings) -> EvaluateRequest:
    """Return how images that exist already are judged: by which metrics and models.

    Its prompt is empty. Raises BadRequest with one sentence.
    """
    metrics = tuple(settings.metrics or ())
    if not metrics:
        raise BadRequest("No metric is chosen: choose at least one.")
    roles: Any = {**chosen_roles(settings.roles, metrics), "judge": chosen_model(settings.judge)}
    return EvaluateRequest(
        prompt="",
        metrics=metrics,
        trials=parse_whole(settings.trials, "number of judge repetitions", 1, MAX_REPETITIONS),
        wording=settings.wording or OURS,
        **roles,
    )


def settings(services: Services, request: EvaluateRequest) -> EvaluateSettings:
    """Return the controls as they stood when the request was made.

    Metrics that cannot run here are among them.
    """
    known = request.wording in services.wordings()
    roles: Any = {**picked_roles(request), "judge": request.judge}
    return EvaluateSettings(
        prompt=request.prompt,
        models=list(request.models),
        metrics=list(request.metrics),
        seed=request.seed,
        images=request.count,
        trials=request.trials,
        wording=request.wording if known else OURS,
        **roles,
    )


def settings_label(settings: EvaluateSettings) -> str:
    """Return in a few words what a run would use: models, judge, metrics, seed, repetitions."""
    models = chosen_models(settings.models)
    judge = chosen_model(settings.judge)
    chosen = [metric.title for key in settings.metrics or () if (metric := metrics.find(key))]
    words = ["your own image" if settings.upload else _one_or_count(models, "model")]
    words += [judge or "no judge", _one_or_count(chosen, "metric")]
    if not settings.upload:
        words.append(f"seed {_number_text(settings.seed)}")
        if settings.images != 1:
            words.append(f"{_number_text(settings.images)} images per model")
    if (wording := settings.wording or OURS) != OURS:
        words.append(f"wording {Path(wording).name}")
    if settings.trials != 1:
        words.append(f"{_number_text(settings.trials)} judge repetitions")
    return f"Settings: {' · '.join(words)}"


def _one_or_count(chosen: Sequence[str], noun: str) -> str:
    if len(chosen) == 1:
        return chosen[0]
    return f"{len(chosen) or 'no'} {noun}s"


def _number_text(value: float | None) -> str:
    return "?" if value is None else f"{value:g}"


def estimate_html(services: Services, settings: EvaluateSettings, terms: SpendingPolicy) -> Markup:
    """Return what the run is likely to cost, as HTML.

    "" where it costs nothing, or cannot be run as it stands.
    """
    try:
        understood = services.acting_for(terms.visitor).understand(request(settings))
        estimate = services.estimate(understood.request, terms)
        words = run_messages.estimate_words(services, estimate, terms)
    except HallaScopeError:
        return Markup()
    return status.result_message(words) if words else Markup()


# --- a run ----------------------------------------------------------------------------------------


def frame(services: Services, result: RunResult, left: float | None = None) -> EvaluateView:
    """Return what the page shows at one moment: each image with its truth as soon as it is drawn.

    `left`: the seconds until the end, None where they are not known.
    """
    if result.state == "running":
        tiles = with_truths(services, run_pictures.tiles(result))
        cards = grid(with_reliability(services, tiles))
        parts = (
            run_messages.progress_text(result),
            run_messages.spent_text(result),
            run_messages.most_errors(result, "Most errors so far"),
        )
        words = " · ".join(filter(None, parts))
        line = status.progress(
            result.completed_steps, result.steps, words, time_left.time_left_text(left)
        )
        return EvaluateView(line, cards, CurrentRun(result.run))
    line = status.result_message(_finish_summary(result), run_messages.troubles(result))
    return _finished_view(services, result, line)


def _finished_view(services: Services, view: RunResult, line: str) -> EvaluateView:
    """Return what the page shows of a run that is over, with the worst of its images chosen."""
    worst = run_pictures.worst_picture(view)
    tiles = with_reliability(services, with_truths(services, run_pictures.tiles(view)))
    cards = grid(tiles, worst.generation if worst else "")
    return EvaluateView(
        line,
        cards,
        CurrentRun(view.run, done=True),
        unasked=run_messages.lacks_questions(view),
        unreviewed=bool(run_messages.unreviewed_note(view)),
    )


def _finish_summary(result: RunResult) -> str:
    """Return what came of a run, and where to look first."""
    stopped = "Stopped. Generate resumes this run." if result.state == "stopped" else ""
    parts = (run_messages.summary(result), stopped, run_messages.pointer(result))
    return " ".join(filter(None, parts))


def frames(
    services: Services,
    request: EvaluateRequest,
    stop: threading.Event,
    terms: SpendingPolicy | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[EvaluateView]:
    """Yield what the page shows, whenever it changes.

    Raises HallaScopeError before the first image where the request cannot be done.
    """
    started = clock()
    estimator = time_left.TimeEstimator()
    events = services.evaluate(request, stop, terms or SpendingPolicy())
    for result in results(request, events):
        yield frame(services, result, estimator.seconds_left(result, clock() - started))


def stored_run_view(services: Services, view: RunResult) -> EvaluateView:
    """Return what the page shows of a stored run."""
    words = _finish_summary(view)
    if view.state != "finished":
        again = "Upload the image again and press Generate to resume it."
        resume = again if view.request.images else "Generate resumes it."
        words = f"This run was stopped before its end. {resume}"
    line = status.result_message(words, run_messages.troubles(view))
    return _finished_view(services, view, line)


def previous_run_html(services: Services, current: CurrentRun) -> Markup | None:
    """Return the images of the run that is shown, marked as those of an earlier one.

    None where none is shown, or it cannot be read.
    """
    if not current.run:
        return None
    try:
        tiles = with_truths(services, run_pictures.tiles(services.view(current.run)))
        return previous_run_grid(with_reliability(services, tiles))
    except HallaScopeError:
        return None


def example_view(services: Services) -> EvaluateView:
    """Return what the page shows before the first run: the shipped example, and what it is.

    Without the example it is empty, and says what to do.
    """
    try:
        shown = find_shown(services, None)
    except HallaScopeError:
        return EvaluateView(status.result_message(WELCOME), grid(()), CurrentRun())
    tiles = with_truths(shown.services, run_pictures.tiles(first_metric(shown.view)))
    line = status.result_message(EXAMPLE.format(prompt=shown.view.request.prompt))
    return EvaluateView(line, grid(with_reliability(services, tiles), unnamed=True), CurrentRun())


def open_run(services: Services, run: str) -> tuple[EvaluateSettings, EvaluateView]:
    """Return a stored run that an address names, with its settings. Raises UnknownRun."""
    view = services.view(run)
    return settings(services, view.request), stored_run_view(services, view)
