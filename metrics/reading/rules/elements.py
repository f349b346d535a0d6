"""Holds what the passes over a parsed prompt find: phrases, and links between them.

All places are tokens of spaCy's parse, which every pass shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from hallascope.metrics.reading.words import language, wordnet
from hallascope.metrics.reading.words.lists import MODIFIERS, NOUNS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.data.prompt_reading import Count

PLURAL_TAGS = ("NNS", "NNPS")
NOUN_CLASSES = ("NOUN", "PROPN")
SUBJECTS = ("nsubj", "nsubjpass")
# an object, said not to be there, or no object: "the image", "the top", "energy"
Kind = Literal["object", "absent", "none"]


class Word(NamedTuple):
    """A word that describes an object, in lower case, and its tokens."""

    text: str
    first: int
    stop: int


class Features(NamedTuple):
    """How sure a phrase or a link is: what a confidence is computed from.

    `distance`: tokens between its two ends. `agrees`: whether the tree and the order of words say
    the same. `unknown`: a word that no lexicon has.
    """

    distance: int = 0
    agrees: bool = True
    unknown: bool = False


NO_FEATURES = Features()


@dataclass
class NounPhrase:
    """A noun phrase: the tokens from `first` to `stop`, its name from `name`, its noun at `head`.

    `owner` is the phrase that it is a part of ("the wing of a ladybug"), `group` the one of whose
    objects it names some, `same` the one that named its object before.
    """

    first: int
    name: int
    head: int
    stop: int
    noun: str
    kind: Kind = "object"
    singular: str = ""
    concept: str = ""
    count: Count | None = None
    count_tokens: tuple[int, int] | None = None
    plural: bool = False
    definite: bool = False
    is_part: bool = False
    words: list[Word] = field(default_factory=list)
    owner: int | None = None
    group: int | None = None
    same: int | None = None
    features: Features = NO_FEATURES

    @property
    def is_several(self) -> bool:
        """Whether the phrase names several objects."""
        return self.plural or bool(self.count and self.count.least > 1)


class Link(NamedTuple):
    """A relation of the phrase `subject` to the phrase `target`; None for a place in the image."""

    subject: int
    words: str
    target: int | None
    first: int
    stop: int
    features: Features = NO_FEATURES


class Parse:
    """A prompt's tokens, its phrases in their order, and which phrase a token belongs to."""

    def __init__(self, doc: Doc, phrases: Sequence[NounPhrase], written: frozenset[int]) -> None:
        self.doc = doc
        self.words = [token.lower_ for token in doc]
        self.phrases = list(phrases)
        self.written = written
        self.by_token = {
            token: at
            for at, phrase in enumerate(phrases)
            for token in range(phrase.first, phrase.stop)
        }
        self.by_first = {phrase.first: at for at, phrase in enumerate(phrases)}
        # the phrase that a pronoun stands for, by its token
        self.referents: dict[int, int] = {}

    def is_object(self, at: int | None) -> bool:
        """Return whether a phrase names an object that is to be there."""
        return at is not None and self.phrases[at].kind == "object"

    def object_at(self, token: int) -> int | None:
        """Return the object that a token or its pronoun names; of "the top of a hill" the hill."""
        at = self.by_token.get(token, self.referents.get(token))
        if at is None or self.phrases[at].kind == "object":
            return at
        stop = self.phrases[at].stop
        if self.word(stop) == "of" and self.phrases[at].kind == "none":
            return self.object_at(stop + 1)
        return None

    def word(self, token: int) -> str:
        """Return a word in lower case, "" outside the text."""
        return self.words[token] if 0 <= token < len(self.words) else ""

    def objects_before(self, token: int, start: int = 0) -> list[int]:
        """Return the objects whose phrases end before a token and begin from `start` on."""
        return [
            at
            for at, phrase in enumerate(self.phrases)
            if phrase.stop <= token and phrase.first >= start and phrase.kind == "object"
        ]

    def noun(self, at: int) -> str:
        """Return the noun of a phrase."""
        return self.phrases[at].noun


def noun_singular(token: Token) -> str:
    """Return a noun's singular in lower case; "pants" and "glasses" that are worn stay."""
    word = str(token.lower_)
    if word in NOUNS["never_plural"] or is_plural_only(token):
        return word
    if word in NOUNS["invariant"] and word not in ("people", "dice"):
        return word
    singular = language.singular(word)
    if word.endswith("es") and not wordnet.has_noun(singular) and wordnet.has_noun(word[:-2]):
        singular = word[:-2]
    if word.endswith("men") and wordnet.has_noun(f"{word[:-2]}an"):
        return f"{word[:-2]}an"
    if singular == word or (wordnet.has_noun(word) and not wordnet.has_noun(singular)):
        return word
    return singular if token.tag_ in PLURAL_TAGS or not wordnet.has_noun(word) else word


def is_plural_noun(token: Token) -> bool:
    """Return whether a noun is written in the plural, and means several."""
    word = token.lower_
    if word in NOUNS["never_plural"] or is_plural_only(token):
        return False
    is_form = word in NOUNS["invariant"] or noun_singular(token) != word
    return (token.tag_ in PLURAL_TAGS and is_form) or word == "people"


def is_plural_only(token: Token) -> bool:
    """Return whether a noun is plural for one object, too: "pants", and "glasses" on a face."""
    word = token.lower_
    if word != "glasses":
        return word in NOUNS["plural_only"]
    around = [other.lower_ for other in token.doc[max(0, token.i - 8) : token.i + 2]]
    is_worn = any(other.startswith(("wear", "wore", "pair", "with")) for other in around)
    return is_worn and around[-1] != "of"


def is_article(word: str) -> bool:
    """Return whether a word is an article or stands in the place of one."""
    return word in MODIFIERS["article"]
