"""Finds the names of the lexicon in a parsed text: things of the Primer world, and compounds.

Such names stand as they are, whatever the parser makes of their words: "a traffic light", "the
planet Saturn".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hallascope.data.lexicon import GENERAL, noun_forms, read_vocabulary
from hallascope.metrics.parsing.words import language
from hallascope.metrics.parsing.words.grammar import NOUNS
from hallascope.metrics.parsing.words.number_words import NUMBERS

if TYPE_CHECKING:
    from spacy.tokens import Doc


class LexiconForm(NamedTuple):
    """One form of a name: its concept, if any, its singular, and whether it is a plural."""

    concept: str
    singular: str
    plural: bool


@dataclass(frozen=True)
class KnownName:
    """A name of the lexicon in a text: its tokens, its concept, if any, and its singular."""

    start: int
    stop: int
    concept: str
    singular: str
    plural: bool


@cache
def vocabulary(name: str) -> tuple[str, ...]:
    """Return the names of the things of a vocabulary."""
    return tuple(thing.name for thing in read_vocabulary(name))


def known_names(
    doc: Doc, describing: frozenset[str], quoted: frozenset[int]
) -> Iterator[KnownName]:
    """Yield the names in a text, the longest at each place; none where the words are quoted."""
    forms = _forms()
    for match in _pattern().finditer(doc.text):
        span = doc.char_span(*match.span())
        if span is None or span.start in quoted:
            continue
        if _runs_on(doc, span.end - 1) or not _is_name(doc, span.start, span.end, describing):
            continue
        form = forms[match[0].lower()]
        # as the text writes it, where that is the same word
        is_same = form.singular.casefold() == match[0].casefold()
        yield KnownName(
            span.start,
            span.end,
            form.concept,
            match[0] if is_same else form.singular,
            form.plural,
        )


@cache
def _forms() -> Mapping[str, LexiconForm]:
    """Return every form of the lexicon and of the compounds of the general vocabulary."""
    forms = {
        form: LexiconForm(noun.thing.name, noun.thing.name if noun.plural else form, noun.plural)
        for form, noun in noun_forms().items()
    }
    for name in vocabulary(GENERAL):
        if " " in name:
            forms.setdefault(name, LexiconForm("", name, False))
            forms.setdefault(language.plural(name), LexiconForm("", name, True))
    return forms


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_forms(), key=len, reverse=True)
    names = "|".join(re.escape(name) for name in longest_first)
    return re.compile(rf"(?<![\w-])(?:{names})(?![\w-])", re.IGNORECASE)


def _runs_on(doc: Doc, last: int) -> bool:
    """Return whether a name goes on: "square" of "square table", "star" of "star-shaped"."""
    if last + 1 >= len(doc):
        return False
    following = doc[last + 1]
    if following.tag_ == "HYPH" or following.lower_ in ("colored", "coloured", "shaped"):
        return True
    return (
        following.pos_ in NOUNS
        and doc[last].head.i > last
        and doc[last].dep_ in ("compound", "amod", "nmod")
    )


def _is_name(doc: Doc, start: int, stop: int, describing: frozenset[str]) -> bool:
    """Return whether a name of one word names a thing where it stands.

    It does not in "she crosses the street" and in "baseball bat".
    """
    if stop - start > 1 or start == 0:
        return True
    before = doc[start - 1]
    if before.tag_ in ("DT", "CD", "PRP$"):
        return True
    if before.lower_ in describing or before.lower_ in NUMBERS:
        return True
    is_compound = before.pos_ in NOUNS and before.dep_ == "compound" and before.head.i == start
    return doc[start].pos_ in NOUNS and not is_compound
