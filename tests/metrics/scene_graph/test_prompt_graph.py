"""The graph of a prompt, also with pronouns, nesting and negation, and its questions."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.metrics.scene_graph.prompt_graph import make_prompt_graph
from hallascope.metrics.scene_graph.questions import questions

PROMPTS = yaml.safe_load(Path(__file__).with_name("prompts.yaml").read_text(encoding="utf-8"))
Said = tuple[list[str], list[str]]


def read(prompt: str) -> Said:
    """The things with their attributes, "-" before what must not be there; and the edges."""
    graph = make_prompt_graph(prompt).graph
    labels = {node.name: node.label for node in graph.nodes}
    nodes = [
        " ".join((*(a.value for a in node.attributes), "-" * node.absent + node.label))
        for node in graph.nodes
    ]
    return nodes, [
        f"{labels[edge.source]} {edge.relation} {labels[edge.target]}" for edge in graph.edges
    ]


@pytest.mark.parametrize("prompt, nodes, edges", [tuple(row.values()) for row in PROMPTS])
def test_a_prompt_is_read_as_a_graph(prompt: str, nodes: list[str], edges: list[str]) -> None:
    assert read(prompt) == (nodes, edges)


def test_every_node_and_edge_points_at_its_words() -> None:
    prompt = "A  red car and a blue one… The red car is left of a tree."
    graph = make_prompt_graph(prompt).graph
    said = [(node.label, [prompt[slice(*span)] for span in node.spans]) for node in graph.nodes]
    assert said == [("car", ["car", "car"]), ("car", ["one"]), ("tree", ["tree"])]
    assert [prompt[slice(*span)] for edge in graph.edges for span in edge.spans] == ["left of"]


@pytest.mark.parametrize(
    "prompt, expected",
    [
        (
            "two flags of France",
            ["Are there flags of France in the image?", "Are there exactly two flags of France?"],
        ),
        (
            "an old man without a hat",
            ["Is there a man in the image?", "Is the man old?", "Is there a hat in the image?"],
        ),
        (
            "a red cup on a blue cup",
            [
                *(
                    "Is there a cup in the image?",
                    "Is the cup red?",
                    "Is there a cup in the image?",
                    "Is the cup blue?",
                ),
                "Is the red cup on the blue cup?",
            ],
        ),
    ],
)
def test_questions_are_asked_by_template(prompt: str, expected: list[str]) -> None:
    assert [one.text for one in questions(make_prompt_graph(prompt))] == expected


def test_what_must_not_be_there_is_asked_with_no_as_the_answer_of_a_faithful_picture() -> None:
    assert [one.wanted for one in questions(make_prompt_graph("a man without a hat"))] == [
        "yes",
        "no",
    ]


WORDS = (
    "a",
    "no",
    "the",
    "it",
    "red",
    "two",
    "dog",
    "dogs",
    "on",
    "of",
    "by",
    "with",
    "is",
    "not",
    "and",
    ".",
    ",",
    "riding",
)


@given(st.text(max_size=120) | st.lists(st.sampled_from(WORDS)).map(" ".join))
@settings(max_examples=80, deadline=None)
def test_any_text_has_a_graph_whose_ends_are_there(text: str) -> None:
    graph = make_prompt_graph(text).graph
    names = [node.name for node in graph.nodes]
    assert len(set(names)) == len(names)
    assert all(
        edge.source in names and edge.target in names and edge.source != edge.target
        for edge in graph.edges
    )
    assert all(0 <= start < stop <= len(text) for node in graph.nodes for start, stop in node.spans)
    assert len(questions(make_prompt_graph(text))) >= len(names)
