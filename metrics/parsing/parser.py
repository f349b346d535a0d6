"""Parses a text into noun phrases, positions, actions and quoted words.

The steps, in this order:

1. Flags and words of style are taken out (`flags`, `style`), and quoted words are masked
   (`plain_text`).
2. spaCy's small English model reads the text (`words.spacy_model`); what it often gets wrong is
   repaired (`rules.repairs`).
3. Noun phrases are read (`rules.noun_phrases`): names, counts, describing words, negation.
4. Words that stand for a thing named elsewhere are tied to it (`rules.references`).
5. Positions and actions between things are read (`rules.relations`).

`rules.coordination` reads things in a row ("a cat and a dog") for all of these steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from hallascope.data.prompt_reading import StyleWords
from hallascope.data.regions import Span
from hallascope.metrics.parsing.flags import find_flags
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.phrase_index import PhraseIndex
from hallascope.metrics.parsing.plain_text import (
    attribute_quote,
    find_quotes,
    mask_quotes,
    plain_text,
    restore_places,
    says_text,
)
from hallascope.metrics.parsing.rules.coordination import mark_parts
from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft
from hallascope.metrics.parsing.rules.noun_phrases.known_names import known_names
from hallascope.metrics.parsing.rules.noun_phrases.modifiers import add_modifiers
from hallascope.metrics.parsing.rules.noun_phrases.phrases import draft_phrases, make_phrase
from hallascope.metrics.parsing.rules.references.appositions import mark_appositions
from hallascope.metrics.parsing.rules.references.ellipsis import add_ellipses, name_like
from hallascope.metrics.parsing.rules.references.pronouns import find_referents
from hallascope.metrics.parsing.rules.relations.actions import find_actions
from hallascope.metrics.parsing.rules.relations.positions import find_positions
from hallascope.metrics.parsing.rules.repairs.clause_subjects import repair_clause_subjects
from hallascope.metrics.parsing.rules.repairs.inversions import repair_inversions
from hallascope.metrics.parsing.rules.repairs.misparses import repair_misparses
from hallascope.metrics.parsing.rules.repairs.side_places import repair_side_places
from hallascope.metrics.parsing.rules.repairs.tags import add_tag_modifiers, repair_tags
from hallascope.metrics.parsing.rules.repairs.tokens import repair_tokens
from hallascope.metrics.parsing.style import find_style, part_glued_counts
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
    edits = find_flags(text)
    tags = find_style(text, edits)
    part_glued_counts(text, edits)
    style = tuple(sorted(edits.style, key=_place))
    excluded = [phrase for span in edits.excluded for phrase in _excluded(text, span, describing)]
    plain = plain_text(text, edits.characters)
    if not plain.text:
        return Parsed(text, style=style, phrases=tuple(excluded))
    starts = [plain.plain(tag.start) for tag in tags]
    with LOCK:
        doc = _read_by_model(mask_quotes(plain.text), starts)
        parsed = _read(doc, plain.text, describing, starts)
    restored = restore_places(parsed, text, plain)
    return replace(restored, style=style, phrases=(*restored.phrases, *excluded))


def _place(words: StyleWords) -> Span:
    return words.span or (0, 0)


def _excluded(text: str, span: Span, describing: frozenset[str]) -> Iterator[Phrase]:
    """Yield the phrases of what "--no" asks not to show, as absent."""
    for phrase in _parse(f"{' ' * span[0]}{text[slice(*span)]}", describing).things:
        yield replace(phrase, is_thing=False, absent=True)


def _read_by_model(text: str, starts: Sequence[int]) -> Doc:
    """Return what spaCy's model reads; a tag begins at each of `starts`, as a sentence does.

    What follows a semicolon is a sentence, too: "Portrait of a beekeeper; dozens of bees fly".
    """
    model = load_model()
    # the model takes words in capitals for names
    doc = model.make_doc(
        text.lower() if text.isupper() and len(text.lower()) == len(text) else text
    )
    sentence_starts = {*starts, *(token.idx for token in doc[1:] if token.nbor(-1).text == ";")}
    for token in doc:
        if token.idx in sentence_starts:
            token.is_sent_start = True
    doc = repair_misparses(model(doc), model, sentence_starts)
    repair_tags(doc, starts)
    repair_tokens(doc)
    repair_inversions(doc)
    repair_clause_subjects(doc)
    repair_side_places(doc)
    return doc


def _read(doc: Doc, text: str, describing: frozenset[str], tag_starts: Sequence[int]) -> Parsed:
    """Return what a parsed text says, with places in the parser's text."""
    quotes = find_quotes(text)
    quoted = frozenset(
        token.i for token in doc if any(start <= token.idx < stop for start, stop in quotes)
    )
    names = list(known_names(doc, describing, quoted))
    drafts = draft_phrases(doc, names, quoted, describing)
    drafts = add_ellipses(doc, drafts, quoted)
    mark_appositions(doc, drafts)
    tokens = [range(draft.first, draft.stop) for draft in drafts]
    phrases = mark_parts(text, _make_phrases(doc, drafts))
    phrases = add_tag_modifiers(doc, phrases, tokens, tag_starts, describing)
    referents = find_referents(doc, PhraseIndex(phrases, tokens))
    phrases = add_modifiers(doc, PhraseIndex(phrases, tokens, referents), describing)
    positions = find_positions(doc, PhraseIndex(phrases, tokens, referents), quoted)
    actions = find_actions(doc, PhraseIndex(phrases, tokens, referents), positions)
    return Parsed(
        text,
        phrases=tuple(phrases),
        positions=positions,
        quotes=tuple(attribute_quote(text, span, phrases, actions) for span in quotes),
        actions=tuple(
            action for action in actions if not any(says_text(action, span) for span in quotes)
        ),
    )


def _make_phrases(doc: Doc, drafts: Sequence[PhraseDraft]) -> list[Phrase]:
    """Return the phrases, each with its sentence and what it owns."""
    sentence_starts = [sentence.start for sentence in doc.sents]
    by_head = {draft.head: index for index, draft in enumerate(drafts)}
    phrases: list[Phrase] = []
    for draft in drafts:
        sentence = sum(start <= draft.first for start in sentence_starts)
        owned = None if draft.owned is None else by_head.get(draft.owned)
        phrase = replace(make_phrase(doc, draft, sentence), owned=owned, reference=draft.reference)
        antecedent = None if draft.antecedent is None else by_head.get(draft.antecedent)
        if antecedent is not None:
            phrase = name_like(phrase, phrases[antecedent], antecedent, draft.plural)
        phrases.append(phrase)
    return phrases
