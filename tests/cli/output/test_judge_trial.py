"""Tests how several judges are printed beside each other."""

from hallascope.cli.output import judge_trial
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
