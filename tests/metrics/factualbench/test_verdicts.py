"""What was read of a round becomes its verdict: met, not met, unreadable or failed."""

from pathlib import Path

from hallascope.data.concepts import ConceptRef
from hallascope.metrics.factualbench.criteria import CriterionReply
from hallascope.metrics.factualbench.replies import RatingReply, TaskReply
from hallascope.metrics.factualbench.verdicts import (
    CriterionVerdict,
    Rounds,
    RoundVerdict,
    TaskVerdict,
    failed_round,
    missing_reference,
    rated_round,
    task_verdict,
)

CRITERIA = {"shape": CriterionReply(True, "right"), "color": CriterionReply(None)}


def test_the_rating_makes_the_score_and_only_the_highest_is_correct() -> None:
    verdict = rated_round("beagle dog", RatingReply(3, CRITERIA), "raw")
    assert (verdict.score, verdict.state, verdict.raw) == (0.75, "incorrect", "")
    assert verdict.criteria == {
        "shape": CriterionVerdict("correct", "right"),
        "color": CriterionVerdict("unreadable"),
    }
    assert rated_round("beagle dog", RatingReply(4, {}), "raw").state == "correct"


def test_without_a_rating_the_round_is_unreadable_whatever_the_criteria_say() -> None:
    verdict = rated_round("beagle dog", RatingReply(None, CRITERIA), "raw")
    assert (verdict.score, verdict.state, verdict.raw) == (None, "unreadable", "raw")
    assert verdict.criteria["shape"].state == "correct"


def test_of_fewer_answered_criteria_the_score_is_their_share() -> None:
    verdict = RoundVerdict(name="", criteria={}, state="incorrect", met=1, answered=2)
    assert verdict.score == 0.5


def test_a_missing_reference_fails_the_round_and_says_where_it_should_be() -> None:
    verdict = missing_reference(ConceptRef(name="beagle dog", file=Path("/images/beagle.jpg")))
    assert (verdict.name, verdict.state, verdict.score) == ("beagle dog", "failed", None)
    assert "'/images/beagle.jpg'" in verdict.note
    assert " at " not in missing_reference(ConceptRef(name="beagle dog")).note


def test_a_task_called_done_although_a_concept_is_absent_is_not_done_and_flagged() -> None:
    absent = {"beagle dog": True, "red fox": False}
    verdict = task_verdict("jumping", TaskReply(True, absent, "seen"), "raw")
    assert (verdict.score, verdict.state, verdict.absent) == (0.0, "incorrect", ("red fox",))
    assert "red fox is not there" in verdict.note
    assert task_verdict("jumping", TaskReply(False, absent), "raw").note == ""


def test_a_task_is_scored_where_the_reply_says_whether_it_is_done() -> None:
    done = task_verdict("jumping", TaskReply(True, {}, "it jumps"), "raw")
    assert (done.score, done.reason, done.note, done.raw) == (1.0, "it jumps", "", "")
    vague = task_verdict("jumping", TaskReply(None, {}, "blurred"), "raw")
    assert (vague.score, vague.state, vague.reason, vague.raw) == (
        None,
        "unreadable",
        "blurred",
        "raw",
    )
    assert TaskVerdict(wanted="jumping", state="failed").score is None


def test_rounds_with_criteria_are_those_of_the_concepts_and_the_composition() -> None:
    concept, composition = failed_round("beagle dog", "lost"), failed_round("", "lost")
    assert Rounds((concept,)).rated == (concept,)
    assert Rounds((concept,), composition=composition).rated == (concept, composition)
