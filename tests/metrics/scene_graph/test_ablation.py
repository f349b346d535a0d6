"""The caption ablation answers the same questions from the triples of one caption."""

from hallascope import metrics
from hallascope.data.graphs import SceneGraphs
from hallascope.data.records import Report, Score
from hallascope.data.requests import Answer
from tests.support.scripted_vision import evidence_of, look

PROMPT = "a red circle and two blue squares"


def report_of(caption: str, prompt: str = PROMPT) -> Report:
    return look(metrics.get("caption-ablation"), prompt, lambda _: Answer(caption))


def graphs_of(caption: str, prompt: str = PROMPT) -> SceneGraphs:
    report = report_of(caption, prompt)
    assert evidence_of(report).graphs
    return evidence_of(report).graphs


def test_the_same_questions_are_answered_from_the_triples_of_a_caption() -> None:
    found = graphs_of("The picture shows two blue squares and a red circle. A star is above them.")
    assert [one.answer for one in found.questions] == ["yes"] * 5
    assert [(error.type, error.seen) for error in found.errors] == [("extraneous", "star")]
    assert found.grade == 6
    assert len([node for node in found.seen.nodes if node.label == "square"]) == 2


def test_what_a_caption_does_not_say_is_missing() -> None:
    found = graphs_of(
        "There is a green circle to the right of a square.", "a red circle to the left of a square"
    )
    assert [(error.type, error.asked, error.seen) for error in found.errors] == [
        ("attribute", "red", "green"),
        ("relation", "to the left of the square", "to the right of"),
    ]


def test_an_empty_caption_is_left_out() -> None:
    report = report_of("  ")
    assert report.score == Score(None, 0, 5)
