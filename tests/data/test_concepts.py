"""Concepts of T2I-FactualBench: levels, tasks, and definitions behind their first mention."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.concept_mentions import definitions, inject, spoken_name
from hallascope.data.concepts import (
    ConceptRef,
)
from tests.data.cases import cases


def concepts(*names: str) -> list[ConceptRef]:
    """Each with a definition that names it: D0, D1, ..."""
    return [ConceptRef(name=name, definition=f"D{n}") for n, name in enumerate(names)]


@pytest.mark.parametrize(
    "prompt, names, injected",
    cases("concepts", "the_definition_stands_behind_the_first_mention"),
)
def test_the_definition_stands_behind_the_first_mention(
    prompt: str, names: list[str], injected: str
) -> None:
    found = inject(prompt, concepts(*names))
    assert (found.prompt, found.left_out) == (injected, ())


@pytest.mark.parametrize(
    "prompt, name",
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


@pytest.mark.parametrize(
    "prompt, injected, names, found",
    cases("concepts", "definitions_that_somebody_else_injected_are_told_apart"),
)
def test_definitions_that_somebody_else_injected_are_told_apart(
    prompt: str, injected: str, names: list[str], found: list[str]
) -> None:
    assert definitions(prompt, injected, concepts(*names)) == found


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
