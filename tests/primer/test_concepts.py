"""Every concept keeps the contract that drawings, questions and training rest on."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hallascope.data.lexicon import read_vocabulary
from hallascope.data.records import DOMAINS, Domain
from hallascope.primer import concepts as concept_package
from hallascope.primer.compose import portrait
from hallascope.primer.concepts import concepts, concepts_of
from hallascope.primer.drawing.backdrops import SCENES
from hallascope.primer.fact_tables import read_tables
from hallascope.primer.shapes import SHAPES
from hallascope.primer.world import Concept, Fact

ROOT = Path(concept_package.__file__).parent
DRAWN = Path(__file__).with_name("drawn.json")  # SHA-256 of each concept's drawings
CONCEPTS = concepts()
VARIED = [(c, c.variation.fact) for c in CONCEPTS if c.variation]
FACTS = [(c, f) for c in CONCEPTS for f in c.facts] + VARIED


def _faults_of_concept(concept: Concept) -> Iterator[str]:
    if len(concept.facts) < 5 or len({fact.coi for fact in concept.facts}) < 3:
        yield "has fewer than five facts or three compositions of interest"
    if len({fact.parameter for fact in concept.facts}) != len(concept.facts):
        yield "has two facts on one parameter"
    if concept.scene not in SCENES:
        yield f"stands in {concept.scene!r}, which is no scene"
    if concept.definition.count(". ") > 1 or not concept.definition.endswith("."):
        yield "has a definition of more than two sentences, or a broken one"


def _faults_of_fact(concept: Concept, fact: Fact) -> Iterator[str]:
    answers = [*fact.values.values(), *fact.others]
    if not fact.violations or len(answers) < 4:
        yield "needs a violation, and four choices beside 'None of the above'"
    if len(set(answers)) != len(answers):
        yield "has two answers that read alike"
    if concept.name.lower() in fact.question.lower() or not fact.question.endswith("?"):
        yield "names its concept, or is no question"
    scenes = fact.values.items() if fact.parameter == "scene" else ()
    if any(SCENES[str(value)] != answer for value, answer in scenes):
        yield "calls a scene by another name"


def test_every_concept_has_five_facts_over_three_compositions_and_each_can_be_violated() -> None:
    faults = [f"{c.name}: {fault}" for c in CONCEPTS for fault in _faults_of_concept(c)]
    faults += [f"{c.name}, {f.parameter}: {x}" for c, f in FACTS for x in _faults_of_fact(c, f)]
    assert faults == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_each_table_has_a_drawing_and_each_drawing_a_table(domain: Domain) -> None:
    tables = read_tables(ROOT / domain / "facts.toml", domain)
    drawings = {file.stem for kind in ("svg", "py") for file in (ROOT / domain).glob(f"*.{kind}")}
    assert drawings - {"forms", "__init__"} == set(tables)
    for key, table in tables.items():
        assert key == re.sub(r"[^a-z]+", "_", table.name.lower())
    assert [c.name for c in concepts_of(domain)] == [table.name for table in tables.values()]


def test_images_are_those_on_which_the_judge_was_trained() -> None:
    """A change of a drawing shows here: then train the judge again, from new drawings
    (`rm -rf runs/judge`, `make train-judge`), and write the file anew.
    """
    drawn = {}
    for concept in CONCEPTS:
        hashed = hashlib.sha256()
        for fact in (fact for of, fact in FACTS if of is concept):
            for value in fact.values:
                values = {**concept.truths(), fact.parameter: value}
                hashed.update(portrait(concept, values, str(value)).svg.encode())
        drawn[concept.name] = hashed.hexdigest()
    assert drawn == json.loads(DRAWN.read_text("utf-8"))


@pytest.mark.parametrize("facts", [FACTS[::9], pytest.param(FACTS, marks=pytest.mark.full)])
def test_a_violation_can_be_seen_at_the_size_a_judge_looks_at(
    facts: list[tuple[Concept, Fact]],
) -> None:
    unseen = []
    for concept, fact in facts:
        truths = {**concept.truths(), fact.parameter: fact.truth}
        before = np.asarray(portrait(concept, truths, 0).image(96), dtype=int)
        for value in fact.violations:
            violated = portrait(concept, {**truths, fact.parameter: value}, 0)
            after = np.asarray(violated.image(96), dtype=int)
            changed = (np.abs(before - after).max(axis=2) > 40).sum()
            if changed < 60:
                unseen.append(
                    f"{concept.name}: {fact.parameter}={value!r} changes {changed} pixels"
                )
    assert unseen == []


def test_parts_named_by_facts_are_drawn_and_stay_in_the_picture() -> None:
    faults = []
    for number, concept in enumerate(CONCEPTS):
        drawing = portrait(concept, concept.truths(), number % 3)
        index = drawing.part_map(128)
        visible = {drawing.parts[i].name for i in np.unique(index) if i >= 0}
        faults += [
            f"{concept.name}: none of {fact.parts} is visible"
            for fact in concept.facts
            if fact.parts and not set(fact.parts) & visible
        ]
        edge = np.concatenate([index[0], index[-1], index[:, 0], index[:, -1]])
        if (edge >= 0).mean() >= 0.35:
            faults.append(f"{concept.name} runs out of the image")
    assert faults == []


def test_the_vocabulary_that_ships_has_the_names_of_shapes_and_concepts() -> None:
    kinds = [*((shape, "shape") for shape in SHAPES), *((each, each.domain) for each in CONCEPTS)]
    assert [tuple(vars(thing).values()) for thing in read_vocabulary("primer")] == [
        (each.name, each.phrase, each.plural, kind) for each, kind in kinds
    ]
