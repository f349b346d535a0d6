"""A question of a prompt stands beside its answer and the triples that this rests on."""

from html import unescape

from hallascope.components.evidence.viewer import viewer
from hallascope.data.evidence import Evidence
from tests.components.scene_graph.test_exhibit import PATH, group
from tests.support import scene_graphs


def row(question: str) -> str:
    return unescape(
        next(line for line in group("Questions").body.split("<tr ") if f">{question}<" in line)
    )


def test_a_question_tells_what_was_wanted_what_was_answered_and_what_became_of_it() -> None:
    assert group("Questions").aside == "4 of 7, left out 1"
    red = row("Is the circle red?")
    assert "<td>yes</td><td>no" in red
    assert "red → green" in red
    assert 'aria-label="incorrect"' in red
    assert "cannot be told" in row("Is the square above the tulip?")
    assert "<td>no</td><td>no</td>" in row("Is there a hat?")


def test_a_question_lights_up_with_its_nodes_and_its_relation() -> None:
    assert 'data-keys="["finding=6"]" data-under="["node=1", "node=2", "edge=1"]"' in row(
        "Is the circle left of the square?"
    )


def test_the_memory_of_a_question_is_its_triples_each_of_which_leads_into_the_graph() -> None:
    recalled = unescape(group("Memory").body).split('<section class="recall"')[1:]
    assert len(recalled) == len(scene_graphs.QUESTIONS)
    assert (
        '<li data-keys="["node=1"]"><span>circle 1</span> <i>is</i> <span>green</span></li>'
        in recalled[3]
    )
    assert '<li data-keys="["edge=1"]">' in recalled[5]
    assert "says nothing about this" in recalled[2]
    assert 'data-keys="["finding=4"]"' in recalled[3]


def test_a_prompt_that_asks_nothing_says_so() -> None:
    shown = scene_graphs.shown(scene_graphs.boxed(3), PATH)
    assert "asks nothing" in group("Questions", shown).body
    assert viewer([scene_graphs.shown(Evidence(graphs=scene_graphs.crowd(0)), PATH)])
