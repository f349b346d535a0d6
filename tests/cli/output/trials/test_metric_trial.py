"""The trial of a metric is printed as a table and sentences, or as one document."""

import re
from dataclasses import replace

from hallascope.cli.output.trials import metric_trial
from hallascope.engine.judge_eval.matching.errors import ErrorRow, ErrorTally
from hallascope.engine.judge_eval.matching.triples import TripleAccuracy
from hallascope.engine.judge_eval.metrics import Aim, AimOutcome, MetricMistake, MetricTrial
from hallascope.metrics.statistics.intervals import Interval

TRIAL = MetricTrial(
    metric="fig",
    version="1",
    lineup={"detector": "perfect"},
    pictures=8,
    flawed=5,
    unjudged=1,
    outcomes=(
        AimOutcome(
            Aim(kind="object", title="missing objects", measure="f1", least=0.85),
            ErrorTally(found=3, false=1, missed=1, left_out=2),
            Interval(0.5, 0.9, "clopper-pearson"),
        ),
    ),
    mistakes=(
        MetricMistake(
            4, "a red cat", ErrorRow("color", "cat", truth="red", said="blue", fate="false alarm")
        ),
    ),
)


def cells(trial: MetricTrial) -> dict[str, str]:
    """Return the first row of the table by its headings."""
    head, row = (
        re.split(r"\s{2,}", line)
        for line in metric_trial.lines(trial, mistakes=False).splitlines()[:2]
    )
    return dict(zip(head, row, strict=True))


def test_an_aim_is_a_row_with_its_shares_its_goal_and_its_counts() -> None:
    assert cells(TRIAL) == {
        "errors": "missing objects",
        "precision": "0.750",
        "recall": "0.750",
        "F1": "0.750",
        "should be": "F1 0.85",
        "95 % interval": "0.500 to 0.900",
        "reached": "no",
        "found": "3",
        "false": "1",
        "missed": "1",
        "n": "5",
        "left out": "2",
        "unasked": "0",
    }


def test_what_cannot_be_measured_is_a_dash_and_what_the_paper_reports_has_a_column() -> None:
    outcome = AimOutcome(
        Aim(kind="position", title="relations", measure="precision", least=0.8, published=0.67),
        ErrorTally(),
        None,
    )
    row = cells(replace(TRIAL, outcomes=(outcome,)))
    assert (row["precision"], row["95 % interval"], row["reached"]) == ("-", "-", "-")
    assert (row["should be"], row["paper"]) == ("precision 0.80", "0.67")


def test_beneath_the_table_stand_the_pictures_the_models_and_on_request_every_mistake() -> None:
    plain = metric_trial.lines(TRIAL, mistakes=False).splitlines()[2:]
    assert plain == [
        "fig on 8 images, 5 of them with errors, 1 not judged; detector perfect",
    ]
    graphs = replace(TRIAL, triples=TripleAccuracy(3, 4))
    assert metric_trial.lines(graphs, mistakes=True).splitlines()[3:] == [
        "0.750 of 4 triples are right where nothing is wrong",
        "4: a red cat | color cat | drawn: red | seen: blue | false alarm",
    ]


def test_the_document_names_every_field_and_share() -> None:
    document = metric_trial.document(TRIAL)
    (outcome,) = document["outcomes"]
    assert (outcome["title"], outcome["f1"], outcome["n"], outcome["reached"]) == (
        "missing objects",
        0.75,
        5,
        False,
    )
    assert outcome["interval"] == {"low": 0.5, "high": 0.9, "method": "clopper-pearson"}
    assert (document["left_out"], document["triples"]) == (2, None)
    (mistake,) = document["mistakes"]
    assert (mistake["seed"], mistake["prompt"], mistake["subject"]) == (4, "a red cat", "cat")
    graphs = metric_trial.document(replace(TRIAL, triples=TripleAccuracy(3, 4)))
    assert graphs["triples"] == {"right": 3, "counted": 4, "value": 0.75}
