"""A trial on labels prints the judge, the baseline and the labelers beside each other."""

from hallascope.cli.output.trials import labelled_trial
from hallascope.engine.judge_eval.labelled import LabelAgreement, LabelFigures
from hallascope.metrics.statistics.balanced_accuracy import BalancedAccuracy
from hallascope.metrics.statistics.response_statistics import Kappa
from tests.support.labeled_trials import labeled_trial, people_agreement

PEOPLE = people_agreement(kappa=Kappa(0.7, 0.92, 40, 0, 0.5, 0.85, "linearized"))


def test_sensitivity_and_specificity_are_printed_by_composition_of_interest() -> None:
    _, by_coi = labelled_trial.lines(labeled_trial()).split(
        "sensitivity by composition of interest:\n"
    )
    flagged, accepted = by_coi.split("specificity by composition of interest:\n")
    assert flagged.splitlines()[1].split() == ["shape", "0.500", "-", "2"]
    assert accepted.splitlines()[1].split() == ["color", "0.800", "0.500", "to", "1.000", "5"]


def test_the_baseline_balanced_accuracy_and_kappa_stand_beside_what_the_judge_reaches() -> None:
    trial = labeled_trial(
        balanced_accuracy=BalancedAccuracy(0.72, 0.66, 0.78, "recovered-variances"),
        kappa=Kappa(0.47, 0.9, 4, 0, 0.36, 0.58, "linearized"),
        baseline=LabelAgreement(2, 4, 0.1, 0.9),
    )
    lines = labelled_trial.lines(trial).splitlines()
    assert lines[1].startswith("overall")
    rows = {
        "always the expected answer (baseline)": "0.500 0.100 to 0.900 4",
        "balanced accuracy": "0.720 0.660 to 0.780 4",
        labelled_trial.KAPPA: "0.470 0.360 to 0.580 4",
    }
    for name, cells in rows.items():
        (line,) = (line for line in lines if line.startswith(name))
        assert line.removeprefix(name).split() == cells.split()


def test_two_labelers_are_printed_each_with_their_agreement_as_the_ceiling() -> None:
    one = labeled_trial()
    figures = LabelFigures(
        overall=LabelAgreement(3, 4, 0.25, 1.0),
        baseline=one.baseline,
        sensitivity=one.sensitivity,
        specificity=one.specificity,
        balanced_accuracy=BalancedAccuracy(0.75),
        kappa=one.kappa,
    )
    trial = labeled_trial(
        labellers={"ada": 2, "bo": 2},
        by_labeler={"ada": figures, "bo": figures},
        labeler_agreement=PEOPLE,
    )
    text = labelled_trial.lines(trial)
    assert "beside each labeler:" in text
    assert (
        "ada and bo agree (ceiling): the same answer 0.900 (0.800 to 0.960) on 40 questions"
        " that two of them could tell; Cohen's kappa, expected answer seen or not 0.700 (0.500 to"
        " 0.850), Krippendorff's alpha 0.690"
    ) in text
    document = labelled_trial.document(trial)
    assert document["labeler_agreement"]["value"] == 0.9
    assert document["by_labeler"]["bo"]["overall"]["value"] == 0.75
    assert document["overall"]["value"] == 0.75


def test_one_labeler_has_no_table_of_labelers() -> None:
    text = labelled_trial.lines(labeled_trial())
    assert "beside each labeler" not in text
    assert "(ceiling)" not in text
