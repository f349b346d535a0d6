"""Holds a noun phrase while it is put together, its places counted in tokens."""

from dataclasses import dataclass, field

from hallascope.data.prompt_reading import Count
from hallascope.metrics.parsing.parsed import Reference


@dataclass(frozen=True)
class DraftCount:
    """How many a phrase says there are, from which token and up to which other it is said."""

    count: Count
    start: int
    stop: int


@dataclass(kw_only=True)
class PhraseDraft:
    """A phrase in the making.

    `first` is its first token, `name` the first of its name, `head` the noun itself, `stop` the
    token after its last word. Where the Primer world knows the name, `concept` is its concept,
    `singular` the name of one of them, and `plural` whether the text names several. `of_nouns` are
    the heads of what follows with "of" and belongs to the name. `owned` is the head of the thing
    that this one stands behind with "of" ("the wing" of "a ladybug"), or before with "'s".
    `described_from` is the first token that describes the thing, where that is not `first` ("a
    large group of young dogs"); `inner_modifiers` stand within the name ("a glass of red wine").
    `antecedent` is the head of the phrase that one without a noun stands for, `reference` says how.
    """

    first: int
    name: int
    head: int
    stop: int
    concept: str = ""
    singular: str = ""
    plural: bool = False
    of_nouns: list[int] = field(default_factory=list)
    count: DraftCount | None = None
    definite: bool = False
    is_thing: bool = True
    absent: bool = False
    owned: int | None = None
    described_from: int | None = None
    inner_modifiers: list[int] = field(default_factory=list)
    antecedent: int | None = None
    reference: Reference = ""
