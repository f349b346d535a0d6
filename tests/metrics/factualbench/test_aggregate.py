"""Averages of T2I-FactualBench: over prompts, with what was left out."""

import json
from pathlib import Path

import pytest

from hallascope.data.concepts import ConceptRef, FactualPrompt, FactualTask
from hallascope.data.records import Domain, Picture, Report
from hallascope.data.requests import Answer, Failure, Reply
from hallascope.metrics.aggregate import Mean, MixedVersions
from hallascope.metrics.base import Case, run
from hallascope.metrics.factualbench import aggregate as factualbench_averages
from hallascope.metrics.factualbench import plan as factualbench
from hallascope.metrics.factualbench.aggregate import (
    FactualRow,
    mean,
    table,
)
from hallascope.metrics.factualbench.replies import COMPOSITION, CONCEPT

PICTURE = Picture("ab" * 32, Path("made.png"))
LOST = Failure("timeout", "The judge did not answer.")


def ref(name: str, domain: Domain) -> ConceptRef:
    return ConceptRef(name=name, domain=domain, reference=Picture(name, Path(name)))


DOG, STEAK, TOWER = ref("dog", "animal"), ref("steak", "food"), ref("tower", "location")


def rating(number: int, criteria: tuple[str, ...] = CONCEPT) -> Answer:
    return Answer(json.dumps(dict.fromkeys(criteria, 1) | {"rating": number}))


def row(prompt: FactualPrompt, *replies: Reply, model: str = "m", version: str = "") -> FactualRow:
    report = run(
        factualbench.metric().plan(Case(prompt=prompt.prompt, image=PICTURE, factual=prompt)),
        [list(replies)],
    )
    return FactualRow(
        Report(**{**vars(report), "version": version or report.version}), prompt, model
    )


def prompt(text: str, *concepts: ConceptRef, task: FactualTask = "memorization") -> FactualPrompt:
    return FactualPrompt(prompt=text, concepts=concepts, task=task, variations=("so",))


ROWS = [
    row(prompt("An image of dog", DOG), rating(4)),
    row(prompt("An image of steak", STEAK), rating(1)),
    row(prompt("An image of tower", TOWER), LOST),
    row(prompt("a running dog", DOG, task="action"), rating(2), Answer("1")),
    row(prompt("a burnt steak", STEAK, task="attribute"), rating(3), Answer("what?")),
    row(
        prompt("a dog eats a steak", DOG, STEAK, task="interaction"),
        rating(4),
        rating(0),
        Answer("0"),
        rating(2, COMPOSITION),
    ),
    row(
        prompt("a dog sees the tower", DOG, TOWER, task="interaction"),
        rating(2),
        LOST,
        Answer("1"),
        LOST,
    ),
]


def test_a_mean_is_over_prompts_and_says_what_it_left_out() -> None:
    found = {level: one for (level, name), one in table(ROWS).items() if name == "concept"}
    assert {level: (one.value, one.n, one.left_out) for level, one in found.items()} == {
        "SKCM": (0.625, 2, 1),
        "SKCU": (0.625, 2, 0),
        "MKCC": (0.5, 2, 0),
    }
    assert (found["MKCC"].answered, found["MKCC"].unanswered) == (3, 1)
    assert found["SKCM"].low is not None
    assert found["SKCM"].low <= 0.625 <= (found["SKCM"].high or 0)


def test_a_prompt_that_no_picture_was_made_of_is_left_out_and_counted_never_0() -> None:
    refused = FactualRow(None, prompt("a dog in a hat", DOG, STEAK, task="size"))
    rows = [*ROWS[:2], refused]
    assert table(rows)["MKCC", "concept"] == Mean(
        value=None, n=0, left_out=1, interval_method="clopper-pearson", unanswered=1
    )
    assert (mean(rows, "concept").value, mean(rows, "concept").left_out) == (
        0.625,
        1,
    )
    assert mean([FactualRow(None, prompt("An image of dog", DOG))], "task").left_out == 0
    assert factualbench_averages.by_domain([refused], "concept")["food"].left_out == 1


def test_a_level_that_has_no_such_round_is_not_counted_as_left_out() -> None:
    assert (mean(ROWS, "task").n, mean(ROWS, "task").left_out) == (3, 1)
    assert mean([ROWS[0]], "composition") == Mean(
        value=None, n=0, left_out=0, interval_method="clopper-pearson"
    )


def test_a_concept_counts_in_its_own_domain_and_a_round_in_those_of_all_concepts() -> None:
    found = factualbench_averages.by_domain(ROWS)
    assert list(found) == ["animal", "food", "location"]
    assert found["animal"].value == pytest.approx((1 + 0.5 + 1 + 0.5) / 4)
    assert found["animal"].n == 4
    assert found["food"].value == pytest.approx((0.25 + 0.75 + 0) / 3)
    assert found["food"].n == 3
    assert (found["location"].value, found["location"].n, found["location"].left_out) == (
        None,
        0,
        2,
    )
    tasks = factualbench_averages.by_domain(ROWS, "task")
    assert {domain: one.value for domain, one in tasks.items()} == {
        "animal": pytest.approx(2 / 3),
        "food": 0.0,
        "location": 1.0,
    }


def test_reports_of_two_versions_are_never_averaged() -> None:
    with pytest.raises(MixedVersions, match="average each alone"):
        mean([ROWS[0], row(prompt("An image of steak", STEAK), rating(1), version="other")])
    with pytest.raises(MixedVersions):
        table([ROWS[0], row(prompt("An image of steak", STEAK), rating(1), version="other")])
