"""Tests how trials are printed, and how several judges are printed beside each other."""

from dataclasses import replace

from hallascope.cli.output.trials import judge_trial
from hallascope.engine.judge_eval.ihalla import Reliability, Share, Trial, summarize_results
from hallascope.engine.judge_eval.judge_agreement import JudgeDisagreement
from hallascope.metrics.statistics.balanced_accuracy import BalancedAccuracy
from hallascope.metrics.statistics.response_statistics import Kappa


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
    overall = Reliability(
        Share(18, 20, 0.8, 0.97),
        Share(39, 40, 0.9, 1.0),
        BalancedAccuracy(0.9375, 0.88, 0.98, "recovered-variances"),
        Kappa(0.888, 0.95, 60, 0, 0.77, 1.0, "linearized"),
        Share(40, 60, 0.5, 0.8),
    )
    spider = Reliability(Share(1, 4), Share(5, 5))
    ladybug = Reliability(Share(3, 4), Share(5, 5))
    return replace(
        summarize_results("test/judge", []),
        by_coi={"counting": Share(57, 60, 0.9, 0.99)},
        by_kind={"factual": Share(30, 30), "violated": Share(27, 30)},
        reliability=overall,
        reliability_by_coi={"counting": overall},
        by_concept={"ladybug": ladybug, "spider": spider},
        by_fact={f"spider / {number}": spider for number in range(12)},
        all_right={"violated": Share(7, 10)},
        none_right=Share(1, 6, 0.01, 0.6),
    )


def test_what_is_flagged_and_accepted_is_printed_with_intervals_and_the_worst_concept_first() -> (
    None
):
    text = judge_trial.lines([_trial()])
    assert "violated facts flagged" in text
    counting = next(line for line in text.splitlines() if line.startswith("counting"))
    right = ["0.950", "0.900", "to", "0.990", "60"]
    flagged = ["0.900", "0.800", "to", "0.970", "20"]
    accepted = ["0.975", "0.900", "to", "1.000", "40"]
    beside_chance = ["0.938", "0.888", "0.667"]
    assert counting.split()[1:] == right + flagged + accepted + beside_chance
    assert "violated images with all answers right" in text
    assert text.index("spider ") < text.index("ladybug ")
    assert text.count("spider / ") == judge_trial.WORST


def test_a_program_gets_every_share_with_its_value() -> None:
    document = judge_trial.document([_trial()])
    assert document["reliability"]["sensitivity"]["value"] == 0.9
    assert document["reliability"]["false_alarms"]["value"] == 1 / 40
    assert document["reliability_by_coi"]["counting"]["specificity"]["low"] == 0.9
    assert document["reliability"]["balanced_accuracy"]["low"] == 0.88
    assert document["reliability"]["kappa"]["high"] == 1.0
    assert document["reliability"]["baseline"]["value"] == 40 / 60
    assert document["none_right"]["value"] == 1 / 6
    assert document["all_right"]["violated"]["value"] == 0.7
    assert document["by_concept"]["spider"]["specificity"]["value"] == 1.0
    assert set(document["by_fact"]) == {f"spider / {number}" for number in range(12)}


def test_every_figure_over_all_has_a_line_that_says_what_is_counted() -> None:
    lines = judge_trial.lines([_trial()]).splitlines()
    values = {
        "factual images": "1.000",
        "violated images": "0.900",
        "violated facts flagged (sensitivity)": "0.900",
        "facts that hold accepted (specificity)": "0.975",
        "false alarms (1 - specificity)": "0.025",
        judge_trial.ALWAYS_EXPECTED: "0.667",
        judge_trial.BALANCED: "0.938",
        judge_trial.KAPPA: "0.888",
        judge_trial.NONE_RIGHT: "0.167",
    }
    for name, value in values.items():
        (line,) = (line for line in lines if line.startswith(f"{name}  "))
        assert line.removeprefix(name).split()[0] == value
    assert judge_trial.VIOLATED_IMAGES in lines


def test_an_older_trial_says_that_it_did_not_measure_them() -> None:
    older = replace(summarize_results("test/judge", []), by_coi={"shape": Share(3, 4)})
    text = judge_trial.lines([older])
    assert "not measured" in text
    for name in ("sensitivity", judge_trial.BALANCED, judge_trial.ALWAYS_EXPECTED):
        assert name not in text
    assert judge_trial.NONE_RIGHT not in text
    assert "0.750" in next(line for line in text.splitlines() if line.startswith("shape"))
    assert "by concept" not in text
