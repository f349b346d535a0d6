"""Finds the names of the lexicon in a text: concepts of the Primer world, and compounds.

Such a name stands as it is, whatever the parser makes of its words: "traffic light", "the planet
Saturn", "woman in a hanbok".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hallascope.data.lexicon import GENERAL, noun_forms, vocabulary
from hallascope.metrics.reading.rules.counts import leading_count, set_count
from hallascope.metrics.reading.rules.elements import NounPhrase, is_article, noun_singular
from hallascope.metrics.reading.words import language

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span


class _Form(NamedTuple):
    """One form of a name: its concept ("" for none) and its singular."""

    concept: str
    singular: str
    plural: bool = False


def name_known(doc: Doc, phrases: Sequence[NounPhrase]) -> list[NounPhrase]:
    """Return the phrases with the names of the lexicon, the longest at each place.

    "Square" is no name in "square table", nor is "bat" in "baseball bat".
    """
    named = list(phrases)
    owners = [(phrase, phrases[phrase.owner]) for phrase in phrases if phrase.owner is not None]
    for match in _pattern().finditer(doc.text):
        span = doc.char_span(*match.span())
        inside = [phrase for phrase in named if span and span.start <= phrase.head < span.end]
        if span is None:
            continue
        if not inside and len(span) > 1:
            inside = [_new_phrase(doc, span)]
            named = sorted([*named, *inside], key=lambda phrase: phrase.head)
        if not inside:
            continue
        phrase = inside[0]
        if phrase.name < span.start or inside[-1].stop > span.end or phrase.kind == "absent":
            continue
        form = _forms()[match[0].lower()]
        is_written = form.singular.casefold() == match[0].casefold()
        phrase.first = _first(doc, min(phrase.first, span.start))
        phrase.name, phrase.stop = span.start, span.end
        phrase.singular = match[0] if is_written else form.singular
        phrase.concept = form.concept
        phrase.words = [word for word in phrase.words if word.stop <= span.start]
        phrase.plural = form.plural
        if form.plural:
            set_count(phrase, leading_count(doc, phrase.first, span.start, is_plural=True))
        if form.concept and (len(span) > 1 or span[0].is_title):
            phrase.kind = "object"
        named = [other for other in named if other is phrase or other not in inside]
    for part, owner in owners:
        part.owner = next((at for at, phrase in enumerate(named) if phrase is owner), None)
    return named


def _new_phrase(doc: Doc, span: Span) -> NounPhrase:
    """Return the phrase of a name in which the parser sees no noun: "a Roman legionary"."""
    head = span.end - 1
    return NounPhrase(span.start, span.start, head, span.end, noun_singular(doc[head]))


def _first(doc: Doc, start: int) -> int:
    """Return where a phrase begins: at the article or number before a name, if there is one."""
    before = doc[start - 1] if start else None
    if before is not None and (is_article(before.lower_) or before.tag_ == "CD"):
        return start - 1
    return start


@cache
def _forms() -> Mapping[str, _Form]:
    """Return every form of the lexicon and of the compounds of the general vocabulary."""
    forms = {
        form: _Form(noun.thing.name, noun.thing.name if noun.plural else form, noun.plural)
        for form, noun in noun_forms().items()
    }
    for name in vocabulary(GENERAL):
        if " " in name:
            forms.setdefault(name, _Form("", name))
            forms.setdefault(language.plural(name), _Form("", name, True))
    return forms


@cache
def _pattern() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(_forms(), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{names})(?![\w-])", re.IGNORECASE)
