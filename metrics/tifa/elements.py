"""Finds the elements that a prompt names, by rule, without a model or a parser.

They are things, their numbers and colors, and how they stand to each other.

Our reading: a thing is a run of words between articles, prepositions, verbs and signs; the names of
the lexicon are known as they are. It reads short prompts well and makes mistakes in long ones, as
every list of words does.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from hallascope.data.lexicon import NamedThing, noun_forms
from hallascope.metrics.parsing.words import language

MOST = 8  # things a prompt is asked about
_LONGEST = 6  # words in a name of the lexicon
_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[^\w\s]")
_PREFIX = re.compile(
    r"^\s*(?:an?|the)?\s*(?:image|picture|photo|photograph|drawing|illustration|painting) of\b",
    re.IGNORECASE,
)
# what stands between two things -> how the first stands to the second; the longest first
RELATIONS: dict[str, str] = {
    "to the left of": "to the left of",
    "to the right of": "to the right of",
    "left of": "to the left of",
    "right of": "to the right of",
    "in front of": "in front of",
    "on top of": "on",
    "next to": "next to",
    "beside": "next to",
    "near": "next to",
    "above": "above",
    "over": "above",
    "below": "below",
    "under": "under",
    "underneath": "under",
    "beneath": "under",
    "behind": "behind",
    "inside": "in",
    "on": "on",
    "in": "in",
}
_DETERMINERS = language.wordset(
    "a an the this that these those his her its their my our your some one"
)
_DENYING = (
    "without",
    "no",
    "or",
    "nor",
)  # "or" goes on with what the thing before it was said to be
_VERBS = language.wordset(
    "sits stands lies runs walks flies swims jumps holds wears eats drinks plays looks shows stands"
    " rides carries hangs grows shining held worn made seen shown painted dressed covered"
    " surrounded filled placed set hanging"
)
_NO_VERBS = language.wordset(
    "ring king wing building painting string spring ceiling wedding evening morning lightning"
    " clothing pudding duckling sapling"
)
_ADJECTIVES = language.wordset(
    "big small large little tiny huge giant tall short long old young new beautiful cute happy sad"
    " bright dark light colorful simple realistic detailed single whole any"
)


@dataclass(frozen=True, kw_only=True)
class PromptThing:
    """Holds a thing of the prompt.

    `name` as the prompt says it; `many`: more than one; `count` where a number stands before it.

    `article` is "a", "the", or "" where the prompt has none. `known` where the lexicon has it.
    `absent`: the prompt says that it is not there ("without a hat", "no hat").
    """

    name: str
    many: bool = False
    count: int | None = None
    colour: str | None = None
    article: str = ""
    known: NamedThing | None = None
    absent: bool = False

    @property
    def singular(self) -> str:
        """Return the name of one of them, without article."""
        if self.known:
            return self.known.name
        first, space, last = self.name.rpartition(" ")
        return f"{first}{space}{language.singular(last)}" if self.many else self.name

    @property
    def plural(self) -> str:
        if self.known:
            return self.known.plural
        return self.name if self.many else language.plural(self.name)

    @property
    def name_phrase(self) -> str:
        """Return the name as a question uses it."""
        return self.plural if self.many else self.singular


@dataclass(frozen=True)
class ThingRelation:
    """Holds how the first of two things stands to the second, in words of `RELATIONS`."""

    first: PromptThing
    words: str
    second: PromptThing


class Elements(NamedTuple):
    """Holds the things of a prompt in order, none twice, and the relations between neighbors."""

    things: tuple[PromptThing, ...]
    relations: tuple[ThingRelation, ...]


def elements(prompt: str) -> Elements:
    """Return what a prompt names. Never raises; a prompt that names nothing has no elements."""
    reader = _ElementReader(_TOKEN.findall(unicodedata.normalize("NFKC", _PREFIX.sub("", prompt))))
    reader.read_elements()
    return Elements(tuple(reader.things), tuple(reader.relations))


@cache
def _known_names() -> Mapping[str, tuple[NamedThing, bool]]:
    """Return every form of the lexicon in lower case, and whether it is a plural."""
    forms = noun_forms().items()
    return {
        form: (noun.thing, noun.plural and form != noun.thing.name.casefold())
        for form, noun in forms
    }


def _is_verb(word: str) -> bool:
    """Our reading: a verb is what stands in a short list, or ends as a participle does."""
    return word in _VERBS or (
        len(word) > 5 and word.endswith(("ing", "ed")) and word not in _NO_VERBS
    )


class _ElementReader:
    """Reads the words of a prompt one after the other.

    What was read of the next thing is open until a word ends it.
    """

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.plain = [token.casefold() for token in tokens]
        self.things: list[PromptThing] = []
        self.relations: list[ThingRelation] = []
        self._relation: tuple[PromptThing, str] | None = None
        self._last: PromptThing | None = None
        self._denies = False  # of the next thing it is said that it is not there
        self._denied = False  # so it is of the thing that was read last
        self._begin()

    def read_elements(self) -> None:
        at = 0
        while at < len(self.tokens):
            at += self._take_known_name(at) or self._take_relation(at) or self._word(at)
        self._end()

    def _begin(self) -> None:
        self._words: list[str] = []
        self._article = ""
        self._count: int | None = None
        self._colour: str | None = None

    def _take_known_name(self, at: int) -> int:
        """Takes a name of the lexicon that ends its run of words; how many words it has."""
        for length in range(min(_LONGEST, len(self.tokens) - at), 0, -1):
            found = _known_names().get(" ".join(self.plain[at : at + length]))
            if found and not self._runs_on(at + length):
                thing, plural = found
                many = plural or (self._count or 1) > 1
                self._take(
                    PromptThing(
                        name=thing.name,
                        many=many,
                        count=self._count,
                        colour=self._colour,
                        known=thing,
                    )
                )
                return length
        return 0

    def _runs_on(self, at: int) -> bool:
        return at < len(self.plain) and not self._ends(self.plain[at])

    def _take_relation(self, at: int) -> int:
        """Takes what tells how two things stand to each other; how many words it has."""
        for words, relation in RELATIONS.items():
            length = len(words.split())
            if " ".join(self.plain[at : at + length]) == words:
                self._end()
                if self._last:
                    self._relation = (self._last, relation)
                return length
        return 0

    def _word(self, at: int) -> int:
        word = self.plain[at]
        number = language.number(word)
        if number and not self._words:
            self._count = number
            self._article = "a"
        elif word in _DENYING:
            self._end()
            self._denies = word in ("without", "no") or self._denied
        elif word in _DETERMINERS:
            self._end()
            self._article = "a" if word in ("a", "an", "some", "one") else "the"
        elif word in language.COLORS:
            self._colour = word if not self._words else self._colour
        elif self._ends(word):
            if self._words or not (
                word == "," or _is_verb(word)
            ):  # "two running dogs" and "big, brown dogs" go on
                self._end()
        elif word not in _ADJECTIVES:
            self._words.append(self.tokens[at])
        return 1

    @staticmethod
    def _ends(word: str) -> bool:
        """Return whether the word cannot be part of a name."""
        return not word[0].isalpha() or word in language.STOP or _is_verb(word)

    def _end(self) -> None:
        """Takes the thing that is open, if there is one."""
        if self._words:
            name = " ".join(self._words)
            last = self._words[-1].casefold()
            many = (self._count or 0) > 1 or (
                self._count is None and not self._article and language.singular(last) != last
            )
            self._take(
                PromptThing(
                    name=name,
                    many=many,
                    count=self._count,
                    colour=self._colour,
                    article=self._article,
                )
            )
        elif self._count or self._colour:
            self._begin()

    def _take(self, thing: PromptThing) -> None:
        self._begin()
        self._denied = self._denies
        self._denies = False
        if self._denied:
            if len(self.things) < MOST:
                self.things.append(
                    replace(
                        thing, absent=True, article=thing.article or ("" if thing.many else "a")
                    )
                )
            self._relation = None
            return
        known = next(
            (one for one in self.things if one.singular.casefold() == thing.singular.casefold()),
            None,
        )
        if known is None and len(self.things) < MOST:
            self.things.append(thing)
        self._last = known or thing
        if self._relation and self._relation[0] != self._last:
            self.relations.append(ThingRelation(self._relation[0], self._relation[1], self._last))
        self._relation = None
