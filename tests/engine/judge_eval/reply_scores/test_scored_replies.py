"""Replies of a trial have the words that they share with references, beside two verdicts."""

from pathlib import Path

import pytest

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.engine.judge_eval.haloquest import HaloTrialItem, try_halo
from hallascope.engine.judge_eval.reply_scores.scored_replies import (
    ScoredReply,
    model_pairs,
    rated_pairs,
    score_replies,
    summarize_overlaps,
)
from tests.support.halo_trials import services_on


def question(reference: str) -> HaloQuestion:
    return HaloQuestion(f"Is it {reference}?", (reference,), "visual challenge", "real")


def item(number: int, reply: str, right: bool | None, model: str = "") -> HaloTrialItem:
    return HaloTrialItem(
        source=f"row {number}",
        question=question("red ball"),
        image=f"image {number % 2}",
        reply=reply,
        right=right,
        model=model,
    )


def scored(tmp_path: Path, *items: HaloTrialItem) -> list[ScoredReply]:
    services = services_on(tmp_path)
    replies = score_replies(try_halo(services, items, None, None))
    services.store.close()
    return replies


def test_each_reply_has_its_scores_and_both_verdicts(tmp_path: Path) -> None:
    right, wrong, unrated = scored(
        tmp_path,
        item(1, "red ball", True, "a"),
        item(2, "blue cup", False),
        item(3, "the red ball", None),
    )
    assert (right.model, right.auto_eval, right.right) == ("a", True, True)
    assert (wrong.auto_eval, wrong.right, unrated.right) == (False, False, None)
    assert right.value("rouge_l") == 1
    assert wrong.value("rouge_l") == 0
    assert wrong.value("auto_eval") == 0
    assert rated_pairs([right, wrong, unrated], "rouge_l") == [
        (1.0, 1.0, "image 1"),
        (0.0, 0.0, "image 0"),
    ]


def test_the_summary_correlates_over_rated_replies_alone(tmp_path: Path) -> None:
    replies = scored(
        tmp_path,
        item(1, "red ball", True),
        item(2, "blue cup", False),
        item(3, "red cup", True),
        item(4, "red", None),
    )
    (summary,) = [each for each in summarize_overlaps(replies) if each.spec.name == "rouge_l"]
    assert (summary.n, summary.rated) == (4, 3)
    # scores 1, 0 and 1/2 with verdicts 1, 0 and 1
    assert summary.pearson is not None
    assert summary.pearson.value == pytest.approx(0.75**0.5)


def test_under_three_rated_replies_nothing_correlates(tmp_path: Path) -> None:
    replies = scored(tmp_path, item(1, "red ball", True), item(2, "blue", False))
    assert all(
        each.pearson is None and each.mean is not None for each in summarize_overlaps(replies)
    )


def test_models_are_compared_by_their_means(tmp_path: Path) -> None:
    replies = scored(
        tmp_path,
        item(1, "red ball", True, "a"),
        item(2, "blue cup", False, "a"),
        item(3, "blue cup", False, "b"),
        item(4, "red ball", True),
    )
    assert model_pairs(replies, "auto_eval") == [(0.5, 0.5), (0.0, 0.0)]
