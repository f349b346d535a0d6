"""Finds second names of one person or animal: "a farmer, a short woman with braids, leads a llama".

The second name stands between commas with an article, and the verb behind it is said of the first.
"A girl, a boy in a hat, sits" names two people: a girl is no boy.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.grammar import PLURALS, lemma
from hallascope.metrics.parsing.words.language import wordset

if TYPE_CHECKING:
    from spacy.tokens import Doc

_FINITE = ("VBZ", "VBP", "VBD")
_LIVING = ("person", "animal", "imaginary being", "automaton")
# nouns for people by age and sex: nobody is of two of these kinds
_KINDS_OF_PEOPLE = (
    wordset("girl schoolgirl"),
    wordset("boy schoolboy lad"),
    wordset("baby infant toddler newborn"),
    wordset("woman lady"),
    wordset("man gentleman guy"),
)


def mark_appositions(doc: Doc, drafts: Sequence[PhraseDraft]) -> None:
    """Tie each second name to the phrase before it, in place."""
    for draft, second in pairwise(drafts):
        is_behind_comma = second.first == draft.stop + 1 and doc[draft.stop].text == ","
        has_article = doc[second.first].lower_ in ("a", "an")
        if not is_behind_comma or not has_article or draft.antecedent is not None:
            continue
        if not _is_living(doc, draft) or not _is_living(doc, second):
            continue
        if _can_be_one(lemma(doc[draft.head]), lemma(doc[second.head])) and _is_enclosed(
            doc, second
        ):
            second.antecedent = draft.head
            second.reference = "same"
            second.definite = True


def _is_living(doc: Doc, draft: PhraseDraft) -> bool:
    noun = doc[draft.head]
    return noun.tag_ not in PLURALS and wordnet.is_kind_of(lemma(noun), *_LIVING)


def _can_be_one(noun: str, other: str) -> bool:
    """Return whether one person or animal can have both names: a farmer and a woman, no two kinds.

    A cat is no dog, and may be an animal.
    """
    kinds = [kind for kind in _KINDS_OF_PEOPLE if {noun, other} & kind]
    if len(kinds) > 1:
        return False
    if wordnet.is_kind_of(noun, "animal") and wordnet.is_kind_of(other, "animal"):
        return wordnet.is_kind_of(noun, other) or wordnet.is_kind_of(other, noun)
    return True


def _is_enclosed(doc: Doc, second: PhraseDraft) -> bool:
    """Return whether a comma and a verb follow, and no other verb stands before them."""
    for token in doc[second.stop :]:
        if token.text == ",":
            return token.i + 1 < len(doc) and token.nbor(1).tag_ in _FINITE
        if token.tag_ in _FINITE or token.text in (".", ";", ":"):
            return False
    return False
