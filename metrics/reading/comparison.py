"""Compares what a parser reads from a prompt with a gold reading, element by element.

Objects are paired one to one, by their names first. A name is right where its noun is that of the
gold, and its other words are words of the gold's name or attributes: "wooden table" may be read as
a name or as a table that is wooden.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from hallascope.data.prompt_reading import (
    PICTURE,
    AskedObject,
    AskedRelation,
    Count,
    GoldObject,
    GoldReading,
    GoldRelation,
    PromptReading,
)
from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.language import COLORS
from hallascope.metrics.reading.words.relations import BOX_RELATIONS, INVERSE

ElementKind = Literal[
    "object", "count", "color", "attribute", "position", "relation", "text", "negation"
]
MISSING: Literal["missing"] = "missing"
WRONG: Literal["not asked for"] = "not asked for"
_EMPTY_WORDS = {"of", "the", "a", "an", "and", "with", "in", "colored", "shaped", "sized", "very"}


@dataclass(frozen=True)
class Mistake:
    """An element that a reading lacks, or has and the gold has not, in words."""

    kind: ElementKind
    what: Literal["missing", "not asked for"]
    words: str


class Element(NamedTuple):
    """An element that the gold has, a reading has, or both, in words."""

    kind: ElementKind
    gold: bool
    read: bool
    words: str


@dataclass
class ReadingComparison:
    """How a reading stands to the gold reading of its prompt."""

    gold: GoldReading
    reading: PromptReading
    elements: list[Element] = field(default_factory=list)

    @property
    def mistakes(self) -> list[Mistake]:
        """Return what only one of both has."""
        return [
            Mistake(element.kind, MISSING if element.gold else WRONG, element.words)
            for element in self.elements
            if element.gold != element.read
        ]

    def add(
        self, kind: ElementKind, gold: bool, read: bool, words: str, optional: bool = False
    ) -> None:
        """Add an element. What is optional in the gold counts nowhere."""
        if not optional:
            self.elements.append(Element(kind, gold, read, words))


def compare_reading(gold: GoldReading, reading: PromptReading) -> ReadingComparison:
    """Return how a reading stands to the gold reading of its prompt."""
    comparison = ReadingComparison(gold, reading)
    pairs = pair_objects(gold, reading)
    _compare_objects(comparison, pairs)
    _compare_relations(comparison, pairs)
    _compare_texts(comparison)
    return comparison


# --- objects


def pair_objects(gold: GoldReading, reading: PromptReading) -> Mapping[str, str]:
    """Return for each gold object that is read the id of the object it is read as.

    The pairs are those that agree most in all, in names, then in attributes and counts.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    keys = list(gold.objects)
    if not keys or not reading.objects:
        return {}
    fits = np.array([[_fit(gold.objects[key], asked) for asked in reading.objects] for key in keys])
    rows, columns = linear_sum_assignment(fits, maximize=True)
    return {
        keys[row]: reading.objects[column].id
        for row, column in zip(rows, columns, strict=True)
        if fits[row, column] > 0
    }


def _fit(gold: GoldObject, asked: AskedObject) -> float:
    """Return how well an object fits a gold one; 0 where its name is another."""
    if not _has_name_of(asked, gold):
        return 0.0
    required = _name_words(gold.names[0]) | _words(gold.attributes)
    read = _name_words(asked.name) | _attribute_words(asked)
    agreeing = len(read & required) - len(read ^ required) / 2
    agreeing += 2 * (gold.count == asked.count) + 2 * (gold.absent == asked.absent)
    return 100 + (0 if gold.optional else 10) + agreeing


def _compare_objects(comparison: ReadingComparison, pairs: Mapping[str, str]) -> None:
    reading = comparison.reading
    for key, gold in comparison.gold.objects.items():
        kind: ElementKind = "negation" if gold.absent else "object"
        if key not in pairs:
            comparison.add(kind, gold=True, read=False, words=key, optional=gold.optional)
            continue
        asked = reading.object(pairs[key])
        if gold.absent != asked.absent:
            comparison.add("negation", gold=gold.absent, read=asked.absent, words=key)
        elif _is_misnamed(gold, asked):
            comparison.add(kind, True, False, key, gold.optional)
            comparison.add(kind, False, True, asked.name, gold.optional)
        else:
            comparison.add(kind, True, True, key, gold.optional)
        _compare_counts(comparison, gold, asked)
        _compare_attributes(comparison, gold, asked)
    paired = set(pairs.values())
    for asked in reading.objects:
        if asked.id not in paired:
            kind = "negation" if asked.absent else "object"
            comparison.add(kind, gold=False, read=True, words=asked.name)


def _compare_counts(comparison: ReadingComparison, gold: GoldObject, asked: AskedObject) -> None:
    """Compare how many are asked for; of what must not be there no number counts."""
    if gold.absent or (gold.count == asked.count and bool(gold.one_of) == bool(asked.one_of)):
        if gold.count is not None and not gold.absent:
            comparison.add("count", gold=True, read=True, words=gold.key)
        return
    if gold.count is not None:
        comparison.add(
            "count", True, False, f"{_count_words(gold.count)} {gold.key}", gold.optional
        )
    if asked.count is not None:
        comparison.add(
            "count", False, True, f"{_count_words(asked.count)} {gold.key}", gold.optional
        )
    if bool(gold.one_of) != bool(asked.one_of):
        words = f"{gold.key} is one of {gold.one_of or asked.one_of}"
        comparison.add("count", bool(gold.one_of), bool(asked.one_of), words, gold.optional)


def _count_words(count: Count) -> str:
    if count.approximate:
        return f"about {count.least} to {count.most}"
    if count.most is None:
        return f"at least {count.least}"
    return str(count.least) if count.least == count.most else f"{count.least} to {count.most}"


def _compare_attributes(
    comparison: ReadingComparison, gold: GoldObject, asked: AskedObject
) -> None:
    required = _words(gold.attributes)
    allowed = required | _words(gold.optional_attributes) | _words(gold.names)
    read = _attribute_words(asked)
    read_anywhere = read | _name_words(asked.name)
    for word in sorted(required):
        is_read = word in read_anywhere
        comparison.add(_attribute_kind(word), True, is_read, f"{word} {gold.key}", gold.optional)
    for word in sorted(read - allowed):
        comparison.add(_attribute_kind(word), False, True, f"{word} {gold.key}", gold.optional)


def _attribute_kind(word: str) -> ElementKind:
    return "color" if word in COLORS else "attribute"


# --- names


def _has_name_of(asked: AskedObject, gold: GoldObject) -> bool:
    """Return whether the noun is that of one of the gold's names."""
    name = asked.name.casefold()
    return any(
        name == other.casefold() or _noun(name) == _noun(other.casefold()) for other in gold.names
    )


def _is_misnamed(gold: GoldObject, asked: AskedObject) -> bool:
    """Return whether a name lacks a word of the gold's names, or has one that is not the gold's."""
    name = asked.name.casefold()
    if any(name == other.casefold() for other in gold.names):
        return False
    read_words = _name_words(name) | _attribute_words(asked)
    lacks = all(
        not (_name_words(other) <= read_words and _noun(other.casefold()) == _noun(name))
        for other in gold.names
    )
    allowed = _words(gold.names) | _words(gold.attributes) | _words(gold.optional_attributes)
    return lacks or not _name_words(name) <= allowed


def _noun(name: str) -> str:
    """Return the noun of a name in the singular: "glass" of "glasses of wine"."""
    words = name.partition(" of ")[0].split()
    return language.singular(words[-1]) if words else name


def _name_words(name: str) -> set[str]:
    """Return the words of a name beside its noun."""
    return _words([name]) - {_noun(name.casefold())}


def _attribute_words(asked: AskedObject) -> set[str]:
    return _words([attribute.value for attribute in asked.attributes])


def _words(texts: Iterable[str]) -> set[str]:
    """Return the words of some texts in one spelling; "star-shaped" is "star"."""
    words = {
        language.singular(word)
        for text in texts
        for word in text.casefold().replace("-", " ").split()
    }
    return {language.one_spelling(word) for word in words} - _EMPTY_WORDS


# --- relations and texts


def _compare_relations(comparison: ReadingComparison, pairs: Mapping[str, str]) -> None:
    keys = {id: key for key, id in pairs.items()}
    unread = list(comparison.gold.relations)
    for relation in comparison.reading.relations:
        met = next((gold for gold in unread if _is_relation(relation, gold, keys)), None)
        if met:
            unread.remove(met)
            optional = met.optional or _is_optional(comparison.gold, met)
            comparison.add(_relation_kind(met.words), True, True, "", optional)
        # A relation of the gold that is read twice, in other words, is counted once.
        elif not any(_is_relation(relation, gold, keys) for gold in comparison.gold.relations):
            _add_unasked_relation(comparison, relation, keys)
    for gold in unread:
        words = f"{gold.subject} {gold.words[0]} {gold.target}"
        optional = gold.optional or _is_optional(comparison.gold, gold)
        comparison.add(_relation_kind(gold.words), True, False, words, optional)


def _add_unasked_relation(
    comparison: ReadingComparison, relation: AskedRelation, keys: Mapping[str, str]
) -> None:
    """Add a relation that the gold has not; of an optional object it counts nowhere."""
    objects = comparison.gold.objects
    ends = (keys.get(relation.subject), keys.get(relation.target))
    optional = any(key in objects and objects[key].optional for key in ends if key)
    words = mistake_words(comparison.reading, relation)
    comparison.add(_relation_kind((relation.words,)), False, True, words, optional)


def _is_optional(gold: GoldReading, relation: GoldRelation) -> bool:
    """Return whether one of the objects of a relation may be left out."""
    ends = [gold.objects.get(relation.subject), gold.objects.get(relation.target)]
    return any(end.optional for end in ends if end is not None)


def _is_relation(relation: AskedRelation, gold: GoldRelation, keys: Mapping[str, str]) -> bool:
    """Return whether a relation is that of the gold, said this way or the other way round."""
    subject = keys.get(relation.subject)
    target = PICTURE if relation.target == PICTURE else keys.get(relation.target)
    if (subject, target) == (gold.subject, gold.target):
        return any(_same_relation(relation.words, words) for words in gold.words)
    if (target, subject) == (gold.subject, gold.target):
        inverse = INVERSE.get(relation.words, "")
        return inverse in gold.words
    return False


def _same_relation(words: str, gold: str) -> bool:
    """Return whether two relations are one; of actions the verb decides."""
    if words == gold:
        return True
    if words in BOX_RELATIONS or gold in BOX_RELATIONS:
        return False
    return words.split()[0] == gold.split()[0]


def _relation_kind(words: Sequence[str]) -> ElementKind:
    return "position" if any(word in BOX_RELATIONS for word in words) else "relation"


def mistake_words(reading: PromptReading, relation: AskedRelation) -> str:
    """Return a relation in the words in which a mistake names it."""
    target = relation.target if relation.target == PICTURE else reading.object(relation.target).name
    return f"{reading.object(relation.subject).name} {relation.words} {target}"


def _compare_texts(comparison: ReadingComparison) -> None:
    gold = [_letters(text.text) for text in comparison.gold.texts]
    read = [_letters(text.text) for text in comparison.reading.texts]
    for text in dict.fromkeys((*gold, *read)):
        comparison.add("text", text in gold, text in read, text)


def _letters(text: str) -> str:
    """Return the letters and digits of a text in lower case, words apart."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())
