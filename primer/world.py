"""Says what a concept of the Primer world is: its drawing, its facts and their violations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    Strict,
    StrictBool,
    StrictInt,
    StrictStr,
)
from pydantic_core.core_schema import no_info_after_validator_function

from hallascope.data.records import Category, CoI, Criterion, Domain, Task
from hallascope.primer.drawing.parts import Art, Part

Text = Annotated[str, Field(min_length=1)]
FactValue = str | int
FactValues = Mapping[str, FactValue]
DrawnValues = Mapping[str, Any]  # of a drawing, which knows the type of each of its facts
ConceptRenderer = Callable[[DrawnValues, Art], Sequence[Part]]
_CLOSED = ConfigDict(extra="forbid")
_TableValue = StrictStr | StrictInt


def _distinct(pairs: list[tuple[FactValue, str]]) -> dict[FactValue, str]:
    """Return the values of a fact by the pairs of its table."""
    if len(pairs) < 2:
        raise ValueError("`values` needs the truth and at least one violation")
    if len(dict(pairs)) < len(pairs):
        raise ValueError("`values` names a value twice")
    return dict(pairs)


def _values_schema(source: Any, handler: Any) -> Any:
    """Return the schema by which a table lists values: in pairs, which keep numbers numbers."""
    pairs = handler.generate_schema(list[tuple[_TableValue, Text]])
    return no_info_after_validator_function(_distinct, pairs)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Holds one thing that is true of a concept, as a parameter of its drawing.

    `values` maps every value the parameter can take to the answer that describes it; the first is
    the truth, all others are violations. `parts` names the parts of the drawing the question is
    about. `others` are wrong answers that are offered but never drawn. The question never names the
    concept.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    parameter: Text
    coi: CoI
    criterion: Criterion
    question: Text
    values: Annotated[Mapping[FactValue, str], GetPydanticSchema(_values_schema)]
    parts: tuple[Text, ...]
    others: tuple[Text, ...] = ()

    @property
    def truth(self) -> FactValue:
        return next(iter(self.values))

    @property
    def gold(self) -> str:
        return self.values[self.truth]

    @property
    def violations(self) -> tuple[FactValue, ...]:
        return tuple(self.values)[1:]


def _with_distinct_answers(fact: Fact) -> Fact:
    answers = [*fact.values.values(), *fact.others]
    if len(set(answers)) < len(answers):
        raise ValueError("`values` and `others` name an answer twice")
    return fact


_CheckedFact = Annotated[Fact, AfterValidator(_with_distinct_answers)]


@dataclass(frozen=True, kw_only=True)
class Variation:
    """Holds a prompt that changes the concept, its action, attribute or scene.

    It is of the level SKCU of T2I-FactualBench. `fact.truth` is what `phrase` asks for; in every
    other prompt the parameter has the value `base`, which is one of the fact's violations.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    phrase: Text
    task: Task
    base: _TableValue
    fact: _CheckedFact


def _based_on_a_violation(variation: Variation) -> Variation:
    if variation.base not in variation.fact.violations:
        raise ValueError("`base` is none of the violations of its fact")
    return variation


def _one_a_parameter(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    if len({fact.parameter for fact in facts}) < len(facts):
        raise ValueError("`facts` names a parameter twice")
    return facts


@dataclass(frozen=True, kw_only=True)
class Concept:
    """Holds a thing of the Primer world.

    `draw(values, art)` returns its parts inside the box from (-50, -50) to (50, 50), y pointing
    down. `phrase` is its prompt with article, `plural` the form after a number, `scene` the
    backdrop it stands before when neither a fact nor a variation says otherwise. `tilt` (degrees)
    and `mirror` say how far a drawing may be turned without changing a fact.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    name: Text
    phrase: Text
    plural: Text
    category: Category
    definition: Text
    scene: Text = "plain"
    tilt: Annotated[float, Strict(), Field(ge=0, le=180)] = 5.0
    mirror: StrictBool = True
    facts: Annotated[
        tuple[_CheckedFact, ...], Field(min_length=1), AfterValidator(_one_a_parameter)
    ]
    variation: Annotated[Variation, AfterValidator(_based_on_a_violation)] | None = None
    domain: Domain
    draw: ConceptRenderer

    @property
    def all_facts(self) -> tuple[Fact, ...]:
        """Return the facts, that of the variation among them."""
        return (*self.facts, *([self.variation.fact] if self.variation else ()))

    @property
    def own_facts(self) -> tuple[Fact, ...]:
        """Return the facts about the concept itself: none on what is behind it."""
        return tuple(fact for fact in self.all_facts if fact.parameter != "scene")

    def truths(self) -> dict[str, FactValue]:
        """Return the values of a factual drawing."""
        values: dict[str, FactValue] = {fact.parameter: fact.truth for fact in self.facts}
        if self.variation:
            values.setdefault(self.variation.fact.parameter, self.variation.base)
        return values
