"""The published table of judges is shown as it was printed, with its faults marked."""

from dataclasses import replace

from hallascope.components.judges import judges
from hallascope.data.published import haloquest as leaderboard
from hallascope.engine.judge_eval.ihalla import Reliability, Share, summarize_results
from hallascope.pages.judges import view
from tests.support.labeled_trials import labeled_trial


def test_the_published_table_re_averages_from_its_types_but_for_the_marked_rows() -> None:
    slack = (
        1.0  # some rows are off by more than rounding explains, none of them by more than a point
    )
    for row, found in zip(view.published_rows(), leaderboard.leaderboard(), strict=True):
        apart = abs(view.by_types(found.human, found.sizes) - found.human["overall"])
        apart = max(apart, abs(view.by_types(found.auto, found.sizes) - found.auto["overall"]))
        assert (apart > slack) == bool(row.note), row.model
    assert sum(bool(row.note) for row in view.published_rows()) == 2


def test_a_judge_shows_what_it_flags_and_accepts_overall_by_coi_and_by_concept() -> None:
    counted = Reliability(Share(9, 10, 0.7, 1.0), Share(19, 20))
    trial = replace(
        summarize_results("test/judge", []),
        reliability=counted,
        reliability_by_coi={"shape": counted},
        by_concept={"ladybug": counted, "spider": Reliability(Share(1, 2), Share(3, 4))},
        all_right={"factual": Share(9, 10), "violated": Share(7, 10)},
    )
    cells = view._of_trial(trial)
    assert cells["sensitivity"].about == "0.70 to 1.00, of 10"
    assert cells["specificity"].value_text == "0.950"
    groups = {group.title: group for group in view.groups(trial, [], None)}
    flagged = dict(groups["Violated facts flagged (sensitivity)"].rows)
    accepted = dict(groups["Facts that hold accepted (specificity)"].rows)
    assert flagged["overall"].value_text == flagged["shape"].value_text == "0.900"
    assert flagged["shape"].about == "0.70 to 1.00, of 10"
    assert accepted["overall"].value_text == "0.950"
    assert [name for name, _ in groups["Violated facts flagged, by concept"].rows] == [
        "spider",
        "ladybug",
    ]
    accepted_concepts = dict(groups["Facts that hold accepted, by concept"].rows)
    assert list(accepted_concepts) == ["spider", "ladybug"]
    assert accepted_concepts["spider"].value_text == "0.750"
    all_right = dict(groups["Images with all answers right"].rows)
    assert (all_right["factual"].value_text, all_right["violated"].value_text) == ("0.900", "0.700")


def test_a_trial_of_an_older_version_says_that_they_were_not_measured() -> None:
    trial = summarize_results("test/judge", [])
    cells = view._of_trial(trial)
    assert cells["sensitivity"].value_text == cells["specificity"].value_text == "not measured"
    groups = {group.title: group for group in view.groups(trial, [], None)}
    assert "Not measured" in groups["Violated facts flagged (sensitivity)"].note
    assert "Violated facts flagged, by concept" not in groups
    table = judges.table([judges.JudgeTableRow("test/judge", "", cells)], view.COLUMNS)
    assert table.count("not measured") == 1


def test_a_trial_on_labels_stands_in_the_row_and_in_detail_where_there_is_no_other() -> None:
    labels = labeled_trial()
    trials = view.TrialsByJudge({}, {}, labels={labels.judge: labels})
    (row,) = view.rows([], trials, {})
    assert row.cells["sensitivity"].value_text == "0.750"
    assert "labeled images" in row.cells["sensitivity"].about
    groups = {group.title: dict(group.rows) for group in view.groups(None, [], None, labels)}
    assert groups["Errors that people see flagged (sensitivity)"]["shape"].value_text == "0.500"
    assert groups["Facts that people see accepted (specificity)"]["color"].value_text == "0.800"
