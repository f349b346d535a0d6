"""A picture of a run says in one sentence what was found in it."""

from dataclasses import replace

from hallascope.data.evidence import Evidence, Finding
from tests.support.tiles import QUESTION, report, tile, verdict


def test_what_nobody_asked_for_is_counted_apart() -> None:
    evidence = Evidence(
        findings=(
            Finding(kind="color", expected="red circle", observed="", state="incorrect"),
            Finding(kind="extraneous", expected="", observed="star", state="incorrect"),
        )
    )
    judged = tile(questions=(), reports=(replace(report(), evidence=evidence),))
    assert judged.alt_text == "a molecule, by primer/hasty: 0 of 1 correct, 1 not in the prompt"
    assert judged.answers == (
        ("color, red circle:", "incorrect"),
        ("extraneous, star:", "incorrect"),
    )


def test_questions_are_those_that_were_put_to_the_judge() -> None:
    put = replace(QUESTION, text="How many atoms?")
    judged = tile(reports=(report(replace(verdict("correct"), question=put)),))
    assert tile().judge_questions == (QUESTION,)
    assert judged.judge_questions == (put,)
    assert judged.answers == (("Question 1:", "correct"),)


def test_a_metric_of_one_number_says_the_number_or_why_there_is_none() -> None:
    number = tile(metric="CLIPScore", presents="number")
    assert number.verdict_text == "not evaluated yet"
    assert number.answers == ()
    measured = replace(number, reports=(report(value=1.25),))
    assert measured.verdict_text == "CLIPScore 1.250"
    reason = Finding(kind="score", expected="", observed="", state="failed", note="No weights.")
    failed = replace(report(value=None), evidence=Evidence(findings=(reason,)))
    assert replace(number, reports=(failed,)).verdict_text == "CLIPScore: no score. No weights."


def test_the_report_in_full_is_that_of_the_first_trial_and_an_upload_has_no_seed() -> None:
    judged = tile(seed=3, reports=(report(value=0.5), report(value=1.0)))
    assert judged.report == judged.reports[0]
    assert judged.seed_text == "seed 3"
    upload = tile(seed=None)
    assert (upload.report, upload.seed_text) == (None, "")
