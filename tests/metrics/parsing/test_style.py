"""Words about the picture are style and no things, and tags that name things are read."""

import pytest

from hallascope.metrics.parsing.parser import parse
from tests.support.parsed_texts import things


@pytest.mark.parametrize(
    ("prompt", "expected", "style"),
    [
        ("an oil painting of a cat", ["cat"], ["an oil painting"]),
        ("Close-up of a slice of pie", ["slice of pie"], ["Close-up"]),
        ("Top-down view of a table, 4k", ["table"], ["Top-down view", "4k"]),
        ("a castle on a hill by Greg Rutkowski", ["castle", "hill"], ["by Greg Rutkowski"]),
        ("a cat in the style of Van Gogh", ["cat"], ["in the style of Van Gogh"]),
        ("a robot in a pixel art style", ["robot"], ["in a pixel art style"]),
        (
            "A man at a pier. Soft morning light, shallow depth of field.",
            ["man", "pier"],
            ["Soft morning light", "shallow depth of field"],
        ),
        ("A cat, oil on canvas", ["cat"], ["oil on canvas"]),
        (
            "portrait of a king, 85mm, f/1.8, bokeh, shot on Kodak Portra 400",
            ["king"],
            ["portrait", "85mm", "f/1.8", "bokeh", "shot on Kodak Portra 400"],
        ),
        ("A car at the curb, film noir, black and white.", ["car", "curb"], None),
    ],
)
def test_the_medium_quality_light_lens_and_artist_are_style(
    prompt: str, expected: list[str], style: list[str] | None
) -> None:
    assert things(prompt) == expected
    parsed = parse(prompt)
    assert all(words.span and parsed.text_at(words.span) == words.text for words in parsed.style)
    if style is not None:
        assert [words.text for words in parsed.style] == style


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a dark, moody, atmospheric forest", ["dark moody atmospheric forest"]),
        ("a dog, black and white", ["black white dog"]),
        ("a man sitting by Lake Como", ["man", "Lake Como"]),
        ("a lamp, a poster and a mural", ["lamp", "poster", "mural"]),
        ("a woman in a Victorian-style dress", ["woman", "victorian-style dress"]),
        ("a street with lights", ["street", "light"]),
        ("a spring", ["spring"]),
    ],
)
def test_words_that_describe_or_name_a_thing_are_no_style(prompt: str, expected: list[str]) -> None:
    assert things(prompt) == expected
    assert parse(prompt).style == ()


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "masterpiece, best quality, 1girl, silver hair, school uniform, holding umbrella, rain",
            ["1 girl", "silver hair", "school uniform", "umbrella", "rain"],
        ),
        (
            "vintage car, red, whitewall tires, desert",
            ["vintage red car", "whitewall tire", "desert"],
        ),
        ("1boy, 2cats, sitting, window, cozy, anime style", ["1 boy", "2 sitting cat", "window"]),
        (
            "8k, dragon, golden scales, castle, trending on artstation",
            ["dragon", "golden scale", "castle"],
        ),
    ],
)
def test_a_list_of_tags_names_things_and_words_that_describe_them(
    prompt: str, expected: list[str]
) -> None:
    assert things(prompt) == expected


def test_a_prompt_of_style_alone_is_left_as_it_is() -> None:
    assert parse("oil painting, 8k").style == ()


def test_who_takes_a_picture_is_in_the_picture() -> None:
    parsed = parse("A woman takes a picture of herself in a bathroom mirror.")
    assert [phrase.name for phrase in parsed.things] == ["woman", "bathroom mirror"]
