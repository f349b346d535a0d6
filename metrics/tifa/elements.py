"""Finds the elements that a prompt names, by rule, without a model or a parser.

They are things, their numbers and colors, and how they stand to each other.

Our reading: a thing is a run of words between articles, prepositions, verbs and signs; the names of
the lexicon are known as they are. It reads short prompts well and makes mistakes in long ones, as
every list of words does.
"""

import re
import unicodedata
from dataclasses import dataclass, field, replace

from hallascope.data.lexicon import NamedThing, noun_forms
from hallascope.metrics.parsing.words import language

MOST = 8  # things a prompt is asked about
_LONGEST = 6  # words in a name of the lexicon
_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[^\w\s]")
_PREFIX = re.compile(
    r"^\s*(?:an?|the)?\s*(?:image|picture|photo|photograph|drawing|illustration|painting) of\b",
    re.IGNORECASE,
)
# What stands between two things, and how the first then stands to the second; the longest first.
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
# "or" and "nor" go on with what the thing before them was said to be: absent or there.
_DENYING = ("without", "no", "or", "nor")
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
    color: str | None = None
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
        """Return the name of several, without article."""
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


@dataclass(frozen=True)
class Elements:
    """Holds the things of a prompt in order, none twice, and the relations between neighbors."""

    things: tuple[PromptThing, ...]
    relations: tuple[ThingRelation, ...]


def elements(prompt: str) -> Elements:
    """Return what a prompt names. Never raises; a prompt that names nothing has no elements."""
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", _PREFIX.sub("", prompt)))
    reader = _ElementReader(tokens)
    reader.read_elements()
    return Elements(tuple(reader.things), tuple(reader.relations))


def _is_verb(word: str) -> bool:
    """Our reading: a verb is what stands in a short list, or ends as a participle does."""
    is_participle = len(word) > 5 and word.endswith(("ing", "ed")) and word not in _NO_VERBS
    return word in _VERBS or is_participle


def _ends_name(word: str) -> bool:
    """Return whether the word cannot be part of a name."""
    return not word[0].isalpha() or word in language.STOP or _is_verb(word)


@dataclass
class _OpenThing:
    """Holds what was read of a thing that no word has ended yet."""

    words: list[str] = field(default_factory=list)
    article: str = ""
    count: int | None = None
    color: str | None = None


class _ElementReader:
    """Reads the words of a prompt one after the other.

    What was read of the next thing is open until a word ends it.
    """

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.plain = [token.casefold() for token in tokens]
        self.things: list[PromptThing] = []
        self.relations: list[ThingRelation] = []
        self._open = _OpenThing()
        self._last: PromptThing | None = None
        # How the last thing stands to the next one, "" where nothing is said of it.
        self._relation = ""
        # Whether the next thing, and the last one, are said not to be there.
        self._next_is_absent = False
        self._last_is_absent = False

    def read_elements(self) -> None:
        """Read all words, and leave what they name in `things` and `relations`."""
        at = 0
        while at < len(self.tokens):
            at += self._read_known_name(at) or self._read_relation(at) or self._read_word(at)
        self._close()

    def _read_known_name(self, at: int) -> int:
        """Read a name of the lexicon that ends its run of words; return how many words it has."""
        for length in range(min(_LONGEST, len(self.tokens) - at), 0, -1):
            stop = at + length
            form = " ".join(self.plain[at:stop])
            noun = noun_forms().get(form)
            goes_on = stop < len(self.plain) and not _ends_name(self.plain[stop])
            if noun is None or goes_on:
                continue
            is_plural = noun.plural and form != noun.thing.name.casefold()
            self._add(
                PromptThing(
                    name=noun.thing.name,
                    many=is_plural or (self._open.count or 1) > 1,
                    count=self._open.count,
                    color=self._open.color,
                    known=noun.thing,
                )
            )
            return length
        return 0

    def _read_relation(self, at: int) -> int:
        """Read how two things stand to each other; return how many words say it."""
        for words, relation in RELATIONS.items():
            length = len(words.split())
            if " ".join(self.plain[at : at + length]) == words:
                self._close()
                if self._last:
                    self._relation = relation
                return length
        return 0

    def _read_word(self, at: int) -> int:
        """Read any other word; return 1, as that is one."""
        word = self.plain[at]
        number = language.number(word)
        if number and not self._open.words:
            self._open.count = number
            self._open.article = "a"
        elif word in _DENYING:
            self._close()
            self._next_is_absent = word in ("without", "no") or self._last_is_absent
        elif word in _DETERMINERS:
            self._close()
            self._open.article = "a" if word in ("a", "an", "some", "one") else "the"
        elif word in language.COLORS:
            if not self._open.words:
                self._open.color = word
        elif _ends_name(word):
            # Before a name commas and verbs go on: "two running dogs", "big, brown dogs".
            if self._open.words or (word != "," and not _is_verb(word)):
                self._close()
        elif word not in _ADJECTIVES:
            self._open.words.append(self.tokens[at])
        return 1

    def _close(self) -> None:
        """Add the open thing, if it has a name; else forget its number and color."""
        thing = self._open
        if not thing.words:
            # An article alone stays: it belongs to the name that comes.
            if thing.count or thing.color:
                self._open = _OpenThing()
            return
        last = thing.words[-1].casefold()
        is_bare = thing.count is None and not thing.article
        self._add(
            PromptThing(
                name=" ".join(thing.words),
                many=(thing.count or 0) > 1 or (is_bare and language.singular(last) != last),
                count=thing.count,
                color=thing.color,
                article=thing.article,
            )
        )

    def _add(self, thing: PromptThing) -> None:
        """Add a thing, unless it is known, with its relation to the last one."""
        self._open = _OpenThing()
        relation = self._relation
        self._relation = ""
        self._last_is_absent = self._next_is_absent
        self._next_is_absent = False
        if self._last_is_absent:
            article = thing.article or ("" if thing.many else "a")
            if len(self.things) < MOST:
                self.things.append(replace(thing, absent=True, article=article))
            return
        name = thing.singular.casefold()
        known = [other for other in self.things if other.singular.casefold() == name]
        if not known and len(self.things) < MOST:
            self.things.append(thing)
        previous = self._last
        self._last = known[0] if known else thing
        if relation and previous and previous != self._last:
            self.relations.append(ThingRelation(previous, relation, self._last))
