"""The published table of judges is shown as it was printed, with its faults marked."""

from dataclasses import replace

from hallascope.components.judges import judges
from hallascope.data.published import haloquest as leaderboard
from hallascope.engine.judge_eval.ihalla import Reliability, Share, summarize_results
from hallascope.metrics.statistics.balanced_accuracy import BalancedAccuracy
from hallascope.metrics.statistics.response_statistics import Kappa
from hallascope.pages.judges import view
from tests.support.labeled_trials import labeled_trial, people_agreement


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
    counted = Reliability(
        Share(9, 10, 0.7, 1.0),
        Share(19, 20),
        BalancedAccuracy(0.925, 0.8, 0.97, "recovered-variances"),
        Kappa(0.86, 0.93, 30, 0, 0.6, 1.0, "linearized"),
        Share(20, 30, 0.5, 0.8),
    )
    trial = replace(
        summarize_results("test/judge", []),
        reliability=counted,
        reliability_by_coi={"shape": counted},
        by_concept={"ladybug": counted, "spider": Reliability(Share(1, 2), Share(3, 4))},
        all_right={"factual": Share(9, 10), "violated": Share(7, 10)},
        none_right=Share(1, 4),
    )
    cells = view._of_trial(trial)
    assert (cells["baseline"].value_text, cells["baseline"].about) == (
        "0.667",
        "0.50 to 0.80, of 30",
    )
    assert cells["balanced accuracy"].value_text == "0.925"
    assert (cells["kappa"].value_text, cells["kappa"].share) == ("0.860", None)
    assert cells["none is right"].value_text == "0.250"
    assert cells["sensitivity"].about == "0.70 to 1.00, of 10"
    assert cells["specificity"].value_text == "0.950"
    groups = {group.title: group for group in view.groups(trial, [], None)}
    beside = dict(groups["Beside always giving the expected answer"].rows)
    assert beside[view.ALWAYS_EXPECTED].value_text == "0.667"
    assert beside["“None of the above” is right"].value_text == "0.250"
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
    for column in ("sensitivity", "specificity", "baseline", "balanced accuracy", "kappa"):
        assert cells[column].value_text == "not measured"
    assert cells["none is right"].value_text == "not measured"
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
    assert row.cells["kappa"].value_text == "0.500"
    assert row.cells["balanced accuracy"].value_text == "not measured", "an older trial"
    groups = {group.title: dict(group.rows) for group in view.groups(None, [], None, labels)}
    assert groups["Beside labels by hand"][view.ALWAYS_EXPECTED].value_text == "0.750"
    assert groups["Errors that people see flagged (sensitivity)"]["shape"].value_text == "0.500"
    assert groups["Facts that people see accepted (specificity)"]["color"].value_text == "0.800"


def test_two_labelers_stand_beside_the_judge_and_beside_each_other() -> None:
    figures = labeled_trial().figures
    people = people_agreement(labelers=("<ada>", "bo"))
    labels = labeled_trial(by_labeler={"<ada>": figures, "bo": figures}, labeler_agreement=people)
    groups = list(view.groups(None, [], None, labels))
    by_title = {group.title: dict(group.rows) for group in groups}
    assert by_title["Beside labels by bo"]["same answer"].value_text == "0.750"
    ceiling = by_title["Labelers beside each other (ceiling)"]
    assert [cell.value_text for cell in ceiling.values()] == ["0.900", "0.700", "0.690"]
    html = judges.detail(judges.JudgeTableRow("test/judge", ""), groups)
    assert "<ada>" not in html
    assert "Beside labels by &lt;ada&gt;" in html
