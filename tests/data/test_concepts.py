"""Concepts of T2I-FactualBench: levels, tasks, and definitions behind their first mention."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.concept_mentions import definitions, inject, spoken_name
from hallascope.data.concepts import (
    ConceptRef,
    FactualLevel,
    FactualPrompt,
    FactualTask,
    memorization,
)
from hallascope.primer.benchmark import factualbench
from tests.data.cases import cases

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
    cases("concepts", "the_definition_stands_behind_the_first_mention"),
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
    cases("concepts", "definitions_that_somebody_else_injected_are_told_apart"),
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
