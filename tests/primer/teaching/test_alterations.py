"""A drawing shows what was chosen, whatever was chosen; a wrong address is one sentence."""

import random
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.teaching.lesson import BadLesson
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.teaching.alterations import (
    Alteration,
    draw_alteration,
    find_concept,
    locate_errors,
    read_alteration,
    sample_alteration,
    write_facts,
)
from hallascope.primer.world import Concept

EIGHTH_OR_ALL = pytest.mark.parametrize(
    "some", [concepts()[::8], pytest.param(concepts(), marks=pytest.mark.full)]
)


@EIGHTH_OR_ALL
def test_a_wrong_value_is_drawn_as_it_was_chosen_and_no_other_fact_is_wrong(
    some: Sequence[Concept],
) -> None:
    other = []
    for concept in some:
        right = draw_alteration(Alteration(concept.name))
        assert not any(fact.wrong for fact in right.facts)
        scene = scenes.parse(concept.phrase)
        for number, fact in enumerate(concept.facts):
            value = fact.violations[number % len(fact.violations)]
            altered = draw_alteration(Alteration(concept.name, ((fact.parameter, value),)))
            values = {**scene.truths(), fact.parameter: value}
            wrong = [(each.fact.parameter, each.value) for each in altered.facts if each.wrong]
            if (
                wrong != [(fact.parameter, value)]
                or altered.drawing.svg == right.drawing.svg
                or altered.drawing.svg != scene.draw(values, "exercise 0").svg
            ):
                other.append((concept.name, fact.parameter, value, wrong))
    assert other == []


@EIGHTH_OR_ALL
def test_it_is_known_where_each_error_is_seen(some: Sequence[Concept]) -> None:
    unknown = [
        (concept.name, fact.parameter)
        for concept in some
        for fact in concept.facts
        if not locate_errors(Alteration(concept.name, ((fact.parameter, fact.violations[0]),)))[
            fact.parameter
        ]
    ]
    assert unknown == []
    assert locate_errors(Alteration("methane")) == {}


# --- addresses


@given(st.randoms(use_true_random=False))
def test_an_address_is_read_as_it_was_written(chance: random.Random) -> None:
    alteration = sample_alteration(chance)
    read = read_alteration(alteration.concept, write_facts(alteration), str(alteration.seed))
    assert read == alteration
    assert alteration.wrong


@pytest.mark.parametrize(
    "address, sentence",
    [
        (("methan",), "There is no concept “methan”: did you mean “methane”?"),
        (("quux",), "There is no concept “quux”: choose one below."),
        (
            ("methane", "legs.3"),
            "“methane” has no fact “legs” to change: choose one of hydrogens, ",
        ),
        (("methane", "hydrogens.9"), "cannot be “9”: choose one of 4, 5, 3, 2, 6."),
        (("methane", "hydrogens"), "cannot be “”: choose one of 4, 5, 3, 2, 6."),
        (("methane", "hydrogens.5_hydrogens.3"), "names 'hydrogens' twice"),
        (("methane", "", "-1"), "The seed “-1” is no whole number from 0 to 2147483647"),
        (("methane", "", "2147483648"), "The seed “2147483648” is no whole number"),
    ],
)
def test_a_wrong_address_says_what_is_wrong(address: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(BadLesson) as error:
        read_alteration(*address)
    assert sentence in str(error.value)


@given(st.text(), st.text(), st.text())
def test_any_other_address_is_one_sentence(concept: str, facts: str, seed: str) -> None:
    with suppress(BadLesson):
        assert find_concept(read_alteration(concept, facts, seed).concept)
