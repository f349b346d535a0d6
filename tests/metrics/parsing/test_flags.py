"""Flags and weights of a prompt are taken out, and what stays keeps its place."""

import pytest

from hallascope.metrics.parsing.flags import find_flags
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.reading import read_prompt
from tests.support.parsed_texts import absent, things


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a fox --ar 16:9 --v 6", ["--ar 16:9", "--v 6"]),
        ("a fox —ar 16:9", ["—ar 16:9"]),
        ("--seed 42 a fox", ["--seed 42"]),
        ("a fox --tile", ["--tile"]),
        ("a fox, <lora:winter_tales:0.8>", ["<lora:winter_tales:0.8>"]),
        ("a fox --no text, people --stylize 250", ["--no text, people", "--stylize 250"]),
    ],
)
def test_flags_are_style_and_name_nothing(prompt: str, expected: list[str]) -> None:
    parsed = parse(prompt)
    assert [phrase.name for phrase in parsed.things] == ["fox"]
    assert [words.text for words in parsed.style] == expected
    assert all(words.span and parsed.text_at(words.span) == words.text for words in parsed.style)


@pytest.mark.parametrize(
    "prompt", ["a cat -- sitting on a mat", "a well-known fox", "a fox — a red one", "a < b", ""]
)
def test_dashes_and_signs_of_a_sentence_are_no_flags(prompt: str) -> None:
    assert find_flags(prompt).style == []


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a (red:1.3) fox", ["red fox"]),
        ("a (fluffy fox:1.1)", ["fluffy fox"]),
        ("a ((red)) fox", ["red fox"]),
        ("three [white] cups", ["3 white cup"]),
        ("a {blue} bird BREAK a red house", ["blue bird", "red house"]),
        ("fox::2 forest::1", ["fox", "forest"]),
        (r"fox \(animal\)", ["fox", "animal"]),
    ],
)
def test_weights_leave_their_words(prompt: str, expected: list[str]) -> None:
    assert things(prompt) == expected


def test_brackets_of_a_sentence_stay() -> None:
    prompt = "three circles (two red circles and one blue circle)"
    assert find_flags(prompt).characters == {}


def test_what_a_flag_excludes_is_absent() -> None:
    assert absent("a blue teapot --no spoons, people") == ["spoon", "person"]
    assert things("a blue teapot --no spoons, people") == ["blue teapot"]


def test_places_are_those_of_the_prompt() -> None:
    parsed = parse("a ((red:1.2)) fox, (fluffy tail:1.1) --ar 1:1 --no snow")
    assert [parsed.text_at(phrase.name_span) for phrase in parsed.phrases] == [
        "fox",
        "tail",
        "snow",
    ]
    assert [parsed.text_at(word.span) for word in parsed.phrases[0].modifiers] == ["red"]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("ramen / black table / two chopsticks", ["ramen", "table", "chopstick"]),
        ("lighthouse | stormy sea | one small boat", ["lighthouse", "sea", "boat"]),
        ("tiny cabin + frozen lake + 5 deer, low poly", ["cabin", "lake", "deer"]),
        ("1girl, red_ribbon, blue_kimono, solo", ["girl", "ribbon", "kimono"]),
        (
            "Subject: old sailor. Clothes: red cap. Setting: harbor. Mood: calm. Medium: gouache.",
            ["sailor", "cap", "harbor"],
        ),
        ("a sign with the ratio 16 / 9", ["sign"]),
    ],
)
def test_tags_may_be_parted_by_strokes_underscores_and_keys(
    prompt: str, expected: list[str]
) -> None:
    assert [asked.name for asked in read_prompt(prompt).objects][: len(expected)] == expected


def test_what_stands_behind_negative_prompt_must_not_be_shown() -> None:
    reading = read_prompt("a cat on a mat. Negative prompt: dog, people")
    assert [(asked.name, asked.absent) for asked in reading.objects] == [
        ("cat", False),
        ("mat", False),
        ("dog", True),
        ("person", True),
    ]
