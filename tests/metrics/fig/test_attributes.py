"""Numbers, positions and texts: when a caption says what the prompt asks."""

import pytest

from hallascope.data.prompt_reading import PICTURE, AskedObject, AskedRelation, PromptReading
from hallascope.metrics.fig.attributes import similarity
from hallascope.metrics.fig.matching import compare
from tests.support.fig_stages import stages_of


@pytest.mark.parametrize(
    ("prompt", "caption", "met"),
    [
        ("three circles", "three circles (two red circles and one blue circle)", True),
        ("three circles", "two red circles and a blue circle", True),
        ("two circles", "three circles (two red circles and one blue circle)", False),
        ("one dog", "a dog. The dog sits on a dog bed.", True),
        ("two dogs", "several dogs", False),
        ("two dogs", "a dog on the left. Another dog is on the right.", True),
        ("a dog", "three dogs", None),
        (
            "two red circles and one blue circle",
            "three circles (two red circles and one blue circle)",
            True,
        ),
        (
            "two red circles and one blue circle",
            "three circles (one red circle and two blue circles)",
            False,
        ),
        ("Two dogs in a field with one dog holding a disc", "two dogs and a disc", True),
        ("a couple of glasses", "two glasses", True),
        ("two women", "a statue of two women", False),
        ("one cow sniffing another cow", "two cows", True),
        ("one cow sniffing another cow", "a cow", False),
        ("two dogs next to a dog", "three dogs", True),
    ],
)
def test_numbers_are_of_all_of_a_name_or_by_color_where_the_prompt_tells_them_apart(
    prompt: str, caption: str, met: bool | None
) -> None:
    share = stages_of(prompt, caption).share("number")
    assert share == (None if met is None else pytest.approx(float(met)))


@pytest.mark.parametrize(
    ("prompt", "caption", "met"),
    [
        ("at least three dogs", "four dogs", True),
        ("at least three dogs", "two dogs", False),
        ("at least three dogs", "at least three dogs", True),
        ("at least three dogs", "several dogs", False),
        ("at most two dogs", "a dog", True),
        ("at most two dogs", "three dogs", False),
        ("about ten dogs", "eleven dogs", True),
        ("about ten dogs", "five dogs", False),
        ("dogs", "a dog", None),
    ],
)
def test_a_number_with_bounds_is_met_within_them(
    prompt: str, caption: str, met: bool | None
) -> None:
    share = stages_of(prompt, caption).share("number")
    assert share == (None if met is None else float(met))


def test_a_side_of_the_picture_is_a_position_without_an_anchor() -> None:
    (row,) = stages_of("a dog on the left", "The dog is to the left of the cat.").pairs["position"]
    assert (row.expected, row.strict) == ("dog to the left of", True)
    assert stages_of("a dog at the top", "a dog").pairs["position"] == ()


def test_positions_of_a_model_are_read_in_any_spelling() -> None:
    cat = AskedObject(id="o1", name="cat")
    mat = AskedObject(id="o2", name="mat")
    relations = (
        AskedRelation("o1", "on top of", "o2"),
        AskedRelation("o1", "left", PICTURE),
        AskedRelation("o1", "sniffing", "o2"),
    )
    reading = PromptReading(prompt="", objects=(cat, mat), relations=relations, source="model")
    pairs = compare(reading, "A cat on a mat.").pairs["position"]
    assert [(row.value, row.strict) for row in pairs] == [("on", True), ("left of", False)]


@pytest.mark.parametrize(
    ("caption", "strict", "soft"),
    [
        ("The cat is to the left of the dog.", True, True),
        ("A cat on the left and a dog.", True, True),
        ("The dog is to the right of the cat.", False, True),
        ("The kitten is to the left of the puppy.", False, True),
        ("The cat is to the right of the dog.", False, False),
        ("The cat is to the left of the bench.", False, False),
        ("A cat and a dog.", False, False),
    ],
)
def test_a_position_is_met_as_said_and_leniently_the_other_way_round(
    caption: str, strict: bool, soft: bool
) -> None:
    (row,) = stages_of("a cat to the left of a dog", caption).pairs["position"]
    assert (row.strict, row.soft) == (strict, soft)


def test_things_told_apart_by_color_are_told_apart_in_positions() -> None:
    prompt = "a red cube on a blue cube"
    assert stages_of(prompt, "The red cube is on the blue cube.").share("position") == 1.0
    assert stages_of(prompt, "The blue cube is on the red cube.").share("position") == 0.0


@pytest.mark.parametrize(
    ("caption", "lines", "strict", "soft", "seen"),
    [
        ('a sign that says "hello  world"', None, True, True, "hello world"),
        ('a sign that says "Helo World"', None, False, True, "Helo World"),
        ('a sign that says "Goodbye"', None, False, False, "Goodbye"),
        ("a sign", None, False, False, ""),
        ('a sign that says "Hello World"', ["Hallo", "Wrld"], False, False, "Hallo Wrld"),
        ("a sign", ["Menu", "HELLO", "WORLD", "open"], True, True, "HELLO WORLD"),
        ('a sign that says "Hello World"', [], False, False, ""),
    ],
)
def test_what_was_read_goes_before_what_the_captioner_says(
    caption: str, lines: list[str] | None, strict: bool, soft: bool, seen: str
) -> None:
    (row,) = stages_of('a sign that says "Hello World"', caption, lines).pairs["text"]
    assert (row.strict, row.soft, row.observed) == (strict, soft, seen)


def test_reader_and_captioner_are_both_shown_where_they_disagree() -> None:
    (row,) = stages_of('a sign that says "Google"', 'a sign that says "Google"', ["Gogle"]).pairs[
        "text"
    ]
    assert (row.strict, row.soft) == (False, True)
    assert (
        row.note == "The reader reads “Gogle” and the captioner says “Google”: the reader counts."
    )


def test_similarity_is_one_only_where_the_letters_are_equal() -> None:
    assert similarity("“Hello World”", "hello world") == 1.0
    assert similarity("x" * 5_000, "x" * 4_999 + "y") < 1.0
    assert similarity("", "a") == 0.0
