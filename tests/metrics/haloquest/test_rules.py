"""By rule a reply is right where it says what one of the references says."""

from collections.abc import Sequence

import pytest

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS
from hallascope.metrics.haloquest.replies import Grading
from hallascope.metrics.haloquest.rules import agrees, grade

ABSENT = ("there is no bee in the image", "the image does not include a bee")
HIDDEN = ("the girl's shoes are not visible", "it cannot be told from the image")
ONE = ("one", "there is one framed work of art in this photo")


@pytest.mark.parametrize(
    ("references", "right", "wrong"),
    [
        (
            ABSENT,
            ("there is no bee", "no bee is visible", "i see no bee", "the bee isn't there"),
            ("no", "nothing", "none", "yes"),
        ),
        (
            ABSENT,
            ("no, there is no bee",),
            ("no, it is red", "the bee sits on a flower", "i cannot tell", "sorry, i can't assist"),
        ),
        (
            HIDDEN,
            ("i cannot tell", "the shoes are not shown", "it is unclear"),
            ("red", "nothing", "sorry, i cannot help with that"),
        ),
        (ONE, ("1", "one", "i count one"), ("2", "one or two", "some", "none")),
        (("yes",), ("yes", "yes, it is"), ("no", "it is red")),
        (("red",), ("red", "it is red"), ("not red", "blue", "")),
    ],
)
def test_by_rule_the_references_decide(
    references: tuple[str, ...], right: Sequence[str], wrong: Sequence[str]
) -> None:
    assert [reply for reply in right if not agrees(reply, references)] == []
    assert [reply for reply in wrong if agrees(reply, references)] == []


def test_the_main_points_are_the_first_sentence_and_the_first_reference() -> None:
    halo = HaloQuestion("q", ("There’s no bee.", "No bee"), "false premises", "generated")
    grading = grade(halo, "There is no bee.\nI see a flower.")
    assert grading == Grading("There is no bee.", "There’s no bee.", True)
    without = HaloQuestion("q", (), "false premises", "generated")
    assert grade(without, "A bee.") == Grading("A bee.", "", False)


@pytest.mark.parametrize(
    ("reply", "agreeing"),
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


NO_PLANES = HaloQuestion(
    "How many airplanes are there?",
    ("Zero airplanes", "There are no planes"),
    "false premises",
    "real",
)
STOOL = HaloQuestion(
    "Is the man on a stool or a chair?",
    ("He is on a stool, not a chair", "The man is on a stool"),
    "visual challenge",
    "real",
)
SHOES = HaloQuestion(
    "What color are the girl's shoes?", ("Her shoes are not visible",), "false premises", "real"
)


@pytest.mark.parametrize(
    ("halo", "reply", "agree"),
    [
        (NO_PLANES, "zero airplanes.", True),
        (NO_PLANES, "None", True),
        (NO_PLANES, "0", True),
        (NO_PLANES, "I can't see any planes.", True),
        (NO_PLANES, "There are no cats.", False),
        (NO_PLANES, "Zero cats", False),
        (NO_PLANES, "Two airplanes, no cats", False),
        (STOOL, "He sits on a stool, not a chair.", True),
        (STOOL, "On a chair, not a stool", False),
        (SHOES, "I cannot see the girl's shoes.", True),
        (SHOES, "The girl has no shoes in view.", True),
        (SHOES, "The girl's hat is not visible.", False),
    ],
)
def test_a_denial_counts_only_for_what_a_reference_denies(
    halo: HaloQuestion, reply: str, agree: bool
) -> None:
    assert grade(halo, reply).agree == agree
