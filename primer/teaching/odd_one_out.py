"""Lists the rounds of "Which of these is not ...", and draws them: four images, one wrong fact.

It knows no judge. The rounds are chosen: in some of them the embedded judge errs, in others it is
not asked about what is wrong.
"""

from dataclasses import dataclass
from functools import cached_property

from hallascope.data.records import QuestionSet
from hallascope.data.teaching.exercise import Exercise
from hallascope.data.teaching.lesson import DrawnItem
from hallascope.data.teaching.odd_one_out import RoundFact
from hallascope.primer import scenes
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.scenes import ASKED
from hallascope.primer.teaching.exercises import (
    fact_of,
    fact_question,
    fault_reason,
    make_exercise,
    scene_of,
)
from hallascope.primer.world import Fact, FactValue


@dataclass(frozen=True)
class OddOneOutSpec:
    """Says what a round shows: a Primer prompt, and which fact is drawn wrongly in which image.

    `name` stands after "Which of these is not". `seeds` are those of the images in their order,
    `odd` is the place of the wrong one, from 0.
    """

    prompt: str
    name: str
    parameter: str
    value: FactValue
    seeds: tuple[int, ...]
    odd: int


EXAMPLE = OddOneOutSpec("a gentoo penguin", "a gentoo penguin", "feet", "blue", (4,), 0)
# from easy to hard; the judge is not asked about the zebra's horn and the samurai's shoulders
ROUNDS = (
    OddOneOutSpec("a molecule of methane", "methane", "hydrogens", 5, (1, 2, 3, 4), 2),
    OddOneOutSpec("a traffic light", "a traffic light", "red lamp", "bottom", (5, 6, 7, 8), 0),
    OddOneOutSpec("a zebra", "a zebra", "crown", "horn", (9, 10, 11, 12), 3),
    OddOneOutSpec("a ladybug", "a ladybug", "legs", 8, (13, 14, 15, 16), 1),
    OddOneOutSpec("the planet Saturn", "the planet Saturn", "axis", "upright", (7, 12, 5, 9), 2),
    OddOneOutSpec("a hamburger", "a hamburger", "patty place", "below", (21, 22, 23, 24), 0),
    OddOneOutSpec("a torii gate", "a torii gate", "longest", "lower", (6, 3, 11, 8), 3),
    OddOneOutSpec("a samurai", "a samurai", "shoulders", "small", (14, 9, 2, 17), 1),
    OddOneOutSpec("a rainbow", "a rainbow", "outermost", "purple", (10, 6, 13, 4), 2),
    OddOneOutSpec("a clover leaf", "a white clover leaf", "form", "pointed", (5, 8, 2, 11), 3),
    OddOneOutSpec(
        "the raising of the Olympic flag", "the Olympic flag", "link", "apart", (6, 2, 7, 3), 0
    ),
    OddOneOutSpec("the Big Dipper", "the Big Dipper", "handle", 4, (3, 1, 5, 4), 1),
)


@dataclass(frozen=True)
class DrawnRound:
    """Draws the images of a round, and says what is true of each.

    Raises BadLesson where Primer cannot draw it.
    """

    spec: OddOneOutSpec

    @cached_property
    def exercise(self) -> Exercise:
        """Return the odd image as an exercise: its wrong fact, why it is wrong, and where."""
        return make_exercise(self._item(self.spec.seeds[self.spec.odd])).exercise

    @cached_property
    def questions(self) -> QuestionSet:
        """Return the questions that a judge is asked about every image."""
        return scene_of(self.spec.prompt).questions()

    @cached_property
    def facts(self) -> tuple[RoundFact, ...]:
        """Return the facts that the images are compared by: those that are asked come first."""
        asked = scene_of(self.spec.prompt).facts[:ASKED]
        return tuple(
            RoundFact(question=fact_question(fact), expected=fact.gold, asked=fact in asked)
            for fact in self._facts
        )

    @property
    def reason(self) -> str:
        """Return a sentence on why the wrong fact is wrong."""
        return fault_reason(self._wrong, scene_of(self.spec.prompt))

    def drawing(self, image: int) -> Drawing:
        """Return the image at a place."""
        drawn = make_exercise(self._item(self.spec.seeds[image]))
        return drawn.shown if image == self.spec.odd else drawn.right

    def truth(self, image: int) -> tuple[str, ...]:
        """Return the answer that the image at a place leads to, for each of the facts."""
        values = scene_of(self.spec.prompt).truths()
        if image == self.spec.odd:
            values[self.spec.parameter] = self.spec.value
        return tuple(scenes.right_answer(fact, values) for fact in self._facts)

    @cached_property
    def _facts(self) -> tuple[Fact, ...]:
        """Return the facts that are asked, and the wrong one where it is none of them."""
        asked = scene_of(self.spec.prompt).facts[:ASKED]
        return asked if self._wrong in asked else (*asked, self._wrong)

    @property
    def _wrong(self) -> Fact:
        return fact_of(scene_of(self.spec.prompt), self._item(0))

    def _item(self, seed: int) -> DrawnItem:
        return DrawnItem(self.spec.prompt, self.spec.parameter, self.spec.value, seed)
