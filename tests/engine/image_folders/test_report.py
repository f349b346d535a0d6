"""A report counts images by model and says what was left out."""

import json
from pathlib import Path

from hallascope.cli.output import printing
from hallascope.data.requests import Failure
from hallascope.engine.events import EvaluationFailed
from hallascope.engine.image_folders.detection import OpenedImages
from hallascope.engine.image_folders.judging import FolderJudged, ImageTaken, PromptNotJudged
from hallascope.engine.image_folders.records import MatchedFolder, UnmatchedFile
from hallascope.engine.image_folders.report import JudgingReport, MetricSum


def test_everything_is_counted_and_can_be_printed_as_json() -> None:
    report = JudgingReport()
    assert not report.failed
    down = Failure("timeout", "It did not answer.")
    for event in (
        ImageTaken("1.png", "a", known=False),
        ImageTaken("2.png", "a", known=True),
        ImageTaken("3.png", "b", known=False),
        UnmatchedFile("4.png", "it is a link"),
        PromptNotJudged("a cat", 2, "There are no questions."),
        EvaluationFailed("run", "generation", "ihalla", 0, down),
        FolderJudged("abc", 0.5, stopped=False),
    ):
        report.add(event)
    assert (report.images, report.failed) == (3, True)
    opened = OpenedImages(
        source=str(Path("x")), layout="csv", folder=MatchedFolder(entries=iter(()))
    )
    document = json.loads(printing.document(report.document(opened)))
    assert document["new"] == {"a": 1, "b": 1}
    assert document["known"] == {"a": 1}
    assert document["unmatched"] == [{"name": "4.png", "reason": "it is a link"}]
    assert document["faults"] == {"There are no questions.": 2, "It did not answer.": 1}
    assert (document["sweep"], document["spent"]) == ("abc", 0.5)


def test_a_mean_is_over_the_images_that_have_a_score() -> None:
    assert MetricSum().mean is None
    total = MetricSum()
    for value in (1.0, None, 0.0):
        total.add(value)
    assert (total.images, total.mean) == (3, 0.5)
