"""Holds what a prompt asks for: objects, how many, what describes them, how they stand, and texts.

A parser reads it from the words of the prompt, a language model or a person may write it; the
metrics compare it with what they see. Objects are named within their reading ("o1", "o2"), in the
order of the text. A `GoldReading` says what a right reading is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from hallascope.data.regions import Span

PICTURE = "picture"  # what an object stands in whose place the prompt says alone: "on the left"
ReadingSource = Literal["rules", "model", "person"]
# who reads a prompt: a model what the rules are not sure of, the rules alone, or a model always
PromptReader = Literal["auto", "rules", "model"]


@dataclass(frozen=True, kw_only=True)
class Count:
    """How many of an object a prompt asks for: at least `least`, at most `most` (None: no bound).

    `approximate`: the prompt says "about". Raises ValueError where nothing lies between.
    """

    least: int
    most: int | None
    approximate: bool = False

    def __post_init__(self) -> None:
        if self.least < 0 or (self.most is not None and self.most < self.least):
            raise ValueError(f"a count from {self.least} to {self.most} allows no number")

    @classmethod
    def exactly(cls, number: int) -> "Count":
        """Return the count of "two cats"."""
        return cls(least=number, most=number)

    @classmethod
    def at_least(cls, number: int) -> "Count":
        """Return the count of "at least two cats"."""
        return cls(least=number, most=None)

    @classmethod
    def at_most(cls, number: int) -> "Count":
        """Return the count of "no more than two cats"."""
        return cls(least=0, most=number)

    @classmethod
    def approximately(cls, number: int) -> "Count":
        """Return the count of "about ten cats": a fifth more or less, at least one, is right."""
        margin = max(1, number // 5)
        return cls(least=max(0, number - margin), most=number + margin, approximate=True)

    def allows(self, number: int) -> bool:
        """Return whether a number is right."""
        return self.least <= number and (self.most is None or number <= self.most)

    @property
    def exact(self) -> int | None:
        """The one number that is right; None where several are."""
        return self.least if self.least == self.most and not self.approximate else None


MANY = Count.at_least(2)  # of a plural without a number


@dataclass(frozen=True)
class AskedAttribute:
    """A word that describes an object, in lower case, and where the prompt says it."""

    value: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AskedObject:
    """An object that a prompt asks for, or asks not to show (`absent`).

    `name` is the name of one of them, `spans` are its mentions in the prompt. `count` is None where
    the prompt says none: "a cat", "the grass". `one_of` names the object of which this is one: of
    "three cubes; a red cube is on top" the red one.
    """

    id: str
    name: str
    spans: tuple[Span, ...] = ()
    count: Count | None = None
    count_spans: tuple[Span, ...] = ()
    attributes: tuple[AskedAttribute, ...] = ()
    absent: bool = False
    one_of: str = ""
    confidence: float = field(default=1.0, compare=False)

    @property
    def is_optional(self) -> bool:
        """Whether the prompt is content with none of it: "no more than two cats"."""
        return self.count is not None and self.count.least == 0

    @property
    def said_count(self) -> Count | None:
        """The count that the prompt says; None where a plural alone says that they are several."""
        return None if self.count == MANY and not self.count_spans else self.count


@dataclass(frozen=True)
class AskedRelation:
    """How the object `subject` stands to the object `target`, or what it does to it.

    `target` is `PICTURE` where the prompt says a place in the picture alone; `words` is "left",
    "right", "top", "bottom", "middle" or "corner" then. `confidence` in [0, 1] is the chance that
    it is read right.
    """

    subject: str
    words: str
    target: str
    spans: tuple[Span, ...] = ()
    confidence: float = field(default=1.0, compare=False)


@dataclass(frozen=True)
class AskedText:
    """Words to be written in the picture, and the object that they are written on, if known."""

    text: str
    span: Span | None = None
    on: str = ""


@dataclass(frozen=True)
class StyleWords:
    """Words about the picture that are no object: its medium, its quality, an artist, a flag."""

    text: str
    span: Span | None = None


@dataclass(frozen=True, kw_only=True)
class PromptReading:
    """Everything that a prompt asks for, as one reader reads it.

    `unreadable` is a sentence that says why there is no reading; there is nothing else then.
    `language` is the code of the prompt's language, as far as known; `translation` is the English
    that the words of the reading are taken from, where the prompt is in another language. `author`
    is the person whose reading it is, "" where that is not known or nobody's. `confidence` is the
    chance in [0, 1] that the rules read everything right, `fig_confidence` that they do so in what
    FiG and TIFA-style questions use (objects, counts, colors, places, texts). `unread` are words
    that no rule reads. Readings that differ in nothing else are equal.
    """

    prompt: str
    objects: tuple[AskedObject, ...] = ()
    relations: tuple[AskedRelation, ...] = ()
    texts: tuple[AskedText, ...] = ()
    style: tuple[StyleWords, ...] = ()
    language: str = "en"
    translation: str = ""
    unreadable: str = ""
    source: ReadingSource = "rules"
    author: str = ""
    confidence: float = field(default=1.0, compare=False)
    fig_confidence: float = field(default=1.0, compare=False)
    unread: tuple[Span, ...] = field(default=(), compare=False)

    @property
    def corrected_by(self) -> str:
        """The author where a person corrected it, "a person" without a name; else ""."""
        return (self.author or "a person") if self.source == "person" else ""

    def object(self, id: str) -> AskedObject:
        """Return the object of an id. Raises KeyError."""
        for asked in self.objects:
            if asked.id == id:
                return asked
        raise KeyError(id)


# strata whose prompts people wrote as sentences, for no template
NATURAL = ("coco", "drawbench", "t2i-compbench-complex")


@dataclass(frozen=True, kw_only=True)
class GoldObject:
    """An object of a gold reading; `names` are all that are right, the first of them its own.

    Readers may leave out an `optional` object, and find `optional_attributes` or not.
    """

    key: str
    names: tuple[str, ...]
    count: Count | None = None
    attributes: tuple[str, ...] = ()
    optional_attributes: tuple[str, ...] = ()
    absent: bool = False
    optional: bool = False
    one_of: str = ""


@dataclass(frozen=True, kw_only=True)
class GoldRelation:
    """A relation of a gold reading; `words` are all that are right."""

    subject: str
    words: tuple[str, ...]
    target: str
    optional: bool = False


@dataclass(frozen=True, kw_only=True)
class GoldText:
    """Words to be written in the picture, and the key of the object that they are on, if said."""

    text: str
    on: str = ""


@dataclass(frozen=True, kw_only=True)
class GoldReading:
    """What a prompt asks for; `stratum` is the kind of prompt, the name of its file.

    `unreadable` says why nobody can read the prompt, "" where it can be read. `language` is the
    code of the prompt's language.
    """

    prompt: str
    stratum: str
    objects: Mapping[str, GoldObject]
    relations: tuple[GoldRelation, ...] = ()
    texts: tuple[GoldText, ...] = ()
    style: tuple[str, ...] = ()
    language: str = "en"
    unreadable: str = ""

    @property
    def natural(self) -> bool:
        """Whether a person wrote the prompt as a sentence, for no template."""
        return self.stratum in NATURAL


def fit_to_prompt(reading: PromptReading, prompt: str) -> PromptReading:
    """Return a reading of the same prompt as it is written here, such as with other spaces.

    Where the two differ, all words of the reading are looked for anew.
    """
    if reading.prompt == prompt:
        return reading
    return find_places(replace(reading, prompt=prompt))


def find_places(reading: PromptReading) -> PromptReading:
    """Return a reading whose words have the places where its prompt has them."""
    prompt = reading.prompt

    def first(words: str) -> Span | None:
        return next(iter(find_words(prompt, words)), None)

    objects = tuple(
        replace(
            asked,
            spans=find_words(prompt, asked.name),
            count_spans=(),
            attributes=tuple(
                replace(word, spans=find_words(prompt, word.value)) for word in asked.attributes
            ),
        )
        for asked in reading.objects
    )
    return replace(
        reading,
        objects=objects,
        relations=tuple(
            replace(relation, spans=find_words(prompt, relation.words))
            for relation in reading.relations
        ),
        texts=tuple(replace(text, span=first(text.text)) for text in reading.texts),
        style=tuple(replace(words, span=first(words.text)) for words in reading.style),
    )


def find_words(prompt: str, words: str) -> tuple[Span, ...]:
    """Return where a prompt has some words, in any case, the last of them also in the plural."""
    pattern = rf"(?<!\w){re.escape(words)}(?:s|es)?(?!\w)"
    return tuple(match.span() for match in re.finditer(pattern, prompt, re.IGNORECASE))
