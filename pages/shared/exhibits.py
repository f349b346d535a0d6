"""From a picture of a run to what the evidence viewer shows of it by one metric.

Pure, tested without Gradio.
"""

from collections.abc import Sequence
from dataclasses import replace

from hallascope import metrics
from hallascope.components.cards import score_chips
from hallascope.components.cards.cards import EXTRA, Tile
from hallascope.components.evidence import factualbench, findings, number, scene_graph, verdicts
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.engine.events import Evaluation, GeneratedPicture, RunView
from hallascope.engine.services import Services
from hallascope.metrics.base import Metric
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.ratings import fine_ones


def exhibit(
    services: Services,
    view: RunView,
    shot: GeneratedPicture,
    metric: str | None = None,
    who: str = "",
) -> Exhibit:
    """A picture with its findings where the metric has any, else with its questions.

    `who` looked, where there are two.

    The regions of questions are taken from the stored truth, apart from the image; they go to the
    page and to nothing else.
    """
    tile = run_progress.tile(view, shot, metric=metric)
    if metric is None:
        return _with_all_scores(
            exhibit(services, view, shot, run_progress.primary(view), who), tile
        )
    if tile.presents == "number":
        return _number(tile, view, shot, metrics.get(metric), who)
    if tile.presents == "questions":
        return verdicts.exhibit(tile, services.regions(shot.image) if shot.image else {})
    if not tile.reports or not tile.reports[0].evidence:
        return findings.exhibit(tile)
    said, *_ = run_progress.evaluations_of(view, shot, metric)
    if tile.presents == "rounds" and factualbench.are_rounds(tile.findings):
        return factualbench.exhibit(
            replace(tile, name=f"{tile.name}, {who}") if who else tile, facts(said, ())
        )
    fine = fine_ones(services, view.request.prompt, said)
    show = (
        scene_graph.exhibit
        if said.report.evidence and said.report.evidence.graphs
        else findings.exhibit
    )
    return show(replace(tile, name=f"{tile.name}, {who}") if who else tile, facts(said, fine), fine)


def _number(tile: Tile, view: RunView, shot: GeneratedPicture, metric: Metric, who: str) -> Exhibit:
    evaluations = run_progress.evaluations_of(view, shot, metric.name)
    told = facts(evaluations[0], ()) if evaluations else []
    return number.exhibit(replace(tile, name=f"{tile.name}, {who}") if who else tile, metric, told)


def _with_all_scores(shown: Exhibit, tile: Tile) -> Exhibit:
    """Return the same with a line for every metric of the run above the numbers."""
    return replace(shown, numbers=f"{score_chips.table(tile.scores)}{shown.numbers}")


def facts(said: Evaluation, fine: Sequence[int]) -> list[tuple[str, str]]:
    """What stands beside the scores: who did what, and what people do not mind.

    No score counts that.
    """
    rows = said.report.evidence.findings if said.report.evidence else ()
    extras = sum(row.kind == EXTRA for row in rows)
    people = [("people", f"{len(fine)} of {extras} extras are fine")] if extras else []
    return [*people, *((str(role), model) for role, model in said.lineup.items())]
