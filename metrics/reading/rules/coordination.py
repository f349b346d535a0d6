"""Reads objects in a row: "a hat and a coat", "two flags, two cameras and three men".

A row is phrases with only commas and conjunctions between them. What follows the last one may be
said of it alone: "a man with a hat and a dog on the street".
"""

from __future__ import annotations

from hallascope.metrics.reading.rules.elements import Parse
from hallascope.metrics.reading.words.lists import VERBS, is_garment

_JOINTS = ("and", "&", "or", "plus", "as well as", "and also", "along with", "but also")
_FRAMING_OF = ("full", "made", "composed", "consisting", "consists", "out", "front", "top", "side")
_PATHS = ("down", "up", "along", "across", "through", "past", "toward", "towards")


def last_part(parse: Parse, at: int) -> int:
    """Return the phrase that ends a phrase: of "the wing of a ladybug" the ladybug."""
    owner = parse.phrases[at].owner
    return last_part(parse, owner) if owner is not None and owner > at else at


def first_part(parse: Parse, at: int) -> int:
    """Return the phrase that begins a phrase: for the ladybug the wing of the ladybug."""
    before = at - 1
    return first_part(parse, before) if before >= 0 and parse.phrases[before].owner == at else at


def joint(parse: Parse, first: int, second: int) -> str:
    """Return the words between two phrases, without a comma before them; "," for a comma alone."""
    words = parse.words[parse.phrases[first].stop : parse.phrases[second].first]
    rest = " ".join(words[1:] if words[:1] == [","] else words)
    return rest if rest else ",".join(words[:1])


def row_after(parse: Parse, at: int, all_items: bool = False) -> list[int]:
    """Return the objects in a row that begins with a phrase, up to its last "and".

    The second of two that has a predicate of its own is left out, but not for `all_items`.
    """
    row, joined = [at], [at]
    following = last_part(parse, at) + 1
    while following < len(parse.phrases):
        words = joint(parse, following - 1, following)
        is_joined = words in _JOINTS or words == ","
        if not is_joined or parse.phrases[following].kind != "object":
            break
        row.append(following)
        if words in _JOINTS:
            joined = list(row)
        following = last_part(parse, following) + 1
    is_own = len(joined) == 2 and not all_items and has_predicate(parse, joined[-1])
    return joined[:-1] if is_own else joined


def row_before(parse: Parse, at: int) -> list[int]:
    """Return the objects in a row that ends with a phrase: "two flags and three men"."""
    row = [at]
    first = first_part(parse, at)
    while first > 0:
        words = joint(parse, first - 1, first)
        if words not in _JOINTS and not (words == "," and len(row) > 1):
            break
        first = first_part(parse, first - 1)
        if parse.phrases[first].kind != "object":
            break
        row.insert(0, first)
    return row


def whole_row(parse: Parse, at: int) -> list[int]:
    """Return the objects in a row with a phrase, before it and behind it."""
    behind = row_after(parse, at, all_items=True)
    return [*row_before(parse, at)[:-1], *behind]


def is_led(parse: Parse, row: list[int]) -> bool:
    """Return whether a row stands behind a preposition or a verb: "with a hat and a dog"."""
    first = parse.phrases[row[0]].first
    if not first:
        return False
    before = parse.doc[first - 1]
    if before.lower_ == "of":
        framed = parse.by_token.get(first - 2)
        return parse.word(first - 2) in _FRAMING_OF if framed is None else parse.is_object(framed)
    return before.pos_ in ("ADP", "VERB", "AUX", "PART") and before.lemma_ not in VERBS["showing"]


def has_predicate(parse: Parse, at: int) -> bool:
    """Return whether a place, a verb or "with" follows an object with an article."""
    phrase = parse.phrases[at]
    stop = parse.phrases[last_part(parse, at)].stop
    first = parse.doc[phrase.first]
    if stop + 1 >= len(parse.words) or first.pos_ not in ("DET", "NUM", "PRON"):
        return False
    following = parse.doc[stop]
    if is_garment(phrase.noun) or following.lower_ in _PATHS:
        return False
    if following.pos_ == "ADP" or following.lower_ in ("next", "left", "right"):
        return bool(following.lower_ != "of" and parse.doc[stop + 1].pos_ != "PRON")
    return following.pos_ in ("VERB", "AUX") or following.lower_ in ("who", "that", "which")
