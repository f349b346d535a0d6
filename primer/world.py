"""Says what a concept of the Primer world is: its drawing, its facts and their violations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hallascope.data.records import Category, CoI, Criterion, Domain, Task
from hallascope.primer.drawing.parts import Art, Part

FactValue = str | int
FactValues = Mapping[str, FactValue]
ConceptRenderer = Callable[[FactValues, Art], Sequence[Part]]


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Holds one thing that is true of a concept, as a parameter of its drawing.

    `values` maps every value the parameter can take to the answer that describes it; the first is
    the truth, all others are violations. `parts` names the parts of the drawing the question is
    about. `others` are wrong answers that are offered but never drawn. The question never names the
    concept.
    """

    parameter: str
    coi: CoI
    criterion: Criterion
    question: str
    values: Mapping[FactValue, str]
    parts: tuple[str, ...]
    others: tuple[str, ...] = ()

    @property
    def truth(self) -> FactValue:
        return next(iter(self.values))

    @property
    def gold(self) -> str:
        return self.values[self.truth]

    @property
    def violations(self) -> tuple[FactValue, ...]:
        return tuple(self.values)[1:]


@dataclass(frozen=True)
class Variation:
    """Holds a prompt that changes the concept, its action, attribute or scene.

    It is of the level SKCU of T2I-FactualBench. `fact.truth` is what `phrase` asks for; in every
    other prompt the parameter has the value `base`, which is one of the fact's violations.
    """

    phrase: str
    task: Task
    fact: Fact
    base: FactValue


@dataclass(frozen=True, kw_only=True)
class Concept:
    """Holds a thing of the Primer world.

    `draw(values, art)` returns its parts inside the box from (-50, -50) to (50, 50), y pointing
    down. `phrase` is its prompt with article, `plural` the form after a number, `scene` the
    backdrop it stands before when neither a fact nor a variation says otherwise. `tilt` (degrees)
    and `mirror` say how far a drawing may be turned without changing a fact.
    """

    name: str
    phrase: str
    plural: str
    domain: Domain
    category: Category
    definition: str
    facts: tuple[Fact, ...]
    draw: ConceptRenderer
    variation: Variation | None = None
    scene: str = "plain"
    tilt: float = 5.0
    mirror: bool = True

    @property
    def all_facts(self) -> tuple[Fact, ...]:
        """Return the facts, that of the variation among them."""
        return (*self.facts, *([self.variation.fact] if self.variation else ()))

    @property
    def own_facts(self) -> tuple[Fact, ...]:
        """Return the facts about the concept itself: none on what is behind it."""
        facts = {fact.parameter: fact for fact in self.all_facts if fact.parameter != "scene"}
        return tuple(facts.values())

    def truths(self) -> dict[str, FactValue]:
        """Return the values of a factual drawing."""
        values: dict[str, FactValue] = {fact.parameter: fact.truth for fact in self.facts}
        if self.variation:
            values.setdefault(self.variation.fact.parameter, self.variation.base)
        return values
