"""Turns an image of a run into what the evidence viewer shows of it by one metric."""

from collections.abc import Sequence
from dataclasses import replace

from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits import factualbench, findings, number, verdicts
from hallascope.components.html.human_verdicts import HumanAnswers
from hallascope.components.scene_graph import exhibit as scene_graph
from hallascope.components.tiles.tile import EXTRA, Tile
from hallascope.data.evidence import Finding
from hallascope.data.records import Verdict
from hallascope.engine.events import Evaluation, GeneratedPicture
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import CHECK, FINE, QUESTION, finding_name
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.reliability import with_reliability
from hallascope.pages.shared.truths import with_truth


def exhibit(
    services: Services,
    view: RunResult,
    image: GeneratedPicture,
    metric: str,
    lineup: str = "",
    *,
    people: bool = True,
    labels: bool = False,
) -> Exhibit:
    """Return an image with the evidence of a metric.

    `lineup` names the line-up where there are two. The regions of questions, and their true
    answers, are taken from the stored truth, apart from the image; they go to the page and to
    nothing else. `people`: whether what people of this store answered counts as truth.
    `labels`: whether people can say of each answer whether it is right.
    """
    tile = run_pictures.tile(view, image, metric=metric)
    named = replace(tile, name=f"{tile.name}, {lineup}") if lineup else tile
    evaluations = run_pictures.evaluations_of(view, image, metric)
    if tile.presents == "number":
        rows = facts(evaluations[0], ()) if evaluations else []
        return number.exhibit(named, metric, rows)
    if tile.presents == "questions":
        (known,) = with_reliability(services, [with_truth(services, tile, people)])
        if labels:
            known = replace(known, human=_human_answers(services, known))
        return verdicts.exhibit(known, services.regions(image.image) if image.image else {})
    if not tile.reports or not tile.reports[0].evidence:
        return findings.exhibit(tile)
    evaluation = evaluations[0]
    if tile.presents == "rounds" and factualbench.are_rounds(tile.findings):
        return factualbench.exhibit(named, facts(evaluation, ()))
    fine = fine_ones(services, view.request.prompt, evaluation)
    evidence = evaluation.report.evidence
    show = scene_graph.exhibit if evidence and evidence.graphs else findings.exhibit
    return show(named, facts(evaluation, fine), fine)


def human_answers(
    services: Services, prompt: str, image: str, verdicts: Sequence[Verdict]
) -> tuple[HumanAnswers, ...]:
    """Return for each verdict, by rater, what people answered with the judge's answer in sight."""
    ratings = services.store.ratings.for_picture(image, CHECK, prompt)
    return tuple(ratings.get(f"{QUESTION}{verdict.question.text}", {}) for verdict in verdicts)


def _human_answers(services: Services, tile: Tile) -> tuple[HumanAnswers, ...]:
    report = tile.report
    if report is None:
        return ()
    return human_answers(services, tile.prompt, report.image, report.verdicts)


def facts(evaluation: Evaluation, fine: Sequence[int]) -> list[tuple[str, str]]:
    """Return who filled each role, and how many extras people call fine; no score counts that."""
    extras = sum(row.kind == EXTRA for row in findings_of(evaluation))
    people = [("people", f"{len(fine)} of {extras} extras are fine")] if extras else []
    return [*people, *((str(role), model) for role, model in evaluation.lineup.items())]


def findings_of(evaluation: Evaluation) -> Sequence[Finding]:
    """Return the findings on which an evaluation rests."""
    return evaluation.report.evidence.findings if evaluation.report.evidence else ()


def fine_ones(services: Services, prompt: str, evaluation: Evaluation) -> list[int]:
    """Return the indexes of the extras that a person called fine."""
    ratings = services.store.ratings.for_picture(evaluation.image, evaluation.metric, prompt)
    return [
        i
        for i, row in enumerate(findings_of(evaluation))
        if row.kind == EXTRA and FINE in ratings.get(finding_name(row), {}).values()
    ]
