"""Says what is true of the groups of things in a scene."""

import random
from collections.abc import Sequence
from dataclasses import replace

from hallascope.data.lexicon import capitalize
from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, Question
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, OPPOSITE, ConceptGroup, SpatialRelation, key
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Fact, FactValue, Variation


def scene_facts(
    groups: Sequence[ConceptGroup],
    relation: SpatialRelation | None,
    variation: Variation | None,
) -> tuple[Fact, ...]:
    """Return all facts of a group of things or two, first the five that are asked."""
    if len(groups) == 2:
        return _pair_facts(groups, relation)
    group = groups[0]
    if group.plain:
        return _shape_facts(group)
    if variation:
        return (variation.fact, *group.concept.facts)
    if group.count > 1:
        own = [fact for fact in group.concept.facts if fact.parameter != "scene"]
        return (_count_fact(group, "@count"), _kind_fact(group), *own)
    return group.concept.facts


def _count_fact(group: ConceptGroup, parameter: str) -> Fact:
    wrong = [n for n in (group.count + 1, group.count - 1, group.count + 2) if n >= 1]
    values: dict[FactValue, str] = {n: capitalize(NUMBERS[n]) for n in (group.count, *wrong)}
    others = [capitalize(n) for n in NUMBERS[1:] if capitalize(n) not in values.values()]
    return Fact(
        parameter=parameter,
        coi="counting",
        criterion="details",
        question=f"How many {group.concept.plural} are in the image?",
        values=values,
        parts=(group.concept.name,),
        others=tuple(others[: 4 - len(values)]),
    )


def _kind_fact(group: ConceptGroup) -> Fact:
    """Return the fact of what is shown.

    Draughtsmen never violate it, as they draw what they were asked for.
    """
    return Fact(
        parameter="@kind",
        coi="existence",
        criterion="shape",
        question="What is shown in the image?",
        values={"asked": capitalize(group.concept.plural)},
        parts=(group.concept.name,),
        others=_strangers(group),
    )


def _strangers(*groups: ConceptGroup) -> tuple[str, ...]:
    """Return three names of other things of the same sort, the same for the same groups."""
    names = {g.concept.name for g in groups}
    pool = [c for c in (SHAPES if groups[0].plain else concepts()) if c.name not in names]
    chosen = random.Random("".join(sorted(names))).sample(pool, 3)
    return tuple(capitalize(c.plural if groups[0].count > 1 else c.name) for c in chosen)


def _color_fact(group: ConceptGroup, parameter: str, question: str) -> Fact:
    others = [color for color in COLORS if color != group.color]
    order = random.Random(f"{group.concept.name} {group.color}").sample(others, 3)
    return Fact(
        parameter=parameter,
        coi="color",
        criterion="color",
        question=question,
        values={c: capitalize(c) for c in (str(group.color), *order)},
        parts=(group.concept.name,),
    )


def _shape_facts(group: ConceptGroup) -> tuple[Fact, ...]:
    name = group.concept.name
    others = random.Random(name).sample([s.name for s in SHAPES if s.name != name], 3)
    this = "shapes" if group.count > 1 else "shape"
    verb = "are" if group.count > 1 else "is"
    return (
        Fact(
            parameter="kind",
            coi="shape",
            criterion="shape",
            question=f"What kind of shape {verb} in the image?",
            values={n: capitalize(n) for n in (name, *others)},
            parts=(name,),
        ),
        _color_fact(group, "colour", f"What color {verb} the {this} in the image?"),
        replace(_count_fact(group, "@count"), question="How many shapes are in the image?"),
        Fact(
            parameter="fill",
            coi="others",
            criterion="texture",
            question=f"What {verb} the {this} like inside in the image?",
            values={"plain": "One even color", "dots": "With dots", "holed": "With a hole"},
            parts=(name,),
            others=("With stripes",),
        ),
        Fact(
            parameter="scene",
            coi="scene",
            criterion="details",
            question="What is behind it all in the image?",
            values={"plain": "A plain background", "night": "At night", "snow": "In the snow"},
            parts=(),
            others=("In a desert",),
        ),
    )


def _pair_facts(
    groups: Sequence[ConceptGroup], relation: SpatialRelation | None
) -> tuple[Fact, ...]:
    first, second = groups
    counts = (_count_fact(first, "0.@count"), _count_fact(second, "1.@count"))
    own = [_own_fact(groups, index) for index in range(2)]
    if relation is None:
        plural = capitalize(first.concept.plural)
        both: dict[FactValue, str] = {"asked": f"{plural} and {second.concept.plural}"}
        strangers = _strangers(first, second)
        kinds = Fact(
            parameter="@kind",
            coi="existence",
            criterion="shape",
            question="Which things are shown in the image?",
            values=both,
            parts=(first.concept.name, second.concept.name),
            others=tuple(f"{plural} and {stranger.lower()}" for stranger in strangers),
        )
        return (*counts, *own, kinds)
    return (*_relation_facts(first, second, relation), *counts, *own)


def _relation_facts(
    first: ConceptGroup, second: ConceptGroup, relation: SpatialRelation
) -> tuple[Fact, ...]:
    """Return what is on the one side and what on the other.

    Both depend on the one parameter `@relation`.
    """
    sides: tuple[tuple[SpatialRelation, str], ...] = (
        (("left", "on the left"), ("right", "on the right"))
        if relation in ("left", "right")
        else (("above", "at the top"), ("below", "at the bottom"))
    )
    names = (capitalize(first.counted_name), capitalize(second.counted_name))
    facts = []
    for side, words in sides:
        at = names if side == relation else names[::-1]
        facts.append(
            Fact(
                parameter="@relation",
                coi="relation",
                criterion="details",
                question=f"What is {words} in the image?",
                values={relation: at[0], OPPOSITE[relation]: at[1]},
                parts=(first.concept.name, second.concept.name),
                others=_strangers(first, second)[:2],
            )
        )
    return tuple(facts)


def _own_fact(groups: Sequence[ConceptGroup], index: int) -> Fact:
    """Return a fact of the thing itself that is plain to see at half size.

    It is best its color, and never the scene.
    """
    group = groups[index]
    if group.color:
        verb = "are" if group.count > 1 else "is"
        question = f"What color {verb} the {group.counted_name} in the image?"
        return _color_fact(group, key(groups, index, "colour"), question)
    fact = min(
        group.concept.facts,
        key=lambda fact: (
            fact.parameter == "scene",
            fact.coi != "color",
            fact.criterion != "color",
        ),
    )
    question = f"{capitalize(group.concept.name)}: {fact.question}"
    return replace(fact, parameter=key(groups, index, fact.parameter), question=question)


def question(fact: Fact, chance: random.Random) -> Question:
    """Return the fact as a question with five choices.

    They are the truth and three wrong answers in an order by chance, then None of the above.
    """
    wrong = [*list(fact.values.values())[1:], *fact.others]
    choices = [fact.gold, *chance.sample(wrong, min(3, len(wrong)))]
    chance.shuffle(choices)
    gold = LETTERS[choices.index(fact.gold)]
    return Question(
        text=fact.question,
        choices=(*choices, NONE_OF_THE_ABOVE),
        gold=gold,
        coi=fact.coi,
        regions=fact.parts,
    )
