"""Concepts of T2I-FactualBench: levels, tasks, and definitions behind their first mention."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.concept_mentions import definitions, inject, mentions, spoken_name
from hallascope.data.concepts import (
    ConceptRef,
    FactualLevel,
    FactualPrompt,
    FactualTask,
    memorization,
)
from hallascope.primer.benchmark import factualbench

BEAGLE = ConceptRef(name="beagle dog", domain="animal", phrase="a beagle dog")


LASAGNA = ConceptRef(name="lasagna", domain="food")


@pytest.mark.parametrize(
    ("concepts", "task", "level"),
    [
        ((BEAGLE,), "memorization", "SKCM"),
        ((BEAGLE,), "action", "SKCU"),
        ((BEAGLE, LASAGNA), "size", "MKCC"),
    ],
)
def test_the_level_follows_from_the_concepts_and_the_task(
    concepts: tuple[ConceptRef, ...], task: FactualTask, level: FactualLevel
) -> None:
    assert FactualPrompt(prompt="", concepts=concepts, task=task).level == level


def test_the_first_level_asks_for_an_image_of_the_concept() -> None:
    assert memorization(BEAGLE).prompt == "An image of a beagle dog"
    assert memorization(LASAGNA).prompt == "An image of lasagna"
    assert memorization(BEAGLE).task_text == ""


def test_the_text_of_a_task_says_which_concept_has_which_variation() -> None:
    pair = FactualPrompt(
        prompt="p", concepts=(BEAGLE, LASAGNA), task="size", variations=("large", "small")
    )
    assert pair.task_text == "beagle dog: large; lasagna: small"
    one = FactualPrompt(prompt="p", concepts=(BEAGLE,), task="action", variations=("jumps",))
    assert one.task_text == "jumps"
    assert FactualPrompt(prompt="p", concepts=(BEAGLE,), task="action").task_text == "p"


def concepts(*names: str) -> list[ConceptRef]:
    """Each with a definition that names it: D0, D1, ..."""
    return [ConceptRef(name=name, definition=f"D{n}") for n, name in enumerate(names)]


@pytest.mark.parametrize(
    ("prompt", "names", "injected"),
    [
        ("An image of aardwolf", ["aardwolf"], "An image of aardwolf (D0)"),
        (
            "A Newfoundland dog and a Beagle play.",
            ["newfoundland_dog", "beagle_dog"],
            "A Newfoundland dog (D0) and a Beagle (D1) play.",
        ),
        ("a beagle and another beagle", ["beagle_dog"], "a beagle (D0) and another beagle"),
        ("A pair of tarnished cleats.", ["cleat"], "A pair of tarnished cleats (D0)."),
        (
            "two octopuses and three wolves, five cacti",
            ["octopus", "wolf", "cactus"],
            "two octopuses (D0) and three wolves (D1), five cacti (D2)",
        ),
        (
            "Strawberries under bird cherries",
            ["strawberry", "bird_cherry"],
            "Strawberries (D0) under bird cherries (D1)",
        ),
        ("a red fox and a fox", ["fox", "red_fox"], "a red fox (D1) and a fox (D0)"),
        ("RED_FOX and sea rocket", ["red fox", "sea-rocket"], "RED_FOX (D0) and sea rocket (D1)"),
        ("An image of aardvark(animal)", ["aardvark"], "An image of aardvark(animal) (D0)"),
        ("a bongo by a river", ["bongo(animal)"], "a bongo (D0) by a river"),
        ("the English Setter’s coat", ["english_setter_dog"], "the English Setter’s (D0) coat"),
        ("a lethargic Baird’s tapir", ["Baird's_tapir"], "a lethargic Baird’s tapir (D0)"),
        (
            "a plate with pieces of Baklava",
            ["plate_of_Baklava"],
            "a plate with pieces of Baklava (D0)",
        ),
    ],
)
def test_the_definition_stands_behind_the_first_mention(
    prompt: str, names: list[str], injected: str
) -> None:
    found = inject(prompt, concepts(*names))
    assert (found.prompt, found.left_out) == (injected, ())


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("A curious brushtail possum sniffs.", "Trichosurus"),
        ("A catalogue of dogma", "cat"),
        ("", "beagle_dog"),
        ("a dog", "beagle_dog"),
    ],
)
def test_a_concept_that_is_not_mentioned_leaves_the_prompt_alone_and_is_named(
    prompt: str, name: str
) -> None:
    assert inject(prompt, concepts(name)) == (prompt, (name,))


def test_every_primer_prompt_names_its_concepts() -> None:
    for prompt in factualbench.prompts():
        found = inject(prompt.prompt, prompt.concepts)
        assert found.left_out == ()
        assert all(concept.definition in found.prompt for concept in prompt.concepts)


@pytest.mark.parametrize(
    ("prompt", "injected", "names", "found"),
    [
        (
            "A Samoyed dog and a cat",
            "A Samoyed  (Fluffy, (white).)dog and a cat(A feline)",
            ["samoyed dog", "cat"],
            ["Fluffy, (white).", "A feline"],
        ),
        (
            "A sad American Bulldog.",
            "A sad American Bull(A strong jaw.)dog.",
            ["american bulldog"],
            ["A strong jaw."],
        ),
        (
            "An image of Appaloosa(animal)",
            "An image of Appaloosa (A hardy breed)(animal)",
            ["Appaloosa"],
            ["A hardy breed"],
        ),
        ("a cat and a fox", "a cat and a fox (red)", ["cat", "fox"], ["", "red"]),
        ("a possum", "a possum (A genus)", ["Trichosurus"], ["A genus"]),
    ],
)
def test_definitions_that_somebody_else_injected_are_told_apart(
    prompt: str, injected: str, names: list[str], found: list[str]
) -> None:
    assert definitions(prompt, injected, concepts(*names)) == found


def test_definitions_of_another_prompt_cannot_be_told() -> None:
    assert definitions("a cat", "a dog (x)", concepts("cat")) is None
    assert definitions("a cat sits", "a cat (x)", concepts("cat")) is None


@given(
    st.lists(
        st.sampled_from(["cat", "red fox", "beagle_dog", "plate_of_x", "y(z)"]),
        unique=True,
        min_size=1,
    ),
    st.text("abc (.,)", max_size=20),
)
def test_what_was_injected_is_found_again(names: list[str], between: str) -> None:
    prompt = " and ".join(f"a {spoken_name(name)}" for name in names)
    own = concepts(*names)
    assert definitions(prompt, inject(prompt, own).prompt, own) == [
        concept.definition for concept in own
    ]
    assert isinstance(inject(prompt + between, own).prompt, str)


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=3))
def test_any_text_and_names_give_places_in_the_text_that_do_not_overlap(
    text: str, names: list[str]
) -> None:
    found = sorted(span for span in mentions(text, concepts(*names)) if span)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(one[0] < other[0] for one, other in pairwise(found))
    inject(text, concepts(*names))
    definitions(text, text, concepts(*names))
