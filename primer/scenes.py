"""Reads Primer prompts: from words to a scene with facts to draw, violate and ask."""

import difflib
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

from hallascope.data.lexicon import with_article, without_article
from hallascope.data.records import STATED_FACTS, Question, QuestionSet
from hallascope.primer.compose import PlacedConcept, compose, portrait
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.layout import cells
from hallascope.primer.drawing.parts import Art, Drawing
from hallascope.primer.groups import NUMBERS, SHAPE_NAMES, ConceptGroup, SpatialRelation, key
from hallascope.primer.scene_facts import question, scene_facts
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.signs import SIGN, find_asked_sign
from hallascope.primer.world import Concept, Fact, FactValue, FactValues, Variation

MAX_PROMPT = 300
ASKED = 5  # facts of a scene that its question set asks
RELATIONS: dict[str, SpatialRelation] = {
    "to the left of": "left",
    "to the right of": "right",
    "above": "above",
    "below": "below",
}
RELATION_PHRASES = {relation: words for words, relation in RELATIONS.items()}


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

    @property
    def stated(self) -> tuple[str, ...]:
        """Return the parameters that the prompt itself states; "a circle" states no number."""
        names = ["@relation"] if self.relation else []
        names += [self.variation.fact.parameter] if self.variation else []
        for i, group in enumerate(self.groups):
            own = ["kind", "colour"] if group.plain else ["@kind"]
            own += ["@count"] if group.count > 1 else []
            own += ["text"] if group.concept.name == SIGN else []
            names += [key(self.groups, i, name) for name in own]
        return tuple(names)

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
        counts = [
            int(values.get(key(self.groups, i, "@count"), group.count))
            for i, group in enumerate(self.groups)
        ]
        if counts == [1] and not self.groups[0].plain:  # also where a count was violated to one
            return portrait(self.groups[0].concept, own_values(self, 0, values), seed)
        art = Art(seed)
        places = iter(cells(counts, values.get("@relation", self.relation), art))
        placed = []
        for i, (group, count) in enumerate(zip(self.groups, counts, strict=True)):
            own = own_values(self, i, values)
            placed += [PlacedConcept(group.concept, own, *next(places)) for _ in range(count)]
        return compose(placed, str(values.get("scene", "plain")), art)

    def questions(self) -> QuestionSet:
        """Return the first five facts as questions; the same prompt always gives the same set."""
        first = self.groups[0].concept
        return QuestionSet(
            prompt=self.prompt,
            questions=self.fact_questions()[:ASKED],
            category=first.category,
            domain=first.domain,
        )

    def fact_questions(self) -> tuple[Question, ...]:
        """Return every fact as a question, also those that the set of the prompt does not ask."""
        chance = random.Random(f"questions {without_article(self.prompt)}")
        return tuple(question(fact, chance) for fact in self.facts)


# --- reading a prompt


class Noun(NamedTuple):
    concept: Concept
    plural: bool


@cache
def nouns() -> Mapping[str, Noun]:
    """Every form a thing may be called by, without article, in lower case."""
    forms: dict[str, Noun] = {}
    for concept in (*SHAPES, *concepts()):
        forms[concept.plural.lower()] = Noun(concept, True)
        forms[without_article(concept.phrase)] = Noun(concept, False)
        forms[concept.name.lower()] = Noun(concept, False)
    return forms


@cache
def _variations() -> Mapping[str, Scene]:
    return {
        without_article(c.variation.phrase): Scene(
            c.variation.phrase, (ConceptGroup(c),), variation=c.variation
        )
        for c in concepts()
        if c.variation
    }


def without_facts(prompt: str) -> str:
    """Return a prompt of the grammar without the facts that a repair of the prompt put behind it.

    Primer's models read no sentences: they draw such a prompt as the plain one, by other chances.
    """
    return prompt.partition(STATED_FACTS)[0]


def parse(prompt: str) -> Scene:
    """Read a prompt of the Primer grammar.

    Raises CannotDraw with one sentence where the prompt is empty, too long, or outside the
    vocabulary.
    """
    prompt = " ".join(prompt.split())
    if not prompt:
        raise CannotDraw(
            "The prompt is empty: type what the image should show, e.g. “a gentoo penguin”."
        )
    if len(prompt) > MAX_PROMPT:
        raise CannotDraw(
            f"The prompt has {len(prompt):,} characters; the Primer models read at most"
            f" {MAX_PROMPT}: shorten it, or choose another model."
        )
    text = prompt.lower().rstrip(".! ")
    text = re.sub(r"^(an?|the) (image|picture|photo|drawing|illustration) of ", "", text)
    if sign := find_asked_sign(text):
        return Scene(prompt, (ConceptGroup(sign),))
    if scene := _variations().get(without_article(text)):
        return replace(scene, prompt=prompt)
    for words, relation in RELATIONS.items():
        first, separator, second = text.partition(f" {words} ")
        if separator:
            return Scene(prompt, _groups(first, second), relation)
    return Scene(prompt, _groups(*text.split(" and ")))


def _groups(*phrases: str) -> tuple[ConceptGroup, ...]:
    if len(phrases) > 2:
        raise CannotDraw(
            "The Primer models draw one or two kinds of things in an image: name at most two, or"
            " choose another model."
        )
    groups = tuple(map(_group, phrases))
    if len({group.concept.name for group in groups}) < len(groups):
        raise CannotDraw(
            f"The prompt names {groups[0].concept.plural} twice: name two different kinds of"
            " things, such as “a red circle and a blue square”, or choose another model."
        )
    return groups


def _group(text: str) -> ConceptGroup:
    text = text.strip()
    number, _, rest = re.sub(r"^(an|a|the)\s+", "one ", text).partition(" ")
    count = 1
    if number in NUMBERS[1:5] and rest:
        count = NUMBERS.index(number)
    else:
        rest = text
    color = next((c for c in COLORS if rest.startswith(c + " ")), None)
    name = rest.removeprefix(f"{color} ") if color else rest
    noun = nouns().get(name)
    if noun is None:
        raise _UnknownName(name)
    if color and noun.concept.name not in SHAPE_NAMES:
        raise CannotDraw(
            f"The Primer models draw {noun.concept.plural} in their own colors only; leave out"
            f" “{color}”, or choose another model."
        )
    if noun.plural and count == 1 and not text.startswith("one "):
        raise CannotDraw(f"“{rest}” is more than one: say how many, up to four, e.g. “two {rest}”.")
    return ConceptGroup(
        noun.concept, count, color or (COLORS[0] if noun.concept.name in SHAPE_NAMES else None)
    )


class _UnknownName(CannotDraw):
    """Says that a name is not known; names near it are searched only when the sentence is read."""

    def __str__(self) -> str:
        name = str(self.args[0])
        near = difflib.get_close_matches(name, list(nouns()), n=2, cutoff=0.6)
        hint = f" Did you mean {' or '.join(f'“{n}”' for n in near)}?" if near else ""
        shown = name if len(name) <= 60 else name[:57] + "..."
        return (
            f"The Primer models cannot draw “{shown}”.{hint} They know {len(concepts())} concepts"
            " (try “a ladybug”, “two tulips”, “a red circle above a blue square”); models such as"
            " SDXL draw anything: `hallascope models list` says how to enable one."
        )


# --- drawing


def own_values(scene: Scene, index: int, values: FactValues) -> dict[str, FactValue]:
    """Return the values of the things of one group, by the names their concept gives them."""
    group = scene.groups[index]
    own: dict[str, FactValue] = {"colour": group.color} if group.color else {}
    own |= group.concept.truths()
    names = {*own, "fill", "kind"} if group.plain else set(own)
    own |= {
        name: values[key(scene.groups, index, name)]
        for name in names
        if key(scene.groups, index, name) in values
    }
    return own


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
    kinds = {"one": 50, "count": 11, "pair": 14, "shape": 8, "shapes": 7, "varied": 10}
    match chance.choices(list(kinds), list(kinds.values()))[0]:
        case "count":
            return f"{chance.choice(NUMBERS[2:5])} {chance.choice(everything).plural}"
        case "pair":
            first, second = chance.sample(everything, 2)
            words = chance.choice((*RELATIONS, "and"))
            return f"{first.phrase} {words} {second.phrase}"
        case "shape":
            count = chance.choice(range(1, 5))
            return shape_words(chance, count, chance.choice(SHAPES))
        case "shapes":
            first, second = chance.sample(SHAPES, 2)
            words = chance.choice((*RELATIONS, "and"))
            of_first = shape_words(chance, chance.choice((1, 1, 2, 3)), first)
            return f"{of_first} {words} {shape_words(chance, chance.choice((1, 1, 2)), second)}"
        case "varied":
            return chance.choice([c.variation.phrase for c in everything if c.variation])
        case _:
            return chance.choice(everything).phrase


def shape_words(chance: random.Random, count: int, shape: Concept) -> str:
    """Return words for so many of a plain shape, in a color by chance."""
    color = chance.choice(COLORS)
    if count == 1:
        return with_article(f"{color} {shape.name}")
    return f"{NUMBERS[count]} {color} {shape.plural}"


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
