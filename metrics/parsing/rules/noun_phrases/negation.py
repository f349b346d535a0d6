"""Reads what a text says not to be: "no hat", "devoid of a face", "none of them has a tail".

- A noun phrase is absent behind words of absence ("without", "lacking", "instead of", "not"), where
  "none" or "neither" has it, where it is missing, and where "neither" and "nor" stand around it
  (`is_absent`).
- So is what follows it in a row with "or" or "nor" (`extend_absence`).
- "Nobody" is a person who is absent (`draft_nobody`).
- An adjective that is negated, itself or by its verb, describes nothing (`is_negated_word`), nor do
  the words of absence.
- A negated verb is no action of its thing, except where it says that something is not worn, held or
  had (`denies_object`): "a man who is not wearing a hat".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.verb_words import POSTURE_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def _spellings(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(spelling.split()) for spelling in text.split(";"))


# right before a phrase with its article, number and adjectives
_ABSENCE_BEFORE = _spellings("""
    without; no; sans; minus; excluding; lacking; lacking in; lacks; lack; lacked; missing;
    devoid of; void of; bereft of; empty of; bare of; absent of; clear of; free of; free from;
    absence of; lack of; instead of; in place of; in lieu of; rather than; has lost; have lost;
    had lost; not; n't; n’t; not even
""")
# "not all dogs", "not only a dog", "not the same" say nothing of what is there
_AFTER_NOT = wordset("""
    all every both many more less fewer much enough quite just only merely simply the this that
    these those its his her their
""")
# behind a phrase: "the lid is missing", "with one arm missing"
_MISSING = _spellings("""
    missing; is missing; are missing; is absent; are absent; is gone; are gone; is nowhere;
    are nowhere; is not there; are not there; is not visible; are not visible; is not present;
    are not present
""")
_NOUN_STARTS = ("DT", "PRP$", "CD", "NN", "NNS", "JJ")
_ABSENCE_ADJECTIVES = wordset("devoid void bereft empty bare absent clear free")
_NOBODY = (("no", "one"), ("nobody",), ("no", "-", "one"))
_NONE = wordset("none neither nobody")
_DEFINITE = wordset("the this that these those its his her their")
_HAVING_VERBS = wordset("""
    have wear hold carry contain include own possess feature sport show display bear keep use
""")

# --- noun phrases


def is_absent(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether the words around a phrase say that it is not there."""
    if doc[draft.first].lower_ == "no" or _is_missing(doc, draft):
        return True
    # "not" may be a word of the phrase
    first = draft.first + (doc[draft.first].lower_ == "not")
    before = [token.lower_ for token in doc[max(0, first - 3) : first]]
    if any(tuple(before[-len(words) :]) == words for words in _ABSENCE_BEFORE):
        is_denied = before[-1] in ("not", "n't", "n’t") and _is_exempt(doc, draft, first)
        return not is_denied
    return _is_between_neither_and_nor(doc, draft) or _is_of_none(doc, draft)


def _is_exempt(doc: Doc, draft: PhraseDraft, first: int) -> bool:
    """Return whether "not" before a phrase denies something else: "not all dogs"."""
    is_bound = draft.count is not None and draft.count.start < first
    return is_bound or doc[first].lower_ in _AFTER_NOT


def _is_missing(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase is "a missing tooth", "with one arm missing" or "is missing"."""
    if any(token.lower_ == "missing" for token in doc[draft.first : draft.head]):
        return True
    behind = [token.lower_ for token in doc[draft.stop : draft.stop + 3]]
    for words in _MISSING:
        if tuple(behind[: len(words)]) == words:
            following = draft.stop + len(words)
            has_object = following < len(doc) and doc[following].tag_ in _NOUN_STARTS
            return words[-1] != "missing" or not has_object
    return False


def _is_between_neither_and_nor(doc: Doc, draft: PhraseDraft) -> bool:
    # "neither the dog nor the cat is red" says nothing of what is there
    is_definite = any(token.lower_ in _DEFINITE for token in doc[draft.first : draft.stop])
    before = doc[draft.first - 1].lower_ if draft.first else ""
    is_neither = "neither" in (doc[draft.first].lower_, before) and not is_definite
    behind = doc[draft.stop].lower_ if draft.stop < len(doc) else ""
    return is_neither and behind == "nor"


def _is_of_none(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether "none" or the like has it: "neither of them wears gloves"."""
    at = draft.first - 1
    if at < 1 or doc[at].lemma_ not in _HAVING_VERBS:
        return False
    while at > 0 and doc[at - 1].pos_ in ("AUX", "ADV"):
        at -= 1
    subject = doc[at - 1].lower_
    if subject in _NONE or [token.lower_ for token in doc[max(0, at - 2) : at]] == ["no", "one"]:
        return True
    for of in range(max(1, at - 5), at - 1):
        if doc[of].lower_ == "of" and doc[of - 1].lower_ in _NONE:
            return True
    return False


def extend_absence(doc: Doc, drafts: Sequence[PhraseDraft]) -> None:
    """Mark what follows in a row behind something absent: "without a shirt, hat or shoes"."""
    for at, draft in enumerate(drafts):
        if not draft.absent:
            continue
        for following in _row_behind(doc, drafts, at):
            following.is_thing = False
            following.absent = True


def _row_behind(doc: Doc, drafts: Sequence[PhraseDraft], at: int) -> list[PhraseDraft]:
    """Return the phrases that "or" or "nor" joins to one, and bare nouns that "and" joins to it.

    "Without windows and doors" has none of both; "without a hat and a dog" may have a dog.
    """
    row: list[PhraseDraft] = []
    for before, following in zip(drafts[at:], drafts[at + 1 :], strict=False):
        words = [token.lower_ for token in doc[before.stop : following.first]]
        joint = words[1:] if words[:1] == [","] and len(words) > 1 else words
        if not following.is_thing or len(joint) != 1 or joint[0] not in (",", "or", "nor", "and"):
            return []
        if joint == ["and"]:
            is_bare = not row and _is_bare(before) and _is_bare(following)
            return [following] if is_bare and not _has_predicate(doc, following) else []
        row.append(following)
        if joint != [","]:
            return row
    return []


def _is_bare(draft: PhraseDraft) -> bool:
    """Return whether a noun has no article and no adjective: "windows", "no windows"."""
    return draft.head - draft.first <= (1 if draft.absent else 0)


def _has_predicate(doc: Doc, draft: PhraseDraft) -> bool:
    return draft.stop < len(doc) and doc[draft.stop].pos_ in ("VERB", "AUX", "ADP", "PRON")


def draft_nobody(doc: Doc) -> Iterator[PhraseDraft]:
    """Yield "nobody" and "no one" as a person who is absent; "nobody but a man" is none."""
    words = [token.lower_ for token in doc]
    for at in range(len(words)):
        for spelling in _NOBODY:
            stop = at + len(spelling)
            following = words[stop : stop + 1]
            is_doer = stop < len(doc) and doc[stop].pos_ == "VERB" and _is_doing(doc[stop])
            is_exempt = following in (["but"], ["except"], ["of"])
            if tuple(words[at:stop]) == spelling and not is_exempt and not is_doer:
                yield PhraseDraft(
                    first=at,
                    name=at,
                    head=stop - 1,
                    stop=stop,
                    singular="person",
                    is_thing=False,
                    absent=True,
                )


def _is_doing(verb: Token) -> bool:
    """Return whether nobody does something, who may be there: "nobody looks up"."""
    return verb.tag_ in ("VBZ", "VBD", "VBP") and verb.lemma_ not in POSTURE_VERBS


# --- verbs and adjectives


def is_negated(token: Token) -> bool:
    """Return whether "not" or the like depends on a word."""
    return any(child.dep_ == "neg" for child in token.children)


def is_negated_word(token: Token) -> bool:
    """Return whether an adjective or the word that it depends on is negated."""
    return is_negated(token) or is_negated(token.head)


def says_absence(token: Token) -> bool:
    """Return whether a word says what is not there: "missing", "devoid of", "free from"."""
    following = token.nbor(1).lower_ if token.i + 1 < len(token.doc) else ""
    if token.lower_ in _ABSENCE_ADJECTIVES and following in ("of", "from"):
        return True
    return token.lower_ == "missing" or token.lemma_ in ("lack", "miss")


def denies_object(verb: Token) -> bool:
    """Return whether a verb says of its object that it is not there, where it is negated."""
    return verb.lemma_ in _HAVING_VERBS
