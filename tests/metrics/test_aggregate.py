"""Means over a benchmark: what they count and leave out, and sums of prompts."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from hallascope.data.records import (
    COIS,
    NONE_OF_THE_ABOVE,
    CoI,
    Picture,
    Question,
    Report,
    Score,
)
from hallascope.data.requests import Answer, Failure, Reply
from hallascope.metrics import running_sums
from hallascope.metrics.aggregate import (
    Mean,
    MixedVersions,
    by_coi,
    mean,
)
from hallascope.metrics.base import Case, run
from hallascope.metrics.ihalla import plan
from hallascope.metrics.running_sums import ALL, Sums, score_contributions

CHOICES = ("one", "two", "three", "four", NONE_OF_THE_ABOVE)


def report(prompt: str, marks: str, cois: tuple[CoI, ...] = COIS[:5]) -> Report:
    """A report from marks: + correct, - incorrect, 0 abstained, ? unreadable, ! failed."""
    replies: dict[str, Reply] = {
        "+": Answer("A"),
        "-": Answer("B"),
        "0": Answer("E"),
        "?": Answer("?"),
        "!": Failure("timeout", "late"),
    }
    questions = tuple(
        Question(text=f"Question {n}?", choices=CHOICES, gold="A", coi=coi)
        for n, coi in zip(range(len(marks)), cois, strict=False)
    )
    return run(
        plan.metric().plan(
            Case(prompt=prompt, image=Picture("0" * 64, Path("x.png")), questions=questions)
        ),
        [[replies[mark] for mark in marks]],
    )


def test_the_benchmark_is_the_mean_over_prompts_of_what_was_answered() -> None:
    found = mean([report("p", "+++++"), report("q", "+--!?"), report("r", "!!!!!")])
    assert found.value == pytest.approx((1 + 1 / 3) / 2)
    assert (found.n, found.left_out) == (2, 1)
    assert (found.answered, found.unanswered) == (8, 7)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.value <= found.high


def test_a_score_without_verdicts_says_what_it_counts() -> None:
    reports = [
        Report(metric="fig", version="1", prompt=str(n), image="x", scores={"score": score})
        for n, score in enumerate([Score(0.5, 4, 1), Score(None, 0, 2)])
    ]
    assert (mean(reports).answered, mean(reports).unanswered) == (4, 3)


def test_nothing_answered_is_none_everywhere() -> None:
    reports = [report("p", "!!!!!"), report("q", "?????")]
    assert mean(reports) == Mean(
        value=None, n=0, left_out=2, interval_method="clopper-pearson", unanswered=10
    )
    assert mean(reports, "strict").value is None
    assert {coi.value for coi in by_coi(reports).values()} == {None}


def test_a_composition_of_interest_is_a_mean_over_questions() -> None:
    rows = [
        report("p", "++-!", ("color", "color", "size", "color")),
        report("q", "--0?", ("color", "size", "size", "shape")),
    ]
    found = by_coi(rows)
    assert list(found) == ["size", "color", "shape"]
    assert found["color"].value == pytest.approx(2 / 3)
    assert (found["color"].n, found["color"].left_out) == (
        3,
        1,
    )
    assert (found["size"].value, found["size"].n) == (0.0, 3)
    assert (found["shape"].value, found["shape"].n, found["shape"].left_out) == (None, 0, 1)


def test_numbers_of_two_versions_are_never_averaged(tmp_path: Path) -> None:
    (tmp_path / "ihalla_ask.txt").write_text("{question} {choices}", encoding="utf-8")
    own = run(
        plan.metric(tmp_path).plan(Case(prompt="p", image=Picture("0" * 64, Path("x.png")))), [[]]
    )
    for average in (mean, by_coi):
        with pytest.raises(MixedVersions, match="average each alone"):
            average([report("p", "+"), own])


def test_a_mean_that_was_stored_without_its_method_is_by_bootstrap() -> None:
    stored = {"value": 0.5, "n": 2, "left_out": 0, "low": 0.25, "high": 0.75}
    several = TypeAdapter(tuple[Mean, dict[str, Mean]]).validate_python((stored, {"a": stored}))
    assert [one.interval_method for one in (several[0], several[1]["a"])] == ["bootstrap"] * 2


def test_a_score_without_a_value_adds_nothing_but_what_was_left_out() -> None:
    scores = {
        "score": Score(None, 0, 4),
        "object": Score(0.5, 2, 0),
        "unused": Score(None, 0, 0),
        "no number": Score(float("nan"), 1, 0),
    }
    found = score_contributions(
        Report(metric="fig", version="1", prompt="p", image="i", scores=scores)
    )
    assert {each.part for each in found} == {ALL}
    assert [(each.score, each.total, each.weight, each.unanswered) for each in found] == [
        ("score", 0.0, 0.0, 4),
        ("object", 0.5, 1.0, 0),
        ("no number", 0.0, 0.0, 0),
    ]


@given(
    st.lists(
        st.tuples(st.sampled_from("pqrs"), st.text("+-0?!", min_size=1, max_size=5)),
        min_size=1,
        max_size=8,
    )
)
def test_every_question_and_prompt_is_counted_once_or_left_out_once(
    marks: list[tuple[str, str]],
) -> None:
    reports = [report(prompt, mark) for prompt, mark in marks]
    found = mean(reports)
    assert found.n + found.left_out == len({prompt for prompt, _ in marks})
    assert found.answered + found.unanswered == sum(len(mark) for _, mark in marks)
    cois = by_coi(reports).values()
    assert sum(coi.n for coi in cois) == found.answered
    assert sum(coi.left_out for coi in cois) == found.unanswered


SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def sums_of(scores: list[float]) -> Sums:
    total = Sums()
    for score in scores:
        own = Sums(
            prompts=1, total=score, weight=1.0, squares=score * score, products=score, weights=1.0
        )
        total = total.plus(own)
    return total


@given(SCORES)
def test_the_mean_of_sums_is_that_of_the_scores_and_lies_in_its_interval(
    scores: list[float],
) -> None:
    found = running_sums.mean(sums_of(scores), (0.0, 1.0))
    assert found.n == len(scores)
    assert found.value == pytest.approx(sum(scores) / len(scores))
    if found.low is not None and found.high is not None:
        assert found.value is not None
        assert 0 <= found.low <= found.value <= found.high
        assert found.high <= max(1.0, found.value)
