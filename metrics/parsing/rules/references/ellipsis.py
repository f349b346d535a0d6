"""Finds phrases without a noun, and what they stand for: "a blue one", "another", "one of them".

The noun is that of a phrase before: of a group, where the words choose from it ("the first one",
"the others", "one has a cello"), else the nearest that is described likewise ("a red car and a blue
one").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hallascope.data.prompt_reading import Count
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.rules.noun_phrases.drafts import DraftCount, PhraseDraft
from hallascope.metrics.parsing.rules.references.bare_phrases import (
    ONES,
    ORDINALS,
    OTHERS,
    WHOLE_GROUP,
    Ellipsis,
    find_ellipses,
)
from hallascope.metrics.parsing.words.grammar import PLURALS, SUBJECTS
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import COLORS
from hallascope.metrics.parsing.words.number_words import number_value

if TYPE_CHECKING:
    from spacy.tokens import Doc

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


def add_ellipses(
    doc: Doc, drafts: Sequence[PhraseDraft], quoted: frozenset[int]
) -> list[PhraseDraft]:
    """Return the drafts with those of phrases that have no noun, in the order of the text."""
    result = [draft for draft in drafts if not _is_bare(doc, draft)]
    bare = [draft for draft in drafts if _is_bare(doc, draft)]
    for draft in result:
        _begin_at_last_article(doc, draft)
    colors = [draft for draft in result if _is_color_of_one(doc, draft)]
    result = [draft for draft in result if draft not in colors]
    taken = {at for draft in result for at in range(draft.first, draft.stop)} | set(quoted)
    group: PhraseDraft | None = None
    for ellipsis in find_ellipses(doc, taken):
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
    result += [
        draft for draft in (*bare, *colors) if not taken & set(range(draft.first, draft.stop))
    ]
    return sorted(result, key=lambda draft: draft.head)


def _is_of_row(doc: Doc, ellipsis: Ellipsis, antecedent: PhraseDraft | None) -> bool:
    """Return whether "each" is of things in a row before it and not of an earlier sentence."""
    start = doc[ellipsis.head].sent.start
    if antecedent is None or ellipsis.first == start or ellipsis.stop - ellipsis.first > 1:
        return False
    return doc[ellipsis.head].lower_ in ("each", "both") and antecedent.first < start


def _is_bare(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase has no noun of its own: "three green ones", "the others"."""
    word = doc[draft.head].lower_
    bare = ONES | OTHERS | ORDINALS | WHOLE_GROUP | {"another", "none", "neither"}
    is_number = number_value(word) is not None and draft.name == draft.head
    return not draft.concept and not draft.singular and (word in bare or is_number)


def _is_color_of_one(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a number is of things named before: "five white and one speckled brown"."""
    is_color = doc[draft.head].lower_ in COLORS and draft.name == draft.head
    return is_color and draft.count is not None and draft.antecedent is None


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
        if doc[at].lower_ == "one" and doc[at - 1].lower_ in ORDINALS | OTHERS:
            draft.first = at + 1
            draft.definite = False
            draft.count = None
            return


def _draft(ellipsis: Ellipsis, antecedent: PhraseDraft) -> PhraseDraft:
    count = None
    if ellipsis.count is not None:
        at = ellipsis.head if ellipsis.count_at is None else ellipsis.count_at
        count = DraftCount(Count.exactly(ellipsis.count), at, at + 1)
    is_whole = antecedent.count is not None and antecedent.count.count.exact == ellipsis.count
    is_same = ellipsis.is_number and ellipsis.plural and is_whole
    return PhraseDraft(
        first=ellipsis.first,
        name=ellipsis.head,
        head=ellipsis.head,
        stop=ellipsis.stop,
        plural=ellipsis.plural,
        count=count,
        definite=ellipsis.reference != "new",
        antecedent=antecedent.head,
        reference="same" if is_same else ellipsis.reference,
    )


# --- what they stand for


def _antecedent(
    doc: Doc, ellipsis: Ellipsis, drafts: Sequence[PhraseDraft], group: PhraseDraft | None
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
        modifiers=tuple(word for word in phrase.modifiers if word.text not in ORDINALS),
        antecedent=at,
        reference=reference,
    )
