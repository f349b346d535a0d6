"""Puts the true answers of stored images into tiles, for the page to show beside the verdicts."""

from collections.abc import Sequence
from dataclasses import replace

from hallascope.components.tiles.tile import Tile
from hallascope.engine.images.true_answers import report_truths, unasked_errors
from hallascope.engine.services import Services
from hallascope.metrics.true_answers import JudgeErrors, TrueAnswers, UnaskedError, count_errors


def with_truths(services: Services, tiles: Sequence[Tile], people: bool = True) -> tuple[Tile, ...]:
    """Return tiles with the truth of their questions, and where the judge is wrong.

    `people`: whether what people of this store answered counts.
    """
    return tuple(with_truth(services, tile, people) for tile in tiles)


def with_truth(services: Services, tile: Tile, people: bool = True) -> Tile:
    """Return one tile with the truth of its questions, and where the judge is wrong."""
    errors = JudgeErrors()
    first: TrueAnswers = ()
    for number, report in enumerate(tile.reports):
        truths = report_truths(services.store, report, people=people)
        errors += count_errors(report.verdicts, truths)
        first = first if number else truths
    return replace(tile, truths=first, errors=errors, unasked=_unasked_errors(services, tile))


def _unasked_errors(services: Services, tile: Tile) -> tuple[UnaskedError, ...]:
    """Return what is wrong in the image and asked by no question; () without questions."""
    report = tile.report
    if report is None or not report.verdicts:
        return ()
    questions = [verdict.question for verdict in report.verdicts]
    return unasked_errors(services.store, report.image, report.prompt, questions)
