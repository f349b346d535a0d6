"""Reads which words before a name describe the thing: "a small, blue-eyed cat".

Words that are tied by a hyphen are one, unless they are colors; endings like "colored" add nothing
("a red colored car" is red). What a count or a determiner says describes nothing, nor does what
describes a group ("a large herd of cows").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Modifier
from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft
from hallascope.metrics.parsing.words.grammar import lemma
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import (
    ARTICLES,
    BODY_ADJECTIVES,
    COLORS,
    CONTAINERS,
    NEVER_DESCRIBE,
    UNITS,
)
from hallascope.metrics.parsing.words.number_words import QUANTIFIERS, number_value

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_NEVER_DESCRIBING_TAGS = ("DT", "PDT", "PRP$", "WP$", "WDT", "POS", "CC", "IN", "EX", "TO", "HYPH")
# "an odd looking toilet", "a red colored car"
_EMPTY_ENDINGS = wordset("colored coloured sized shaped looking like")
_DECADE = re.compile(r"(?:1[0-9]|20)[0-9]0'?s")


def describing_words(doc: Doc, draft: PhraseDraft) -> Iterator[Modifier]:
    """Yield the words before a name that describe it, and those within "glass of red wine"."""
    at = draft.described_from or draft.first
    count = draft.count
    while at < draft.name:
        stop = _compound_end(doc, at, draft.name)
        is_counted = count is not None and count.start <= at < count.stop
        if not is_counted:
            yield from _words(doc, at, stop)
        at = stop
    for token in draft.inner_modifiers:
        yield from _words(doc, token, token + 1)


def modifier(token: Token) -> Modifier:
    """Return a word that describes, with its place."""
    return Modifier(token.lower_, (token.idx, token.idx + len(token)))


def _compound_end(doc: Doc, at: int, last: int) -> int:
    """Return the end of the words that are tied to a word, by hyphens or as "blue eyed" is."""
    stop = at + 1
    if stop < last and doc[stop].lower_ in BODY_ADJECTIVES and doc[at].lower_ in COLORS:
        return stop + 1
    while stop + 1 < last and doc[stop].text == "-" and not doc[stop].whitespace_:
        stop += 2
    return stop


def _words(doc: Doc, start: int, stop: int) -> Iterator[Modifier]:
    tokens = [token for token in doc[start:stop] if token.text != "-"]
    if len(tokens) > 1 and not _is_of_colors(tokens):
        if tokens[-1].lower_ in ("colored", "coloured"):
            tokens = tokens[:-1]
        first, last = tokens[0], tokens[-1]
        span = (first.idx, last.idx + len(last))
        yield Modifier(doc.text[slice(*span)].lower(), span)
        return
    yield from (modifier(token) for token in tokens if _describes(token))


def _is_of_colors(tokens: list[Token]) -> bool:
    """Return whether each word is a color of its own: "black-and-white", "red-colored"."""
    words = {token.lower_ for token in tokens} - {"and", "colored", "coloured"}
    return words <= COLORS


def _describes(token: Token) -> bool:
    """Return whether a single word describes: no article, number, container, unit or owner."""
    word = token.lower_
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    if _DECADE.fullmatch(word):
        return True
    if word in ARTICLES | CONTAINERS | QUANTIFIERS | NEVER_DESCRIBE | _EMPTY_ENDINGS:
        return False
    if lemma(token) in CONTAINERS or number_value(word) is not None:
        return False
    if word in UNITS and token.i > 0 and number_value(token.nbor(-1).lower_) is not None:
        return False
    if following is not None and following.tag_ == "POS":
        return False
    return bool(token.is_alpha) and token.tag_ not in _NEVER_DESCRIBING_TAGS
