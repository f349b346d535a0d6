"""Tests how trials are printed, and how several judges are printed beside each other."""

from dataclasses import replace

from hallascope.cli.output import judge_trial
from hallascope.engine.judge_eval.ihalla import Reliability, Share, Trial, summarize_results
from hallascope.engine.judge_eval.judge_agreement import JudgeDisagreement


def test_only_the_first_disagreements_are_listed_and_the_rest_is_counted() -> None:
    disagreement = JudgeDisagreement(
        picture="0123456789abcdef",
        question="Is it red?",
        right="Yes",
        said={"one": "Yes", "other": ""},
    )
    lines = judge_trial._disagreement_lines([disagreement] * (judge_trial.LISTED + 2)).splitlines()
    assert lines[0] == f"{judge_trial.LISTED + 2} questions on which they part"
    assert lines[1] == "Is it red? (01234567; right: Yes) one: Yes, other: no answer"
    assert lines[-1] == "and 2 more (--json names all)"
    assert len(lines) == judge_trial.LISTED + 2


def _trial() -> Trial:
    overall = Reliability(Share(18, 20, 0.8, 0.97), Share(39, 40, 0.9, 1.0))
    spider = Reliability(Share(1, 4), Share(5, 5))
    ladybug = Reliability(Share(3, 4), Share(5, 5))
    return replace(
        summarize_results("test/judge", []),
        reliability=overall,
        reliability_by_coi={"counting": overall},
        by_concept={"ladybug": ladybug, "spider": spider},
        by_fact={f"spider / {number}": spider for number in range(12)},
        all_right={"violated": Share(7, 10)},
    )


def test_what_is_flagged_and_accepted_is_printed_with_intervals_and_the_worst_concept_first() -> (
    None
):
    text = judge_trial.lines([_trial()])
    assert "violated facts flagged" in text
    counting = next(line for line in text.splitlines() if line.startswith("counting"))
    flagged = ["0.900", "0.800", "to", "0.970", "20"]
    accepted = ["0.975", "0.900", "to", "1.000", "40"]
    assert counting.split()[1:] == flagged + accepted
    assert "violated pictures with all right" in text
    assert text.index("spider ") < text.index("ladybug ")
    assert text.count("spider / ") == judge_trial.WORST


def test_a_program_gets_every_share_with_its_value() -> None:
    document = judge_trial.document([_trial()])
    assert document["reliability"]["sensitivity"]["value"] == 0.9
    assert document["by_concept"]["spider"]["specificity"]["value"] == 1.0


def test_an_older_trial_says_that_it_did_not_measure_them() -> None:
    text = judge_trial.lines([summarize_results("test/judge", [])])
    assert "not measured" in text
