"""Reads the noun phrases of a parsed text: what each names, how many, and which words describe it.

Names of the lexicon stand as they are (`known_names`); else a name is the noun of a chunk with the
nouns right before it ("wine glass"). Then every "of" is read (`of_phrases`), and what is said not
to be there is marked (`negation`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.rules.coordination import split_chunk
from hallascope.metrics.parsing.rules.noun_phrases.chunks import noun_chunks, nouns_outside_chunks
from hallascope.metrics.parsing.rules.noun_phrases.counts import (
    leading_count,
    member_count,
    names_several,
)
from hallascope.metrics.parsing.rules.noun_phrases.describing_words import describing_words
from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft
from hallascope.metrics.parsing.rules.noun_phrases.known_names import KnownName
from hallascope.metrics.parsing.rules.noun_phrases.materials import add_materials
from hallascope.metrics.parsing.rules.noun_phrases.negation import draft_nobody, extend_absence
from hallascope.metrics.parsing.rules.noun_phrases.of_phrases import join_of_phrases
from hallascope.metrics.parsing.rules.noun_phrases.owners import split_owners, take_owners
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.grammar import (
    NOUNS,
    PLURALS,
    is_plural_only,
    lemma,
    noun_singular,
    span_of,
)
from hallascope.metrics.parsing.words.noun_words import (
    ADJECTIVE_ENDINGS,
    ARTICLES,
    DEFINITE,
    IDIOMS,
    NAMELESS,
    NEVER_PLURAL,
    NOUNS_IN_ING,
)
from hallascope.metrics.parsing.words.number_words import NUMBERS
from hallascope.metrics.parsing.words.spacy_model import adjectives
from hallascope.metrics.parsing.words.unseen_words import cannot_be_seen

# what stands in a row with the fruit
_FRUIT = ("food", "fruit", "fruit tree", "vegetable")

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def draft_phrases(
    doc: Doc, names: Sequence[KnownName], quoted: frozenset[int], describing: frozenset[str]
) -> list[PhraseDraft]:
    """Return the phrases of a text in their order.

    `quoted` are tokens that are written on something; `describing` words never name.
    """
    taken = quoted | {token for name in names for token in range(name.start, name.stop)}
    nobody = list(draft_nobody(doc))
    taken |= {token for draft in nobody for token in range(draft.first, draft.stop)}
    drafts = [*nobody, *(_draft_known_name(doc, name, describing) for name in names)]
    pieces = [
        piece
        for chunk in noun_chunks(doc)
        for part in split_chunk(doc, chunk.start, chunk.head, describing)
        for piece in split_owners(doc, *part)
    ]
    drafts += _draft_pieces(doc, pieces, taken, describing)
    covered = taken | {token for draft in drafts for token in range(draft.first, draft.stop)}
    outside = list(nouns_outside_chunks(doc, set(covered), describing))
    drafts += _draft_pieces(doc, outside, covered, describing)
    drafts.sort(key=lambda draft: draft.head)
    owners = take_owners(doc, drafts)
    phrases = join_of_phrases(doc, [draft for draft in drafts if draft not in owners])
    phrases = sorted([*phrases, *join_of_phrases(doc, owners)], key=lambda draft: draft.head)
    extend_absence(doc, phrases)
    add_materials(doc, phrases)
    return phrases


# --- a name and what stands before it


def _draft_pieces(
    doc: Doc,
    pieces: Sequence[tuple[int, int]],
    taken: Collection[int],
    describing: frozenset[str],
) -> list[PhraseDraft]:
    drafts = [_draft_piece(doc, start, head, taken, describing) for start, head in pieces]
    return [draft for draft in drafts if draft is not None]


def _draft_piece(
    doc: Doc, start: int, head: int, taken: Collection[int], describing: frozenset[str]
) -> PhraseDraft | None:
    """Return the phrase from a start to its noun; None where the noun names nothing."""
    noun = doc[head]
    if _is_of_hyphened_adverb(doc, head):
        return None
    has_letters = any(letter.isalpha() for letter in noun.text)
    if noun.pos_ == "PRON" or head in taken or not has_letters or _is_nameless(doc, start, head):
        return None
    if head > start and _is_place_of_scene(doc, head - 1):
        head -= 1
        noun = doc[head]
    while start < head and (start in taken or not doc[start].is_alpha) and not doc[start].like_num:
        start += 1
    name = head
    while name > start and _belongs_to_name(doc, name - 1, describing):
        name -= 1
    has_determiner = any(token.tag_ in ("DT", "CD") for token in doc[start:head])
    is_adjective = noun.lower_ in describing and not _is_fruit(doc, head)
    is_bare_adjective = is_adjective and noun.tag_ != "NNS" and not has_determiner
    draft = PhraseDraft(
        first=start, name=name, head=head, stop=head + 1, is_thing=not is_bare_adjective
    )
    return _with_count(doc, draft)


def _is_of_hyphened_adverb(doc: Doc, head: int) -> bool:
    """Return whether a noun belongs to "mid-air" or "half-mast", which say how something is."""
    is_hyphened = head > 1 and doc[head - 1].text == "-"
    return is_hyphened and (doc[head - 2].lower_ == "mid" or doc[head].lower_ == "mast")


def _is_place_of_scene(doc: Doc, at: int) -> bool:
    """Return whether a noun names what a scene shows: "a bathroom scene", not "a night scene"."""
    token = doc[at]
    is_scene = doc[at + 1].lower_ in ("scene", "setting")
    return is_scene and token.pos_ in NOUNS and not cannot_be_seen(token.lower_, lemma(token))


def _is_nameless(doc: Doc, start: int, head: int) -> bool:
    """Return whether a bare word is no noun: "softer", "a few", "anything"."""
    is_bare = start == head or (head == start + 1 and doc[start].lower_ in ARTICLES)
    is_of = head + 1 < len(doc) and doc[head + 1].lower_ == "of"
    word = doc[head].lower_
    return is_bare and not is_of and (_is_superlative(word) or word in NAMELESS)


def _is_superlative(word: str) -> bool:
    """Return whether a word is formed as "shortest" and "largest" are."""
    stem = word.removesuffix("est")
    is_formed = stem != word and not wordnet.has_noun(word)
    return is_formed and not adjectives().isdisjoint((stem, f"{stem}e", stem[:-1]))


def _is_fruit(doc: Doc, at: int) -> bool:
    """Return whether "orange" is the fruit: in "a pile of orange" and "a pear, orange and plum"."""
    before = doc[at - 1].lower_ if at else ""
    is_last = at + 1 == len(doc) or doc[at + 1].pos_ not in (*NOUNS, "ADJ")
    if not is_last or not wordnet.is_kind_of(doc[at].lower_, "food"):
        return False
    is_listed = before in (",", "and") and wordnet.is_kind_of(doc[at - 2].lower_, *_FRUIT)
    return before == "of" or is_listed


def _belongs_to_name(doc: Doc, at: int, describing: frozenset[str]) -> bool:
    """Return whether the word before a name belongs to it: "wine" of "wine glass"."""
    token = doc[at]
    if token.lower_ in describing or _is_determiner(token):
        return False
    before = doc[at - 1] if at > 0 else None
    if token.tag_ == "HYPH":
        return (
            before is not None
            and before.pos_ in NOUNS
            and doc[at + 1].pos_ in NOUNS
            and before.lower_ not in describing
        )
    if (
        token.tag_ == "VBG"
        and at + 1 < len(doc)
        and wordnet.senses(f"{token.lower_} {doc[at + 1]}")
    ):
        # "a cutting board"
        return True
    if token.pos_ not in NOUNS or token.like_num or token.lower_ == "couple":
        return False
    if _is_doing(doc, at) or _is_unknown_adjective(token):
        return False
    if at + 1 < len(doc) and doc[at + 1].lower_ in ADJECTIVE_ENDINGS:
        return False
    is_hyphened = at > 1 and before is not None and before.tag_ == "HYPH"
    return not (is_hyphened and (doc[at - 2].pos_ not in NOUNS or doc[at - 2].lower_ in describing))


def _is_unknown_adjective(token: Token) -> bool:
    """Return whether a supposed noun is formed as an adjective: "unmade" of "an unmade bed"."""
    is_formed = token.lower_.startswith("un") or token.lower_.endswith(("ed", "less", "ous", "ful"))
    return is_formed and token.text.islower() and not wordnet.senses(token.lower_)


def _is_doing(doc: Doc, at: int) -> bool:
    """Return whether a supposed noun in -ing says what the thing does: "a flickering candle"."""
    word = doc[at].lower_
    if not word.endswith("ing") or word in NOUNS_IN_ING or at + 1 >= len(doc):
        return False
    is_first = at == 0 or doc[at - 1].pos_ not in NOUNS
    return is_first and not wordnet.senses(f"{word} {doc[at + 1].lower_}")


def _draft_known_name(doc: Doc, name: KnownName, describing: frozenset[str]) -> PhraseDraft:
    first = name.start
    sentence = doc[name.start].sent
    while (
        first > 0
        and _precedes_known_name(doc[first - 1], name, describing)
        and doc[first - 1].sent == sentence
    ):
        first -= 1
    root = doc[name.start : name.stop].root
    draft = PhraseDraft(
        first=first,
        name=name.start,
        head=root.i if root.pos_ in NOUNS else name.stop - 1,
        stop=name.stop,
        concept=name.concept,
        singular=name.singular,
        plural=name.plural,
    )
    return _with_count(doc, draft)


def _precedes_known_name(token: Token, name: KnownName, describing: frozenset[str]) -> bool:
    """Return whether a word belongs to the phrase of the name behind it."""
    if token.lower_ in describing or _is_determiner(token) or token.like_num:
        return True
    depends_on_name = name.start <= token.head.i < name.stop
    if depends_on_name and token.dep_ in ("amod", "compound", "nmod", "det"):
        return True
    return token.pos_ in ("ADJ", "DET")


def _is_determiner(token: Token) -> bool:
    """Return whether a word is an article, a number, or makes the word before it describe."""
    word = token.lower_
    return word in NUMBERS or word in ARTICLES or word in ADJECTIVE_ENDINGS


def _with_count(doc: Doc, draft: PhraseDraft) -> PhraseDraft:
    """Add the number that the words before a name say, and whether it was named before."""
    draft.count = leading_count(doc, draft) or member_count(doc, draft)
    if draft.count is not None:
        # "at least" may stand before what the parser takes for the phrase
        draft.first = min(draft.first, draft.count.start)
    first = doc[draft.first]
    draft.definite = first.lower_ in DEFINITE or first.tag_ == "PRP$"
    return draft


# --- the phrase in characters


def make_phrase(doc: Doc, draft: PhraseDraft, sentence: int) -> Phrase:
    """Return the phrase with places counted in characters of the parser's text.

    Words that describe it from elsewhere are added later (`modifiers`).
    """
    head = doc[draft.head]
    is_idiom = draft.singular in IDIOMS
    count = draft.count
    return Phrase(
        span=span_of(doc, draft.first, draft.stop),
        name_span=span_of(doc, draft.name, draft.stop),
        name=draft.singular or _singular(doc, draft),
        lemmas=(draft.singular,) if is_idiom else _lemmas(doc, draft),
        head=draft.singular if is_idiom else lemma(head),
        concept=draft.concept,
        count=count.count if count else None,
        count_span=span_of(doc, count.start, count.stop) if count else None,
        plural=names_several(doc, draft),
        definite=draft.definite,
        modifiers=tuple(describing_words(doc, draft)),
        is_thing=draft.is_thing,
        is_owner=draft.owned is not None,
        sentence=sentence,
        absent=draft.absent,
    )


def _lemmas(doc: Doc, draft: PhraseDraft) -> tuple[str, ...]:
    """Return the words of a name in the singular, those behind its noun last."""
    behind = draft.of_nouns
    if draft.singular:
        behind = [at for at in range(draft.head + 1, draft.stop) if doc[at].pos_ in (*NOUNS, "ADJ")]
    tokens = [doc[at] for at in (*range(draft.name, draft.head + 1), *behind)]
    lemmas = tuple(lemma(token) for token in tokens if token.is_alpha or token.is_digit)
    return lemmas or (doc[draft.head].lower_,)


def _singular(doc: Doc, draft: PhraseDraft) -> str:
    """Return the name of one of them: the text's own words, with the noun in the singular."""
    head = doc[draft.head]
    noun = head.text
    if head.tag_ in PLURALS and not is_plural_only(head) and head.lower_ not in NEVER_PLURAL:
        noun = noun_singular(head)
    # by tokens: to ask for the whole text for every phrase takes the square of its length
    before = doc[draft.name : draft.head].text_with_ws
    behind = "".join(
        token.text_with_ws
        for token in doc[draft.head + 1 : draft.stop]
        if token.i not in draft.inner_modifiers
    ).rstrip()
    return f"{before}{noun}{head.whitespace_}{behind}" if behind else f"{before}{noun}"
