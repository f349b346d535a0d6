"""Holds what the parser finds in a text, each with its place: phrases, positions, actions, quotes.

Places are spans of characters of the text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hallascope.data.prompt_reading import Count, StyleWords
from hallascope.data.regions import Span

# how a phrase without a noun refers to another: "each", "one of them", "a blue one", "another"
Reference = Literal["", "same", "one of", "new", "another"]


class Modifier(NamedTuple):
    """A word that describes a thing, in lower case, and where the text says it."""

    text: str
    span: Span


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """A noun phrase.

    `span` holds all its words, article, number and adjectives among them; `name_span` its name
    alone. `name` is the name of one of them as the text says it ("wine glass"), `lemmas` are the
    words of the name in the singular and lower case, `head` is that of the noun itself. `concept`
    is the name of the concept where the Primer world knows it. `count` is said by words or in
    digits ("a" is none) at `count_span`. `modifiers` describe it, also from behind ("the car is
    red").

    `definite`: it was named before ("the dog", "its dog", "one of the dogs"). `is_thing` is False
    for "the image", "its color", "the left", for what something is made of, and for what is
    `absent`: said not to be there ("no hat", "without a hat"). `is_owner`: it stands behind "of"
    ("a ladybug" in "the wing of a ladybug"); `owned` is which of the phrases it owns so (the wing).
    `is_part`: it stands in brackets or behind a colon and tells apart what was counted before.
    `sentence` counts from 1. A phrase without a noun has the name of another, its `antecedent`
    among the phrases, and refers to it as `reference` says: it is the same, one of several, or new.
    """

    span: Span
    name_span: Span
    name: str
    lemmas: tuple[str, ...]
    head: str
    concept: str = ""
    count: Count | None = None
    count_span: Span | None = None
    plural: bool = False
    definite: bool = False
    modifiers: tuple[Modifier, ...] = ()
    is_thing: bool = True
    is_owner: bool = False
    owned: int | None = None
    is_part: bool = False
    sentence: int = 0
    absent: bool = False
    antecedent: int | None = None
    reference: Reference = ""

    @property
    def number(self) -> int | None:
        """The one number that the text says; None where it says none, or several are right."""
        return self.count.exact if self.count else None


class Position(NamedTuple):
    """How a thing stands to another.

    `relation` is one of `position_words`: RELATIONS, OTHER_RELATIONS or PICTURE_PLACES. `subject`
    and `anchor` are which of the phrases; without an anchor it is the picture, or the text does not
    say to what. `span` is of the words that say how.
    """

    subject: int
    relation: str
    anchor: int | None
    span: Span


class Action(NamedTuple):
    """What a thing does, in the form "riding" or "looking at"; alone, without an `object`.

    `subject` and `object` are which of the phrases. `negated`: the text says that it does not.
    """

    subject: int
    words: str
    object: int | None
    span: Span
    negated: bool = False


class QuotedText(NamedTuple):
    """Words that are written on something, and which of the phrases that is."""

    text: str
    span: Span
    phrase: int | None


@dataclass(frozen=True)
class Parsed:
    """A text with all that was found in it, in the order of the text.

    `style` are words about the picture, which are in no phrase.
    """

    text: str
    phrases: tuple[Phrase, ...] = ()
    positions: tuple[Position, ...] = ()
    quotes: tuple[QuotedText, ...] = ()
    actions: tuple[Action, ...] = ()
    style: tuple[StyleWords, ...] = ()

    @property
    def things(self) -> tuple[Phrase, ...]:
        """The phrases that name a thing."""
        return tuple(phrase for phrase in self.phrases if phrase.is_thing)

    def text_at(self, span: Span) -> str:
        """Return the words of the text at a place."""
        return self.text[span[0] : span[1]]

    def indexed_things(self) -> Iterator[tuple[int, Phrase]]:
        """Yield the phrases that name a thing, each with its index among all phrases."""
        return ((index, phrase) for index, phrase in enumerate(self.phrases) if phrase.is_thing)
