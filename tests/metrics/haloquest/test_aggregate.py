"""The share judged correct, overall and by slice."""

from pathlib import Path

import pytest

from hallascope.data.benchmarks.haloquest import Hallucination, HaloImageType, HaloQuestion
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Failure, Reply, Role
from hallascope.metrics.aggregate import MixedVersions
from hallascope.metrics.base import Case, run
from hallascope.metrics.haloquest import plan as haloquest
from hallascope.metrics.haloquest.aggregate import HaloReportRow, share, shares


def row(
    right: bool | None,
    image: str = "a",
    hallucination: Hallucination = "false premises",
    image_type: HaloImageType = "real",
    writer: bool = True,
) -> HaloReportRow:
    question = HaloQuestion("q?", ("no dog",), hallucination, image_type)
    roles: frozenset[Role] = frozenset({"writer"}) if writer else frozenset()
    case = Case(
        prompt=question.text, image=Picture(image, Path("x.png")), roles=roles, haloquest=question
    )
    told: list[list[Reply]] = (
        [[Failure("timeout", "down.")]]
        if right is None
        else [[Answer("no dog")], [Answer(f'{{"agree": {str(right).lower()}}}')]]
    )
    return HaloReportRow(
        run(haloquest.metric().plan(case), told if writer else told[:1]), question, image
    )


def test_each_slice_counts_its_own_questions_and_what_it_left_out() -> None:
    rows = [
        row(True, "a", "false premises", "real"),
        row(False, "a", "visual challenge", "real"),
        row(True, "b", "visual challenge", "generated"),
        row(None, "c", "visual challenge", "generated"),
    ]
    found = shares(rows)
    assert found.overall.value == pytest.approx(2 / 3)
    assert (found.overall.n, found.overall.left_out) == (3, 1)
    by_type = found.by_hallucination_type.items()
    assert {kind: (mean.value, mean.n, mean.left_out) for kind, mean in by_type} == {
        "false premises": (1.0, 1, 0),
        "visual challenge": (0.5, 2, 1),
    }
    by_image = {kind: mean.value for kind, mean in found.by_image_type.items()}
    assert by_image == {"generated": 1.0, "real": 0.5}
    assert shares(rows, "published").overall.value == 0.5  # what failed is wrong


def test_questions_on_one_picture_are_resampled_together() -> None:
    together = [row(bool(image % 2), str(image)) for image in range(10) for _ in range(4)]
    apart = [row(bool(n % 2), str(n)) for n in range(40)]
    one, other = share(together), share(apart)
    assert one.value == other.value == 0.5
    widths = [(each.high or 0.0) - (each.low or 0.0) for each in (one, other)]
    assert widths[0] > 1.5 * widths[1] > 0


def test_gradings_of_two_versions_are_never_averaged() -> None:
    with pytest.raises(MixedVersions, match="do not compare"):
        shares([row(True), row(True, writer=False)])
