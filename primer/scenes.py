"""Reads Primer prompts: from words to a scene with facts to draw, violate and ask."""

import difflib
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

from hallascope.data.records import QuestionSet
from hallascope.primer.compose import PlacedConcept, compose, portrait
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.layout import cells
from hallascope.primer.drawing.parts import Art, Drawing
from hallascope.primer.groups import NUMBERS, SHAPE_NAMES, ConceptGroup, SpatialRelation, key
from hallascope.primer.scene_facts import question, scene_facts
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept, Fact, FactValue, FactValues, Variation

MAX_PROMPT = 300
RELATIONS: dict[str, SpatialRelation] = {
    "to the left of": "left",
    "to the right of": "right",
    "above": "above",
    "below": "below",
}


class CannotDraw(ValueError):
    """The prompt is outside what Primer draws.

    The message says what it can draw and what else to do.
    """


@dataclass(frozen=True)
class Scene:
    """Holds what a Primer prompt asks for.

    `facts` lists all that can be violated; the first five are asked.
    """

    prompt: str
    groups: tuple[ConceptGroup, ...]
    relation: SpatialRelation | None = None
    variation: Variation | None = None

    @property
    def alone(self) -> bool:
        """Return whether one concept fills the picture.

        Plain shapes are always laid out on a grid.
        """
        return len(self.groups) == 1 and self.groups[0].count == 1 and not self.groups[0].plain

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        return scene_facts(self.groups, self.relation, self.variation)

    def truths(self) -> dict[str, FactValue]:
        """Return the values of a picture in which everything is as it should be."""
        values: dict[str, FactValue] = {}
        for i, group in enumerate(self.groups):
            values |= {
                key(self.groups, i, name): value for name, value in group.concept.truths().items()
            }
        if not self.alone:
            values["scene"] = "plain"
        return values | {fact.parameter: fact.truth for fact in self.facts}

    def draw(self, values: FactValues, seed: int | str) -> Drawing:
        """Return the picture with these values; `truths()` gives the factual one."""
        return _draw(self, values, seed)

    def questions(self) -> QuestionSet:
        """Return the first five facts as questions; the same prompt always gives the same set."""
        chance = random.Random(f"questions {_bare(self.prompt.lower())}")
        first = self.groups[0].concept
        return QuestionSet(
            prompt=self.prompt,
            questions=tuple(question(fact, chance) for fact in self.facts[:5]),
            category=first.category,
            domain=first.domain,
        )


# --- reading a prompt


class Noun(NamedTuple):
    concept: Concept
    plural: bool


def _bare(phrase: str) -> str:
    return re.sub(r"^(a|an|the)\s+", "", phrase.lower())


@cache
def nouns() -> Mapping[str, Noun]:
    """Every form a thing may be called by, without article, in lower case."""
    found: dict[str, Noun] = {}
    for concept in (*SHAPES, *concepts()):
        found[concept.plural.lower()] = Noun(concept, True)
        found[_bare(concept.phrase)] = found[concept.name.lower()] = Noun(concept, False)
    return found


@cache
def _variations() -> Mapping[str, Scene]:
    return {
        _bare(c.variation.phrase): Scene(
            c.variation.phrase, (ConceptGroup(c),), variation=c.variation
        )
        for c in concepts()
        if c.variation
    }


def parse(prompt: str) -> Scene:
    """Return read a prompt of the Primer grammar.

    Raises CannotDraw with one sentence where the prompt is empty, too long, or outside the
    vocabulary.
    """
    said = " ".join(prompt.split())
    if not said:
        raise CannotDraw(
            "The prompt is empty: type what the picture should show, e.g. “a gentoo penguin”."
        )
    if len(said) > MAX_PROMPT:
        raise CannotDraw(
            f"The prompt has {len(said):,} characters; the Primer models read at most {MAX_PROMPT}:"
            " shorten it, or choose another model."
        )
    text = re.sub(
        r"^(an?|the) (image|picture|photo|drawing|illustration) of ", "", said.lower().rstrip(".! ")
    )
    if scene := _variations().get(_bare(text)):
        return replace(scene, prompt=said)
    for words, relation in RELATIONS.items():
        first, found, second = text.partition(f" {words} ")
        if found:
            return Scene(said, (_group(first), _group(second)), relation)
    return Scene(said, tuple(_group(item) for item in _split_and(text)))


def _split_and(text: str) -> list[str]:
    items = text.split(" and ")
    if len(items) > 2:
        raise CannotDraw(
            "The Primer models draw one or two kinds of things in a picture: name at most two, or"
            " choose another model."
        )
    return items


def _group(text: str) -> ConceptGroup:
    words = re.sub(r"^(an|a|the)\s+", "one ", text.strip()).split(" ", 1)
    count = NUMBERS.index(words[0]) if words[0] in NUMBERS[1:5] and len(words) == 2 else 1
    rest = words[1] if words[0] in NUMBERS[1:5] and len(words) == 2 else text.strip()
    colour = next((c for c in COLORS if rest.startswith(c + " ")), None)
    name = rest.removeprefix(f"{colour} ") if colour else rest
    noun = nouns().get(name)
    if noun is None:
        raise CannotDraw(_unknown(name))
    if colour and noun.concept.name not in SHAPE_NAMES:
        raise CannotDraw(
            f"The Primer models draw {noun.concept.plural} in their own colors only; leave out"
            f" “{colour}”, or choose another model."
        )
    return ConceptGroup(
        noun.concept, count, colour or (COLORS[0] if noun.concept.name in SHAPE_NAMES else None)
    )


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, list(nouns()), n=2, cutoff=0.6)
    hint = f" Did you mean {' or '.join(f'“{n}”' for n in near)}?" if near else ""
    shown = name if len(name) <= 60 else name[:57] + "..."
    return (
        f"The Primer models cannot draw “{shown}”.{hint} They know {len(concepts())} concepts (try"
        " “a ladybug”, “two tulips”, “a red circle above a blue square”); models such as SDXL draw"
        " anything: `hallascope models` says how to enable one."
    )


# --- drawing


def own_values(scene: Scene, index: int, values: FactValues) -> dict[str, FactValue]:
    """Return the values of the things of one group, by the names their concept gives them."""
    group = scene.groups[index]
    own: dict[str, FactValue] = {"colour": group.colour} if group.colour else {}
    own |= group.concept.truths()
    names = {*own, "fill", "kind"} if group.plain else set(own)
    own |= {
        name: values[key(scene.groups, index, name)]
        for name in names
        if key(scene.groups, index, name) in values
    }
    return own


def _draw(scene: Scene, values: FactValues, seed: int | str) -> Drawing:
    counts = [
        int(values.get(key(scene.groups, i, "@count"), group.count))
        for i, group in enumerate(scene.groups)
    ]
    if counts == [1] and not scene.groups[0].plain:  # also where a count was violated down to one
        return portrait(scene.groups[0].concept, own_values(scene, 0, values), seed)
    art = Art(seed)
    relation = values.get("@relation", scene.relation)
    owned = [(i, own_values(scene, i, values)) for i, n in enumerate(counts) for _ in range(n)]
    placed = [
        PlacedConcept(
            concept=scene.groups[i].concept,
            values=own,
            x=x,
            y=y,
            size=size,
            owner=scene.groups[i].concept.name,
        )
        for (i, own), (x, y, size) in zip(owned, cells(counts, relation, art), strict=True)
    ]
    return compose(placed, str(values.get("scene", "plain")), art)


# --- prompts to try


@cache
def prompts() -> tuple[str, ...]:
    """Return every concept and variation as a prompt: what autocomplete offers first."""
    plain = [c.phrase for c in concepts()]
    varied = [c.variation.phrase for c in concepts() if c.variation]
    return (*plain, *varied)


def sample_prompt(chance: random.Random) -> str:
    """Return a prompt by chance from the whole grammar, half of the time of one concept.

    The rest are counts, pairs, shapes and variations.
    """
    everything = concepts()
    match chance.choices(
        ("one", "count", "pair", "shape", "shapes", "varied"), (50, 11, 14, 8, 7, 10)
    )[0]:
        case "count":
            return f"{chance.choice(NUMBERS[2:5])} {chance.choice(everything).plural}"
        case "pair":
            one, two = chance.sample(everything, 2)
            words = chance.choice((*RELATIONS, "and"))
            return f"{one.phrase} {words} {two.phrase}"
        case "shape":
            n = chance.choice(range(1, 5))
            return _shape_words(chance, n, chance.choice(SHAPES))
        case "shapes":
            one, two = chance.sample(SHAPES, 2)
            words = chance.choice((*RELATIONS, "and"))
            return (
                f"{_shape_words(chance, chance.choice((1, 1, 2, 3)), one)} {words}"
                f" {_shape_words(chance, chance.choice((1, 1, 2)), two)}"
            )
        case "varied":
            return chance.choice([c.variation.phrase for c in everything if c.variation])
        case _:
            return chance.choice(everything).phrase


def _shape_words(chance: random.Random, n: int, shape: Concept) -> str:
    colour = chance.choice(COLORS)
    article = "an" if colour[0] in "aeiou" else "a"
    return f"{article if n == 1 else NUMBERS[n]} {colour} {shape.name if n == 1 else shape.plural}"


def violate(scene: Scene, probability: float, chance: random.Random) -> dict[str, FactValue]:
    """Return values of a picture in which each fact is violated with a stated probability.

    Facts are independent.
    """
    values = scene.truths()
    for parameter in dict.fromkeys(fact.parameter for fact in scene.facts):
        options = list(
            dict.fromkeys(v for f in scene.facts if f.parameter == parameter for v in f.violations)
        )
        if chance.random() < probability and options:
            values[parameter] = chance.choice(options)
    return values


def right_answer(fact: Fact, values: FactValues) -> str:
    """Return the answer that a picture with these values leads to."""
    return fact.values[values[fact.parameter]] if fact.parameter in values else fact.gold


def benchmark(count: int = 200) -> tuple[str, ...]:
    """Return the prompts Primer models are compared on, none of them twice.

    They are every concept, every variation, then the grammar by chance.
    """
    chance = random.Random("benchmark")
    chosen = dict.fromkeys(prompts())
    while len(chosen) < count:
        prompt = sample_prompt(chance)
        if prompt not in chosen:
            chosen[prompt] = None
    return tuple(chosen)[:count]
