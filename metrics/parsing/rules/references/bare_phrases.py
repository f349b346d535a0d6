"""Finds where a phrase without a noun stands: "a blue one", "one of them", "the last two".

What it stands for is found in `ellipsis`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Reference
from hallascope.metrics.parsing.words import language
from hallascope.metrics.parsing.words.grammar import NOUNS
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import COLORS
from hallascope.metrics.parsing.words.number_words import number_value
from hallascope.metrics.parsing.words.spacy_model import verbs

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

ONES = wordset("one ones")
ORDINALS = wordset("first second third fourth fifth sixth last next former latter")
_ITEMS = wordset("second third fourth fifth sixth")
OTHERS = wordset("other others")
WHOLE_GROUP = wordset("each both all everyone")
_PRONOUNS = wordset("them these those which whom")
_DETERMINERS = wordset("a an the this that another each every")
# what follows a phrase that has no noun
_FOLLOWING_TAGS = (
    "JJR",
    "VBZ",
    "VBP",
    "VBD",
    "VBG",
    "MD",
    "IN",
    "TO",
    "CC",
    ",",
    ".",
    ":",
    "RB",
    "VBN",
)


@dataclass(frozen=True)
class Ellipsis:
    """A phrase without a noun: its tokens, how many it says, and how it refers."""

    first: int
    head: int
    stop: int
    reference: Reference
    count: int | None = None
    plural: bool = False
    count_at: int | None = None
    is_number: bool = False
    chooses: bool = False


def find_ellipses(doc: Doc, taken: set[int]) -> Iterator[Ellipsis]:
    at = 0
    while at < len(doc):
        ellipsis = None if at in taken else _ellipsis_at(doc, at, taken)
        if ellipsis is not None:
            yield ellipsis
        at = ellipsis.stop if ellipsis else at + 1


def _ellipsis_at(doc: Doc, at: int, taken: set[int]) -> Ellipsis | None:
    """Return the phrase without a noun that begins at a token, if one does."""
    word = doc[at].lower_
    if at > 0 and doc[at - 1].lower_ == "than":
        return None
    if word == "another" and at > 0 and doc[at - 1].lower_ == "one":
        # "they tumble over one another"
        return None
    if _is_of_them(doc, at + 1):
        return _of_them(doc, at)
    colored = _colored_number(doc, at)
    if colored is not None:
        return colored
    one = _described_one(doc, at, taken)
    if one is not None:
        return one
    value = number_value(word)
    if value and word.isalpha() and _is_listed(doc, at):
        return Ellipsis(at, at, at + 1, "one of", value, value > 1, is_number=True)
    if not _is_followed(doc, at + 1) or _is_within_noun_phrase(doc, at):
        return _the_other(doc, at)
    if word == "another":
        return Ellipsis(at, at, at + 1, "another")
    if word in ("each", "both") and at > 0 and doc[at].dep_ in ("nsubj", "nsubjpass", "ROOT"):
        return Ellipsis(at, at, at + 1, "same", plural=word == "both")
    if at > 0 and doc[at - 1].lower_ == "of":
        # "a family of five is having dinner"
        return None
    if value and word.isalpha() and _is_subject(doc[at]):
        return Ellipsis(at, at, at + 1, "one of", value, value > 1, is_number=True)
    return None


def _is_listed(doc: Doc, at: int) -> bool:
    """Return whether a number is an item without a noun: "two bikes, one on a rack, one red"."""
    before = doc[at - 1].lower_ if at else ""
    if before not in (",", ";", ":", "(", "and", "with") or at + 1 >= len(doc):
        return False
    following = doc[at + 1]
    if following.tag_ in ("IN", "VBN", "VBD", "VBG"):
        return following.lower_ not in ("of", "to") and not _is_before_noun(doc, at + 1)
    is_describing = following.tag_ == "JJ" or following.lower_ in COLORS
    return is_describing and not _is_before_noun(doc, at + 1)


def _is_before_noun(doc: Doc, at: int) -> bool:
    """Return whether a noun ends the words that begin with an adjective or a participle."""
    while at < len(doc) and _is_adjective(doc[at]):
        at += 1
    return at < len(doc) and doc[at].pos_ in (*NOUNS, "PRON") and doc[at].lower_ not in COLORS


def _of_them(doc: Doc, at: int) -> Ellipsis | None:
    """Return "one of them", "each of them", "some of which"."""
    word = doc[at].lower_
    value = number_value(word)
    if value:
        return Ellipsis(at, at, at + 3, "one of", value, value > 1)
    if word in WHOLE_GROUP:
        return Ellipsis(at, at, at + 3, "same", plural=True)
    if word in ("some", "several", "many", "most", "few"):
        return Ellipsis(at, at, at + 3, "one of", plural=True)
    return None


def _described_one(doc: Doc, at: int, taken: set[int]) -> Ellipsis | None:
    """Return "a blue one", "three green ones", "the first one", "another one", "each one"."""
    first = doc[at].lower_
    value = number_value(first)
    if first == "one" and (at + 1 >= len(doc) or doc[at + 1].lower_ not in COLORS):
        return None
    if first not in _DETERMINERS and value is None:
        return None
    head = at + 1
    while head < len(doc) and head not in taken and _is_adjective(doc[head]):
        head += 1
    is_one = head < len(doc) and doc[head].lower_ in ONES and head not in taken
    if not is_one or (head + 1 < len(doc) and doc[head + 1].lower_ == "of"):
        return None
    plural = doc[head].lower_ == "ones"
    middle = {token.lower_ for token in doc[at + 1 : head]}
    if first in ("each", "every"):
        return Ellipsis(at, head, head + 1, "same")
    if first == "another" or middle & OTHERS:
        return Ellipsis(at, head, head + 1, "another", plural=plural)
    if first in ("the", "this", "that"):
        return Ellipsis(at, head, head + 1, "one of", plural=plural)
    reference: Reference = "one of" if first == "one" else "new"
    return Ellipsis(at, head, head + 1, reference, value, plural, at if value else None)


def _colored_number(doc: Doc, at: int) -> Ellipsis | None:
    """Return "two red" of "six balloons: two red, three yellow"."""
    value = number_value(doc[at].lower_)
    before = doc[at - 1].lower_ if at else ""
    is_item = before in (":", ",", "and", "(", "–", "—") and value is not None
    if not is_item or at + 1 >= len(doc) or doc[at + 1].lower_ not in COLORS:
        return None
    behind = doc[at + 2 : at + 4]
    is_end = len(behind) == 0 or behind[0].text in (".", ";", ")")
    is_list = (
        len(behind) > 1
        and behind[0].text in (",", "and")
        and (number_value(behind[1].lower_) is not None or behind[1].lower_ in ("and", "one"))
    )
    if not (is_end or is_list):
        return None
    return Ellipsis(at, at, at + 1, "one of", value, (value or 0) > 1)


def _the_other(doc: Doc, at: int) -> Ellipsis | None:
    """Return "the other", "the other two", "the others", "the third", "a third", "the last two"."""
    if doc[at].lower_ not in ("the", "a") or at + 1 >= len(doc) or _is_reciprocal(doc, at):
        return None
    following = doc[at + 1].lower_
    number = number_value(following)
    if doc[at].lower_ == "the" and number and number > 1 and _is_followed(doc, at + 2):
        return Ellipsis(at, at + 1, at + 2, "one of", number, True, is_number=True)
    if doc[at].lower_ == "a":
        is_item = following in _ITEMS and at + 2 < len(doc) and _is_verb(doc[at + 2])
        return Ellipsis(at, at + 1, at + 2, "one of", chooses=True) if is_item else None
    if following in ORDINALS and at + 2 < len(doc):
        value = number_value(doc[at + 2].lower_)
        if value and _is_followed(doc, at + 3):
            return Ellipsis(at, at + 2, at + 3, "one of", value, value > 1, is_number=True)
    if doc[at + 1].tag_ in ("JJR", "JJS") and at + 2 < len(doc) and _is_verb(doc[at + 2]):
        # "the bigger raccoon stirs, the smaller tastes"
        return Ellipsis(at, at + 1, at + 2, "one of", is_number=True)
    if following in OTHERS and at + 2 < len(doc):
        value = number_value(doc[at + 2].lower_)
        if value and _is_followed(doc, at + 3):
            return Ellipsis(at, at + 2, at + 3, "another", value, value > 1, chooses=True)
    if not _is_followed(doc, at + 2):
        return None
    if following in OTHERS:
        return Ellipsis(at, at + 1, at + 2, "another", plural=following == "others", chooses=True)
    if following in ORDINALS:
        return Ellipsis(at, at + 1, at + 2, "one of", chooses=True)
    return None


def _is_verb(token: Token) -> bool:
    """Return whether a word says what the phrase before it does: "tastes", also read as a noun."""
    is_plural_alone = token.tag_ == "NNS" and language.singular(token.lower_) in verbs()
    is_last = token.i + 1 == len(token.doc) or token.nbor(1).pos_ in (
        "PUNCT",
        "ADP",
        "DET",
        "CCONJ",
    )
    return token.tag_ in ("VBZ", "VBP", "VBD", "MD") or (is_plural_alone and is_last)


def _is_reciprocal(doc: Doc, at: int) -> bool:
    """Return whether "one" stands before "the other" with a preposition: "one behind the other"."""
    for one in range(max(0, at - 5), at - 1):
        if doc[one].lower_ == "one" and doc[one + 1].tag_ == "IN":
            # "one on a moped, the other on a bike" are two items
            return not any(token.text in (",", "a", "an") for token in doc[one:at])
    return False


def _is_of_them(doc: Doc, at: int) -> bool:
    return at + 1 < len(doc) and doc[at].lower_ == "of" and doc[at + 1].lower_ in _PRONOUNS


def _is_followed(doc: Doc, at: int) -> bool:
    """Return whether no noun can follow: a verb, a preposition, a stop or an article does."""
    if at >= len(doc):
        return True
    token = doc[at]
    return token.tag_ in _FOLLOWING_TAGS or token.lower_ in ("a", "an", "the", "in", "on", "with")


def _is_within_noun_phrase(doc: Doc, at: int) -> bool:
    return doc[at].lower_ == "the" or (at > 0 and doc[at - 1].lower_ in _DETERMINERS)


def _is_subject(token: Token) -> bool:
    """Return whether a number stands for things: before a verb, a participle or "larger"."""
    if token.i + 1 == len(token.doc):
        return False
    following = token.nbor(1).tag_
    if following in ("VBG", "JJR"):
        return token.i > 0 and token.nbor(-1).lower_ in (",", ";", ":", "with", "and")
    return following in ("VBZ", "VBP", "VBD", "MD")


def _is_adjective(token: Token) -> bool:
    word = token.lower_
    return (
        token.pos_ in ("ADJ", "ADV")
        or word in COLORS
        or word in OTHERS | ORDINALS
        or token.tag_ in ("VBG", "VBN", "JJR", "JJS")
    )
