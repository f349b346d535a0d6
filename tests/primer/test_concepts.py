"""Every concept of the Primer world keeps the contract that drawings, questions and training rest
on.
"""

import importlib
import pkgutil
import re

import numpy as np
import pytest

from hallascope.primer import concepts
from hallascope.primer.compose import portrait
from hallascope.primer.drawing.backdrops import SCENES
from hallascope.primer.world import Concept, Fact


def _concepts() -> list[Concept]:
    found = sorted(module.name for module in pkgutil.iter_modules(concepts.__path__))
    return [
        c
        for name in found
        for c in importlib.import_module(f"hallascope.primer.concepts.{name}").CONCEPTS
    ]


CONCEPTS = _concepts()
FACTS = [(c, f) for c in CONCEPTS for f in c.facts] + [
    (c, c.variation.fact) for c in CONCEPTS if c.variation
]


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda c: c.name)
def test_a_concept_has_five_facts_over_three_compositions_of_interest(concept: Concept) -> None:
    assert len(concept.facts) >= 5
    assert len({fact.coi for fact in concept.facts}) >= 3
    assert len({fact.parameter for fact in concept.facts}) == len(concept.facts)
    assert concept.scene in SCENES
    assert concept.definition.count(". ") <= 1
    assert concept.definition.endswith(".")


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda c: c.name)
def test_a_concept_lives_in_the_file_of_its_domain_that_bears_its_name(concept: Concept) -> None:
    file = re.sub(r"[^a-z]+", "_", concept.name.lower())
    assert concept.draw.__module__ == f"hallascope.primer.concepts.{concept.domain}.{file}"


@pytest.mark.parametrize(
    ("concept", "fact"), FACTS, ids=lambda x: getattr(x, "name", getattr(x, "parameter", None))
)
def test_a_fact_can_be_violated_and_asks_without_naming_the_concept(
    concept: Concept, fact: Fact
) -> None:
    assert fact.violations
    answers = [*fact.values.values(), *fact.others]
    assert len(set(answers)) == len(answers), "two answers read alike"
    assert len(answers) >= 4, "four choices are needed beside 'None of the above'"
    assert concept.name.lower() not in fact.question.lower()
    assert fact.question.endswith("?")
    if fact.parameter == "scene":
        assert all(SCENES[str(value)] == answer for value, answer in fact.values.items())


@pytest.mark.parametrize(
    ("concept", "fact"), FACTS, ids=lambda x: getattr(x, "name", getattr(x, "parameter", None))
)
def test_a_violation_can_be_seen_at_the_size_a_judge_looks_at(concept: Concept, fact: Fact) -> None:
    truths = {**concept.truths(), fact.parameter: fact.truth}
    before = np.asarray(portrait(concept, truths, 0).image(96), dtype=int)
    for value in fact.violations:
        after = np.asarray(
            portrait(concept, {**truths, fact.parameter: value}, 0).image(96), dtype=int
        )
        changed = (np.abs(before - after).max(axis=2) > 40).sum()
        assert changed >= 60, f"{fact.parameter}={value!r} changes {changed} pixels of 9,216"


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda c: c.name)
def test_parts_named_by_facts_are_drawn_and_stay_in_the_picture(concept: Concept) -> None:
    for seed in range(3):
        drawing = portrait(concept, concept.truths(), seed)
        index = drawing.part_map(256)
        visible = {drawing.parts[i].name for i in np.unique(index) if i >= 0}
        for fact in concept.facts:
            if fact.parts:
                assert set(fact.parts) & visible, (
                    f"{fact.parameter}: none of {fact.parts} is visible"
                )
        edge = np.concatenate([index[0], index[-1], index[:, 0], index[:, -1]])
        assert (edge >= 0).mean() < 0.35, "the concept runs out of the picture"
