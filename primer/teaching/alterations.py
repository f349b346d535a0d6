"""Draws a concept with facts that a person has changed, and finds where each change is seen.

It knows no judge.
"""

import difflib
import io
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from hallascope.data import outlines
from hallascope.data.outlines import Polygon
from hallascope.data.teaching.lesson import BadLesson, DrawnItem
from hallascope.primer import scenes
from hallascope.primer.appearance import RenderedScene
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.scenes import ASKED, Scene
from hallascope.primer.teaching.exercises import SIZE, exercise_seed, fault_region
from hallascope.primer.world import Concept, Fact, FactValue

FIRST = "methane"  # the concept that a visitor begins with
SEEDS = 2**31
BETWEEN_FACTS = "_"
BETWEEN_NAME_AND_VALUE = "."
THUMBNAIL = 112  # px of a side
_SURPRISE_SEEDS = 1000
_SURPRISE_SIZES = ((1, 2, 3), (5, 4, 1))  # how many facts are wrong, and how often


@dataclass(frozen=True)
class Alteration:
    """Holds a concept by its name, its wrong facts as pairs of parameter and value, and a seed.

    A fact that is not named has its true value.
    """

    concept: str
    wrong: tuple[tuple[str, FactValue], ...] = ()
    seed: int = 0


class AlteredFact(NamedTuple):
    """Holds a fact of a drawing with the value that it is drawn with.

    `asked`: whether the questions of the prompt ask for it.
    """

    fact: Fact
    value: FactValue
    asked: bool

    @property
    def wrong(self) -> bool:
        return self.value != self.fact.truth


class AlteredDrawing(NamedTuple):
    """Holds a drawing with the scene that it shows, and all its facts in their order."""

    scene: Scene
    drawing: Drawing
    facts: tuple[AlteredFact, ...]


# --- reading and writing an address


def read_alteration(concept: str, facts: str = "", seed: str = "") -> Alteration:
    """Read what an address says: a concept, its wrong facts, a seed; "" where it names none.

    `facts` is as `write_facts` gives it. Raises BadLesson with one sentence.
    """
    known = find_concept(concept) if concept else find_concept(FIRST)
    values: dict[str, FactValue] = {}
    for text in facts.split(BETWEEN_FACTS) if facts else ():
        fact, value = _read_fact(known, text)
        if fact.parameter in values:
            raise BadLesson(
                f"The address names {fact.parameter!r} twice: leave one of the two out."
            )
        values[fact.parameter] = value
    wrong = tuple(
        (fact.parameter, values[fact.parameter])
        for fact in known.facts
        if values.get(fact.parameter, fact.truth) != fact.truth
    )
    return Alteration(known.name, wrong, _read_seed(seed))


def write_facts(alteration: Alteration) -> str:
    """Return the wrong facts as an address holds them: "hydrogens.5_centre.red"."""
    return BETWEEN_FACTS.join(
        f"{parameter}{BETWEEN_NAME_AND_VALUE}{value}" for parameter, value in alteration.wrong
    )


def find_concept(name: str) -> Concept:
    """Return the concept of that name, in any case. Raises BadLesson."""
    by_name = {concept.name.lower(): concept for concept in concepts()}
    if name.lower() in by_name:
        return by_name[name.lower()]
    near = difflib.get_close_matches(name.lower(), list(by_name), n=1)
    remedy = f"did you mean “{by_name[near[0]].name}”?" if near else "choose one below."
    raise BadLesson(f"There is no concept “{name[:60]}”: {remedy}")


def _read_fact(concept: Concept, text: str) -> tuple[Fact, FactValue]:
    parameter, _, value = text.partition(BETWEEN_NAME_AND_VALUE)
    fact = next((fact for fact in concept.facts if fact.parameter == parameter), None)
    if fact is None:
        known = ", ".join(fact.parameter for fact in concept.facts)
        raise BadLesson(
            f"“{concept.name}” has no fact “{parameter[:60]}” to change: choose one of {known}."
        )
    for option in fact.values:
        if str(option) == value:
            return fact, option
    known = ", ".join(map(str, fact.values))
    raise BadLesson(
        f"“{parameter}” of “{concept.name}” cannot be “{value[:60]}”: choose one of {known}."
    )


def _read_seed(text: str) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) < SEEDS):
        raise BadLesson(
            f"The seed “{text[:60]}” is no whole number from 0 to {SEEDS - 1}: give another."
        )
    return int(text)


# --- drawing


@lru_cache(maxsize=256)
def draw_alteration(alteration: Alteration) -> AlteredDrawing:
    """Return the drawing, always the same.

    With one wrong fact it is the picture of the exercise on it (`make_exercise`). Raises BadLesson
    where there is no such concept.
    """
    scene = scenes.parse(find_concept(alteration.concept).phrase)
    values = {**scene.truths(), **dict(alteration.wrong)}
    facts = tuple(
        AlteredFact(fact, values[fact.parameter], index < ASKED)
        for index, fact in enumerate(scene.facts)
    )
    return AlteredDrawing(scene, scene.draw(values, exercise_seed(alteration.seed)), facts)


@lru_cache(maxsize=256)
def locate_errors(alteration: Alteration) -> Mapping[str, tuple[Polygon, ...]]:
    """Return outlines of where each wrong fact is seen, by its parameter.

    They are in [0, 1] from the upper left. Each is found beside the same drawing with this fact
    right. Raises BadLesson.
    """
    scene, drawing, facts = draw_alteration(alteration)
    values = {**scene.truths(), **dict(alteration.wrong)}
    shown = RenderedScene(scene, values, drawing, SIZE)
    located = {}
    for fact in (altered.fact for altered in facts if altered.wrong):
        mended = {**values, fact.parameter: fact.truth}
        right = RenderedScene(
            scene, mended, scene.draw(mended, exercise_seed(alteration.seed)), SIZE
        )
        place, _ = fault_region(fact, shown, right)
        located[fact.parameter] = outlines.trace(place)
    return located


def exercise_items(alteration: Alteration) -> tuple[DrawnItem, ...]:
    """Return an exercise for each wrong fact, since an exercise has exactly one."""
    prompt = find_concept(alteration.concept).phrase
    return tuple(
        DrawnItem(prompt, parameter, value, alteration.seed)
        for parameter, value in alteration.wrong
    )


def sample_alteration(chance: random.Random) -> Alteration:
    """Return a concept by chance with one to three wrong facts by chance."""
    concept = chance.choice(concepts())
    (count,) = chance.choices(*_SURPRISE_SIZES)
    chosen = {fact.parameter for fact in chance.sample(concept.facts[:ASKED], count)}
    wrong = tuple(
        (fact.parameter, chance.choice(fact.violations))
        for fact in concept.facts
        if fact.parameter in chosen
    )
    return Alteration(concept.name, wrong, chance.randrange(_SURPRISE_SEEDS))


@cache
def concept_thumbnail(name: str) -> bytes:
    """Return the concept with all facts right as a small WebP. Raises BadLesson."""
    stream = io.BytesIO()
    drawing = draw_alteration(Alteration(find_concept(name).name)).drawing
    drawing.image(THUMBNAIL).save(stream, "WEBP", quality=80)
    return stream.getvalue()
