"""From a picture of a run to what the evidence viewer shows of it by one metric; pure, tested without Gradio."""

from collections.abc import Sequence
from dataclasses import replace

from components import findings, rounds, scene, verdicts
from components.cards import EXTRA
from components.exhibit import Exhibit
from engine.events import Evaluation, RunView, Shot
from engine.services import Services
from pages import views
from pages.ratings import fine_ones


def exhibit(services: Services, view: RunView, shot: Shot, metric: str | None = None, who: str = "") -> Exhibit:
    """A picture with its findings where the metric has any, else with its questions. `who` looked, where there are two.

    The regions of questions are taken from the stored truth, apart from the image; they go to the page and to nothing else.
    """
    tile = views.tile(view, shot, metric=metric)
    if not tile.reports or not tile.reports[0].evidence:
        return verdicts.exhibit(tile, services.regions(shot.image) if shot.image else {})
    (said, *_) = views.evaluations_of(view, shot, metric or views.primary(view))
    if rounds.are_rounds(tile.findings):
        return rounds.exhibit(replace(tile, name=f"{tile.name}, {who}") if who else tile, facts(said, ()))
    fine = fine_ones(services, view.request.prompt, said)
    show = scene.exhibit if said.report.evidence and said.report.evidence.graphs else findings.exhibit
    return show(replace(tile, name=f"{tile.name}, {who}") if who else tile, facts(said, fine), fine)


def facts(said: Evaluation, fine: Sequence[int]) -> list[tuple[str, str]]:
    """What stands beside the scores: who did what, and what people do not mind. No score counts that."""
    rows = said.report.evidence.findings if said.report.evidence else ()
    extras = sum(row.kind == EXTRA for row in rows)
    people = [("people", f"{len(fine)} of {extras} extras are fine")] if extras else []
    return [*people, *((str(role), model) for role, model in said.lineup.items())]
