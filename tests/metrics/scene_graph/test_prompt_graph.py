"""The graph of a prompt, also with pronouns, nesting and negation, and its questions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.prompt_reading import AskedObject, Count, PromptReading
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading, make_prompt_graph
from hallascope.metrics.scene_graph.questions import questions

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


@pytest.mark.parametrize(
    ("prompt", "nodes", "edges"),
    [
        ("a green bench and a blue bowl", ["green bench", "blue bowl"], []),  # no relation
        (
            "two red circles to the left of a blue square",
            ["two red circle", "blue square"],
            ["circle left of square"],
        ),
        (
            "The leather wallet was inside the brown purse.",
            ["leather wallet", "brown purse"],
            ["wallet in purse"],
        ),
        (
            "A man riding a brown horse is wearing a hat.",
            ["man", "brown horse", "hat"],
            ["man riding horse", "man wearing hat"],
        ),
        ("a woman with a red umbrella", ["woman", "red umbrella"], ["woman with umbrella"]),
        ("a man in a suit", ["man", "suit"], ["man wearing suit"]),
        ("the wing of a ladybug", ["wing", "ladybug"], ["wing part of ladybug"]),
        ("a horse ridden by a man", ["horse", "man"], ["man riding horse"]),
        ("a cat sleeping on a wooden chair", ["sleeping cat", "wooden chair"], ["cat on chair"]),
        # Pronouns stand for a thing that was named.
        ("A dog is chasing a ball. It is brown.", ["brown dog", "ball"], ["dog chasing ball"]),
        ("A woman smiles. She holds a cat.", ["smiling woman", "cat"], ["woman holding cat"]),
        ("A man stands next to a car. It is red.", ["man", "red car"], ["man next to car"]),
        # Relations are nested.
        (
            "a cup to the left of a plate on a table",
            ["cup", "plate", "table"],
            ["cup left of plate", "plate on table"],
        ),
        (
            "a girl holding an umbrella next to a dog that is chasing a ball",
            ["girl", "umbrella", "dog", "ball"],
            ["girl holding umbrella", "girl next to dog", "dog chasing ball"],
        ),
        # Something is said not to be there.
        ("a man without a hat", ["man", "-hat"], []),
        ("a street with no cars", ["street", "-car"], []),
        ("a man who is not wearing a hat", ["man", "-hat"], []),
        ("the car is not red", ["car"], []),
        # A thing is named again.
        (
            "A red car and a blue car. The blue car is next to a tree.",
            ["red car", "blue car", "tree"],
            ["car next to tree"],
        ),
        ("a wine glass and a glass table", ["wine glass", "glass table"], []),
        ("a black and white dog", ["black white dog"], []),
        ("", [], []),
    ],
)
def test_a_prompt_is_read_as_a_graph(prompt: str, nodes: list[str], edges: list[str]) -> None:
    assert read(prompt) == (nodes, edges)


def test_every_node_and_edge_points_at_its_words() -> None:
    prompt = "A  red car and a blue one… The red car is left of a tree."
    graph = make_prompt_graph(prompt).graph
    said = [(node.label, [prompt[slice(*span)] for span in node.spans]) for node in graph.nodes]
    assert said == [("car", ["car", "car"]), ("car", ["one"]), ("tree", ["tree"])]
    assert [prompt[slice(*span)] for edge in graph.edges for span in edge.spans] == ["left of"]


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


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "two flags of France",
            ["Are there flags of France in the picture?", "Are there exactly two flags of France?"],
        ),
        (
            "an old man without a hat",
            ["Is there a man in the picture?", "Is the man old?", "Is there a hat in the picture?"],
        ),
        (
            "a red cup on a blue cup",
            [
                *(
                    "Is there a cup in the picture?",
                    "Is the cup red?",
                    "Is there a cup in the picture?",
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


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("exactly three", Count.exactly(3)),
        ("at least three", Count.at_least(3)),
        ("at most two", Count.at_most(2)),
        ("about twelve", Count.approximately(12)),
    ],
)
def test_a_count_is_asked_in_its_own_words(words: str, count: Count) -> None:
    reading = PromptReading(
        prompt="cats", objects=(AskedObject(id="o1", name="cat", count=count),), source="person"
    )
    *_, number = questions(graph_of_reading(reading))
    assert number.text == f"Are there {words} cats?"


def test_of_what_may_be_missing_the_number_alone_is_asked() -> None:
    assert [one.text for one in questions(make_prompt_graph("no more than two cats"))] == [
        "Are there at most two cats?"
    ]


def test_a_plural_without_a_number_asks_for_no_number() -> None:
    assert [one.kind for one in questions(make_prompt_graph("cats"))] == ["existence"]
