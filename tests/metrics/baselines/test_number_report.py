"""Tests that a baseline whose model fails leaves the picture out and never scores it 0."""

import pytest

from hallascope import metrics
from hallascope.data.requests import (
    Failure,
    Request,
)
from tests.support.baseline_reports import judge_by
from tests.support.scripted_vision import evidence_of

GONE = Failure("timeout", "The model did not answer in 30 s.")
BASELINES = (
    "clipscore",
    "blip-itm",
    "blip-vqa",
    "llmscore",
    "caption-ablation",
    "compbench-numeracy",
    "compbench-3-in-1",
)


@pytest.mark.parametrize("name", BASELINES)
def test_a_model_that_fails_leaves_the_picture_out_and_says_why(name: str) -> None:
    report = judge_by(name, lambda _: GONE)
    assert (report.metric, report.score.value, report.score.counted) == (name, None, 0)
    assert report.score.left_out > 0
    # The ablation's score is of questions: as published, those that are left out are wrong.
    assert report.published["score"] == (0.0 if name == "caption-ablation" else None)
    assert all(one.state == "failed" and "30 s" in one.note for one in evidence_of(report).findings)


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_asks_only_of_the_roles_it_names(name: str) -> None:
    metric, asked = metrics.get(name), list[Request]()
    judge_by(name, lambda _: GONE, asked)
    assert {one.role for one in asked} <= set(metric.required_roles)
    assert not metric.needs_questions
