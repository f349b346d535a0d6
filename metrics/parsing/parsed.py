"""What a parser finds in a text: noun phrases, positions, quoted words, each with its place.

It knows no parser and no picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from hallascope.data.evidence import Span


class Modifier(NamedTuple):
    """A word that describes a thing, in lower case, and where the text says it."""

    text: str
    span: Span


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """A noun phrase.

    `span` holds all its words, article, number and adjectives among them; `named` its name alone.

    `name` is the name for one of them as the text says it ("wine glass"), `lemmas` are the words of
    the name in the singular and lower case, `head` is that of the noun itself. `known` is the name
    of the concept where the Primer world knows it. `number` is said by a word or in digits ("a" is
    none) at `counted`. `words` describe it, also from behind ("the car is red").
    """

    span: Span
    named: Span
    name: str
    lemmas: tuple[str, ...]
    head: str
    known: str = ""
    number: int | None = None
    counted: Span | None = None
    plural: bool = False
    definite: bool = False  # "the dog", "its dog", "one of the dogs": one that was named before
    words: tuple[Modifier, ...] = ()
    is_thing: bool = (
        True  # no for "the image", "its color", "the left", and for what something is made of
    )
    owns: bool = False  # it stands behind "of": "the wing of a ladybug"
    owner: int | None = None  # which of the phrases stands so behind this one
    part: bool = (
        False  # it stands in brackets or behind a colon and tells apart what was counted before
    )
    sentence: int = 0
    absent: bool = False  # it is said not to be there: "no hat", "without a hat"

    def described(self, text: str) -> str:
        """Its words without article and number: "red circle"."""
        first = min(
            (
                self.named[0],
                *(
                    word.span[0]
                    for word in self.words
                    if self.span[0] <= word.span[0] < self.named[0]
                ),
            )
        )
        return text[first : self.span[1]]


class PositionPhrase(NamedTuple):
    """How a thing stands to another: `relation` is one of `positions.RELATIONS`.

    Without `anchor` it is not said to what.
    """

    subject: int  # which of the phrases
    relation: str
    anchor: int | None
    span: Span  # of the words that say how


class Action(NamedTuple):
    """What a thing does, in the form "riding" or "looking at"; without `object` it does so alone.

    `denied`: it is said not to.
    """

    subject: int  # which of the phrases
    words: str
    object: int | None
    span: Span
    denied: bool = False


class QuotedText(NamedTuple):
    """Words that are written on something, and which of the phrases that is."""

    text: str
    span: Span
    phrase: int | None


@dataclass(frozen=True)
class Parsed:
    """A text with all that was found in it, in the order of the text."""

    text: str
    phrases: tuple[Phrase, ...] = ()
    places: tuple[PositionPhrase, ...] = ()
    quotes: tuple[QuotedText, ...] = field(default=())
    actions: tuple[Action, ...] = ()

    @property
    def things(self) -> tuple[Phrase, ...]:
        """The phrases that name a thing."""
        return tuple(phrase for phrase in self.phrases if phrase.is_thing)

    def text_at(self, span: Span) -> str:
        return self.text[span[0] : span[1]]

    def indexed_things(self) -> Iterator[tuple[int, Phrase]]:
        return ((index, phrase) for index, phrase in enumerate(self.phrases) if phrase.is_thing)
