"""Finds phrases without a noun, and what they stand for: "a blue one", "another", "one of them".

The noun is that of a phrase before: of a group, where the words choose from it ("the first one",
"the others", "one has a cello"), else the nearest that is described likewise ("a red car and a blue
one").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hallascope.data.prompt_reading import Count
from hallascope.metrics.parsing.parsed import Phrase, Reference
from hallascope.metrics.parsing.rules.noun_phrases.drafts import DraftCount, PhraseDraft
from hallascope.metrics.parsing.words.grammar import PLURALS, SUBJECTS
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import COLORS
from hallascope.metrics.parsing.words.number_words import number_value

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ONES = wordset("one ones")
_ORDINALS = wordset("first second third fourth fifth sixth last next former latter")
_OTHERS = wordset("other others")
_WHOLE_GROUP = wordset("each both all everyone")
_PRONOUNS = wordset("them these those which whom")
_DETERMINERS = wordset("a an the this that another each every")
# "the left cup is full, the right one empty": words by which things of one name are told apart
_CONTRASTS = (
    wordset("left right top bottom middle upper lower front back outer inner near far"),
    wordset("first second third fourth fifth sixth last next former latter"),
    wordset("""
        big small large little tiny huge tall short long bigger smaller larger taller shorter
        longer biggest smallest largest tallest shortest longest
    """),
    wordset("young old new older younger oldest youngest"),
    wordset("open closed full empty clean dirty wet dry light dark hot cold"),
)
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
class _Ellipsis:
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


def add_ellipses(
    doc: Doc, drafts: Sequence[PhraseDraft], quoted: frozenset[int]
) -> list[PhraseDraft]:
    """Return the drafts with those of phrases that have no noun, in the order of the text."""
    result = [draft for draft in drafts if not _is_bare(doc, draft)]
    bare = [draft for draft in drafts if _is_bare(doc, draft)]
    for draft in result:
        _begin_at_last_article(doc, draft)
    taken = {at for draft in result for at in range(draft.first, draft.stop)} | set(quoted)
    group: PhraseDraft | None = None
    for ellipsis in _ellipses(doc, taken):
        antecedent = _antecedent(doc, ellipsis, result, group)
        if _is_of_row(doc, ellipsis, antecedent):
            continue
        if ellipsis.reference != "new" and antecedent is not None and _is_group(doc, antecedent):
            # "the first one ... the second one" are of one group
            group = antecedent
        if antecedent is None:
            continue
        result.append(_draft(ellipsis, antecedent))
        taken |= set(range(ellipsis.first, ellipsis.stop))
    result += [draft for draft in bare if not taken & set(range(draft.first, draft.stop))]
    return sorted(result, key=lambda draft: draft.head)


def _is_of_row(doc: Doc, ellipsis: _Ellipsis, antecedent: PhraseDraft | None) -> bool:
    """Return whether "each" is of things in a row before it and not of an earlier sentence."""
    start = doc[ellipsis.head].sent.start
    if antecedent is None or ellipsis.first == start or ellipsis.stop - ellipsis.first > 1:
        return False
    return doc[ellipsis.head].lower_ in ("each", "both") and antecedent.first < start


def _is_bare(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase has no noun of its own: "three green ones", "the others"."""
    word = doc[draft.head].lower_
    bare = _ONES | _OTHERS | _ORDINALS | _WHOLE_GROUP | {"another", "none", "neither"}
    is_number = number_value(word) is not None and draft.name == draft.head
    return not draft.concept and not draft.singular and (word in bare or is_number)


def _begin_at_last_article(doc: Doc, draft: PhraseDraft) -> None:
    """Begin a phrase at its last article: "another a trumpet" are two phrases."""
    for at in range(draft.name - 1, draft.first, -1):
        if doc[at - 1].lower_ == "of":
            return
        is_counted = draft.count is not None and draft.count.start <= at < draft.count.stop
        if doc[at].lower_ in ("a", "an", "the") and not is_counted:
            draft.first = at
            draft.definite = doc[at].lower_ == "the"
            return
        if doc[at].lower_ == "one" and doc[at - 1].lower_ in _ORDINALS | _OTHERS:
            draft.first = at + 1
            draft.definite = False
            draft.count = None
            return


def _draft(ellipsis: _Ellipsis, antecedent: PhraseDraft) -> PhraseDraft:
    count = None
    if ellipsis.count is not None:
        at = ellipsis.head if ellipsis.count_at is None else ellipsis.count_at
        count = DraftCount(Count.exactly(ellipsis.count), at, at + 1)
    return PhraseDraft(
        first=ellipsis.first,
        name=ellipsis.head,
        head=ellipsis.head,
        stop=ellipsis.stop,
        plural=ellipsis.plural,
        count=count,
        definite=ellipsis.reference != "new",
        antecedent=antecedent.head,
        reference=ellipsis.reference,
    )


# --- where they stand


def _ellipses(doc: Doc, taken: set[int]) -> Iterator[_Ellipsis]:
    at = 0
    while at < len(doc):
        ellipsis = None if at in taken else _ellipsis_at(doc, at, taken)
        if ellipsis is not None:
            yield ellipsis
        at = ellipsis.stop if ellipsis else at + 1


def _ellipsis_at(doc: Doc, at: int, taken: set[int]) -> _Ellipsis | None:
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
    if not _is_followed(doc, at + 1) or _is_within_noun_phrase(doc, at):
        return _the_other(doc, at)
    if word == "another":
        return _Ellipsis(at, at, at + 1, "another")
    if word in ("each", "both") and at > 0 and doc[at].dep_ in ("nsubj", "nsubjpass", "ROOT"):
        return _Ellipsis(at, at, at + 1, "same", plural=word == "both")
    value = number_value(word)
    if at > 0 and doc[at - 1].lower_ == "of":
        # "a family of five is having dinner"
        return None
    if value and word.isalpha() and _is_subject(doc[at]):
        return _Ellipsis(at, at, at + 1, "one of", value, value > 1, is_number=True)
    return None


def _of_them(doc: Doc, at: int) -> _Ellipsis | None:
    """Return "one of them", "each of them", "some of which"."""
    word = doc[at].lower_
    value = number_value(word)
    if value:
        return _Ellipsis(at, at, at + 3, "one of", value, value > 1)
    if word in _WHOLE_GROUP:
        return _Ellipsis(at, at, at + 3, "same", plural=True)
    if word in ("some", "several", "many", "most", "few"):
        return _Ellipsis(at, at, at + 3, "one of", plural=True)
    return None


def _described_one(doc: Doc, at: int, taken: set[int]) -> _Ellipsis | None:
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
    is_one = head < len(doc) and doc[head].lower_ in _ONES and head not in taken
    if not is_one or (head + 1 < len(doc) and doc[head + 1].lower_ == "of"):
        return None
    plural = doc[head].lower_ == "ones"
    middle = {token.lower_ for token in doc[at + 1 : head]}
    if first in ("each", "every"):
        return _Ellipsis(at, head, head + 1, "same")
    if first == "another" or middle & _OTHERS:
        return _Ellipsis(at, head, head + 1, "another", plural=plural)
    if first in ("the", "this", "that"):
        return _Ellipsis(at, head, head + 1, "one of", plural=plural)
    reference: Reference = "one of" if first == "one" else "new"
    return _Ellipsis(at, head, head + 1, reference, value, plural, at if value else None)


def _colored_number(doc: Doc, at: int) -> _Ellipsis | None:
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
    return _Ellipsis(at, at, at + 1, "one of", value, (value or 0) > 1)


def _the_other(doc: Doc, at: int) -> _Ellipsis | None:
    """Return "the other", "the other two", "the others", "the third"."""
    if doc[at].lower_ != "the" or at + 1 >= len(doc) or _is_reciprocal(doc, at):
        return None
    following = doc[at + 1].lower_
    if following in _OTHERS and at + 2 < len(doc):
        value = number_value(doc[at + 2].lower_)
        if value and _is_followed(doc, at + 3):
            return _Ellipsis(at, at + 2, at + 3, "another", value, value > 1, chooses=True)
    if not _is_followed(doc, at + 2):
        return None
    if following in _OTHERS:
        return _Ellipsis(at, at + 1, at + 2, "another", plural=following == "others", chooses=True)
    if following in _ORDINALS:
        return _Ellipsis(at, at + 1, at + 2, "one of", chooses=True)
    return None


def _is_reciprocal(doc: Doc, at: int) -> bool:
    """Return whether "one" stands before "the other" with a preposition: "one behind the other"."""
    before = range(max(0, at - 5), at - 1)
    return any(doc[one].lower_ == "one" and doc[one + 1].tag_ == "IN" for one in before)


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
        or word in _OTHERS | _ORDINALS
        or token.tag_ in ("VBG", "VBN", "JJR", "JJS")
    )


# --- what they stand for


def _antecedent(
    doc: Doc, ellipsis: _Ellipsis, drafts: Sequence[PhraseDraft], group: PhraseDraft | None
) -> PhraseDraft | None:
    """Return the phrase whose noun is meant, if one stands before.

    `group`: from which the text chose before.
    """
    if group is not None and ellipsis.reference != "new":
        return group
    before = [
        draft
        for draft in drafts
        if draft.stop <= ellipsis.first and draft.is_thing and not draft.absent
    ]
    if not before:
        return None
    groups = [draft for draft in before if _is_group(doc, draft)]
    if ellipsis.reference != "new" and groups:
        subjects = [draft for draft in groups if _is_subject_phrase(doc, draft)]
        return (subjects or groups)[-1]
    if ellipsis.reference == "same" or ellipsis.is_number:
        return None
    if ellipsis.chooses:
        # "one sandal ... the other"
        single = (draft for draft in reversed(before) if draft.count and draft.count.count.exact)
        return next(single, None)
    words = {token.lower_ for token in doc[ellipsis.first : ellipsis.head]}
    with_color = [draft for draft in before if COLORS & _words(doc, draft)]
    described = [draft for draft in before if draft.name - draft.first > 1]
    if words & COLORS and with_color:
        return with_color[-1]
    contrasted = [
        draft
        for draft in before
        for contrast in _CONTRASTS
        if words & contrast and _words(doc, draft) & contrast
    ]
    if contrasted:
        return contrasted[-1]
    if ellipsis.reference == "new" and ellipsis.head - ellipsis.first > 1 and described:
        return described[-1]
    return before[-1]


def _is_subject_phrase(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase, or "dozens" before its "of", is a subject or stands alone."""
    return any(token.dep_ in (*SUBJECTS, "ROOT") for token in doc[draft.first : draft.head + 1])


def _words(doc: Doc, draft: PhraseDraft) -> set[str]:
    return {token.lower_ for token in doc[draft.first : draft.name]}


def _is_group(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase names several things."""
    if draft.antecedent is not None:
        return False
    if draft.count is not None:
        return draft.count.count.least > 1
    return draft.plural or doc[draft.head].tag_ in PLURALS


def name_like(phrase: Phrase, antecedent: Phrase, at: int, plural: bool) -> Phrase:
    """Return a phrase without a noun under the name of what it stands for, phrase `at`."""
    is_group = antecedent.plural or bool(antecedent.number and antecedent.number > 1)
    reference = phrase.reference
    if reference in ("another", "one of"):
        # besides a single thing, "the other" is a further one
        reference = "one of" if is_group else "new"
    return replace(
        phrase,
        name=antecedent.name,
        lemmas=antecedent.lemmas,
        head=antecedent.head,
        concept=antecedent.concept,
        plural=phrase.plural or plural,
        modifiers=tuple(word for word in phrase.modifiers if word.text not in _ORDINALS),
        antecedent=at,
        reference=reference,
    )
