"""Evaluates the pictures of a run by one metric, and shows the results line-up by line-up."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits.score_table import (
    ColumnBuilder,
    ScoreTableRow,
    score_table,
    stages,
)
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest, GeneratedPicture
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.result import RunResult, results
from hallascope.engine.services import Services
from hallascope.engine.teaching import walkthrough
from hallascope.pages.shared import run_messages, run_pictures
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence.exhibits import exhibit
from hallascope.pages.shared.evidence.pipeline_pickers import LineupChoice

RECENT_RUNS = 100  # among which an evaluation of the same pictures is looked for
LINEUP_NAMES = ("first configuration", "second configuration")
EvidenceUpdate = tuple[str, str, "EvidenceRuns"]  # the status line, the table, and what is shown
RequestTransform = Callable[[EvaluateRequest], EvaluateRequest]
CompanionExhibits = Callable[[RunResult, GeneratedPicture], Sequence[Exhibit]]


def unchanged_request(request: EvaluateRequest) -> EvaluateRequest:
    """Return the request as it is."""
    return request


def no_companions(view: RunResult, shot: GeneratedPicture) -> Sequence[Exhibit]:
    """Return nothing to stand beside a picture."""
    return ()


@dataclass(frozen=True)
class EvidenceSpec:
    """Describes a tab of evidence: its metric, and what its table shows of each picture.

    `adjust_request` changes the request before it is run; `companions` are shown in the viewer
    beside a picture.
    """

    metric: str
    columns: ColumnBuilder = stages
    adjust_request: RequestTransform = unchanged_request
    companions: CompanionExhibits = no_companions


@dataclass(frozen=True)
class EvidenceRuns:
    """Names the runs in which a metric evaluated the same pictures, one a line-up.

    `source_run` is the run whose pictures they are. `done`: all of them are over, so that figures
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


def services_of(services: Services, shown: EvidenceRuns) -> Services:
    """Return the services that know the runs that are shown."""
    return walkthrough.read(services).services if shown.is_example else services


# --- which runs -----------------------------------------------------------------------------------


def of_run(
    services: Services, current: CurrentRun, before: EvidenceRuns, metric: str
) -> EvidenceRuns:
    """Return what to show for the run of the page: what was evaluated last, else the run itself.

    The run is shown where the metric is among its own, else the newest run in which the metric
    evaluated the same pictures. Raises UnknownRun.
    """
    if current.run is None or current.run == before.source_run:
        return before
    request = services.view(current.run).request
    if metric in request.metrics:
        return EvidenceRuns((current.run,), current.run)
    others = (
        record.id
        for record in services.runs(RECENT_RUNS)
        if metric in record.request.metrics and has_same_pictures(record.request, request)
    )
    found = next(others, None)
    return EvidenceRuns((found,) if found else (), current.run)


def has_same_pictures(one: EvaluateRequest, other: EvaluateRequest) -> bool:
    """Return whether two requests are about the same pictures in the same order."""
    names = ("prompt", "models", "seed", "count", "images", "inject")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def request_of(request: EvaluateRequest, lineup: LineupChoice, metric: str) -> EvaluateRequest:
    """Return the request for the same pictures, by this metric alone and by this line-up."""
    roles = {"judge": None, **{str(role): model for role, model in lineup.items()}}
    return replace(request, metrics=(metric,), trials=1, **roles)  # type: ignore[arg-type]


def frames(
    services: Services,
    run: str,
    lineups: Sequence[LineupChoice],
    stop: threading.Event,
    terms: SpendingPolicy,
    *,
    spec: EvidenceSpec,
) -> Iterator[EvidenceUpdate]:
    """Yield what the page shows while the line-ups evaluate the run, one after the other.

    Raises HallaScopeError where one cannot.
    """
    request = services.view(run).request
    finished = list[RunResult]()
    names = _lineup_names(len(lineups))
    for lineup, name in zip(lineups, names, strict=True):
        wanted = spec.adjust_request(request_of(request, lineup, spec.metric))
        result = None
        for result in results(wanted, services.evaluate(wanted, stop, terms)):
            yield _frame([*finished, result], name, run, spec)
        if result is None or stop.is_set():
            return
        finished.append(result)


def _frame(views: Sequence[RunResult], lineup: str, run: str, spec: EvidenceSpec) -> EvidenceUpdate:
    result = views[-1]
    done = result.state != "running"
    if done:
        line = status.result_message(
            _prefix_lineup(lineup, run_messages.summary(result)), run_messages.troubles(result)
        )
    else:
        words = _prefix_lineup(lineup, run_messages.progress_text(result))
        line = status.progress(result.completed_steps, result.steps, words)
    shown = EvidenceRuns(tuple(view.run for view in views), run, done)
    return line, _table(views, spec, run), shown


def _lineup_names(lineups: int) -> Sequence[str]:
    """Return the names that tell line-ups apart; "" for one alone."""
    return LINEUP_NAMES if lineups > 1 else ("",)


def _prefix_lineup(lineup: str, words: str) -> str:
    return f"{lineup.capitalize()}: {words}" if lineup else words


def estimate_html(
    services: Services,
    run: str,
    lineups: Sequence[LineupChoice],
    terms: SpendingPolicy,
    metric: str,
    *,
    adjust_request: RequestTransform = unchanged_request,
) -> str:
    """Return what the evaluation is likely to cost, as HTML.

    "" where it costs nothing, or cannot be run as it stands.
    """
    sentences = []
    try:
        request = services.view(run).request
        caps = services.caps(terms)
        for lineup, name in zip(lineups, _lineup_names(len(lineups)), strict=True):
            wanted = adjust_request(request_of(request, lineup, metric))
            estimate = services.estimate(wanted, terms)
            if estimate.lines:
                words = run_messages.estimate_text(
                    estimate, caps, services.spent_today(), terms.unpriced
                )
                sentences.append(_prefix_lineup(name, words))
    except HallaScopeError:
        return ""
    return status.idle_message(" ".join(sentences)) if sentences else ""


# --- what is shown --------------------------------------------------------------------------------


def table(services: Services, shown: EvidenceRuns, spec: EvidenceSpec) -> Markup:
    """Return the scores of all pictures as HTML. Raises UnknownRun."""
    own = services_of(services, shown)
    return _table([own.view(run) for run in shown.runs], spec, shown.source_run, shown.is_example)


def _table(
    views: Sequence[RunResult],
    spec: EvidenceSpec,
    source_run: str | None,
    is_example: bool = False,
) -> Markup:
    """Return the scores picture by picture, the line-ups beneath each other."""
    columns = [run_pictures.tiles(view, metric=spec.metric) for view in views]
    rows = [
        ScoreTableRow(tile, name)
        for tiles in zip(*columns, strict=True)
        for tile, name in zip(tiles, _lineup_names(len(views)), strict=True)
    ]
    return score_table(rows, spec.columns, source_run, unnamed=is_example)


def exhibits(
    services: Services,
    shown: EvidenceRuns,
    key: str | None,
    metric: str,
    companions: CompanionExhibits = no_companions,
) -> list[Exhibit]:
    """Return the evidence of one picture by each line-up, then what stands beside the picture.

    Raises UnknownRun.
    """
    own: list[Exhibit] = []
    beside: Sequence[Exhibit] = ()
    source = services_of(services, shown)
    for run, name in zip(shown.runs, _lineup_names(len(shown.runs)), strict=False):
        view = source.view(run)
        shot = run_pictures.find_picture(view, key)
        if shot is None:
            continue
        if run == shown.runs[0]:
            beside = companions(view, shot)
        evidence = exhibit(source, view, shot, metric, name)
        own.append(replace(evidence, page_run=shown.source_run, unnamed=shown.is_example))
    return [*own, *beside]
