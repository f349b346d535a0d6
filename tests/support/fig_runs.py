"""Runs FiG on a picture whose things are known, and reads its reports."""

from pathlib import Path

import numpy as np

from hallascope.data import masks
from hallascope.data.evidence import Finding
from hallascope.data.records import Picture, Report
from hallascope.data.regions import Box, Detection, Mask
from hallascope.data.requests import Answer, Detected, Failure, Reply, Segmented
from hallascope.metrics.base import Case, run
from hallascope.metrics.fig import plan as fig
from tests.support.scripted_vision import evidence_of

PICTURE = Picture("ab" * 32, Path("circles.png"))
PROMPT = "two red circles to the left of a blue square"
CASE = Case(prompt=PROMPT, image=PICTURE, vocabulary="primer")
TIMEOUT = Failure("timeout", "The model did not answer in 30 s.")


ONE, TWO, SQUARE, BUG = (
    Box(0.0, 0.1, 0.2, 0.3),
    Box(0.0, 0.6, 0.2, 0.8),
    Box(0.6, 0.4, 0.8, 0.6),
    Box(0.7, 0.75, 0.9, 0.95),
)
DETECTED_THINGS = [("circle", ONE), ("circle", TWO), ("square", SQUARE)]


def detection_replies(*found: tuple[str, Box]) -> list[Reply]:
    return [
        Detected(
            tuple(Detection(phrase, box, 0.9 - 0.01 * at) for at, (phrase, box) in enumerate(found))
        )
    ]


def mask_of(box: Box) -> Mask:
    return masks.encode(masks.box_pixels(box, 40, 40))


def mask_replies(*boxes: Box) -> list[Reply]:
    return [Segmented(tuple(map(mask_of, boxes)))]


def caption_replies(*captions: str) -> list[Reply]:
    return [Answer(caption) for caption in captions]


EMPTY = masks.encode(np.zeros((40, 40), dtype=bool))
CORRECT_STEPS = (
    detection_replies(*DETECTED_THINGS),
    mask_replies(ONE, TWO, SQUARE),
    caption_replies("A red circle", "A red circle", "A blue square"),
)


def report_of(*steps: list[Reply], case: Case = CASE) -> Report:
    return run(fig.metric().plan(case), steps)


def findings_of_kind(report: Report, kind: str) -> list[Finding]:
    return [one for one in evidence_of(report).findings if one.kind == kind]


def states_by_kind(report: Report) -> dict[str, list[str]]:
    kinds = dict.fromkeys(one.kind for one in evidence_of(report).findings)
    return {kind: [one.state for one in findings_of_kind(report, kind)] for kind in kinds}
