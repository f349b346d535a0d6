"""T2I-FactualBench: the rounds of each level, what they come to, and what is left out."""

import json
from pathlib import Path

import pytest

from hallascope import metrics
from hallascope.data.concepts import ConceptRef, FactualPrompt, with_references
from hallascope.data.evidence import Finding
from hallascope.data.records import Picture, Report, Score
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Answer, Ask, Failure, Reply
from hallascope.metrics.base import Case, run
from hallascope.metrics.factualbench import plan as factualbench
from hallascope.metrics.factualbench.replies import (
    COMPOSITION,
    CONCEPT,
)
from hallascope.metrics.factualbench.report import as_json, shares
from hallascope.metrics.factualbench.report import report as make_report
from hallascope.metrics.factualbench.verdicts import Rounds, failed_round
from tests.support.scripted_vision import evidence_of

PICTURE = Picture("ab" * 32, Path("made.png"))
DOG, FOX = (Picture(name * 32, Path(f"{name}.jpg")) for name in ("cd", "ef"))
BEAGLE = ConceptRef(name="beagle dog", domain="animal", definition="A small hound.", reference=DOG)
RED_FOX = ConceptRef(
    name="red fox", domain="animal", definition="A small red hunter.", reference=FOX
)
SKCM = FactualPrompt(prompt="An image of beagle dog", concepts=(BEAGLE,))
SKCU = FactualPrompt(
    prompt="A beagle is chasing a ball.",
    concepts=(BEAGLE,),
    task="action",
    variations=("chasing a ball",),
)
MKCC = FactualPrompt(
    prompt="A beagle chases a red fox.",
    concepts=(BEAGLE, RED_FOX),
    task="interaction",
    variations=("beagle dog chases red fox",),
)
LOST = Failure("timeout", "The judge did not answer in 30 s.")


def case(prompt: FactualPrompt, **more: object) -> Case:
    return Case(
        prompt=prompt.prompt,
        image=PICTURE,
        factual=prompt,
        **more,  # type: ignore[arg-type]
    )


def concept(rating: object, *met: int) -> Answer:
    criteria = {
        kind: {"reason": f"of {kind}", "met": one} for kind, one in zip(CONCEPT, met, strict=True)
    }
    return Answer(json.dumps(criteria | {"rating": rating}))


def composition(rating: object, *met: int) -> Answer:
    criteria = {
        kind: {"reason": f"of {kind}", "met": one}
        for kind, one in zip(COMPOSITION, met, strict=True)
    }
    return Answer(json.dumps(criteria | {"rating": rating}))


def task(done: int, *present: int) -> Answer:
    names = ("beagle dog", "red fox")
    entries = [{"concept": name, "present": one} for name, one in zip(names, present, strict=False)]
    return Answer(json.dumps({"concepts": entries, "reason": "seen", "done": done}))


def judged(prompt: FactualPrompt, *replies: Reply) -> Report:
    return run(factualbench.metric().plan(case(prompt)), [list(replies)])


def asks(prompt: FactualPrompt) -> list[Ask]:
    requests = next(factualbench.metric().plan(case(prompt)))
    return [ask for ask in requests if isinstance(ask, Ask)]


def by_kind(report: Report, kind: str) -> list[Finding]:
    return [finding for finding in evidence_of(report).findings if finding.kind == kind]


# --- what is asked


def test_a_concept_is_judged_beside_its_own_reference_the_picture_first() -> None:
    first, second, third, fourth = asks(MKCC)
    assert [first.images, second.images] == [(PICTURE, DOG), (PICTURE, FOX)]
    assert [third.images, fourth.images] == [(PICTURE,), (PICTURE,)]
    assert "beagle dog" in first.text
    assert MKCC.prompt not in first.text + second.text
    assert "red fox" not in first.text
    assert MKCC.prompt in fourth.text


def test_the_task_of_one_concept_is_judged_beside_its_reference_and_names_what_is_asked() -> None:
    ask = asks(SKCU)[1]
    assert ask.images == (PICTURE, DOG)
    assert "The task (action): chasing a ball" in ask.text


def test_another_metric_shows_the_prompt_in_round_1_and_has_another_version() -> None:
    shown, hidden = metrics.get("factualbench-prompt-shown"), metrics.get("factualbench")
    ask = next(shown.plan(case(MKCC)))[0]
    assert isinstance(ask, Ask)
    assert MKCC.prompt in ask.text
    assert ask.images == (PICTURE, DOG)
    assert shown.version != hidden.version


def test_without_references_none_is_shown_and_the_version_is_another() -> None:
    shown, hidden = metrics.get("factualbench"), metrics.get("factualbench-no-reference")
    (ask,) = next(hidden.plan(case(SKCM)))
    assert isinstance(ask, Ask)
    assert ask.images == (PICTURE,)
    assert hidden.version != shown.version
    assert hidden.version.endswith("+no-reference")
    report = run(
        hidden.plan(case(with_references(SKCM, lambda concept: None))), [[concept(4, 1, 1, 1, 1)]]
    )
    assert (report.metric, report.version, report.score.value) == (hidden.name, hidden.version, 1.0)


def test_a_case_that_knows_no_concepts_is_one_concept_beside_its_own_reference() -> None:
    plain = Case(prompt="An image of a beagle.", image=PICTURE, reference=DOG)
    (ask,) = next(factualbench.metric().plan(plain))
    assert isinstance(ask, Ask)
    assert (ask.images, ask.question) == ((PICTURE, DOG), "Does the image show a beagle as it is?")
    alone = Case(prompt="An image of a beagle.", image=PICTURE)
    report = run(factualbench.metric().plan(alone), [])
    assert report.score == Score(None, 0, 1)


# --- what it comes to


ALL_ROUNDS = (
    concept(4, 1, 1, 1, 1),
    concept(2, 1, 1, 0, 0),
    task(1, 1, 1),
    composition(1, 0, 0, 0, 1),
)


def test_all_rounds_of_the_third_level_count_alone_and_together() -> None:
    report = judged(MKCC, *ALL_ROUNDS)
    assert report.scores["concept"] == Score(0.75, 2, 0)
    assert report.scores["task"] == Score(1.0, 1, 0)
    assert report.scores["composition"] == Score(0.25, 1, 0)
    assert report.score == Score(pytest.approx(2 / 3), 4, 0)  # type: ignore[arg-type]
    assert shares(report) == [1.0, 0.5]
    kinds = (
        [finding.kind for finding in evidence_of(report).findings] if evidence_of(report) else []
    )
    assert kinds == ["rating", *CONCEPT, "rating", *CONCEPT, "task", "rating", *COMPOSITION]
    words = {
        finding.expected: [MKCC.prompt[start:end] for start, end in finding.prompt_spans]
        for finding in by_kind(report, "shape")
    }
    assert words == {"beagle dog": ["beagle"], "red fox": ["red fox"]}


def test_a_concept_that_was_judged_where_it_was_detected_points_at_that_place() -> None:
    place = Detection("red fox", Box(0.1, 0.2, 0.3, 0.4), 0.9)
    rounds = Rounds(
        (failed_round("beagle dog", ""), failed_round("red fox", "")), places={"red fox": place}
    )
    evidence = make_report(case(MKCC), MKCC, rounds, "factualbench", "1").evidence
    assert evidence is not None
    assert [(one.name, one.phrase, one.score) for one in evidence.segments] == [
        ("s1", "red fox", 0.9)
    ]
    assert [finding.segments for finding in evidence.findings][:2] == [(), ("s1",)]


def test_an_absent_concept_makes_the_task_0_and_the_report_says_so() -> None:
    report, undone = (
        judged(
            MKCC,
            concept(4, 1, 1, 1, 1),
            concept(0, 0, 0, 0, 0),
            task(done, 1, 0),
            composition(0, 0, 0, 0, 0),
        )
        for done in (1, 0)
    )
    assert report.scores["task"] == Score(0.0, 1, 0)
    assert evidence_of(undone).notes == ()
    (finding,) = by_kind(report, "task")
    assert (finding.expected, finding.observed, finding.state) == (
        "beagle dog chases red fox",
        "not there: red fox",
        "incorrect",
    )
    assert evidence_of(report).notes == (
        "Task: The task is called done although red fox is not in the image; it counts as not"
        " done.",
    )


# --- what is left out


def test_what_fails_is_left_out_and_named_and_counts_0_only_under_the_published_policy() -> None:
    report = judged(MKCC, concept(4, 1, 1, 1, 1), LOST, LOST, composition(2, 1, 1, 0, 0))
    assert report.scores["concept"] == Score(1.0, 1, 1)
    assert report.scores["task"] == Score(None, 0, 1)
    assert report.score == Score(0.75, 2, 2)
    assert shares(report) == [1.0, None]
    assert report.published == {
        "concept": 0.5,
        "task": 0.0,
        "composition": 0.5,
        "score": pytest.approx(1 / 3),
    }
    assert [(one.expected, one.state, one.note) for one in by_kind(report, "rating")][1] == (
        "red fox",
        "failed",
        LOST.message,
    )
    assert [
        finding.kind for finding in evidence_of(report).findings if finding.state == "failed"
    ] == [
        "rating",
        "task",
    ]


_LABELED = "Shape Accuracy: 1 Reason: fine\nColor Accuracy: 0\nTexture Representation: 1\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{_LABELED}Feature Details: 1",
        json.dumps({kind: {"met": int(kind != "color")} for kind in CONCEPT}),
    ],
)
def test_all_criteria_without_a_rating_are_counted_and_the_note_says_so(text: str) -> None:
    report = judged(SKCM, Answer(text))
    assert report.score == Score(0.75, 1, 0)
    assert [by_kind(report, kind)[0].state for kind in CONCEPT] == [
        "correct",
        "incorrect",
        "correct",
        "correct",
    ]
    (rating,) = by_kind(report, "rating")
    assert (rating.observed, rating.state) == ("3", "incorrect")
    assert "no rating" in rating.note
    assert factualbench.readable(asks(SKCM)[0], Answer(text))


@pytest.mark.parametrize(
    "text",
    [
        _LABELED,
        f"{_LABELED}Feature Details: 1\nTotal Rating: 7",
        f"{_LABELED}Feature Details: 1\nTotal Rating: 3\nTotal Rating: 2",
        f"{_LABELED}Feature Details: 1\nI rate it 9 out of 10.",
        json.dumps({kind: {"met": 1} for kind in CONCEPT} | {"rating": "many"}),
    ],
)
def test_with_a_criterion_missing_or_a_rating_that_is_none_there_is_no_score(text: str) -> None:
    report = judged(SKCM, Answer(text))
    assert report.score == Score(None, 0, 1)
    assert by_kind(report, "shape")[0].state == "correct"
    assert by_kind(report, "rating")[0].state == "unreadable"


def test_a_reference_that_is_gone_is_failed_and_its_concept_is_not_asked() -> None:
    gone = ConceptRef(name="beagle dog", file=Path("/images/animal/beagle.jpg"))
    prompt = FactualPrompt(
        prompt=MKCC.prompt, concepts=(gone, RED_FOX), task="interaction", variations=MKCC.variations
    )
    assert [len(ask.images) for ask in asks(prompt)] == [2, 1, 1]
    report = judged(prompt, concept(2, 1, 1, 0, 0), task(1, 1, 1), composition(4, 1, 1, 1, 1))
    assert report.scores["concept"] == Score(0.5, 1, 1)
    first = by_kind(report, "rating")[0]
    assert (first.expected, first.state) == ("beagle dog", "failed")
    assert "There is no reference image at '/images/animal/beagle.jpg'" in first.note


# --- around it


def test_the_json_has_the_promised_form_for_every_round() -> None:
    report = judged(MKCC, concept(4, 1, 1, 1, 1), LOST, task(0, 1, 1), composition(2, 1, 1, 0, 0))
    said = json.loads(json.dumps(as_json(report)))
    assert set(said) == {"concepts", "task", "composition", "notes"}
    first, second = said["concepts"]
    shape = {"met": True, "state": "correct", "reason": "of shape"}
    assert (first["concept"], first["rating"], first["score"]) == ("beagle dog", 4, 1.0)
    assert (first["criteria"]["shape"], first["flag"], first["failure"]) == (shape, None, None)
    assert (second["rating"], second["state"], second["failure"]) == (None, "failed", LOST.message)
    assert second["criteria"]["shape"] == {"met": None, "state": "failed", "reason": ""}
    assert said["task"] == {
        "asked": "beagle dog chases red fox",
        "score": 0,
        "state": "incorrect",
        "seen": "not done",
        "reason": "seen",
    }
    assert said["composition"]["rating"] == 2
    alone = as_json(judged(SKCM, concept(0, 0, 0, 0, 0)))
    assert (alone["task"], alone["composition"]) == (None, None)
