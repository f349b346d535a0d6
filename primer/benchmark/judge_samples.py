"""Puts a picture, a reference and a target in one of them together, with what is true of them.

Reference and picture are mostly of the same prompt and differ in facts, so that a judge has to look
where they differ.
"""

import random
from dataclasses import dataclass
from typing import NamedTuple

from hallascope.primer import extra_questions, scenes
from hallascope.primer.appearance import Appearance, RenderedScene
from hallascope.primer.benchmark import pair_criteria
from hallascope.primer.benchmark.pair_criteria import Aspect, ShownConcept
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import COLORS
from hallascope.primer.world import FactValues

# shares of violated facts, evenly mixed, so that no answer is rare
VIOLATED = (0.0, 0.25, 0.5, 0.85)
# of the prompts with one thing only, the share that is left out: several things are harder to judge
LONE = 0.35
OTHER = 0.2  # share of the references that show something else
# share of the references that are drawn with the chance of the picture, so that only facts differ
SAME_POSE = 0.4
THINGS = 0.45  # share of the regions that are of a whole thing


class DrawnScene(NamedTuple):
    """Holds a scene with the values and the seed it is drawn with."""

    scene: Scene
    values: FactValues
    seed: str

    def view(self) -> RenderedScene:
        return RenderedScene(self.scene, self.values, self.scene.draw(self.values, self.seed))

    def shown_concept(self) -> ShownConcept:
        """Return what a picture of one kind of things shows."""
        group = self.scene.groups[0]
        return ShownConcept(
            group.concept,
            scenes.own_values(self.scene, 0, self.values),
            int(self.values.get("@count", group.count)),
        )


@dataclass(frozen=True, kw_only=True)
class JudgeSample:
    """Holds a picture and its reference; `look` is in `seen`, which is one of them.

    `compared` says of the picture and the reference what is the same; with `by_region`, of the look
    alone and the reference.
    """

    picture: RenderedScene
    reference: RenderedScene
    seen: RenderedScene
    look: Appearance
    compared: dict[Aspect, str]
    by_region: bool


def sitting(seed: str, chance: random.Random) -> JudgeSample:
    """Return a sample by chance; the same seed and chance always give the same."""
    drawn = _picture(seed, chance)
    is_pair = len(drawn.scene.groups) == 2
    group = chance.randrange(len(drawn.scene.groups))
    beside = _reference(drawn, group, chance)
    picture = drawn.view()
    reference = beside.view()
    seen = picture if is_pair else chance.choice((picture, reference))
    look = _look(seen, group if is_pair else None, chance)
    shown = ShownConcept(look.concept, look.values) if is_pair else drawn.shown_concept()
    return JudgeSample(
        picture=picture,
        reference=reference,
        seen=seen,
        look=look,
        compared=pair_criteria.compare(shown, beside.shown_concept()),
        by_region=is_pair,
    )


def _picture(seed: str, chance: random.Random) -> DrawnScene:
    while True:
        scene = scenes.parse(scenes.sample_prompt(chance))
        if not scene.alone or chance.random() >= LONE:
            return DrawnScene(scene, scenes.violate(scene, chance.choice(VIOLATED), chance), seed)


def _reference(drawn: DrawnScene, group: int, chance: random.Random) -> DrawnScene:
    """Return the picture's scene with some facts changed, or something else.

    Where there are two kinds of things, it shows one of them alone.
    """
    name = f"{drawn.seed} reference"
    if chance.random() < OTHER:
        things = sorted({noun.concept.name for noun in scenes.nouns().values()})
        scene = scenes.parse(_alone(chance.choice(things), None, chance))
        return DrawnScene(scene, scenes.violate(scene, chance.choice(VIOLATED), chance), name)
    if len(drawn.scene.groups) == 1:
        seed = drawn.seed if chance.random() < SAME_POSE else name
        values = pair_criteria.change_values(drawn.scene, drawn.values, chance)
        return DrawnScene(drawn.scene, values, seed)
    chosen = drawn.scene.groups[group]
    scene = scenes.parse(_alone(chosen.concept.name, chosen.color, chance))
    own = scenes.own_values(drawn.scene, group, drawn.values)
    own.pop("scene", None)
    values = {**scene.truths(), **own}
    return DrawnScene(scene, pair_criteria.change_values(scene, values, chance), name)


def _alone(name: str, color: str | None, chance: random.Random) -> str:
    """Return the prompt of one thing."""
    if name in SHAPE_NAMES:
        return f"one {color or chance.choice(COLORS)} {name}"
    return scenes.nouns()[name.lower()].concept.phrase


def _look(view: RenderedScene, group: int | None, chance: random.Random) -> Appearance:
    """Return a thing of the group, or any thing or part that is plain to be seen."""
    looks = [look for look in view.looks() if group in (None, look.group)]
    things = [look for look in looks if look.part is None]
    if group is not None or chance.random() < THINGS:
        return chance.choice(things)
    clear = [look for look in looks if look.part and extra_questions.is_clear(view, look)]
    return chance.choice(clear or things)
