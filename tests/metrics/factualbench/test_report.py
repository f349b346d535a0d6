"""A report has a score a round, their mean, findings that point at words, and its JSON form."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.records import Picture, Report, Score
from hallascope.data.regions import Box, Detection
from hallascope.metrics.base import Case
from hallascope.metrics.factualbench.report import as_json, report, shares
from hallascope.metrics.factualbench.verdicts import (
    CriterionVerdict,
    Rounds,
    RoundVerdict,
    TaskVerdict,
    failed_round,
)

PICTURE = Picture("ab" * 32, Path("beagle.jpg"))
BEAGLE = ConceptRef(name="beagle dog", domain="animal")
FOX = ConceptRef(name="red fox", domain="animal")
PROMPT = FactualPrompt(
    prompt="A beagle dog chases a red fox.",
    concepts=(BEAGLE, FOX),
    task="interaction",
    variations=("chasing",),
)
SHAPE = {"shape": CriterionVerdict("correct", "right build")}
THREE = RoundVerdict(name="beagle dog", criteria=SHAPE, state="incorrect", met=3, note="a flag")
TWO_OF_THREE = RoundVerdict(name="red fox", criteria={}, state="incorrect", met=2, answered=3)
DONE = TaskVerdict(wanted="chasing", state="correct")
WHOLE = RoundVerdict(name="", criteria={}, state="correct", met=4)
LOST = failed_round("red fox", "The judge did not answer.")


def document(rounds: Rounds) -> Any:
    return as_json(reported(rounds))


def reported(rounds: Rounds) -> Report:
    return report(Case(prompt=PROMPT.prompt, image=PICTURE), PROMPT, rounds, "factualbench", "1")


def test_the_score_is_the_mean_of_the_rounds_and_counts_what_is_beneath_them() -> None:
    scores = reported(Rounds((THREE, TWO_OF_THREE), DONE, WHOLE)).scores
    concept = (3 / 4 + 2 / 3) / 2
    assert scores["concept"].value == pytest.approx(concept)
    assert scores["task"] == scores["composition"] == Score(1.0, 1, 0)
    assert scores["score"].value == pytest.approx((concept + 2) / 3)
    assert (scores["score"].counted, scores["score"].left_out) == (4, 0)


def test_what_is_unanswered_is_left_out_and_counts_0_as_published() -> None:
    result = reported(Rounds((THREE, LOST)))
    assert result.scores["concept"] == result.score == Score(0.75, 1, 1)
    assert result.scores["task"] == Score(None, 0, 0)
    assert result.published == {
        "concept": 0.375,
        "task": None,
        "composition": None,
        "score": 0.375,
    }


def test_findings_of_a_concept_have_its_words_and_the_place_where_it_was_judged() -> None:
    place = Detection("red fox", Box(0.1, 0.2, 0.3, 0.4), 0.9)
    rounds = Rounds((THREE, TWO_OF_THREE), DONE, WHOLE, places={"red fox": place})
    evidence = reported(rounds).evidence
    assert evidence is not None
    assert [(segment.name, segment.phrase, segment.score) for segment in evidence.segments] == [
        ("s1", "red fox", 0.9)
    ]
    spans = [
        [PROMPT.prompt[start:end] for start, end in finding.prompt_spans]
        for finding in evidence.findings
    ]
    assert spans == [["beagle dog"], ["beagle dog"], ["red fox"], [], []]
    assert [finding.segments for finding in evidence.findings] == [(), (), ("s1",), (), ()]
    assert [finding.observed for finding in evidence.findings] == [
        "3",
        "met",
        "2 of 3",
        "done",
        "4",
    ]
    assert evidence.notes == ("beagle dog: a flag",)


@pytest.mark.parametrize(
    ("task", "observed"),
    [
        (DONE, "done"),
        (replace(DONE, state="incorrect"), "not done"),
        (replace(DONE, state="incorrect", absent=("red fox",)), "not there: red fox"),
        (replace(DONE, state="failed"), ""),
        (replace(DONE, state="unreadable", raw="hm"), "hm"),
    ],
)
def test_the_finding_of_the_task_says_what_was_observed(task: TaskVerdict, observed: str) -> None:
    evidence = reported(Rounds((THREE, TWO_OF_THREE), task)).evidence
    assert evidence is not None
    assert evidence.findings[-1].observed == observed


def test_the_json_form_has_ratings_flags_and_failures() -> None:
    rounds = document(Rounds((THREE, LOST), DONE, WHOLE))
    first, second = rounds["concepts"]
    assert (first["rating"], first["score"], first["flag"]) == (3, 0.75, "a flag")
    assert first["criteria"]["shape"] == {
        "met": True,
        "state": "correct",
        "reason": "right build",
    }
    assert first["criteria"]["color"] == {"met": None, "state": "incorrect", "reason": ""}
    assert (second["rating"], second["score"], second["failure"]) == (None, None, LOST.note)
    assert rounds["task"] == {
        "asked": "chasing",
        "score": 1,
        "state": "correct",
        "seen": "done",
        "reason": "",
    }
    assert rounds["composition"]["rating"] == 4


def test_a_rating_of_fewer_criteria_is_a_share_and_no_whole_number() -> None:
    rounds = document(Rounds((TWO_OF_THREE, TWO_OF_THREE)))
    assert [(entry["rating"], entry["score"]) for entry in rounds["concepts"]] == [
        (None, 2 / 3),
        (None, 2 / 3),
    ]
    assert (rounds["task"], rounds["composition"]) == (None, None)


def test_shares_are_in_the_order_of_the_prompt_and_none_where_unanswered() -> None:
    assert shares(reported(Rounds((THREE, LOST)))) == [0.75, None]
    assert shares(replace(reported(Rounds((THREE, LOST))), evidence=None)) == []
