"""A prompt of T2I-FactualBench knows its level, its domains and what its task asks for."""

from pathlib import Path

import pytest

from hallascope.data.concepts import (
    ConceptRef,
    FactualLevel,
    FactualPrompt,
    FactualTask,
    memorization,
    with_references,
)
from hallascope.data.records import Picture

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


def test_each_domain_is_named_once() -> None:
    prompt = FactualPrompt(prompt="", concepts=(BEAGLE, LASAGNA, BEAGLE), task="size")
    assert prompt.domains == ("animal", "food")


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


def test_references_are_taken_for_each_concept_and_may_be_missing() -> None:
    picture = Picture("00", Path("a.png"))
    prompt = FactualPrompt(prompt="", concepts=(BEAGLE, LASAGNA))
    taken = with_references(prompt, lambda concept: picture if concept == BEAGLE else None)
    assert [concept.reference for concept in taken.concepts] == [picture, None]
