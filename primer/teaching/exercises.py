"""Makes exercises of Primer: a drawing with exactly one wrong fact, and the right one."""

import random
import re
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hallascope.data import masks
from hallascope.data.teaching.exercise import BACKGROUND, MISSING, Exercise, grow
from hallascope.data.teaching.lesson import BadLesson, DrawnItem
from hallascope.primer import scenes
from hallascope.primer.appearance import RenderedScene
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.scene_facts import question
from hallascope.primer.scenes import Scene
from hallascope.primer.world import Fact, FactValue, FactValues

SIZE = 160  # px of the masks
FACTS = 5  # to choose from
_LEAST = 30  # pixels of SIZE x SIZE that must be there to be pointed at


class DrawnExercise(NamedTuple):
    """Holds an exercise with its picture, and the picture as it should be."""

    exercise: Exercise
    shown: Drawing
    right: Drawing


@lru_cache(maxsize=64)
def make_exercise(item: DrawnItem) -> DrawnExercise:
    """Return the exercise of an item, always the same.

    Raises BadLesson where Primer cannot draw it, or its fault would not be one.
    """
    scene = scene_of(item.prompt)
    fact = fact_of(scene, item)
    truths = scene.truths()
    shown, right = (
        RenderedScene(scene, values, scene.draw(values, exercise_seed(item.seed)), SIZE)
        for values in ({**truths, fact.parameter: item.value}, truths)
    )
    exercise = _exercise(item, scene, fact, shown, right)
    return DrawnExercise(exercise, shown.drawing, right.drawing)


def exercise_seed(seed: int) -> str:
    """Return the seed of all chance in the drawings of an exercise."""
    return f"exercise {seed}"


def scene_of(prompt: str) -> Scene:
    """Return what a prompt asks for. Raises BadLesson where Primer cannot draw it."""
    try:
        return scenes.parse(prompt)
    except scenes.CannotDraw as error:
        raise BadLesson(str(error)) from error


def fact_of(scene: Scene, item: DrawnItem) -> Fact:
    """Return the first fact that hangs on the parameter.

    Raises BadLesson where there is none, or the value is none of its faults.
    """
    found = find_fact(scene, item.parameter)
    if item.value not in found.violations:
        known = ", ".join(f"{value} ({found.values[value]})" for value in found.violations)
        raise BadLesson(
            f"{item.value!r} is no fault of {item.parameter!r} in “{item.prompt}”: choose one"
            f" of {known}."
        )
    return found


def find_fact(scene: Scene, name: str) -> Fact:
    """Return the first fact of a name that can be wrong: its parameter, also as `fact_name`.

    Raises BadLesson where there is none.
    """
    known: dict[str, str] = {}
    for fact in scene.facts:
        if fact.violations and name in (fact.parameter, fact_name(fact)):
            return fact
        if fact.violations:
            known.setdefault(fact_name(fact), short_question(fact.question))
    listed = ", ".join(f"{each} ({asked})" for each, asked in known.items())
    raise BadLesson(
        f"Nothing called {name!r} can be wrong in “{scene.prompt}”: choose one of {listed}."
    )


def fact_name(fact: Fact) -> str:
    """Return what people call the parameter of a fact: "color" and "count"."""
    return fact.parameter.replace("colour", "color").replace("@", "")


def _exercise(
    item: DrawnItem, scene: Scene, fact: Fact, shown: RenderedScene, right: RenderedScene
) -> Exercise:
    # The text that links of version 0.1.0 drew their exercises from: it must not change.
    seed = (
        f"Drawn(prompt={item.prompt!r}, parameter={item.parameter!r}, value={item.value!r},"
        f" seed={item.seed!r})"
    )
    chance = random.Random(seed)
    facts = _choices(scene, fact, chance)
    exercise = Exercise(
        prompt=scene.prompt,
        facts=tuple(short_question(fact.question) for fact in facts),
        wrong=facts.index(fact),
        question=question(fact, chance),
        shown=fact.values[item.value],
        truth=fact.gold,
        why=explain_fault(fact, item.value, scene),
        source=_source(fact, scene),
        category=scene.groups[0].concept.category,
    )
    return _placed(exercise, fact, shown, right)


def _choices(scene: Scene, fact: Fact, chance: random.Random) -> list[Fact]:
    """Return the wrong fact among others, in an order by chance.

    The others depend on other parameters.
    """
    by_parameter = {other.parameter: other for other in scene.facts}
    by_parameter.pop(fact.parameter)
    chosen = [fact, *list(by_parameter.values())[: FACTS - 1]]
    chance.shuffle(chosen)
    return chosen


def short_question(asked: str) -> str:
    """Return a question without "in the image", which lies before whoever reads it."""
    return re.sub(r",? (?:shown )?in the (?:image|picture)\b", "", asked)


# --- where it is


def _placed(exercise: Exercise, fact: Fact, shown: RenderedScene, right: RenderedScene) -> Exercise:
    """Return the exercise with the place of its fault, and what may be named as it.

    That is every part that is seen in either drawing, the background, and that something is
    missing.
    """
    where, names = fault_region(fact, shown, right)
    visible = {
        _name(view, int(i))
        for view in (shown, right)
        for i in np.unique(view.index[view.index >= 0])
    }
    return replace(
        exercise,
        parts=(*sorted(visible), BACKGROUND, MISSING),
        right_parts=names,
        lit=masks.encode(where),
        near=masks.encode(grow(where)),
    )


def fault_region(
    fact: Fact, shown: RenderedScene, right: RenderedScene
) -> tuple[masks.Pixels, frozenset[str]]:
    """Return where the fault is to be seen, and the names that say so.

    The parts that the fact is about; what stands in their place, where it is called otherwise; and,
    where there are fewer of them than there should be, the place where they belong. What is about
    no part is about the background.
    """
    if not fact.parts:
        return shown.index < 0, frozenset([BACKGROUND])
    own = _fact_part_indices(fact, shown)
    before = _fact_part_indices(fact, right)
    known = {part.name for part in right.drawing.parts}
    instead = [
        i for i, part in enumerate(shown.drawing.parts) if part.name not in known and i not in own
    ]
    place = shown.mask([*own, *instead])
    names = {_name(shown, i) for i in (*own, *instead)}
    if _lacking(fact, shown, right) or place.sum() < _LEAST:
        place = place | right.mask(before)
        names |= {_name(right, i) for i in before} | ({MISSING} if not instead else set())
    return place, frozenset(names)


def _lacking(fact: Fact, shown: RenderedScene, right: RenderedScene) -> bool:
    """Return whether there are too few of what is counted, or none at all of something."""
    own, before = (
        [view.drawing.parts[i].name for i in _fact_part_indices(fact, view)]
        for view in (shown, right)
    )
    return bool(set(before) - set(own)) or (fact.coi == "counting" and len(own) < len(before))


def _fact_part_indices(fact: Fact, view: RenderedScene) -> list[int]:
    return [
        i
        for i, part in enumerate(view.drawing.parts)
        if part.name in fact.parts or part.owner in fact.parts
    ]


def _name(view: RenderedScene, index: int) -> str:
    """Return what a part is called in the list: of a picture with several things, by its thing."""
    part = view.drawing.parts[index]
    return part.name if view.scene.alone and part.owner not in SHAPE_NAMES else part.owner


# --- pictures that a draughtsman drew


def locate_fault(
    exercise: Exercise, prompt: str, values: FactValues, chance: str
) -> tuple[Exercise, Drawing]:
    """Return an exercise about a drawn picture with its fault's place, and the mended drawing.

    Only this fault is mended: others stay in it. Raises BadLesson where Primer does not know the
    question or its value.
    """
    scene = scene_of(prompt)
    fact = next((fact for fact in scene.facts if fact.question == exercise.question.text), None)
    if fact is None or values.get(fact.parameter) not in fact.values:
        raise BadLesson(
            "This image was drawn by another version, which knew other facts: take the exercise"
            " out of the set."
        )
    shown, right = (
        RenderedScene(scene, drawn, scene.draw(drawn, chance), SIZE)
        for drawn in (values, {**values, fact.parameter: fact.truth})
    )
    explained = replace(
        exercise,
        why=explain_fault(fact, values[fact.parameter], scene),
        source=_source(fact, scene),
        category=scene.groups[0].concept.category,
    )
    return _placed(explained, fact, shown, right), right.drawing


# --- why it is wrong


def explain_fault(fact: Fact, value: FactValue, scene: Scene) -> str:
    """Return what the picture shows, what it should, and the definition's sentence on it.

    The sentence is there where one says so.
    """
    comparison = (
        f"{short_question(fact.question)} In this image: {small(fact.values[value])}. It should be:"
        f" {small(fact.gold)}."
    )
    return f"{comparison} {fault_reason(fact, scene)}".strip()


def fault_reason(fact: Fact, scene: Scene) -> str:
    """Return what the prompt asks for, or the definition's sentence on the fact."""
    if _of_prompt(fact, scene):
        return f"The prompt asks for “{scene.prompt}”."
    return _sentence(fact, scene)


def small(answer: str) -> str:
    """Return an answer as it stands within a sentence."""
    is_word = answer[1:2].islower() or answer[1:2] == " "
    return answer[:1].lower() + answer[1:] if is_word else answer


def _of_prompt(fact: Fact, scene: Scene) -> bool:
    """Return whether the prompt says it.

    That is so for numbers, places, colors of shapes, texts of signs, and what varies a concept.
    """
    is_stated = fact.parameter in scene.stated or "@" in fact.parameter
    return is_stated or any(group.plain for group in scene.groups)


def _sentence(fact: Fact, scene: Scene) -> str:
    """Return the sentence of the concept's definition that shares most words with the fact.

    The first where none does.
    """
    concept = scene.groups[_group(fact)].concept
    parts = re.split(r"(?<=[.!?])\s+", concept.definition)
    about = _stems(f"{fact.gold} {' '.join(fact.parts)} {fact.question} {fact.parameter}") - _stems(
        concept.name
    )
    return max(parts, key=lambda part: len(about & _stems(part)))


def _stems(words: str) -> set[str]:
    return {word.rstrip("s")[:6] for word in re.findall(r"[a-z]{3,}", words.lower())} - {
        "the",
        "what",
        "image",
        "how",
        "many",
        "are",
    }


def _group(fact: Fact) -> int:
    first, dot, _ = fact.parameter.partition(".")
    return int(first) if dot and first.isdigit() else 0


def _source(fact: Fact, scene: Scene) -> str:
    if _of_prompt(fact, scene):
        return "the prompt"
    return f"Primer’s definition of {scene.groups[_group(fact)].concept.name}"
