"""By rule a reply is right where it says what one of the references says."""

import pytest

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS
from hallascope.metrics.haloquest.replies import Grading
from hallascope.metrics.haloquest.rules import grade
from tests.data.cases import cases


@pytest.mark.parametrize(
    "question, references, right, wrong",
    cases("haloquest_rules", "by_rule_the_references_decide", "metrics"),
)
def test_by_rule_the_references_decide(
    question: str, references: list[str], right: list[str], wrong: list[str]
) -> None:
    halo = HaloQuestion(question, tuple(references), "visual challenge", "real")
    assert [reply for reply in right if not grade(halo, reply).agree] == []
    assert [reply for reply in wrong if grade(halo, reply).agree] == []


def test_the_main_points_are_the_first_sentence_and_the_first_reference() -> None:
    halo = HaloQuestion("q", ("There’s no bee.", "No bee"), "false premises", "generated")
    grading = grade(halo, "There is no bee.\nI see a flower.")
    assert grading == Grading("There is no bee.", "There’s no bee.", True)
    without = HaloQuestion("q", (), "false premises", "generated")
    assert grade(without, "A bee.") == Grading("A bee.", "", False)


@pytest.mark.parametrize(
    "reply, agreeing",
    [
        ("It is red.", {"text", "schema", "reasoned"}),
        ("The ball is red, I think", {"schema", "reasoned"}),
        ("It is red or blue", {"schema", "reasoned"}),
        ("Not red", {"schema"}),
        ("Blue", set()),
    ],
)
def test_cruder_rules_stand_in_place_of_the_simpler_implementations(
    reply: str, agreeing: set[str]
) -> None:
    halo = HaloQuestion("What color is it?", ("It is red",), "visual challenge", "generated")
    assert {name for name in AUTO_EVALS if grade(halo, reply, name).agree} == agreeing
