"""Pairs a picture with a reference by chance, as T2I-FactualBench does, with the truth."""

import random
from dataclasses import dataclass
from functools import cache

from hallascope.primer import scenes
from hallascope.primer.appearance import Appearance, RenderedScene
from hallascope.primer.benchmark import factualbench, judge_samples, pair_criteria
from hallascope.primer.benchmark.judge_samples import VIOLATED, DrawnScene
from hallascope.primer.benchmark.pair_criteria import Aspect
from hallascope.primer.concepts import concepts

# share of the pairs of one concept beside the reference of the benchmark; the others are as in
# sittings
KNOWN = 0.75
# share of those references that are drawn with some facts changed, so that a judge has to look at
# them
CHANGED = 0.2


@dataclass(frozen=True)
class PicturePair:
    """Holds a picture and its reference (`known`: that of the benchmark).

    With a `look`, only that part of the picture is compared.
    """

    picture: RenderedScene
    reference: RenderedScene
    compared: dict[Aspect, str]
    known: bool = False
    look: Appearance | None = None


def pair(seed: str, chance: random.Random) -> PicturePair:
    """A pair by chance; the same seed and chance always give the same."""
    if chance.random() >= KNOWN:
        made = judge_samples.sitting(seed, chance)
        return PicturePair(
            made.picture, made.reference, made.compared, look=made.look if made.by_region else None
        )
    concept = chance.choice(concepts())
    scene = scenes.parse(concept.phrase)
    drawn = DrawnScene(scene, scenes.violate(scene, chance.choice(VIOLATED), chance), seed)
    is_changed = chance.random() < CHANGED
    if is_changed:
        values = pair_criteria.change_values(scene, drawn.values, chance)
        reference = DrawnScene(scene, values, f"{seed} reference")
    else:
        reference = DrawnScene(scene, scene.truths(), "")
    return PicturePair(
        drawn.view(),
        reference.view() if is_changed else _reference(concept.name),
        pair_criteria.compare(drawn.shown_concept(), reference.shown_concept()),
        known=not is_changed,
    )


@cache
def _reference(name: str) -> RenderedScene:
    """Return the reference that the benchmark shows of a concept."""
    named = (prompt.concepts[0] for prompt in factualbench.prompts())
    concept = next(concept for concept in named if concept.name == name)
    scene = scenes.parse(concept.phrase)
    return RenderedScene(scene, scene.truths(), factualbench.reference(concept))
