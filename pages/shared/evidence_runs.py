"""From the pictures of a run to what a metric that looks at them says, moment by moment.

Tested without Gradio.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hallascope.components.cards import status
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.score_table import (
    ColumnBuilder,
    ScoreTableRow,
    score_table,
    stages,
)
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest, GeneratedPicture, RunView
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import exhibit
from hallascope.pages.shared.pipeline_pickers import LineupChoice

WHO = ("first line-up", "second line-up")
EvidenceUpdate = tuple[str, str, "EvidenceRuns"]  # the status line, the table, and what is shown
RequestTransform = Callable[[EvaluateRequest], EvaluateRequest]
CompanionExhibits = Callable[[RunView, GeneratedPicture], Sequence[Exhibit]]


def unchanged_request(asked: EvaluateRequest) -> EvaluateRequest:
    """Nothing more is asked than what the line-up does."""
    return asked


def no_companions(view: RunView, shot: GeneratedPicture) -> Sequence[Exhibit]:
    """Nothing stands beside the picture."""
    return ()


@dataclass(frozen=True)
class EvidenceSpec:
    """What looks at the pictures: a metric by name, and what the table tells of each picture.

    `ask`: what more is asked for than that the line-up looks; `beside`: what stands in the viewer
    beside a picture.
    """

    metric: str
    columns: ColumnBuilder = stages
    adjust_request: RequestTransform = unchanged_request
    companions: CompanionExhibits = no_companions


@dataclass(frozen=True)
class EvidenceRuns:
    """`runs`: those in which a metric looked at the same pictures, one a line-up.

    `of`: the run whose pictures they are.

    `done`: all has been said, so that what is drawn of many runs can be drawn anew.
    """

    runs: tuple[str, ...] = ()
    source_run: str | None = None
    done: bool = False


# --- which runs
# --------------------------------------------------------------------------------------------------


def of_run(
    services: Services, current: CurrentRun, before: EvidenceRuns, metric: str
) -> EvidenceRuns:
    """Return what to show for the run of the page: what was looked at last, else the run.

    The run is shown where the metric is among its own, else nothing.

    Raises UnknownRun.
    """
    if current.run is None or current.run == before.source_run:
        return before
    asked = metric in services.view(current.run).request.metrics
    return EvidenceRuns((current.run,) if asked else (), current.run)


def request(asked: EvaluateRequest, lineup: LineupChoice, metric: str) -> EvaluateRequest:
    """The same pictures, looked at for this metric alone, by this line-up."""
    roles = {"judge": None, **{str(role): model for role, model in lineup.items()}}
    return replace(asked, metrics=(metric,), trials=1, **roles)  # type: ignore[arg-type]


def frames(
    services: Services,
    run: str,
    lineups: Sequence[LineupChoice],
    stop: threading.Event,
    terms: SpendingPolicy,
    *,
    look: EvidenceSpec,
) -> Iterator[EvidenceUpdate]:
    """What the page shows while the line-ups look, one after the other.

    Raises HallaScopeError where one cannot.
    """
    asked = services.view(run).request
    before = list[RunView]()
    for number, lineup in enumerate(lineups):
        who = WHO[number] if len(lineups) > 1 else ""
        progress = None
        for progress in run_progress.moments(
            services, look.adjust_request(request(asked, lineup, look.metric)), stop, terms
        ):
            yield _frame([*before, progress.view], progress, who, run, look)
        if progress is None or stop.is_set():
            return
        before.append(progress.view)


def _frame(
    found: Sequence[RunView],
    progress: run_progress.RunProgress,
    who: str,
    run: str,
    look: EvidenceSpec,
) -> EvidenceUpdate:
    shown = _table(found, look)
    looked = EvidenceRuns(tuple(view.run for view in found), run, progress.view.state != "running")
    if progress.view.state != "running":
        return (
            status.result_message(
                _prefix_lineup(who, run_progress.summary(progress)),
                run_progress.troubles(progress.view, progress.failed),
            ),
            shown,
            looked,
        )
    return (
        status.progress(
            progress.completed_steps,
            progress.total,
            _prefix_lineup(who, run_progress.progress_text(progress)),
        ),
        shown,
        looked,
    )


def _prefix_lineup(who: str, words: str) -> str:
    return f"{who.capitalize()}: {words}" if who else words


def estimate_html(
    services: Services,
    run: str,
    lineups: Sequence[LineupChoice],
    terms: SpendingPolicy,
    metric: str,
    *,
    ask: RequestTransform = unchanged_request,
) -> str:
    """What it is likely to cost to look, as HTML.

    "" where it costs nothing, or cannot be done as it stands.
    """
    try:
        asked = services.view(run).request
        caps = services.caps(terms)
        found = [
            services.estimate(ask(request(asked, lineup, metric)), terms) for lineup in lineups
        ]
        said = [
            (
                run_progress.estimate(one, caps, services.spent_today(), terms.unpriced)
                if one.lines
                else ""
            )
            for one in found
        ]
    except HallaScopeError:
        return ""
    who = WHO if len(lineups) > 1 else ("",)
    words = " ".join(_prefix_lineup(name, one) for name, one in zip(who, said, strict=True) if one)
    return status.idle_message(words) if words else ""


# --- what is shown
# --------------------------------------------------------------------------------------------------


def table(services: Services, looked: EvidenceRuns, look: EvidenceSpec) -> str:
    """The scores of all pictures. Raises UnknownRun."""
    return _table([services.view(run) for run in looked.runs], look)


def _table(found: Sequence[RunView], look: EvidenceSpec) -> str:
    return score_table(_standings(found, look.metric), look.columns)


def _standings(found: Sequence[RunView], metric: str) -> list[ScoreTableRow]:
    """Picture by picture, the line-ups beneath each other."""
    who = WHO if len(found) > 1 else ("",)
    columns = [run_progress.tiles(view, metric=metric) for view in found]
    return [
        ScoreTableRow(tile, name)
        for tiles in zip(*columns, strict=True)
        for tile, name in zip(tiles, who, strict=True)
    ]


def exhibits(
    services: Services,
    looked: EvidenceRuns,
    key: str | None,
    metric: str,
    beside: CompanionExhibits = no_companions,
) -> list[Exhibit]:
    """The evidence of one picture, by each line-up that looked at it, then what stands beside it.

    Raises UnknownRun.
    """
    who = WHO if len(looked.runs) > 1 else ("",)
    found = [
        (view, run_progress.find_picture(view, key), name)
        for view, name in zip(map(services.view, looked.runs), who, strict=False)
    ]
    more = [one for view, shot, _ in found[:1] if shot for one in beside(view, shot)]
    return [
        *(exhibit(services, view, shot, metric, name) for view, shot, name in found if shot),
        *more,
    ]
