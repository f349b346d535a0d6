"""The noun phrases of a parsed text: what each names, how many, and the words that describe it.

It knows no picture.

Our reading, where a parser's noun chunks are not yet things: names of the Primer world stand as
they are, whatever the parser makes of them; "of" without an article belongs to the name ("bottle of
wine"); of "a pair of skiers" the skiers are the thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing import language
from hallascope.metrics.parsing.chunks import chunks, left_over, pieces
from hallascope.metrics.parsing.noun_words import (
    ARTICLES,
    CONTAINERS,
    COUNTED,
    DEFINITE,
    FRAMES,
    IDIOMS,
    MADE,
    NEVER,
    NOUNS,
    NUMBERS,
    OF,
    PICTURES,
    PLURAL_ONLY,
    UNITS,
)
from hallascope.metrics.parsing.parsed import Modifier, Phrase

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.data.evidence import Span


@dataclass(kw_only=True)
class PhraseDraft:
    """A phrase in the making, its places counted in tokens."""

    first: int
    name: int  # the first word of the name
    head: int
    stop: int  # after its last word
    known: str = ""
    noun: str = ""  # the name of one of them, where it is known
    plural: bool = False  # whether it names several, where it is known
    inside: list[int] = field(
        default_factory=list
    )  # heads of what follows with "of" and belongs to the name
    number: tuple[int, int] | None = None  # and the token that says it
    definite: bool = False
    is_thing: bool = True
    absent: bool = False
    owner: int | None = None  # the head of the thing it stands behind with "of"


@dataclass(frozen=True)
class Name:
    """Holds a name of the Primer world in a text: its tokens, concept and singular."""

    start: int
    stop: int
    known: str
    one: str
    plural: bool


def phrases(
    doc: Doc, names: Sequence[Name], quoted: frozenset[int], describing: frozenset[str]
) -> list[PhraseDraft]:
    """The phrases of a text in their order.

    `quoted` are tokens that are written on something; `describing` words never name.
    """
    taken = {at for name in names for at in range(name.start, name.stop)}
    found = [_of_name(doc, name, describing) for name in names]
    cut = [piece for chunk in chunks(doc) for piece in pieces(doc, chunk, describing)]
    found += [
        draft for piece in cut if (draft := _of_piece(doc, *piece, taken | quoted, describing))
    ]
    covered = taken | quoted | {at for draft in found for at in range(draft.first, draft.stop)}
    found += [
        draft
        for piece in left_over(doc, covered, describing)
        if (draft := _of_piece(doc, *piece, covered, describing))
    ]
    return _settled(doc, sorted(found, key=lambda draft: draft.head))


def _of_piece(
    doc: Doc, start: int, head: int, taken: set[int] | frozenset[int], describing: frozenset[str]
) -> PhraseDraft | None:
    while start < head and (start in taken or not doc[start].is_alpha) and not doc[start].like_num:
        start += 1
    if (
        doc[head].pos_ == "PRON"
        or head in taken
        or not any(letter.isalpha() for letter in doc[head].text)
    ):
        return None
    name = head
    while name > start and _names(doc, name - 1, describing):
        name -= 1
    bare = (
        doc[head].lower_ in describing
        and doc[head].tag_ != "NNS"
        and not any(doc[at].tag_ in ("DT", "CD") for at in range(start, head))
    )
    return _with_count(
        doc, PhraseDraft(first=start, name=name, head=head, stop=head + 1, is_thing=not bare)
    )


def _names(doc: Doc, at: int, describing: frozenset[str]) -> bool:
    """Whether the word before a name belongs to it: "wine" of "wine glass"."""
    token = doc[at]
    if (
        token.lower_ in describing
        or token.lower_ in NUMBERS
        or token.lower_ in ARTICLES
        or token.lower_ in NEVER
    ):
        return False
    if token.tag_ == "HYPH":
        return (
            at > 0
            and doc[at - 1].pos_ in NOUNS
            and doc[at + 1].pos_ in NOUNS
            and doc[at - 1].lower_ not in describing
        )
    hyphened = (
        at > 1
        and doc[at - 1].tag_ == "HYPH"
        and (doc[at - 2].pos_ not in NOUNS or doc[at - 2].lower_ in describing)
    )
    described = at + 1 < len(doc) and doc[at + 1].lower_ in NEVER
    return token.pos_ in NOUNS and not (token.like_num or described or hyphened)


def _of_name(doc: Doc, name: Name, describing: frozenset[str]) -> PhraseDraft:
    first = name.start
    while (
        first > 0
        and _precedes(doc[first - 1], name, describing)
        and doc[first - 1].sent == doc[name.start].sent
    ):
        first -= 1
    root = doc[name.start : name.stop].root.i
    head = root if doc[root].pos_ in NOUNS else name.stop - 1
    return _with_count(
        doc,
        PhraseDraft(
            first=first,
            name=name.start,
            head=head,
            stop=name.stop,
            known=name.known,
            noun=name.one,
            plural=name.plural,
        ),
    )


def _precedes(token: Token, name: Name, describing: frozenset[str]) -> bool:
    word = token.lower_
    if word in describing or word in NUMBERS or word in ARTICLES or word in NEVER or token.like_num:
        return True
    described = (
        token.dep_ in ("amod", "compound", "nmod", "det") and name.start <= token.head.i < name.stop
    )
    return described or token.pos_ in ("ADJ", "DET")


def _with_count(doc: Doc, draft: PhraseDraft) -> PhraseDraft:
    """Add the number that the words before a name say, and whether it was named before."""
    for at in range(draft.first, draft.name):
        value = number(doc[at].lower_)
        if (
            value is not None
            and doc[at + 1].tag_ != "HYPH"
            and doc[at + 1].lower_ not in UNITS
            and draft.number is None
        ):
            draft.number = (value, at)
    draft.definite = doc[draft.first].lower_ in DEFINITE or doc[draft.first].tag_ == "PRP$"
    return draft


def number(word: str) -> int | None:
    """The number that a word or digits say, from 1 to 9,999."""
    plain = word.replace(",", "")
    value = (
        int(plain)
        if plain.isascii() and plain.isdigit() and len(plain) < 5
        else NUMBERS.get(word, 0)
    )
    return value or None


# --- "of", and what is no thing
# ----------------------------------------------------------------------------------------


def _settled(doc: Doc, found: list[PhraseDraft]) -> list[PhraseDraft]:
    """With every "of" read, the last first, so that "a photo of a group of kids" names kids."""
    kept: list[PhraseDraft] = []
    for draft in reversed(found):
        if kept and draft.stop > kept[-1].first:
            continue
        following = (
            kept[-1]
            if kept and kept[-1].first == draft.stop + 1 and doc[draft.stop].lower_ == OF
            else None
        )
        if following is None:
            kept.append(_framed(doc, draft))
        elif (whole := _joined(doc, draft, following)) is not None:
            kept[-1] = whole
        else:
            kept.append(_framed(doc, draft))
            following.owner = draft.head if kept[-1].is_thing else None
            following.is_thing = following.is_thing and _lemma(doc[draft.head]) not in MADE
    return _denied(doc, kept[::-1])


def _denied(doc: Doc, found: list[PhraseDraft]) -> list[PhraseDraft]:
    """Add what follows "or" or "nor" behind something that is said not to be there.

    Of "without a hat or gloves" both are meant.
    """
    for one, other in pairwise(found):
        if (
            one.absent
            and other.is_thing
            and [doc[at].lower_ for at in range(one.stop, other.first)] in (["or"], ["nor"])
        ):
            other.is_thing, other.absent = False, True
    return found


def _joined(doc: Doc, draft: PhraseDraft, following: PhraseDraft) -> PhraseDraft | None:
    """Both as one phrase, where what follows is the thing itself or belongs to the name."""
    word = _lemma(doc[draft.head])
    before = doc[draft.head].lower_
    if word in FRAMES and word not in CONTAINERS and not draft.known:
        return None
    single = doc[following.first].lower_ in ("a", "an") or (
        following.definite and doc[following.head].tag_ in ("NN", "NNP")
    )
    if word in CONTAINERS and not single:
        counted = (COUNTED[word], draft.head) if word in COUNTED and draft.number is None else None
        return replace(
            following,
            first=draft.first,
            number=following.number or counted,
            definite=draft.definite or following.definite,
        )
    if before in NUMBERS and following.definite:  # "one of the two dogs"
        return replace(following, first=draft.first)
    plain = following.first == following.name and not following.known and following.is_thing
    if plain and not following.definite:
        return replace(
            draft,
            stop=following.stop,
            inside=[following.head, *following.inside],
            known="",
            noun="",
        )
    return None


def _framed(doc: Doc, draft: PhraseDraft) -> PhraseDraft:
    """Mark what is no thing: by its noun, as a material, or said not to be there."""
    before = doc[draft.first - 1] if draft.first else None
    made = (
        before is not None
        and before.lower_ in (OF, "from")
        and before.i > 0
        and _lemma(doc[before.i - 1]) in MADE
    )
    made = made or (
        before is not None
        and before.lower_ in (OF, "from")
        and before.i > 0
        and doc[before.i - 1].lower_ in MADE
    )
    absent = doc[draft.first].lower_ == "no" or (
        before is not None and before.lower_ in ("without", "no")
    )
    framed = not draft.known and _is_frame(doc, draft)
    if made or absent or framed:
        draft.is_thing, draft.absent = False, absent and not framed
    return draft


def _is_frame(doc: Doc, draft: PhraseDraft) -> bool:
    word = _lemma(doc[draft.head])
    alone = draft.name == draft.head
    return word in PICTURES or (alone and word in FRAMES) or doc[draft.head].lower_ in NUMBERS


def _lemma(token: Token) -> str:
    """The singular in lower case, the same for the same word whatever the parser takes it for."""
    if token.lower_ in PLURAL_ONLY or (token.pos_ != "NOUN" and token.tag_ != "NNPS"):
        return str(token.lower_)
    return language.singular((token.lemma_ if token.pos_ == "NOUN" else token.text).casefold())


# --- as they are told
# --------------------------------------------------------------------------------------------------


def make_phrase(doc: Doc, draft: PhraseDraft, sentence: int) -> Phrase:
    """The phrase with places counted in characters of the parser's text.

    Words that describe it from behind are added later.
    """
    named = _span(doc, draft.name, draft.stop)
    of = (
        draft.inside
        if not draft.noun
        else [at for at in range(draft.head + 1, draft.stop) if doc[at].pos_ in (*NOUNS, "ADJ")]
    )
    lemmas = [
        _lemma(doc[at])
        for at in (*range(draft.name, draft.head + 1), *of)
        if doc[at].is_alpha or doc[at].is_digit
    ]
    if draft.noun in IDIOMS:
        lemmas = [draft.noun]
    plural = (draft.plural if draft.noun else doc[draft.head].tag_ in ("NNS", "NNPS")) or (
        draft.number is not None and draft.number[0] > 1
    )
    return Phrase(
        span=_span(doc, draft.first, draft.stop),
        named=named,
        name=draft.noun or _singular(doc, draft),
        lemmas=tuple(lemmas) or (doc[draft.head].lower_,),
        head=draft.noun if draft.noun in IDIOMS else _lemma(doc[draft.head]),
        known=draft.known,
        number=draft.number[0] if draft.number else None,
        counted=_span(doc, draft.number[1], draft.number[1] + 1) if draft.number else None,
        plural=plural,
        definite=draft.definite,
        words=tuple(word(doc[at]) for at in range(draft.first, draft.name) if _describes(doc[at])),
        is_thing=draft.is_thing,
        owns=draft.owner is not None,
        sentence=sentence,
        absent=draft.absent,
    )


def _singular(doc: Doc, draft: PhraseDraft) -> str:
    """Return the name of one of them: the text's own words, with the noun in the singular."""
    head = doc[draft.head]
    one = head.text
    if head.tag_ in ("NNS", "NNPS") and head.lower_ not in PLURAL_ONLY:
        one = language.singular(head.lemma_ if head.tag_ == "NNS" else head.text)
    # by tokens: to ask for the whole text for every phrase takes the square of its length
    before = doc[draft.name : draft.head]
    behind = doc[draft.head + 1 : draft.stop]
    return (
        f"{before.text_with_ws}{one}{head.whitespace_}{behind.text}"
        if len(behind)
        else f"{before.text_with_ws}{one}"
    )


def _describes(token: Token) -> bool:
    word = token.lower_
    if word in ARTICLES or word in CONTAINERS or number(word) is not None:
        return False
    return token.is_alpha and token.tag_ not in ("DT", "PRP$", "POS", "CC", "IN")


def word(token: Token) -> Modifier:
    return Modifier(token.lower_, (token.idx, token.idx + len(token)))


def _span(doc: Doc, start: int, stop: int) -> Span:
    return doc[start].idx, doc[stop - 1].idx + len(doc[stop - 1])
