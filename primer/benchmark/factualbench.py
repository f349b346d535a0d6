"""Builds Primer as a benchmark of T2I-FactualBench's form, with reference drawings.

Prompts are of all levels with concepts and task.

Primer draws every thing of a picture at one size, a pair before a plain ground, and varies a
concept only where it is alone. So four tasks of the third level cannot be drawn as the paper means
them; `STANDS_FOR` says what stands in their place.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from hallascope.data.concepts import ConceptRef, FactualPrompt, FactualTask, memorization
from hallascope.data.lexicon import with_article
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.groups import NUMBERS, ConceptGroup
from hallascope.primer.scene_facts import question
from hallascope.primer.scenes import Scene
from hallascope.primer.world import Concept, Fact

SOURCE = "primer"
REFERENCE_SIZE = 512  # px of a stored reference image
PAIRS = 16  # prompts of each task of the third level
STANDS_FOR: Mapping[FactualTask, str] = {
    "size": (
        "Primer draws no thing larger than another: that both are there once stands for their"
        " sizes."
    ),
    "differentiating": (
        "Primer varies no concept in a pair: different numbers of the two stand for different"
        " states."
    ),
    "interaction": (
        "Primer draws no action of two concepts: where the one is beside the other stands for what"
        " they do."
    ),
    "background": (
        "Primer draws a pair before a plain ground: a place that stands beside the thing stands for"
        " the background."
    ),
}
ATTRIBUTE = "Primer varies a concept in its own way only: the number of things stands for a state."


@cache
def prompts() -> tuple[FactualPrompt, ...]:
    """Return every concept and variation, and `PAIRS` prompts for each task of the third level."""
    first = [memorization(_concept(ConceptGroup(concept)), SOURCE) for concept in concepts()]
    second = [factual(concept.variation.phrase) for concept in concepts() if concept.variation]
    return (*first, *second, *(factual(prompt) for prompt in _pairs()))


def factual(prompt: str) -> FactualPrompt:
    """Return concepts, level and task of any Primer prompt.

    Raises CannotDraw where it is outside the grammar.
    """
    scene = scenes.parse(prompt)
    task = _task(scene)
    note = "" if scene.variation or task == "memorization" else STANDS_FOR.get(task, ATTRIBUTE)
    checks = tuple(
        question(fact, random.Random(f"factual {prompt.lower()} {fact.question}"))
        for fact in _facts(scene, task)
    )
    return FactualPrompt(
        prompt=prompt,
        concepts=tuple(map(_concept, scene.groups)),
        task=task,
        variations=_variations(scene, task),
        source=SOURCE,
        checks=checks,
        note=note,
    )


def reference(concept: ConceptRef) -> Drawing:
    """Return the factual drawing of a concept, always the same.

    Raises CannotDraw where Primer does not know it.
    """
    scene = scenes.parse(concept.phrase or concept.name)
    return scene.draw(scene.truths(), reference_seed(concept.name))


def reference_seed(name: str) -> str:
    """Return the seed with which the reference of a concept is drawn."""
    return f"reference {name}"


def _concept(group: ConceptGroup) -> ConceptRef:
    """Return a concept alone and once; a plain shape in its color."""
    own = group.concept
    name = f"{group.color} {own.name}" if group.plain else own.name
    phrase = with_article(name) if group.plain else own.phrase
    return ConceptRef(name=name, domain=own.domain, definition=own.definition, phrase=phrase)


def _task(scene: Scene) -> FactualTask:
    if scene.variation:
        return scene.variation.task
    if len(scene.groups) == 1:
        return "memorization" if scene.groups[0].count == 1 else "attribute"
    if scene.relation:
        return "background" if scene.groups[1].concept.domain == "location" else "interaction"
    return "size" if all(group.count == 1 for group in scene.groups) else "differentiating"


def _facts(scene: Scene, task: FactualTask) -> Sequence[Fact]:
    """Return the facts that hold where the task is done; of a pair, that both are there."""
    if scene.variation:
        return (scene.variation.fact,)
    if scene.relation:
        return [fact for fact in scene.facts if fact.parameter == "@relation"]
    if task == "memorization":
        return []
    return [fact for fact in scene.facts if fact.parameter.endswith("@count")]


def _variations(scene: Scene, task: FactualTask) -> tuple[str, ...]:
    if task == "memorization":
        return ()
    if task in ("size", "differentiating"):
        return tuple(NUMBERS[group.count] for group in scene.groups)
    return (scene.prompt,)


# --- pairs


def _pairs() -> Iterator[str]:
    """Yield prompts of two concepts, `PAIRS` for each task, none twice."""
    chance = random.Random("factual pairs")
    places = [concept for concept in concepts() if concept.domain == "location"]
    others = [concept for concept in concepts() if concept.domain != "location"]
    sides = sorted(scenes.RELATIONS)

    def numbered() -> str:
        first, second = chance.sample(others, 2)
        return f"{chance.choice(NUMBERS[2:5])} {first.plural} and {second.phrase}"

    makers: tuple[Callable[[], str], ...] = (
        lambda: _pair(chance.sample(others, 2), "and"),
        numbered,
        lambda: _pair(chance.sample(others, 2), chance.choice(sides)),
        lambda: _pair([chance.choice(others), chance.choice(places)], chance.choice(sides)),
    )
    for make in makers:
        made: dict[str, None] = {}
        while len(made) < PAIRS:
            made[make()] = None
        yield from made


def _pair(pair: Sequence[Concept], words: str) -> str:
    return f"{pair[0].phrase} {words} {pair[1].phrase}"
