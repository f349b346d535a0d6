"""Evaluates the images of a run by one metric, and shows the results of one run or two."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits.score_table import (
    ColumnBuilder,
    ScoreTableRow,
    score_table,
    stages,
)
from hallascope.data.models.specs import DEFAULTS
from hallascope.data.requests import Role
from hallascope.engine.events import EvaluateRequest, GeneratedPicture
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.result import RunResult, results
from hallascope.engine.services import Services
from hallascope.engine.teaching import walkthrough
from hallascope.pages.shared import run_messages, run_pictures
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence.exhibits import exhibit
from hallascope.pages.shared.evidence.metric_models import ROLES

RECENT_RUNS = 100  # among which an evaluation of the same images is looked for
RoleModels = Mapping[Role, str | None]  # None: the default of the role, or no model
EvidenceUpdate = tuple[str, str, "EvidenceRuns"]  # the status line, the table, and what is shown
CompanionExhibits = Callable[[RunResult, GeneratedPicture], Sequence[Exhibit]]


@dataclass(frozen=True, kw_only=True)
class EvidenceTab:
    """Describes what is a tab's own: its metric, and what its table shows of each image.

    `name` begins its element ids, `title` names the metric, `help` is HTML that says what it does.
    `companions` are shown in the viewer beside an image. `extra_controls` lays further controls
    out, and `adjust_request` puts what they hold into the request.
    """

    metric: str
    name: str
    title: str
    help: Markup
    columns: ColumnBuilder = stages
    companions: CompanionExhibits = lambda view, image: ()
    extra_controls: Callable[[Services], Sequence[Any]] = lambda services: ()
    adjust_request: Callable[[EvaluateRequest, Sequence[Any]], EvaluateRequest] = (
        lambda request, values: request
    )


@dataclass(frozen=True)
class EvidenceRuns:
    """Names the runs in which a metric evaluated the same images, each by other models.

    `source_run` is the run whose images they are. `done`: all of them are over, so that figures
    over many runs can be drawn again. `is_example`: they are of the shipped example, which is in no
    store of a person.
    """

    runs: tuple[str, ...] = ()
    source_run: str | None = None
    done: bool = False
    is_example: bool = False


def example_runs(services: Services) -> EvidenceRuns:
    """Return the shipped example, which stands where a person has no run yet.

    Raises BadRequest where it is not there.
    """
    facts = walkthrough.read(services).facts
    return EvidenceRuns((facts.run,), done=True, is_example=True)


def services_for_runs(services: Services, shown: EvidenceRuns) -> Services:
    """Return the services that know the runs that are shown."""
    return walkthrough.read(services).services if shown.is_example else services


class ShownRun(NamedTuple):
    """Holds a run and the services that know it: a person's own run, or the shipped example."""

    services: Services
    view: RunResult
    is_example: bool = False


def find_shown(services: Services, run: str | None) -> ShownRun:
    """Return a run; where there is none, or the shipped example is named, the shipped example.

    Raises UnknownRun; BadRequest where the example is not installed.
    """
    if run is not None and (services.store.has_run(run) or run not in example_runs(services).runs):
        return ShownRun(services, services.view(run))
    example = example_runs(services)
    known = services_for_runs(services, example)
    return ShownRun(known, known.view(example.runs[0]), is_example=True)


def first_metric(view: RunResult) -> RunResult:
    """Return a run as if it had its first metric alone, such as the example for a newcomer."""
    return replace(view, request=replace(view.request, metrics=view.request.metrics[:1]))


# --- which runs -----------------------------------------------------------------------------------


def of_run(
    services: Services, current: CurrentRun, before: EvidenceRuns, metric: str
) -> EvidenceRuns:
    """Return what to show for the run of the page: what was evaluated last, else the run itself.

    The run is shown where the metric is among its own, else the newest run in which the metric
    evaluated the same images. Raises UnknownRun.
    """
    if current.run is None or current.run == before.source_run:
        return before
    request = services.view(current.run).request
    if metric in request.metrics:
        return EvidenceRuns((current.run,), current.run)
    others = (
        record.id
        for record in services.store.runs(RECENT_RUNS)
        if metric in record.request.metrics and has_same_pictures(record.request, request)
    )
    found = next(others, None)
    return EvidenceRuns((found,) if found else (), current.run)


def has_same_pictures(one: EvaluateRequest, other: EvaluateRequest) -> bool:
    """Return whether two requests are about the same images in the same order."""
    names = ("prompt", "models", "seed", "count", "images", "inject")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def request_of(request: EvaluateRequest, models: RoleModels, metric: str) -> EvaluateRequest:
    """Return the request for the same images, by this metric alone and by these models."""
    roles: Any = {"judge": None, **models}
    return replace(request, metrics=(metric,), trials=1, **roles)


def frames(
    services: Services,
    wanted: EvaluateRequest,
    run: str,
    stop: threading.Event,
    terms: SpendingPolicy,
    *,
    tab: EvidenceTab,
    before: EvidenceRuns = EvidenceRuns(),
) -> Iterator[EvidenceUpdate]:
    """Yield what the page shows while the images of the run are evaluated as is wanted.

    The last result `before` it stays beside it, where it is of the same images. Raises
    HallaScopeError where they cannot.
    """
    kept = before.runs[-1:] if before.source_run == run else ()
    stored = [services.view(each) for each in kept]
    earlier = [view for view in stored if has_same_pictures(view.request, wanted)]
    for result in results(wanted, services.evaluate(wanted, stop, terms)):
        views = [*(view for view in earlier if view.run != result.run), result]
        yield _frame(views, run, tab)


def _frame(views: Sequence[RunResult], run: str, tab: EvidenceTab) -> EvidenceUpdate:
    result = views[-1]
    done = result.state != "running"
    if done:
        words = run_messages.summary(result)
        if result.state == "stopped":
            words += f" Stopped. Press “Run {tab.title}” again to resume."
        line = status.result_message(words, run_messages.troubles(result))
    else:
        words = run_messages.progress_text(result)
        line = status.progress(result.completed_steps, result.steps, words)
    shown = EvidenceRuns(tuple(view.run for view in views), run, done)
    return line, _table(views, tab, run), shown


def differences(views: Sequence[RunResult]) -> list[str]:
    """Return, for each of the runs, the models and the wording in which they differ.

    "" for one alone.
    """
    said = [
        {
            **{role: getattr(view.request, role) or DEFAULTS.get(role, "none") for role in ROLES},
            "wording": Path(view.request.wording).name,
        }
        for view in views
    ]
    differing = [key for key in said[0] if len({each[key] for each in said}) > 1] if said else []
    return [", ".join(f"{key} {each[key]}" for key in differing) for each in said]


# --- what is shown --------------------------------------------------------------------------------


def table(services: Services, shown: EvidenceRuns, tab: EvidenceTab) -> Markup:
    """Return the scores of all images as HTML. Raises UnknownRun."""
    own = services_for_runs(services, shown)
    return _table([own.view(run) for run in shown.runs], tab, shown.source_run, shown.is_example)


def _table(
    views: Sequence[RunResult],
    tab: EvidenceTab,
    source_run: str | None,
    is_example: bool = False,
) -> Markup:
    """Return the scores image by image, those of both runs beneath each other."""
    columns = [run_pictures.tiles(view, metric=tab.metric) for view in views]
    rows = [
        ScoreTableRow(tile, name)
        for tiles in zip(*columns, strict=True)
        for tile, name in zip(tiles, differences(views), strict=True)
    ]
    return score_table(rows, tab.columns, source_run, unnamed=is_example)


def exhibits(
    services: Services, shown: EvidenceRuns, key: str | None, tab: EvidenceTab
) -> list[Exhibit]:
    """Return the evidence of one image in each run, then what stands beside the image.

    Raises UnknownRun.
    """
    own: list[Exhibit] = []
    beside: Sequence[Exhibit] = ()
    source = services_for_runs(services, shown)
    views = [source.view(run) for run in shown.runs]
    for view, name in zip(views, differences(views), strict=True):
        image = run_pictures.find_picture(view, key)
        if image is None:
            continue
        if view is views[0]:
            beside = tab.companions(view, image)
        evidence = exhibit(source, view, image, tab.metric, name)
        own.append(replace(evidence, page_run=shown.source_run, unnamed=shown.is_example))
    return [*own, *beside]
