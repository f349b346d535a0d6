"""Samples pictures of one or two kinds of things that keep or break their prompt.

They break it in known ways, by chance and seed.

The prompts are of the Primer grammar. Nothing is broken in the things themselves: a ladybug is a
ladybug, six legs and all.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

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
    sides = tuple((CompositionItem(g.concept, g.color),) * g.count for g in scene.groups)
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
        return _some(chance, (), (1, 2, 3, 4))[1]
    concept, first = _some(chance, (), (1, 2, 3))
    _, second = _some(chance, [concept], (1, 1, 2, 3))
    return f"{first} {chance.choice((*RELATIONS, 'and', 'and'))} {second}"


def _some(
    chance: random.Random, besides: Sequence[Concept], counts: Sequence[int]
) -> tuple[Concept, str]:
    """Return a shape in a color, or a concept, and the words for some of it.

    Concepts: at most two, and one where the phrase has no article a or an.
    """
    concept = _other_concept(chance, besides, chance.random() < 0.6)
    count = chance.choice(counts)
    if concept.name in SHAPE_NAMES:
        return concept, shape_words(chance, count, concept)
    if count == 1 or not concept.phrase.startswith(("a ", "an ")):
        return concept, concept.phrase
    return concept, f"two {concept.plural}"


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
    ways = chance.sample(list(_WAYS), sum(_WAYS.values()), counts=list(_WAYS.values()))
    for way in dict.fromkeys(ways):
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
    right = [item.color == group.color for item in made.items_of(group)]
    return sum(right) >= group.count and not all(right)


def _asked_and_drawn(made: Composition) -> list[Concept]:
    drawn = [item.concept for item in made.items]
    return [*drawn, *(group.concept for group in made.scene.groups)]


def _replace_side(made: Composition, index: int, *items: Sequence[CompositionItem]) -> Composition:
    side = tuple(item for some in items for item in some)
    return replace(made, sides=(*made.sides[:index], side, *made.sides[index + 1 :]))


def _change(
    made: Composition,
    chance: random.Random,
    change: Callable[[ConceptGroup, list[CompositionItem]], Sequence[CompositionItem]],
    fits: Callable[[ConceptGroup], bool] = lambda group: True,
) -> Composition | None:
    """Return the picture with what `change` makes of a drawn group that fits.

    None where there is none.
    """
    groups = made.scene.groups
    drawn = [i for i, group in enumerate(groups) if made.items_of(group) and fits(group)]
    if not drawn:
        return None
    index = chance.choice(drawn)
    own = [item for item in made.sides[index] if item.concept == groups[index].concept]
    # what nobody asked for stands behind what is asked for
    return _replace_side(made, index, change(groups[index], own), made.sides[index][len(own) :])


def _omit(made: Composition, chance: random.Random) -> Composition | None:
    """Draw nothing of a group; where nothing of the other is drawn, either, it does not fit."""
    omitted = _change(made, chance, lambda group, own: ())
    return omitted if len(made.sides) > 1 else None


def _replace(made: Composition, chance: random.Random) -> Composition | None:
    """Return a substitute for a group: another shape in the same color, or another concept."""

    def change(group: ConceptGroup, own: list[CompositionItem]) -> list[CompositionItem]:
        other = _other_concept(chance, _asked_and_drawn(made), group.plain)
        return [CompositionItem(other, item.color) for item in own]

    return _change(made, chance, change)


def _add(made: Composition, chance: random.Random) -> Composition:
    """Add a thing, or two, that nobody asked for."""
    plain = chance.random() < 0.6
    other = _other_concept(chance, _asked_and_drawn(made), plain)
    index = chance.randrange(len(made.sides))
    extra = CompositionItem(other, chance.choice(COLORS) if plain else None)
    return _replace_side(made, index, made.sides[index], [extra] * chance.choice((1, 1, 2)))


def _recolor(made: Composition, chance: random.Random) -> Composition | None:
    """Give all of a group another color, or the first of several.

    Half of the time in that of the other group, where it can be.
    """

    def change(group: ConceptGroup, own: list[CompositionItem]) -> list[CompositionItem]:
        others = [g.color for g in made.scene.groups if g.color and g.color != group.color]
        color = chance.choice(
            others if others and chance.random() < 0.5 else [c for c in COLORS if c != group.color]
        )
        count = 1 if len(own) > 1 and chance.random() < 0.5 else len(own)
        return [*[CompositionItem(group.concept, color)] * count, *own[count:]]

    return _change(made, chance, change, lambda group: group.color is not None)


def _miscount(made: Composition, chance: random.Random) -> Composition | None:
    """Draw one or two more, or fewer down to one; only where the prompt says how many."""

    def change(group: ConceptGroup, own: list[CompositionItem]) -> list[CompositionItem]:
        counts = [group.count + more for more in (-2, -1, 1, 2)]
        count = chance.choice([count for count in counts if 1 <= count <= 6])
        return [*own[:count], *own[-1:] * (count - len(own))]

    return _change(made, chance, change, lambda group: group.count > 1)


def _turn(made: Composition, chance: random.Random) -> Composition | None:
    """Let the two groups change places."""
    return replace(made, relation=OPPOSITE[made.relation]) if made.relation else None


# what fits few prompts goes first more often, so that no error is rare
_WAYS: Mapping[Callable[[Composition, random.Random], Composition | None], int] = {
    _omit: 2,
    _replace: 1,
    _add: 2,
    _recolor: 5,
    _miscount: 4,
    _turn: 8,
}
