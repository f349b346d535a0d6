"""Questions are answered from the triples that bear on them, and from no others."""

from tests.support.scene_graph_runs import (
    CORRECT_SCENE,
    LEFT,
    METRIC,
    PROMPT,
    RIGHT,
    graphs_of,
    report_on,
)
from tests.support.scripted_vision import evidence_of, look, thing


def test_a_question_keeps_the_triples_it_was_answered_from_and_no_others() -> None:
    found = graphs_of(look(METRIC, PROMPT, CORRECT_SCENE.reply)).questions
    memory = {one.text: [triple[:3] for triple in one.memory] for one in found}
    assert memory["Is the square blue?"] == [
        ("square 1", "is a", "square"),
        ("square 1", "is", "blue"),
    ]
    assert memory["Is the square to the left of the circle?"][2:] == [
        ("square 1", "left of", "circle 1")
    ]


def test_a_relation_that_is_met_by_its_kin_shows_what_was_observed() -> None:
    report = report_on(
        "a man with a cup",
        thing("man", LEFT),
        thing("cup", RIGHT),
        doing={("man", "cup"): "Holding"},
    )
    (relation,) = [one for one in evidence_of(report).findings if one.kind == "relation"]
    assert (relation.state, relation.observed) == ("correct", "holding")
    (question,) = [one for one in graphs_of(report).questions if one.kind == "relation"]
    assert (question.answer, question.seen_value) == ("yes", "holding")
