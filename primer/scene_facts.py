"""What is true of the groups of things in a scene, as facts with questions.

It knows no prompt and draws nothing.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, Question
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, OPPOSITE, Group, Relation, key
from hallascope.primer.shapes import COLOURS, SHAPES
from hallascope.primer.world import Fact, Value, Variation


def scene_facts(
    groups: Sequence[Group], relation: Relation | None, variation: Variation | None
) -> tuple[Fact, ...]:
    """All facts of one or two groups of things, the five that are asked first."""
    if len(groups) == 2:
        return _pair_facts(groups, relation)
    group = groups[0]
    if group.plain:
        return _shape_facts(group)
    if variation:
        return (variation.fact, *group.concept.facts)
    if group.count > 1:
        return (
            _count_fact(group, "@count"),
            _kind_fact(group),
            *[f for f in group.concept.facts if f.parameter != "scene"],
        )
    return group.concept.facts


def _titled(text: str) -> str:
    return text[:1].upper() + text[1:]


def _count_fact(group: Group, parameter: str) -> Fact:
    wrong = [n for n in (group.count + 1, group.count - 1, group.count + 2) if n >= 1]
    values: dict[Value, str] = {n: _titled(NUMBERS[n]) for n in (group.count, *wrong)}
    others = tuple(_titled(n) for n in NUMBERS[1:] if _titled(n) not in values.values())[
        : 4 - len(values)
    ]
    return Fact(
        parameter,
        "counting",
        "details",
        f"How many {group.concept.plural} are in the image?",
        values,
        (group.concept.name,),
        others,
    )


def _kind_fact(group: Group) -> Fact:
    """What is shown: never violated by the draughtsmen, who draw what they were asked for."""
    return Fact(
        "@kind",
        "existence",
        "shape",
        "What is shown in the image?",
        {"asked": _titled(group.concept.plural)},
        (group.concept.name,),
        _strangers(group),
    )


def _strangers(*groups: Group) -> tuple[str, ...]:
    """Three names of other things of the same sort, the same for the same groups."""
    names = {g.concept.name for g in groups}
    pool = [c for c in (SHAPES if groups[0].plain else concepts()) if c.name not in names]
    chosen = random.Random("".join(sorted(names))).sample(pool, 3)
    return tuple(_titled(c.plural if groups[0].count > 1 else c.name) for c in chosen)


def _colour_fact(group: Group, parameter: str, question: str) -> Fact:
    order = random.Random(f"{group.concept.name} {group.colour}").sample(
        [c for c in COLOURS if c != group.colour], 3
    )
    return Fact(
        parameter,
        "color",
        "color",
        question,
        {c: _titled(c) for c in (str(group.colour), *order)},
        (group.concept.name,),
    )


def _shape_facts(group: Group) -> tuple[Fact, ...]:
    name = group.concept.name
    others = random.Random(name).sample([s.name for s in SHAPES if s.name != name], 3)
    this = "shapes" if group.count > 1 else "shape"
    verb = "are" if group.count > 1 else "is"
    return (
        Fact(
            "kind",
            "shape",
            "shape",
            f"What kind of shape {verb} in the image?",
            {n: _titled(n) for n in (name, *others)},
            (name,),
        ),
        _colour_fact(group, "colour", f"What color {verb} the {this} in the image?"),
        replace(_count_fact(group, "@count"), question="How many shapes are in the image?"),
        Fact(
            "fill",
            "others",
            "texture",
            f"What {verb} the {this} like inside in the image?",
            {"plain": "One even color", "dots": "With dots", "holed": "With a hole"},
            (name,),
            ("With stripes",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "What is behind it all in the image?",
            {"plain": "A plain background", "night": "At night", "snow": "In the snow"},
            (),
            ("In a desert",),
        ),
    )


def _pair_facts(groups: Sequence[Group], relation: Relation | None) -> tuple[Fact, ...]:
    one, two = groups
    counts = (_count_fact(one, "0.@count"), _count_fact(two, "1.@count"))
    own = [fact for i in range(2) for fact in _own_fact(groups, i)]
    if relation is None:
        both: dict[Value, str] = {
            "asked": f"{_titled(one.concept.plural)} and {two.concept.plural}"
        }
        apart = _strangers(one, two)
        kinds = Fact(
            "@kind",
            "existence",
            "shape",
            "Which things are shown in the image?",
            both,
            (one.concept.name, two.concept.name),
            tuple(f"{_titled(one.concept.plural)} and {s.lower()}" for s in apart),
        )
        return (*counts, *own, kinds)
    return (*_relation_facts(one, two, relation), *counts, *own)


def _relation_facts(one: Group, two: Group, relation: Relation) -> tuple[Fact, ...]:
    """What is on the one side and what on the other; both hang on the one parameter `@relation`."""
    sides: tuple[tuple[Relation, str], ...] = (
        (("left", "on the left"), ("right", "on the right"))
        if relation in ("left", "right")
        else (("above", "at the top"), ("below", "at the bottom"))
    )
    names = (_titled(one.named), _titled(two.named))
    facts = []
    for side, words in sides:
        at = names if side == relation else names[::-1]
        facts.append(
            Fact(
                "@relation",
                "relation",
                "details",
                f"What is {words} in the image?",
                {relation: at[0], OPPOSITE[relation]: at[1]},
                (one.concept.name, two.concept.name),
                _strangers(one, two)[:2],
            )
        )
    return tuple(facts)


def _own_fact(groups: Sequence[Group], index: int) -> list[Fact]:
    """One fact of the thing itself that is plain to see at half size: its color where it has one to
    ask about.
    """
    group = groups[index]
    if group.colour:
        asked = f"What color {'are' if group.count > 1 else 'is'} the {group.named} in the image?"
        return [_colour_fact(group, key(groups, index, "colour"), asked)]
    fact = min(
        group.concept.facts,
        key=lambda f: (f.parameter == "scene", f.coi != "color", f.criterion != "color"),
    )
    asked = f"{_titled(group.concept.name)}: {fact.question}"
    return [replace(fact, parameter=key(groups, index, fact.parameter), question=asked)]


def question(fact: Fact, chance: random.Random) -> Question:
    """The fact as a five-choice question: the truth, three wrong answers in an order by chance,
    None of the above.
    """
    wrong = [*list(fact.values.values())[1:], *fact.others]
    choices = [fact.gold, *chance.sample(wrong, min(3, len(wrong)))]
    chance.shuffle(choices)
    return Question(
        fact.question,
        (*choices, NONE_OF_THE_ABOVE),
        LETTERS[choices.index(fact.gold)],
        fact.coi,
        fact.parts,
    )
