"""Makes questions on Primer pictures beside those of I-HallA, with their right answers.

They are on regions, on parts, and on what is not shown. Every answer follows from the drawing; what
does not follow is not asked, but for what is plainly not shown: "I cannot tell".
"""

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hallascope.data.lexicon import capitalize, with_article
from hallascope.data.records import CANNOT_TELL
from hallascope.data.regions import Box, window
from hallascope.primer import scenes
from hallascope.primer.appearance import Appearance, RenderedScene
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import PALETTE
from hallascope.primer.groups import NUMBERS, SHAPE_NAMES, key
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import SHAPES
from hallascope.primer.world import Concept, Fact, FactValues

NAME = "What is this?"
COLOR = "What color is this?"
SHAPE = "What shape is this?"
TEXTURE = "What texture is this?"
CAPTION = "Describe this."
# of all that is drawn in its region, and in what is cut out with it, what a part must be for it to
# be plain what "this" is
CLEAR = 0.5
CLEAR_AROUND = 0.42
_WORDS: Mapping[str, Sequence[Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)


class Inquiry(NamedTuple):
    """Holds a question with its right answer."""

    question: str
    answer: str


# --- on a region


def is_clear(view: RenderedScene, look: Appearance) -> bool:
    """Return whether a target is most of its region, and much of what is cut out with it.

    What counts is all that is drawn in its region.
    """
    cut = window(look.region, view.size, view.size, square=True)
    return (
        _share(view, look, look.region) >= CLEAR
        and _share(view, look, Box(*(side / view.size for side in cut))) >= CLEAR_AROUND
    )


def _share(view: RenderedScene, look: Appearance, region: Box) -> float:
    """Return the share of a region's drawn pixels that show what is looked at, in [0, 1]."""
    seen = view.parts_in_region(region)
    return float(np.isin(seen, look.indices).sum() / max((seen >= 0).sum(), 1))


def of_region(
    view: RenderedScene, look: Appearance, shown: Box, chance: random.Random
) -> list[Inquiry]:
    """Return all that can be asked of a region.

    `shown` is the part of the picture that the judge gets to see of it.
    """
    questions = [
        Inquiry(NAME, capitalize(look.name or "")),
        Inquiry(COLOR, capitalize(view.color(look) or "")),
        Inquiry(SHAPE, view.shape(look) or ""),
        Inquiry(TEXTURE, view.texture(look) or ""),
        Inquiry(CAPTION, capitalize(view.caption(look) or "")),
    ]
    check = _check_name if chance.random() < 0.5 else _check_color
    checked = check(view, look, chance)
    facts = _unseen(view, look, shown, chance) if look.part else _visible_facts(look, chance)
    return [inquiry for inquiry in (*questions, checked, *facts) if inquiry and inquiry.answer]


def _check_name(view: RenderedScene, look: Appearance, chance: random.Random) -> Inquiry | None:
    if look.name is None:
        return None
    if look.part:
        drawn = {part.name for part in view.drawing.parts}
        others = [
            name
            for name in part_names()
            if not any(_ambiguous(name, own) for own in (*drawn, look.concept.name))
        ]
        name = look.name if chance.random() < 0.5 else chance.choice(others)
        if is_plural(name):
            return None
        answer = "Yes" if name == look.name else "No"
        return Inquiry(f"Is this {with_article(name)}?", answer)
    shown = {look.name, *(group.concept.name for group in view.scene.groups)}
    other = chance.choice([c for c in (*SHAPES, *concepts()) if c.name not in shown])
    own = f"a {look.name}" if look.plain else look.concept.phrase
    if chance.random() < 0.5:
        return Inquiry(f"Is this {own}?", "Yes")
    return Inquiry(f"Is this {other.phrase}?", "No")


def _check_color(view: RenderedScene, look: Appearance, chance: random.Random) -> Inquiry | None:
    tone = view.color(look)
    if tone is None:
        return None
    if chance.random() < 0.5:
        return Inquiry(f"Is this {tone}?", "Yes")
    alike = {"skin", tone}.union(*(names for names in _WORDS["interchangeable"] if tone in names))
    other = chance.choice([name for name in PALETTE if name not in alike])
    return Inquiry(f"Is this {other}?", "No")


def _visible_facts(look: Appearance, chance: random.Random) -> list[Inquiry]:
    """Return questions on two facts of a thing all of which is shown."""
    facts = () if look.plain else look.concept.own_facts
    return [
        Inquiry(fact.question, fact.values[look.values[fact.parameter]])
        for fact in chance.sample(facts, min(2, len(facts)))
    ]


def _unseen(
    view: RenderedScene, look: Appearance, shown: Box, chance: random.Random
) -> list[Inquiry]:
    """Return a question on parts of the same thing none of which is shown."""
    seen = {view.drawing.parts[i].name for i in np.unique(view.parts_in_region(shown)) if i >= 0}
    drawn = {part.name for part in view.drawing.parts if part.owner == look.concept.name}
    facts = hidden_facts(look.concept, drawn, seen)
    return [
        Inquiry(fact.question, CANNOT_TELL) for fact in chance.sample(facts, min(1, len(facts)))
    ]


def hidden_facts(concept: Concept, drawn: Set[str], seen: Set[str]) -> list[Fact]:
    """Return the facts of a thing about parts that are drawn, none of which is seen."""
    about = [(fact, set(fact.parts)) for fact in concept.own_facts]
    return [fact for fact, parts in about if parts & drawn and not parts & seen]


# --- on a picture


def of_picture(view: RenderedScene, chance: random.Random) -> list[Inquiry]:
    """Return what can be asked of a whole picture: parts, their colors, and absent facts.

    Parts are there or not; facts are of things that are not shown.
    """
    makers = (_part_color, _absent_color, _presence, _foreign)
    return [inquiry for make in makers if (inquiry := make(view, chance))]


def _part_color(view: RenderedScene, chance: random.Random) -> Inquiry | None:
    """Return a question on the color of a part that is there.

    All parts of that name are taken together.
    """
    asked = {fact.question for fact in view.scene.facts}
    for name in chance.sample(names := _drawn_part_names(view), min(4, len(names))):
        look = view.look_of_parts(name)
        question = f"What color is the {name} in the image?"
        if look and look.name and question not in asked and (tone := view.color(look)):
            return Inquiry(question, capitalize(tone))
    return None


def _drawn_part_names(view: RenderedScene) -> list[str]:
    """Return the parts that are there and are no plain shapes, by name.

    Those that go by a plural are left out.
    """
    names = {part.name for part in view.drawing.parts if not is_plural(part.name)}
    return sorted(names - SHAPE_NAMES)


def _absent_color(view: RenderedScene, chance: random.Random) -> Inquiry | None:
    name = _absent_part(view, chance)
    if name is None:
        return None
    return Inquiry(f"What color is the {name} in the image?", CANNOT_TELL)


def _presence(view: RenderedScene, chance: random.Random) -> Inquiry | None:
    """Return a question on whether a part is there, half of the time one that is not."""
    if chance.random() < 0.5:
        name = _absent_part(view, chance)
        answer = "No"
    else:
        names = _drawn_part_names(view)
        looks = (
            view.look((i,), part.name)
            for i, part in enumerate(view.drawing.parts)
            if part.name in names
        )
        there = sorted({look.name for look in looks if look and look.name})
        name = chance.choice(there) if there else None
        answer = "Yes"
    if name is None:
        return None
    return Inquiry(f"Is there {with_article(name)} in the image?", answer)


def _absent_part(view: RenderedScene, chance: random.Random) -> str | None:
    """Return a part that is not there, half of the time one that the thing should have.

    A violation has taken it away.
    """
    drawn = {part.name for part in view.drawing.parts}
    usual = {part.name for part in view.scene.draw(view.scene.truths(), 0).parts}
    taken = sorted(
        name
        for name in usual - drawn - SHAPE_NAMES
        if not is_plural(name) and not any(_ambiguous(name, own) for own in drawn)
    )
    if taken and chance.random() < 0.5:
        return chance.choice(taken)
    words = lexicon(view)
    names = [name for name in part_names() if not is_plural(name) and not stems(name) & words]
    return chance.choice(names) if names else None


def _foreign(view: RenderedScene, chance: random.Random) -> Inquiry | None:
    """Return a question about parts of a thing of another domain.

    It has no word in common with anything shown.
    """
    words = lexicon(view)
    domains = {
        group.concept.domain for group in view.scene.groups if group.concept.name not in SHAPE_NAMES
    }
    for concept in chance.sample(concepts(), 4):
        facts = []
        for fact in concept.facts:
            asked = stems(fact.question) - {*_WORDS["vague"]}
            is_of_part = fact.parts and fact.coi in ("color", "shape", "size", "posture", "others")
            if is_of_part and asked and not asked & words:
                facts.append(fact)
        if facts and concept.domain not in domains:
            return Inquiry(chance.choice(facts).question, CANNOT_TELL)
    return None


# --- of what the prompt says


def of_prompt(scene: Scene, values: FactValues) -> list[Inquiry]:
    """Return what a reader of the prompt alone asks of its things, answered by what is shown.

    See `hallascope.metrics.tifa.plan`.
    """
    return [
        Inquiry(*asked)
        for index in range(len(scene.groups))
        for asked in _of_group(scene, values, index)
    ]


def _of_group(scene: Scene, values: FactValues, index: int) -> Iterator[tuple[str, str]]:
    groups = scene.groups
    group = groups[index]
    own = scenes.own_values(scene, index, values)
    shown = scenes.nouns()[str(own["kind"])].concept if "kind" in own else group.concept
    yield (
        f"Is there {group.concept.phrase} in the image?",
        "Yes" if shown == group.concept else "No",
    )
    if len(groups) == 1:  # of several things each would be a right answer
        yield (
            "What is shown in the image?",
            capitalize(shown.name if group.count == 1 else shown.plural),
        )
    if shown != group.concept:
        return  # of what is not there, neither number nor color can be asked
    if group.count > 1:
        count = int(values.get(key(groups, index, "@count"), group.count))
        yield from _questions_with_truth(
            f"How many {group.concept.plural} are in the image?",
            NUMBERS[count],
            NUMBERS[group.count],
        )
    if group.color:
        question = (
            f"What color {'is' if group.count == 1 else 'are'} the {group.counted_name} in the"
            " image?"
        )
        yield from _questions_with_truth(question, str(own["colour"]), group.color)


def _questions_with_truth(question: str, answer: str, asked_for: str) -> Iterator[tuple[str, str]]:
    """Yield the question, and whether the answer is what the prompt asks for."""
    yield question, capitalize(answer)
    yield f"{question} {capitalize(asked_for)}?", "Yes" if answer == asked_for else "No"


# --- words


@cache
def part_names() -> tuple[str, ...]:
    """All parts that facts are about, in the order of the alphabet."""
    return tuple(
        sorted({name for concept in concepts() for fact in concept.facts for name in fact.parts})
    )


def lexicon(view: RenderedScene) -> frozenset[str]:
    """Return every word that is said anywhere of what a picture shows."""
    drawn = " ".join(part.name for part in view.drawing.parts)
    return stems(drawn).union(*(_thing_words(group.concept.name) for group in view.scene.groups))


@cache
def _thing_words(name: str) -> frozenset[str]:
    """Return every word that is said of a thing."""
    concept = scenes.nouns()[name.lower()].concept
    texts: list[str] = [concept.name, concept.phrase, concept.definition]
    for fact in concept.all_facts:
        texts += [fact.question, *fact.parts, *fact.values.values()]
    return stems(" ".join(texts))


@cache
def stems(text: str) -> frozenset[str]:
    """Return the words of a text in lower case, each as if it stood for one of many."""
    words = set(re.findall(r"[a-z]+", text.lower())) - {*_WORDS["small"]}
    return frozenset(word[:-1] if is_plural(word) else word for word in words)


def _ambiguous(name: str, other: str) -> bool:
    """Return whether one name is part of the other: a "carved head" is a head."""
    return stems(name) <= stems(other) or stems(other) <= stems(name)


def is_plural(name: str) -> bool:
    """Return whether the name of a part looks like a plural: "legs", but not "glass"."""
    return name.endswith("s") and not name.endswith("ss")
