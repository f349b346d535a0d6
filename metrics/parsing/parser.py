"""Parses a text into noun phrases, positions, actions and quoted words.

The steps, each in its module: the text is prepared (`plain_text`), spaCy's small English model
reads it (`spacy_model`), names of the lexicon are found (`known_names`), noun phrases are read
(`noun_phrases`, with `chunks`, `counts`, `of_phrases` and `negation`), pronouns are tied to them
(`pronouns`), words that describe them from elsewhere are added (`modifiers`), and then positions
(`positions`) and actions (`actions`) between them are read. Rules for things in a row are in
`coordination`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.phrase_index import PhraseIndex
from hallascope.metrics.parsing.plain_text import (
    attribute_quote,
    find_quotes,
    mask_quotes,
    plain_text,
    restore_places,
)
from hallascope.metrics.parsing.rules.actions import find_actions
from hallascope.metrics.parsing.rules.coordination import mark_parts
from hallascope.metrics.parsing.rules.drafts import PhraseDraft
from hallascope.metrics.parsing.rules.known_names import known_names
from hallascope.metrics.parsing.rules.modifiers import add_modifiers
from hallascope.metrics.parsing.rules.noun_phrases import draft_phrases, make_phrase
from hallascope.metrics.parsing.rules.positions import find_positions
from hallascope.metrics.parsing.rules.pronouns import find_referents
from hallascope.metrics.parsing.words.noun_words import COLORS
from hallascope.metrics.parsing.words.spacy_model import LOCK, load_model

if TYPE_CHECKING:
    from spacy.tokens import Doc

# characters of a text; the parser's time and memory grow with them, and it raises at a million
LONGEST = 8_000


class TextTooLong(ValueError):
    """A text is longer than `LONGEST`; the message says by how much."""


def parse(text: str, describing: frozenset[str] = frozenset()) -> Parsed:
    """Return what a text says.

    `describing`: words, in lower case, that describe a thing and never belong to its name, beside
    the colors.

    Places are counted in characters of the text. Raises TextTooLong above `LONGEST` characters,
    which is more than any prompt and any caption may have, and ParserMissing, where spaCy's English
    model is not installed; nothing else.
    """
    if len(text) > LONGEST:
        raise TextTooLong(
            f"a text of {len(text):,} characters is not parsed: give at most {LONGEST:,}"
        )
    return _parse(text, COLORS | describing)


@lru_cache(maxsize=512)
def _parse(text: str, describing: frozenset[str]) -> Parsed:
    plain = plain_text(text)
    if not plain.text:
        return Parsed(text)
    with LOCK:
        doc = load_model()(mask_quotes(plain.text))
        parsed = _read(doc, plain.text, describing)
    return restore_places(parsed, text, plain)


def _read(doc: Doc, text: str, describing: frozenset[str]) -> Parsed:
    """Return what a parsed text says, with places in the parser's text."""
    quotes = find_quotes(text)
    quoted = frozenset(
        token.i for token in doc if any(start <= token.idx < stop for start, stop in quotes)
    )
    names = list(known_names(doc, describing, quoted))
    drafts = draft_phrases(doc, names, quoted, describing)
    tokens = [range(draft.first, draft.stop) for draft in drafts]
    phrases = mark_parts(text, _make_phrases(doc, drafts))
    referents = find_referents(doc, PhraseIndex(phrases, tokens))
    phrases = add_modifiers(doc, PhraseIndex(phrases, tokens, referents), describing)
    positions = find_positions(doc, PhraseIndex(phrases, tokens), quoted)
    return Parsed(
        text,
        phrases=tuple(phrases),
        positions=positions,
        quotes=tuple(attribute_quote(text, span, phrases) for span in quotes),
        actions=find_actions(doc, PhraseIndex(phrases, tokens, referents), positions),
    )


def _make_phrases(doc: Doc, drafts: Sequence[PhraseDraft]) -> list[Phrase]:
    """Return the phrases, each with its sentence and what it owns."""
    sentence_starts = [sentence.start for sentence in doc.sents]
    by_head = {draft.head: index for index, draft in enumerate(drafts)}
    phrases = []
    for draft in drafts:
        sentence = sum(start <= draft.first for start in sentence_starts)
        owned = None if draft.owned is None else by_head.get(draft.owned)
        phrases.append(replace(make_phrase(doc, draft, sentence), owned=owned))
    return phrases
