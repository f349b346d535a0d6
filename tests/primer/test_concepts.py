"""Every concept keeps the contract that drawings, questions and training rest on."""

import importlib
import pkgutil
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hallascope.data.records import DOMAINS, Domain
from hallascope.primer import concepts as concept_package
from hallascope.primer.compose import portrait
from hallascope.primer.concepts import concepts, concepts_of
from hallascope.primer.drawing.backdrops import SCENES
from hallascope.primer.drawing.parts import Art
from hallascope.primer.fact_tables import ConceptTable, FactTable, VariationTable, read_tables
from hallascope.primer.world import Concept, ConceptRenderer, Fact, FactValue

Table = ConceptTable | FactTable | VariationTable
ROOT = Path(concept_package.__file__).parent
CONCEPTS = concepts()
VARIED = [(c, c.variation.fact) for c in CONCEPTS if c.variation]
FACTS = [(c, f) for c in CONCEPTS for f in c.facts] + VARIED


def _name(subject: Concept | Fact) -> str:
    return subject.name if isinstance(subject, Concept) else subject.parameter


def _drawings(domain: Domain) -> Mapping[str, ConceptRenderer]:
    package = importlib.import_module(f"hallascope.primer.concepts.{domain}")
    drawings: Mapping[str, ConceptRenderer] = package.DRAWINGS
    return drawings


def _stands_in_order(table: Mapping[str, Any], model: type[Table]) -> None:
    assert list(table) == [field for field in model.model_fields if field in table]


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda c: c.name)
def test_a_concept_has_five_facts_over_three_compositions_of_interest(concept: Concept) -> None:
    assert len(concept.facts) >= 5
    assert len({fact.coi for fact in concept.facts}) >= 3
    assert len({fact.parameter for fact in concept.facts}) == len(concept.facts)
    assert concept.scene in SCENES
    assert concept.definition.count(". ") <= 1
    assert concept.definition.endswith(".")


def test_every_domain_has_its_package() -> None:
    assert {module.name for module in pkgutil.iter_modules([str(ROOT)])} == set(DOMAINS)


@pytest.mark.parametrize("domain", DOMAINS)
def test_each_table_has_a_drawing_and_each_drawing_a_table(domain: Domain) -> None:
    drawings = _drawings(domain)
    modules = {module.name for module in pkgutil.iter_modules([str(ROOT / domain)])} - {"forms"}
    tables = read_tables(ROOT / domain / "facts.toml")
    assert set(drawings) == set(tables)
    assert set(drawings) == modules
    for key, table in tables.items():
        assert key == re.sub(r"[^a-z]+", "_", table.name.lower())
    for key, draw in drawings.items():
        assert draw.__module__ == f"hallascope.primer.concepts.{domain}.{key}"
        assert draw.__name__ == "draw"
    assert [c.name for c in concepts_of(domain)] == [table.name for table in tables.values()]


class _ReadValues(dict[str, FactValue]):
    """Values that remember which of them were read; what is not among them cannot be."""

    def __init__(self, values: Mapping[str, FactValue]) -> None:
        super().__init__(values)
        self.read: set[str] = set()

    def __getitem__(self, parameter: str) -> FactValue:
        self.read.add(parameter)
        return super().__getitem__(parameter)

    def get(self, parameter: str, default: Any = None) -> Any:
        if parameter not in self:
            return default
        return self[parameter]


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda c: c.name)
def test_a_drawing_reads_the_parameters_of_its_facts_and_no_others(concept: Concept) -> None:
    facts = [fact for of, fact in FACTS if of is concept]
    read: set[str] = set()
    for fact in facts:
        for value in fact.values:
            values = _ReadValues({**concept.truths(), fact.parameter: value})
            concept.draw(values, Art(0))
            read |= values.read
    # The backdrop is drawn by `compose`; a few concepts look at it too.
    assert read - {"scene"} == {fact.parameter for fact in facts} - {"scene"}


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_fields_of_all_tables_stand_in_one_order(domain: Domain) -> None:
    for table in tomllib.loads((ROOT / domain / "facts.toml").read_text(encoding="utf-8")).values():
        _stands_in_order(table, ConceptTable)
        facts = list(table["facts"])
        if "variation" in table:
            _stands_in_order(table["variation"], VariationTable)
            facts.append(table["variation"]["fact"])
        for fact in facts:
            _stands_in_order(fact, FactTable)


@pytest.mark.parametrize(("concept", "fact"), FACTS, ids=_name)
def test_a_fact_can_be_violated_and_does_not_name_its_concept(concept: Concept, fact: Fact) -> None:
    assert fact.violations
    answers = [*fact.values.values(), *fact.others]
    assert len(set(answers)) == len(answers), "two answers read alike"
    assert len(answers) >= 4, "four choices are needed beside 'None of the above'"
    assert concept.name.lower() not in fact.question.lower()
    assert fact.question.endswith("?")
    if fact.parameter == "scene":
        assert all(SCENES[str(value)] == answer for value, answer in fact.values.items())


@pytest.mark.parametrize(("concept", "fact"), FACTS, ids=_name)
def test_a_violation_can_be_seen_at_the_size_a_judge_looks_at(concept: Concept, fact: Fact) -> None:
    truths = {**concept.truths(), fact.parameter: fact.truth}
    before = np.asarray(portrait(concept, truths, 0).image(96), dtype=int)
    for value in fact.violations:
        violated = portrait(concept, {**truths, fact.parameter: value}, 0)
        after = np.asarray(violated.image(96), dtype=int)
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
                message = f"{fact.parameter}: none of {fact.parts} is visible"
                assert set(fact.parts) & visible, message
        edge = np.concatenate([index[0], index[-1], index[:, 0], index[:, -1]])
        assert (edge >= 0).mean() < 0.35, "the concept runs out of the image"
