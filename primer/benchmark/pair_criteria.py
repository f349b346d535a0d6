"""Decides whether two pictures show the same, criterion by criterion.

It looks at the values that they were drawn with, at no pixel.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from hallascope.data.records import CANNOT_TELL
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.scenes import Scene
from hallascope.primer.world import Concept, Fact, FactValue, FactValues

Aspect = Literal["thing", "shape", "color", "texture", "number", "details"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
QUESTIONS: Mapping[Aspect, str] = {
    "thing": "Is the same thing shown in both images?",
    "shape": "Is the shape the same in both images?",
    "color": "Is the color the same in both images?",
    "texture": "Is the texture the same in both images?",
    "number": "Is the number the same in both images?",
    "details": "Are the details the same in both images?",
}
# the share of samples in which an aspect changes; details change rarely, as counts are among them
_CHANGED: Mapping[Aspect, float] = {"details": 0.3}
_PLAIN: Mapping[Aspect, str] = {
    "thing": "kind",
    "shape": "kind",
    "color": "colour",
    "texture": "fill",
}


@dataclass(frozen=True)
class ShownConcept:
    """Holds how many of one thing are drawn, and with which values.

    Values go by the names their concept gives them.
    """

    concept: Concept
    values: FactValues
    count: int = 1

    @property
    def kind(self) -> str:
        """Return what is drawn; of a plain shape whichever was drawn in its place."""
        if self.concept.name in SHAPE_NAMES:
            return str(self.values.get("kind", self.concept.name))
        return self.concept.name


def compare(first: ShownConcept, second: ShownConcept) -> dict[Aspect, str]:
    """Answer each question with Yes, No or "I cannot tell", whichever of the two is first.

    A thing is compared with itself: between two different things, and by a criterion that no fact
    of the thing is about, the answer is "I cannot tell". Plain shapes can always be compared with
    each other. The number takes in how many things there are and all that is counted on them;
    counted things are details too.
    """
    if first.concept.name in SHAPE_NAMES and second.concept.name in SHAPE_NAMES:
        same = {
            aspect: _plain(first, name) == _plain(second, name) for aspect, name in _PLAIN.items()
        }
        same["number"] = same["details"] = first.count == second.count
        return {aspect: "Yes" if same[aspect] else "No" for aspect in ASPECTS}
    if first.kind != second.kind:
        return {**dict.fromkeys(ASPECTS, CANNOT_TELL), "thing": "No"}
    return {aspect: _alike(first, second, aspect) for aspect in ASPECTS}


def _plain(shown: ShownConcept, name: str) -> FactValue:
    return {"kind": shown.concept.name, "colour": "red", "fill": "plain", **shown.values}[name]


def _alike(first: ShownConcept, second: ShownConcept, aspect: Aspect) -> str:
    if aspect == "thing":
        return "Yes"
    facts = [fact for fact in first.concept.own_facts if _is_about(fact, aspect)]
    depends_on_count = aspect in ("number", "details")
    if not facts and not depends_on_count:
        return CANNOT_TELL
    is_same = all(_value(first, fact) == _value(second, fact) for fact in facts)
    if depends_on_count:
        is_same = is_same and first.count == second.count
    return "Yes" if is_same else "No"


def _is_about(fact: Fact, aspect: Aspect) -> bool:
    return fact.coi == "counting" if aspect == "number" else fact.criterion == aspect


def _value(shown: ShownConcept, fact: Fact) -> FactValue:
    return {**shown.concept.truths(), **shown.values}[fact.parameter]


def change_values(scene: Scene, values: FactValues, chance: random.Random) -> dict[str, FactValue]:
    """Return other values of the same scene.

    Of most aspects half stay as they are, by chance; of the others one or two facts change.
    """
    changed = dict(values)
    for aspect in ("shape", "color", "texture", "number", "details"):
        options: dict[str, set[FactValue]] = {}
        for fact in scene.facts:
            counted = fact.coi == "counting" and aspect != "number"
            if (
                _is_about(fact, aspect)
                and not counted
                and fact.parameter in values
                and fact.violations
            ):
                options.setdefault(fact.parameter, set()).update(fact.values)
        if options and chance.random() < _CHANGED.get(aspect, 0.5):
            for name in chance.sample(sorted(options), min(len(options), chance.choice((1, 1, 2)))):
                changed[name] = chance.choice(sorted(options[name] - {values[name]}, key=str))
    return changed
