"""Puts what all metrics of a run say of one image into one panel, and links it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hallascope import metrics
from hallascope.components.all_metrics.links import (
    EvidenceLinks,
    EvidenceSubject,
    SubjectReader,
    link,
)
from hallascope.components.all_metrics.marks import merge_marks, scoped_marks
from hallascope.components.all_metrics.sections import SHOWN, section
from hallascope.components.cards import score_chips
from hallascope.components.evidence.exhibit import EvidenceSection, Exhibit, ImageRegion
from hallascope.components.evidence.exhibits import factualbench
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence
from hallascope.data.outlines import Polygon
from hallascope.engine.events import GeneratedPicture
from hallascope.engine.image_tags import image_tags
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.exhibits import exhibit, fine_ones
from hallascope.pages.shared.truths import with_truth


def all_metrics_exhibit(
    services: Services, view: RunResult, image: GeneratedPicture, *, labels: bool = True
) -> Exhibit:
    """Return an image with the evidence of all metrics of the run, linked across metrics.

    The primary metric stands first, with all it has; others that rest on more than a number follow
    as sections of their own. `labels`: whether people can say of each answer whether it is right,
    and tag the image.
    """
    first = run_pictures.primary(view)
    base = exhibit(services, view, image, first, labels=labels)
    tile = run_pictures.tile(view, image, metric=first)
    others = _further_reports(view, image, first)
    regions = services.regions(image.image) if image.image else {}
    links = _links(with_truth(services, tile), others, regions)
    marks: list[Sequence[ImageRegion]] = [base.marks]
    marks += [scoped_marks(metric, own) for metric, own in others.items()]
    return replace(
        base,
        marks=merge_marks(marks),
        sections=tuple(_sections(services, view, image, tile, others)),
        same=links.same,
        whole=links.whole,
        scores=score_chips.table(
            [score for score in tile.scores if score.metric not in (first, *others)]
        ),
        tags=image_tags(services.store, image.image, view.request.prompt)
        if image.image and labels
        else None,
    )


def _further_reports(
    view: RunResult, image: GeneratedPicture, first: str
) -> Mapping[str, Evidence]:
    """Return by metric the evidence of those that have a section, without the primary one.

    Of metrics that present the same kind of thing the first has one, the others a score alone.
    """
    shown = {metrics.presentation(first)}
    found = {}
    for name in sorted(view.request.metrics, key=_registry_order):
        presents = metrics.presentation(name)
        evaluations = run_pictures.evaluations_of(view, image, name)
        evidence = evaluations[0].report.evidence if evaluations else None
        if evidence and presents in SHOWN and presents not in shown:
            shown.add(presents)
            found[name] = evidence
    return found


def _sections(
    services: Services,
    view: RunResult,
    image: GeneratedPicture,
    tile: Tile,
    others: Mapping[str, Evidence],
) -> Iterator[EvidenceSection]:
    for score in tile.scores:
        if score.metric not in others:
            continue
        (evaluation, *_) = run_pictures.evaluations_of(view, image, score.metric)
        fine = fine_ones(services, view.request.prompt, evaluation)
        report = factualbench.display_report(evaluation.report)
        if shown := section(score, report, fine):
            yield shown


def _links(
    tile: Tile, others: Mapping[str, Evidence], regions: Mapping[str, Sequence[Polygon]]
) -> EvidenceLinks:
    own = tile.report.evidence if tile.report and tile.report.evidence else Evidence()
    readings = (evidence.reading for evidence in (own, *others.values()))
    reader = SubjectReader(tile.prompt, regions, next(filter(None, readings), None))
    subjects: list[EvidenceSubject] = []
    if tile.presents == "questions":
        subjects += reader.of_questions("", tile.judge_questions, tile.unasked)
    else:
        subjects += reader.of_evidence("", own)
    for metric, evidence in others.items():
        subjects += reader.of_evidence(metric, evidence)
    return link(subjects)


def _registry_order(metric: str) -> int:
    """Return the place of a metric among all; those of another version come last."""
    names = list(metrics.METRICS)
    return names.index(metric) if metric in names else len(names)
