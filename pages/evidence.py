"""From a chosen picture to its evidence, and what people say of it; every page that shows the viewer calls this."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import gradio as gr

from components import findings, rounds, scene, verdicts
from components.cards import EXTRA
from components.evidence import viewer
from components.exhibit import Exhibit
from engine.errors import HallaScopeError
from engine.events import Evaluation, RunView, Shot
from engine.services import Services
from pages import views
from pages.ratings import fine_ones, rate


def evidence(services: Services, run: str, key: str | None) -> str:
    """The viewer of one picture of a run. Raises UnknownRun."""
    view = services.view(run)
    shot = views.chosen(view, key)
    return viewer([exhibit(services, view, shot)] if shot else ())


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


def shows(services: Services, look: Callable[[Services, str, str | None], str] = evidence) -> Callable[[gr.EventData], str]:
    """The handler for a component that tells run and key of what was chosen in it (Gradio wants a plain function, no partial)."""

    def show(event: gr.EventData) -> str:
        try:
            return look(services, event.run, event.key)
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    return show


def hears(services: Services) -> Callable[[gr.EventData], None]:
    """The handler for what a person says of a finding in the viewer."""

    def hear(event: gr.EventData) -> None:
        try:
            rate(services, event.run, event.key, event.metric, event.about, event.value)
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    return hear
