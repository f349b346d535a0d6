"""Reads things in a row: "a hat and a coat", "a laptop and three cellphones".

Four rules, each used where its words are read:

- The parser's noun chunk may hold several things; it ends at "and", a comma or a verb in -ing
  (`split_chunk`).
- What is said of a noun is said of those in a row with it (`row_before`, `row_after`): "two cats
  and two dogs on the grass", "a man with a hat and a coat".
- A row that a verb or preposition leads is no subject (`is_led`): of "a man with a hat and a dog on
  the street" the dog alone is on the street.
- Things in brackets or behind a colon tell apart what was counted before (`mark_parts`): "three
  circles (two red circles and a blue circle)".

What follows "or" behind something absent is read in `negation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.rules.wearing import is_garment
from hallascope.metrics.parsing.words.grammar import NOUNS, SUBJECTS, VERBS, stands_without_article
from hallascope.metrics.parsing.words.noun_words import NOUNS_IN_ING
from hallascope.metrics.parsing.words.position_words import BODY_PARTS
from hallascope.metrics.parsing.words.verb_words import (
    COVERING_VERBS,
    DRESSING_VERBS,
    RESTING_VERBS,
    SHOWING_VERBS,
    WRAPPING_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_CONJUNCTIONS = (("and",), ("&",), ("plus",), ("as", "well", "as"), ("and", "also"), ("or",))
# "full of apples and pears"
_BEFORE_OF = ("full", "made", "composed", "consisting", "consists", "out", "front", "top", "side")

_BEFORE_ABSENT = (["but"], [",", "but"], ["and"], [",", "and"])
_SHORT_LIST = 2
_PATH_WORDS = ("down", "up", "along", "across", "through", "past", "toward", "towards")

# --- within a noun chunk


def split_chunk(
    doc: Doc, start: int, head: int, describing: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """Yield start and head of each thing in a chunk, of which there may be several.

    "A car playing soccer" and "a laptop and three cellphones" are two.
    """
    for token in range(start + 1, head + 1):
        before = doc[token - 1]
        ends_a_name = (
            (before.pos_ in NOUNS or before.lower_ in NOUNS_IN_ING)
            and before.lower_ not in describing
            and not before.like_num
        )
        if ends_a_name and _splits(doc, token, head):
            yield start, token - 1
            start = token + 1
    if start <= head:
        yield start, head


def _splits(doc: Doc, at: int, head: int) -> bool:
    """Return whether a word ends a thing: "and", a comma, or a verb in -ing read as a noun."""
    token = doc[at]
    if token.tag_ in ("CC", ","):
        return True
    is_doing = token.lower_.endswith("ing") and token.lower_ not in NOUNS_IN_ING
    if not is_doing or token.tag_ not in ("VBG", "NN"):
        return False
    if at < head:
        # "a car playing soccer", but "a wood burning stove"
        return stands_without_article(doc[head])
    is_followed = at + 1 < len(doc) and doc[at + 1].pos_ in ("ADP", "ADV", "SCONJ", "ADJ")
    return token.tag_ == "VBG" or is_followed


# --- between phrases


def row_before(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return the things in a row that ends with a phrase, it among them.

    "Two flags, two cameras and three men": of the men all three. A row has an "and".
    """
    row = [phrase]
    if not _has_and(words_before(doc, index, phrase)):
        return row
    while (previous := _previous_in_row(doc, index, row[0])) is not None:
        row.insert(0, previous)
    is_fronted = index.tokens[row[0]].start == 1 and doc[0].pos_ == "ADP"
    return row[1:] if is_fronted and len(row) > 1 else row


def row_after(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return the things in a row that begins with a phrase, it among them.

    The second of two that has a place or does something of its own is not in the row, where it has
    an article: "a man with a hat and a dog on the street". In a longer list it is.
    """
    row = _following_row(doc, index, phrase)
    is_pair = len(row) == 2 and doc[index.tokens[row[-1]].start].pos_ in ("DET", "NUM", "PRON")
    if is_pair and is_in_hand(doc, index.tokens[index.last_part(row[-1])].stop):
        return row
    return row[:-1] if is_pair and has_own_predicate(doc, index, row[-1]) else row


def is_in_hand(doc: Doc, at: int) -> bool:
    """Return whether a place at the body follows: "a rose in one hand and a book in the other"."""
    words = [token.lower_ for token in doc[at : at + 4]]
    if len(words) < 3 or words[0] not in ("in", "on", "under", "over", "between", "around"):
        return False
    is_own = words[1] in ("his", "her", "its", "their", "one", "each", "the")
    return is_own and (words[2] in BODY_PARTS | {"other"} or words[-1] in BODY_PARTS)


def worn_row(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return a row of what is worn, which does nothing of its own: "a hat and a coat sits"."""
    return _following_row(doc, index, phrase)


def shown_row(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return a row behind its verb or place: "on the wall hang a map and a clock without hands".

    What does something of its own is not in it.
    """
    row = _following_row(doc, index, phrase)
    stop = index.tokens[index.last_part(row[-1])].stop
    is_subject = stop < len(doc) and doc[stop].tag_ in ("VBZ", "VBP", "VBD", "MD")
    return row[:-1] if len(row) > 1 and is_subject else row


def pair_after(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return a phrase and what "and" joins to it: "between the door and the window hangs"."""
    return _following_row(doc, index, phrase)[:2]


def whole_row(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return the things in a row with a phrase, before it and behind it."""
    behind = _following_row(doc, index, phrase)
    before = row_before(doc, index, phrase) if len(behind) == 1 else [phrase]
    while len(behind) > 1 and (previous := _previous_in_row(doc, index, before[0])) is not None:
        before.insert(0, previous)
    return [*before, *behind[1:]]


def agreeing_row(doc: Doc, index: PhraseIndex, subject: int, verb: Token) -> list[int]:
    """Return a subject with the others that a verb in the plural is said of.

    "A bride in a dress and a groom in a kilt dance": the items of the list begin the sentence, or
    stand behind a comma or "and", each with an article, and all live or none does.
    """
    if verb.tag_ != "VBP" or index.phrases[subject].plural or index.phrases[subject].count:
        return [subject]
    start = verb.sent.start
    items = [
        phrase
        for phrase in index.phrases_before(verb.i)
        if index.tokens[phrase].start >= start and _begins_item(doc, index, phrase, start)
    ]
    living = is_animate(index.phrases[subject])
    row = [phrase for phrase in items if is_animate(index.phrases[phrase]) == living]
    is_list = len(row) > 1 and doc[index.tokens[row[-1]].start - 1].tag_ == "CC"
    return row if is_list and subject in row and row == items else [subject]


def _begins_item(doc: Doc, index: PhraseIndex, phrase: int, start: int) -> bool:
    """Return whether a phrase with an article begins an item of a list."""
    first = index.tokens[phrase].start
    has_article = doc[first].lower_ in ("a", "an", "the", "one", "another")
    is_joined = first == start or doc[first - 1].text in (",", "and")
    return index.is_thing(phrase) and has_article and is_joined


def is_led(doc: Doc, index: PhraseIndex, row: Sequence[int]) -> bool:
    """Return whether a row stands behind a preposition or a verb: "with a hat and a dog".

    "A photo of a cat and a dog" and "there are a cat and a dog" are not led.
    """
    first = index.tokens[row[0]].start
    before = doc[first - 1] if first else None
    if before is None or before.pos_ not in ("ADP", "VERB", "AUX", "PART"):
        return False
    if before.lower_ == "of":
        framed = index.phrase_of(doc[first - 2]) if first > 1 else None
        if framed is None:
            return doc[first - 2].lower_ in _BEFORE_OF
        return index.is_thing(framed)
    return before.lemma_ not in SHOWING_VERBS


def has_own_predicate(doc: Doc, index: PhraseIndex, phrase: int) -> bool:
    """Return whether a place, a verb or "with" follows a phrase: "a dog on a rug".

    A place at a pronoun is said of the whole row: "bananas and plums in it". What follows clothes
    is said of who wears them: "a man in a suit and tie holding a glass".
    """
    stop = index.tokens[index.last_part(phrase)].stop
    if stop + 1 >= len(doc) or is_garment(index.phrases[phrase]):
        return False
    following = doc[stop]
    if _is_said_of_another(index, phrase, following):
        return False
    if following.lower_ in _PATH_WORDS:
        # "leads a brown llama and a white one down a path"
        return False
    if following.pos_ == "ADP" or following.lower_ in ("next", "left", "right"):
        is_of = following.lower_ == "of"
        return not is_of and doc[stop + 1].pos_ != "PRON"
    return following.pos_ in VERBS or following.lower_ in ("who", "that", "which")


def _is_said_of_another(index: PhraseIndex, phrase: int, verb: Token) -> bool:
    """Return whether another thing is the subject: "a plate with a herb is placed"."""
    if verb.tag_ not in ("VBZ", "VBP"):
        return False
    clause = verb.head if verb.dep_ in ("aux", "auxpass") else verb
    subjects = [child for child in clause.children if child.dep_ in SUBJECTS]
    return bool(subjects) and index.phrase_of(subjects[0]) not in (None, phrase)


def container_of(doc: Doc, index: PhraseIndex, content: int) -> int | None:
    """Return the bowl of "a bowl full of tomatoes", which the tomatoes are in.

    A cake "topped with cherries" and a fountain "surrounded by roses" are as bowls.
    """
    first = index.tokens[row_before(doc, index, content)[0]].start
    if first < 2 or not _says_content(doc[first - 2], doc[first - 1]):
        return None
    before = [*index.phrases_before(first)]
    holds = bool(before) and index.tokens[before[-1]].stop >= first - 3
    return before[-1] if holds and index.is_thing(before[-1]) else None


def _says_content(word: Token, preposition: Token) -> bool:
    """Return whether two words are "full of", "topped with", "covered in" or the like."""
    if word.lower_ == "full":
        return bool(preposition.lower_ == "of")
    if word.tag_ not in ("VBN", "VBD") or word.lemma_ in DRESSING_VERBS:
        return False
    if preposition.lower_ in ("with", "by"):
        return word.lemma_ not in RESTING_VERBS
    return preposition.lower_ == "in" and word.lemma_ in COVERING_VERBS | WRAPPING_VERBS


def joins(words: Sequence[str]) -> bool:
    """Return whether some words are a comma, "and", "as well as", or a comma before these."""
    rest = tuple(words[1:] if words[:1] == [","] else words)
    return rest in _CONJUNCTIONS or (bool(words) and not rest)


def _has_and(words: Sequence[str]) -> bool:
    return joins(words) and list(words) != [","]


def words_before(doc: Doc, index: PhraseIndex, phrase: int) -> list[str]:
    """Return the words between a phrase and the one before it."""
    if phrase == 0:
        return []
    between = doc[index.tokens[phrase - 1].stop : index.tokens[phrase].start]
    return [token.lower_ for token in between]


def _previous_in_row(doc: Doc, index: PhraseIndex, phrase: int) -> int | None:
    if not joins(words_before(doc, index, phrase)):
        return None
    previous = index.whole_of(phrase - 1)
    return previous if index.is_thing(previous) else None


def _following_row(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return a phrase and those that follow it in a row, up to the last "and"."""
    row = [phrase]
    joined = [phrase]
    following = index.last_part(phrase) + 1
    while following < len(index.phrases) and _is_item(doc, index, following):
        if index.phrases[following].absent:
            if _has_and(words_before(doc, index, following)):
                joined = list(row)
            following += 1
            continue
        words = words_before(doc, index, following)
        if not joins(words):
            behind = _item_behind_place(doc, index, following, len(row)) if len(row) > 1 else None
            if behind is None:
                break
            following = behind
            if index.phrases[following].absent:
                continue
            words = words_before(doc, index, following)
        row.append(following)
        if _has_and(words):
            joined = list(row)
        following = index.last_part(following) + 1
    return joined


def _is_item(doc: Doc, index: PhraseIndex, phrase: int) -> bool:
    """Return whether a phrase may be in a row: a thing, or "but no oven" between two."""
    if index.is_thing(phrase):
        return True
    words = words_before(doc, index, phrase)
    return index.phrases[phrase].absent and words in _BEFORE_ABSENT


def _item_behind_place(doc: Doc, index: PhraseIndex, anchor: int, length: int) -> int | None:
    """Return the next in a list behind a place: "a bed, a lamp on a desk, and a chair".

    No comma is needed where the list has more than two items already (`length`).
    """
    between = doc[index.tokens[anchor - 1].stop : index.tokens[anchor].start]
    following = index.last_part(anchor) + 1
    if len(between) != 1 or between[0].pos_ != "ADP" or following >= len(index.phrases):
        return None
    words = words_before(doc, index, following)
    is_named = index.is_thing(following) or index.phrases[following].absent
    is_item = joins(words) and (words[0] == "," or length > _SHORT_LIST) and is_named
    return following if is_item else None


# --- a count and its parts


def mark_parts(text: str, phrases: Sequence[Phrase]) -> list[Phrase]:
    """Mark the phrases that tell apart what was counted before."""
    marked = list(phrases)
    whole = None
    for at, (before, phrase) in enumerate(pairwise(phrases), 1):
        between = text[before.span[1] : phrase.span[0]]
        if phrase.sentence != before.sentence or ")" in between or ";" in between:
            whole = None
        if whole is None and between.strip() in ("(", ":"):
            whole = before.head
        if whole == phrase.head:
            marked[at] = replace(phrase, is_part=True)
    return marked
