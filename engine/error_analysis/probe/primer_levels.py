"""Varies a prompt of the Primer grammar: each level is a prompt that Primer's models draw.

The same facts count at all levels, so that an image of one level is compared with one of another by
what both are asked.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from hallascope.data.lexicon import with_article
from hallascope.engine.error_analysis.probe.levels import (
    AxisName,
    CannotVary,
    ProbeLevel,
    PromptVariation,
)
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, ConceptGroup, SpatialRelation
from hallascope.primer.scenes import ASKED, RELATION_PHRASES, RELATIONS, CannotDraw, Scene, parse
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Fact

MOST = 4  # things of a kind that the grammar can ask for
FRAMES = ("an image of", "a picture of", "a photo of", "a drawing of", "an illustration of")
_OPPOSITES: Mapping[str, str] = {
    "to the left of": "to the right of",
    "to the right of": "to the left of",
    "above": "below",
    "below": "above",
}


class _Variant(NamedTuple):
    """Holds a level before it is known which of its facts count; `group` has the facts."""

    label: str
    prompt: str
    group: int = 0
    value: float | None = None


def vary_primer_prompt(prompt: str, axis: AxisName) -> PromptVariation:
    """Return the levels of a prompt that Primer draws.

    Raises CannotVary where the grammar has no such levels, or no fact of the prompt is asked about
    at two levels or more.
    """
    try:
        scene = parse(prompt)
    except CannotDraw as problem:
        raise CannotVary(str(problem)) from problem
    if axis not in _VARIANTS:
        raise CannotVary(
            f"The prompts that Primer's models draw cannot vary the {axis}: vary"
            f" {', '.join(_VARIANTS)}, or choose a model that draws any prompt."
        )
    if scene.variation:
        raise CannotVary(
            f"{prompt!r} is drawn as a whole: vary a prompt of one thing or two, such as 'two red"
            " circles'."
        )
    variants = _VARIANTS[axis](scene)
    return _with_counted_facts(axis, variants)


def _with_counted_facts(axis: AxisName, variants: Sequence[_Variant]) -> PromptVariation:
    """Return the variants as levels; those whose facts are not asked about are left out."""
    facts = {variant: _facts_of(variant, axis) for variant in variants}
    asked = {variant: own for variant, own in facts.items() if own}
    if axis in ("distractors", "position"):
        shared = set.intersection(*(set(own) for own in asked.values())) if asked else set[str]()
        asked = {
            variant: {name: own[name] for name in own if name in shared}
            for variant, own in asked.items()
        }
    levels = tuple(
        ProbeLevel(
            label=variant.label,
            prompt=variant.prompt,
            value=variant.value,
            counted=frozenset(text for texts in own.values() for text in texts),
        )
        for variant, own in asked.items()
        if own
    )
    if len(levels) < 2:
        raise CannotVary(
            f"No question about the {axis} is asked at two levels of this prompt: take a prompt of"
            " plain shapes, such as 'two red circles'."
        )
    left_out = [variant.label for variant in variants if not asked.get(variant)]
    note = f"Left out, as no question is asked about it: {', '.join(left_out)}." if left_out else ""
    return PromptVariation(levels=levels, note=note)


def _facts_of(variant: _Variant, axis: AxisName) -> dict[str, list[str]]:
    """Return the questions that decide on a level, by the parameter of their fact."""
    scene = parse(variant.prompt)
    found: dict[str, list[str]] = {}
    for fact in scene.facts[:ASKED]:
        if _decides(fact, scene, variant.group, axis):
            name = fact.parameter.removeprefix(f"{variant.group}.")
            found.setdefault(name, []).append(fact.question)
    return found


def _decides(fact: Fact, scene: Scene, group: int, axis: AxisName) -> bool:
    match axis:
        case "number":
            return fact.parameter.endswith("@count") and _is_of(fact, scene, group)
        case "color":
            return fact.parameter.endswith("colour") and _is_of(fact, scene, group)
        case "relation":
            return fact.coi == "relation"
        case "distractors" | "position":
            return _is_of(fact, scene, group)
        case _:
            return True


def _is_of(fact: Fact, scene: Scene, group: int) -> bool:
    if len(scene.groups) == 1:
        return fact.parameter != "scene"
    return fact.parameter.startswith(f"{group}.")


# --- the levels of each axis


def _numbers(scene: Scene) -> list[_Variant]:
    return [
        _Variant(str(count), _sentence(scene, replace(scene.groups[0], count=count)), value=count)
        for count in range(1, MOST + 1)
    ]


def _colors(scene: Scene) -> list[_Variant]:
    group = scene.groups[0]
    if not group.plain:
        raise CannotVary(
            f"Primer's models draw {group.concept.plural} in their own colors only: vary the color"
            " of a plain shape, such as 'a red circle'."
        )
    return [_Variant(color, _sentence(scene, replace(group, color=color))) for color in COLORS]


def _relations(scene: Scene) -> list[_Variant]:
    if len(scene.groups) < 2:
        raise CannotVary(
            "The prompt names one thing, which stands in no relation: take one such as 'a red"
            " circle above a blue square'."
        )
    first, second = map(_phrase, scene.groups)
    return [_Variant(words, f"{first} {words} {second}") for words in RELATIONS]


def _distractors(scene: Scene) -> list[_Variant]:
    if len(scene.groups) > 1:
        raise CannotVary(
            "The prompt names two things already, and Primer's models draw no third: take one such"
            " as 'two red circles'."
        )
    other = _other_thing(scene.groups[0])
    first = _phrase(scene.groups[0])
    with_others = [
        _Variant(str(count), f"{first} and {_phrase(replace(other, count=count))}", value=count)
        for count in range(1, MOST + 1)
    ]
    return [_Variant("0", first, value=0), *with_others]


def _positions(scene: Scene) -> list[_Variant]:
    if len(scene.groups) < 2:
        raise CannotVary(
            "The prompt names one thing, which has one place in the sentence: take one such as 'a"
            " red circle and a blue square'."
        )
    first, second = map(_phrase, scene.groups)
    words = _relation_words(scene.relation)
    return [
        _Variant("named first", f"{first} {words} {second}", group=0),
        _Variant("named last", f"{second} {_OPPOSITES.get(words, words)} {first}", group=1),
    ]


def _paraphrases(scene: Scene) -> list[_Variant]:
    plain = _sentence(scene, scene.groups[0])
    framed = [_Variant(f"{frame} …", f"{frame} {plain}") for frame in FRAMES]
    return [_Variant("as it is", plain), *framed]


_VARIANTS: Mapping[AxisName, Callable[[Scene], list[_Variant]]] = {
    "number": _numbers,
    "color": _colors,
    "relation": _relations,
    "distractors": _distractors,
    "position": _positions,
    "paraphrase": _paraphrases,
}


# --- words


def _phrase(group: ConceptGroup) -> str:
    """Return the words of a group of things in the grammar."""
    concept = group.concept
    if group.count > 1:
        color = f"{group.color} " if group.color else ""
        return f"{NUMBERS[group.count]} {color}{concept.plural}"
    return with_article(f"{group.color} {concept.name}") if group.color else concept.phrase


def _sentence(scene: Scene, first: ConceptGroup) -> str:
    """Return the prompt of a scene with another first group."""
    if len(scene.groups) == 1:
        return _phrase(first)
    return f"{_phrase(first)} {_relation_words(scene.relation)} {_phrase(scene.groups[1])}"


def _relation_words(relation: SpatialRelation | None) -> str:
    return RELATION_PHRASES[relation] if relation else "and"


def _other_thing(group: ConceptGroup) -> ConceptGroup:
    """Return another thing of the same sort, the same for the same prompt."""
    chance = random.Random(f"distractor {group.concept.name}")
    if group.plain:
        shape = chance.choice([shape for shape in SHAPES if shape.name != group.concept.name])
        color = chance.choice([color for color in COLORS if color != group.color])
        return ConceptGroup(shape, color=color)
    others = [
        concept
        for concept in concepts()
        if concept.name != group.concept.name and concept.domain != group.concept.domain
    ]
    return ConceptGroup(chance.choice(others))
