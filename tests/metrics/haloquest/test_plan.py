"""HaloQuest: the judge is asked freely, a writer grades without the picture, and what is missing is
left out and never wrong.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.data.evidence import Finding
from hallascope.data.records import Picture, Report, Score
from hallascope.data.requests import Answer, Ask, Failure, Reply, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import Case, Plan, run
from hallascope.metrics.haloquest import plan as haloquest
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS, REASONED, AutoEval
from hallascope.metrics.haloquest.replies import SCHEMA

PICTURE = Picture("0" * 64, Path("x.png"))
HALO = HaloQuestion(
    "What design does the cat's collar have?",
    ("The cat does not have a collar on.", "No collar"),
    "false premises",
    "generated",
)
CASE = Case(prompt=HALO.text, image=PICTURE, roles=frozenset({"writer"}), haloquest=HALO)
DOWN = Failure("timeout", "It did not answer: ask again.")


def verdict(agree: object) -> Answer:
    said = {
        "reply_main_point": "The collar is red.",
        "reference_main_point": "There is no collar.",
        "agree": agree,
    }
    return Answer(json.dumps(said))


def graded(*replies: Reply, case: Case = CASE) -> Report:
    return run(haloquest.metric().plan(case), [[reply] for reply in replies])


def finding(report: Report) -> Finding:
    assert report.evidence is not None
    (found,) = report.evidence.findings
    return found


# --- what is asked


def test_the_judge_sees_the_picture_and_the_question_and_may_answer_freely() -> None:
    (ask,) = next(haloquest.metric().plan(CASE))
    assert isinstance(ask, Ask)
    assert (ask.images, ask.question, ask.choices, ask.schema) == ((PICTURE,), HALO.text, (), None)
    assert HALO.text in ask.text
    assert "collar on" not in ask.text


def test_the_grader_sees_question_reply_and_references_but_no_picture() -> None:
    plan = haloquest.metric().plan(CASE)
    next(plan)
    (write,) = plan.send([Answer('Red "dots" {reply}')])
    assert isinstance(write, Write)
    assert write.schema == SCHEMA
    for said in (HALO.text, *HALO.references, r"Red \"dots\" {reply}"):
        assert said in write.text


# --- what becomes of it


@pytest.mark.parametrize("agree, state, score", [(True, "correct", 1.0), (False, "incorrect", 0.0)])
def test_the_report_holds_reply_references_both_points_and_the_verdict(
    agree: bool, state: str, score: float
) -> None:
    report = graded(Answer("<think>a collar?</think> It is red."), verdict(agree))
    found = finding(report)
    assert (found.kind, found.expected, found.observed, found.state) == (
        "false premises",
        HALO.text,
        "It is red.",
        state,
    )
    assert haloquest.main_points(found) == ("The collar is red.", "There is no collar.")
    assert report.evidence is not None
    assert report.evidence.phrases == HALO.references
    assert report.score == Score(score, 1, 0)
    assert report.published["score"] == score
    assert haloquest.as_json(report)["reply_main_point"] == "The collar is red."


@pytest.mark.parametrize(
    "replies, state, seen, note",
    [
        ((DOWN,), "failed", "", "It did not answer"),
        ((Answer("red"), DOWN), "failed", "red", "It did not answer"),
        ((Answer(" <think>hm"),), "unreadable", " <think>hm", "cut off"),
        ((Answer("A street", truncated=True),), "unreadable", "A street", "cut off"),
        ((Answer("red"), Answer("Hard to say.")), "unreadable", "red", "Hard to say."),
        (
            (Answer("red"), Answer('{"reply_main_point": "red", "agr')),
            "unreadable",
            "red",
            "cannot be read",
        ),
    ],
)
def test_what_is_missing_or_unreadable_is_left_out_named_and_never_wrong(
    replies: Sequence[Reply], state: str, seen: str, note: str
) -> None:
    report = graded(*replies)
    found = finding(report)
    assert (found.state, found.observed) == (state, seen)
    assert note in found.note
    assert report.score == Score(None, 0, 1)
    assert report.published["score"] == 0.0  # counted wrong only as the paper does
    assert haloquest.as_json(report)["note"] == found.note


def test_a_picture_that_is_gone_is_named_and_in_the_version_of_its_line_up() -> None:
    report = haloquest.missing_picture_report(CASE, HALO, "The picture 'a.png' is gone.")
    assert finding(report).state == "failed"
    assert finding(report).note == "The picture 'a.png' is gone."
    assert report.score.value is None
    assert report.version == haloquest.metric().version


def test_without_a_writer_it_is_graded_by_rule_in_a_version_of_its_own() -> None:
    alone = Case(prompt=HALO.text, image=PICTURE, haloquest=HALO)
    for said, state in (
        ("There is no collar.", "correct"),
        ("nothing", "incorrect"),
        ("I'm sorry, I can't help with that.", "incorrect"),
    ):
        assert finding(graded(Answer(said), case=alone)).state == state
    report = graded(Answer("no collar"), case=alone)
    assert report.version.endswith("+rules")
    assert report.evidence is not None
    assert report.evidence.notes == (haloquest.BY_RULE,)
    assert haloquest.missing_picture_report(alone, HALO, "gone").version == report.version


# --- replies that are there already


def test_a_case_without_a_question_has_no_finding_and_no_score() -> None:
    report = run(haloquest.metric().plan(Case(prompt="p", image=PICTURE)), [])
    assert report.score == Score(None, 0, 0)
    assert report.evidence is not None
    assert report.evidence.notes == (haloquest.NO_QUESTION,)
    assert haloquest.as_json(report)["state"] is None


def regrade(case: Case, reply: str, auto_eval: AutoEval = REASONED) -> Plan:
    return haloquest.regrade(case, reply, template(auto_eval.template), auto_eval)


def test_a_given_reply_goes_to_the_grader_alone_in_a_version_of_its_own() -> None:
    plan = regrade(CASE, "It is red.")
    (write,) = next(plan)
    assert isinstance(write, Write)
    report = run(regrade(CASE, "It is red."), [[verdict(False)]])
    assert (finding(report).state, report.version.split("+")[1]) == ("incorrect", "given")
    assert finding(run(regrade(CASE, " "), [])).state == "unreadable"
    with pytest.raises(ValueError, match="no HaloQuest question"):
        run(regrade(Case(prompt="p", image=PICTURE), "red"), [])


# --- the implementations of Auto-Eval


def test_each_implementation_of_auto_eval_asks_in_its_own_form_and_is_never_averaged() -> None:
    replies = {"text": "Incorrect.", "schema": '{"agree": false}', "reasoned": verdict(False).text}
    without_writer = replace(CASE, roles=frozenset())
    versions = set()
    for name, auto_eval in AUTO_EVALS.items():
        (write,) = next(regrade(CASE, "It is red.", auto_eval))
        assert isinstance(write, Write)
        assert write.schema == auto_eval.schema
        assert all(text in write.text for text in (HALO.text, *HALO.references, "It is red."))
        plan = regrade(CASE, "It is red.", auto_eval)
        report = run(plan, [[Answer(replies[name])]])
        assert finding(report).state == "incorrect"
        by_rule = regrade(without_writer, "No collar", auto_eval)
        versions |= {report.version, run(by_rule, []).version}
    assert len(versions) == 6
