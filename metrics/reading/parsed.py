"""Holds what the parser finds in a text, each with its place: phrases, relations, written words.

Places are spans of characters of the text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from hallascope.data.prompt_reading import Count, StyleWords
from hallascope.data.regions import Span

RelationKind = Literal["place", "action", "part"]


class Modifier(NamedTuple):
    """A word that describes an object, in lower case, and where the text says it."""

    text: str
    span: Span


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """A noun phrase.

    `span` holds all its words, article, number and adjectives among them; `name_span` its name
    alone. `name` is the name of one of its objects as the text says it ("wine glass"), `lemmas` are
    the words of the name in the singular and lower case, `head` is that of the noun itself.
    `concept` is the name of the concept where the Primer world knows it. `count` is said by words
    or in digits ("a" is none) at `count_span`. `modifiers` describe the objects, also from behind
    ("the car is red").

    `definite`: it was named before ("the dog", "its dog"). `is_object` is False for "the image",
    "its color", "the left", for what something is made of, and for what is `absent`: said not to be
    there ("no hat", "without a hat"). `is_part`: it stands in brackets or behind a colon and tells
    apart what was counted before. `sentence` counts from 0.

    These are indexes among the phrases: `same` is the first that names the same object, `group` the
    one of whose objects it names some, `owner` the one that it is a part of (the ladybug of "the
    wing of a ladybug").
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
    is_object: bool = True
    absent: bool = False
    is_part: bool = False
    sentence: int = 0
    same: int | None = None
    group: int | None = None
    owner: int | None = None
    signals: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def number(self) -> int | None:
        """The one number that the text says; None where it says none, or several are right."""
        return self.count.exact if self.count else None


class PhraseRelation(NamedTuple):
    """How an object stands to another, what it does to it, or what it is a part of.

    `subject` and `target` are indexes among the phrases; without a target `words` is a place in the
    image. `span` is where the text says it.
    """

    subject: int
    words: str
    target: int | None
    span: Span
    kind: RelationKind
    signals: Mapping[str, float] = MappingProxyType({})


class WrittenText(NamedTuple):
    """Words that are written on something, and the index of that phrase."""

    text: str
    span: Span
    phrase: int | None


@dataclass(frozen=True)
class Parsed:
    """A text with all that was found in it, in the order of the text.

    `style` are words about the image, which are in no phrase. `unread` are the places of words that
    say something and belong to nothing that was found, `signals` what says how hard the text was to
    read, by names of features.
    """

    text: str
    phrases: tuple[Phrase, ...] = ()
    relations: tuple[PhraseRelation, ...] = ()
    texts: tuple[WrittenText, ...] = ()
    style: tuple[StyleWords, ...] = ()
    unread: tuple[Span, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)

    @property
    def objects(self) -> tuple[Phrase, ...]:
        """The phrases that name an object which is there."""
        return tuple(phrase for phrase in self.phrases if phrase.is_object)

    @property
    def places(self) -> tuple[PhraseRelation, ...]:
        """The relations of place."""
        return tuple(relation for relation in self.relations if relation.kind == "place")

    def text_at(self, span: Span) -> str:
        """Return the words of the text at a place."""
        return self.text[span[0] : span[1]]

    def indexed_objects(self) -> Iterator[tuple[int, Phrase]]:
        """Yield the phrases that name an object, each with its index among all phrases."""
        return ((index, phrase) for index, phrase in enumerate(self.phrases) if phrase.is_object)

    def first_mention(self, at: int) -> int:
        """Return the index of the phrase that first named the object of a phrase."""
        same = self.phrases[at].same
        return at if same is None else self.first_mention(same)
