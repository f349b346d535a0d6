"""Names of the lexicon stand as they are, and are none where the words go on."""

import pytest

from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.rules.noun_phrases.known_names import vocabulary
from hallascope.primer import scenes
from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("two red circles and a blue square", ["2 red circle", "blue square"]),
        ("four blue hearts", ["4 blue heart"]),
        ("three red crosses", ["3 red cross"]),
        ("two purple stars below an orange crescent", ["2 purple star", "orange crescent"]),
        ("a ladybug to the left of two tulips", ["ladybug", "2 tulip"]),
        ("a comb-pattern pot above the planet Saturn", ["comb-pattern pot", "planet Saturn"]),
        ("a traffic light below the Eiffel Tower", ["traffic light", "Eiffel Tower"]),
        ("a woman in a hanbok to the right of a hamburger", ["woman in a hanbok", "hamburger"]),
        (
            "two groups of Giza pyramids and three Great Walls of China",
            ["2 pyramids of Giza", "3 Great Wall of China"],
        ),
        (
            "a molecule of water to the left of four planets like Saturn",
            ["molecule of water", "4 Saturn"],
        ),
    ],
)
def test_names_of_the_primer_world_stand_as_they_are(prompt: str, expected: list[str]) -> None:
    assert things(prompt) == expected


def test_every_prompt_of_the_grammar_names_its_groups_with_number_and_color() -> None:
    for prompt in scenes.benchmark(230)[len(scenes.prompts()) :]:
        scene = scenes.parse(prompt)
        found = parse(prompt).things
        assert [phrase.concept for phrase in found] == [
            group.concept.name for group in scene.groups
        ], prompt
        assert [phrase.number or 1 for phrase in found] == [
            group.count for group in scene.groups
        ], prompt
        assert [
            next((word.text for word in p.modifiers), None)
            for p, g in zip(found, scene.groups, strict=True)
            if g.colour
        ] == [group.colour for group in scene.groups if group.colour], prompt


def test_a_name_of_the_primer_world_is_none_where_the_words_go_on() -> None:
    text = "A star-shaped cookie on a square table, and she crosses the street with a baseball bat"
    assert not [phrase for phrase in parse(text).things if phrase.concept]
    assert parse("a square of cheesecake").things[0].lemmas == ("square", "cheesecake")


def test_the_general_vocabulary_is_the_80_classes_of_coco() -> None:
    names = vocabulary("general")
    assert (len(names), len(set(names)), names[0], names[-1]) == (80, 80, "person", "toothbrush")
