"""Primer as a benchmark of three levels and eight tasks: what it draws, and what stands for what it
cannot draw.
"""

from collections import Counter

import pytest

from hallascope.data.concepts import LEVELS, TASKS
from hallascope.primer import scenes
from hallascope.primer.benchmark import factualbench
from hallascope.primer.concepts import concepts
from tests.data.cases import cases

PROMPTS = factualbench.prompts()


def test_all_levels_and_all_eight_tasks_are_there() -> None:
    counts = Counter(prompt.level for prompt in PROMPTS)
    assert counts == {
        "SKCM": len(concepts()),
        "SKCU": sum(bool(one.variation) for one in concepts()),
        "MKCC": 4 * factualbench.PAIRS,
    }
    assert list(counts) == list(LEVELS)
    assert {prompt.task for prompt in PROMPTS} == set(TASKS)
    assert {prompt.prompt for prompt in PROMPTS if prompt.level == "SKCM"} >= {
        "An image of a ladybug",
        "An image of the Parthenon",
    }


def test_no_prompt_comes_twice_and_all_can_be_drawn_always_the_same() -> None:
    assert len({prompt.prompt for prompt in PROMPTS}) == len(PROMPTS)
    factualbench.prompts.cache_clear()
    assert factualbench.prompts() == PROMPTS
    for prompt in PROMPTS:
        assert len(scenes.parse(prompt.prompt).groups) == len(prompt.concepts)


@pytest.mark.parametrize(
    "prompt, level, task, wanted",
    cases("factualbench", "any_prompt_of_the_grammar_has_its_level_task_and_concepts", "primer"),
)
def test_any_prompt_of_the_grammar_has_its_level_task_and_concepts(
    prompt: str, level: str, task: str, wanted: str
) -> None:
    found = factualbench.factual(prompt)
    assert (found.level, found.task, found.task_text) == (level, task, wanted)
    assert all(concept.definition and concept.domain for concept in found.concepts)


def test_the_reference_of_a_concept_is_its_factual_drawing_always_the_same() -> None:
    (concept,) = factualbench.factual("a purple octopus").concepts
    drawing = factualbench.reference(concept)
    plain = scenes.parse("an octopus")
    assert (
        drawing.svg
        == plain.draw(plain.truths(), "reference octopus").svg
        == factualbench.reference(concept).svg
    )
    assert drawing.image(64).size == (64, 64)
