"""Samples pictures of one or two kinds of things that keep or break their prompt.

They break it in known ways, by chance and seed.

The prompts are of the Primer grammar. Nothing is broken in the things themselves: a ladybug is a
ladybug, six legs and all.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from hallascope.primer.concepts import concepts
from hallascope.primer.groups import OPPOSITE, SHAPE_NAMES, ConceptGroup
from hallascope.primer.scenes import RELATIONS, parse, shape_words
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.truth.compositions import Composition, CompositionItem
from hallascope.primer.world import Concept

RIGHT = 0.5  # share of the pictures in which nothing is wrong
MOST = 3  # errors in a picture
ROOM = (4, 6)  # things at most on one of two sides, and in all: they stay large enough to be known
_ARTICLES = frozenset(["a", "an", "the", "of", "in", "like"])


def composition(seed: int) -> Composition:
    """Return the picture of a seed: by half a chance right, else with one to three errors."""
    chance = random.Random(f"composition {seed}")
    scene = parse(_prompt(chance))
    sides = tuple((CompositionItem(g.concept, g.colour),) * g.count for g in scene.groups)
    made = Composition(seed, scene, sides, scene.relation)
    if chance.random() < RIGHT:
        return made
    return _violated(made, chance.choice((1, 1, 2, MOST)), chance)


def compositions(count: int, seed: int = 0) -> Iterator[Composition]:
    """Yield as many pictures as asked for; another seed gives others."""
    return (composition(seed * 1_000_000 + n) for n in range(count))


# --- prompts


def _prompt(chance: random.Random) -> str:
    """Return a prompt of one kind of things, or of two that go by different words."""
    if chance.random() < 0.25:
        return _some(chance, (), (1, 2, 3, 4)).words
    first = _some(chance, (), (1, 2, 3))
    second = _some(chance, [first.concept], (1, 1, 2, 3))
    return f"{first.words} {chance.choice((*RELATIONS, 'and', 'and'))} {second.words}"


class _Phrase(NamedTuple):
    concept: Concept
    words: str


def _some(chance: random.Random, besides: Sequence[Concept], counts: Sequence[int]) -> _Phrase:
    """Return the phrase of some things: of a shape in a color, or of a concept.

    Of concepts at most two, and of those with a name of their own one.
    """
    concept = _other_concept(chance, besides, chance.random() < 0.6)
    count = chance.choice(counts)
    if concept.name in SHAPE_NAMES:
        return _Phrase(concept, shape_words(chance, count, concept))
    if count == 1 or not concept.phrase.startswith(("a ", "an ")):
        return _Phrase(concept, concept.phrase)
    return _Phrase(concept, f"two {concept.plural}")


def _other_concept(chance: random.Random, besides: Sequence[Concept], plain: bool) -> Concept:
    """Return a shape or a concept that has no word in common with these.

    Events are no things.
    """
    words = frozenset().union(*map(_concept_words, besides))
    pool = SHAPES if plain else [concept for concept in concepts() if concept.domain != "event"]
    return chance.choice([concept for concept in pool if not _concept_words(concept) & words])


def _concept_words(concept: Concept) -> frozenset[str]:
    """Return every word that a concept goes by."""
    return (
        frozenset(f"{concept.name} {concept.phrase} {concept.plural}".casefold().split())
        - _ARTICLES
    )


# --- making things wrong: one way each; None where the picture has nothing to break so


def _violated(made: Composition, wanted: int, chance: random.Random) -> Composition:
    """Return the picture with that many errors, or fewer where it cannot have as many.

    It has at least one.
    """
    for way in dict.fromkeys(chance.sample(_WAYS, sum(_OFTEN), counts=_OFTEN)):
        tried = way(made, chance)
        if tried and len(made.errors) < len(tried.errors) <= wanted and _fits(tried):
            made = tried
    return made


def _fits(made: Composition) -> bool:
    """Return whether there is room for all, and nobody can doubt what is wrong.

    Of two kinds of things at least one must be there.
    """
    side, in_all = ROOM
    crowded = len(made.items) > in_all or (len(made.sides) > 1 and max(map(len, made.sides)) > side)
    return (
        not crowded
        and (len(made.sides) == 1 or any(map(made.items_of, made.scene.groups)))
        and not any(_doubtful(made, group) for group in made.scene.groups)
    )


def _doubtful(made: Composition, group: ConceptGroup) -> bool:
    """Return whether as many as asked for have their color, and others another.

    An example is "two red circles": two red ones beside a blue one.
    """
    right = [item.colour == group.colour for item in made.items_of(group)]
    return sum(right) >= group.count and not all(right)


def _asked_and_drawn(made: Composition) -> list[Concept]:
    drawn = [item.concept for item in made.items]
    return [*drawn, *(group.concept for group in made.scene.groups)]


def _replace_side(made: Composition, index: int, side: Sequence[CompositionItem]) -> Composition:
    return replace(made, sides=(*made.sides[:index], tuple(side), *made.sides[index + 1 :]))


def _choose(
    made: Composition,
    chance: random.Random,
    fits: Callable[[ConceptGroup], bool] = lambda group: True,
) -> int | None:
    """Return the index of a group of which something is drawn, None where there is none."""
    drawn = [i for i, group in enumerate(made.scene.groups) if made.items_of(group) and fits(group)]
    return chance.choice(drawn) if drawn else None


def _omit(made: Composition, chance: random.Random) -> Composition | None:
    """Draw nothing of a group, where something of the other is drawn."""
    index = _choose(made, chance)
    if index is None or len(made.sides) < 2 or not made.sides[1 - index]:
        return None
    return _replace_side(
        made,
        index,
        [item for item in made.sides[index] if item.concept != made.scene.groups[index].concept],
    )


def _replace(made: Composition, chance: random.Random) -> Composition | None:
    """Return a substitute for a group: another shape in the same color, or another concept."""
    index = _choose(made, chance)
    if index is None:
        return None
    group = made.scene.groups[index]
    other = _other_concept(chance, _asked_and_drawn(made), group.plain)
    side = [
        CompositionItem(other, item.colour) if item.concept == group.concept else item
        for item in made.sides[index]
    ]
    return _replace_side(made, index, side)


def _add(made: Composition, chance: random.Random) -> Composition:
    """Add a thing, or two, that nobody asked for."""
    plain = chance.random() < 0.6
    other = _other_concept(chance, _asked_and_drawn(made), plain)
    index = chance.randrange(len(made.sides))
    extra = CompositionItem(other, chance.choice(COLORS) if plain else None)
    return _replace_side(made, index, [*made.sides[index], *[extra] * chance.choice((1, 1, 2))])


def _recolor(made: Composition, chance: random.Random) -> Composition | None:
    """Give all of a group another color, or the first of several.

    Half of the time in that of the other group, where it can be.
    """
    index = _choose(made, chance, lambda group: group.colour is not None)
    if index is None:
        return None
    group = made.scene.groups[index]
    others = [g.colour for g in made.scene.groups if g.colour and g.colour != group.colour]
    colour = chance.choice(
        others if others and chance.random() < 0.5 else [c for c in COLORS if c != group.colour]
    )
    own = [i for i, item in enumerate(made.sides[index]) if item.concept == group.concept]
    changed = own[:1] if len(own) > 1 and chance.random() < 0.5 else own
    return _replace_side(
        made,
        index,
        [
            CompositionItem(item.concept, colour) if i in changed else item
            for i, item in enumerate(made.sides[index])
        ],
    )


def _miscount(made: Composition, chance: random.Random) -> Composition | None:
    """Draw one or two more, or fewer down to one; only where the prompt says how many."""
    index = _choose(made, chance, lambda group: group.count > 1)
    if index is None:
        return None
    group = made.scene.groups[index]
    side = made.sides[index]
    own = [item for item in side if item.concept == group.concept]
    count = chance.choice(
        [
            n
            for n in (group.count - 2, group.count - 1, group.count + 1, group.count + 2)
            if 1 <= n <= 6
        ]
    )
    rest = [item for item in side if item.concept != group.concept]
    return _replace_side(made, index, [*own[:count], *own[-1:] * (count - len(own)), *rest])


def _turn(made: Composition, chance: random.Random) -> Composition | None:
    """Let the two groups change places."""
    return replace(made, relation=OPPOSITE[made.relation]) if made.relation else None


_WAYS: tuple[Callable[[Composition, random.Random], Composition | None], ...] = (
    _omit,
    _replace,
    _add,
    _recolor,
    _miscount,
    _turn,
)
_OFTEN = (2, 1, 2, 5, 4, 8)  # what fits few prompts goes first more often, so that no error is rare
