"""Finds which thing a pronoun stands for: "it" in "a dog chases a ball, it is brown".

It is the subject of what was said before, else the thing named last, of the same number; "he" and
"she" are persons where one was named, and "it" is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate, synonyms
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.words.grammar import SUBJECTS
from hallascope.metrics.parsing.words.language import wordset

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_NEUTER = wordset("it its")
_PERSONAL = wordset("he she him her his")
_PLURAL = wordset("they them their")
_BEHIND_PREPOSITION = wordset("which whom")
# "whose petting" is "who is petting", misspelled
_RELATIVE = wordset("that which who whose")


def find_referents(doc: Doc, index: PhraseIndex) -> Mapping[int, int]:
    """Return, for each pronoun that stands for a thing, by its token, which of the phrases that is.

    `index` has no referents yet.
    """
    referents: dict[int, int] = {}
    for token in doc:
        if token in index:
            continue
        referent = None
        if token.lower_ in _RELATIVE and token.dep_ in SUBJECTS:
            # the noun that the relative clause describes
            clause = token.head
            referent = index.phrase_of(clause.head) if clause.dep_ == "relcl" else None
            if token.lower_ == "who" and not _is_who(index, referent):
                # "a man with soot on his cheeks, who is smiling"
                living = [at for at in index.phrases_before(token.i) if _is_who(index, at)]
                referent = living[-1] if living else referent
        elif token.lower_ in _NEUTER | _PERSONAL | _PLURAL and token.tag_ == "PRP":
            parts = parts_before(doc, token, index) if token.lower_ == "it" else ()
            referent = find_antecedent(doc, token, index, parts)
        elif token.lower_ in _BEHIND_PREPOSITION and token.dep_ == "pobj" and token.i > 1:
            # "a bench on which lie a gavel and a pen"
            before = [at for at in index.phrases_before(token.i) if index.is_thing(at)]
            referent = before[-1] if before else None
        if referent is not None:
            referents[token.i] = referent
    return referents


def find_antecedent(
    doc: Doc, pronoun: Token, index: PhraseIndex, excluded: Sequence[int] = ()
) -> int | None:
    """Return which of the phrases before a pronoun it stands for; "her" is "she", too.

    `excluded`: those that it does not, as what stands on its right is not itself.
    """
    word = pronoun.lower_
    candidates = [
        at
        for at in index.phrases_before(pronoun.i)
        if at not in excluded and index.is_thing(at) and _agrees_in_number(word, index.phrases[at])
    ]
    persons = [at for at in candidates if _is_person(index.phrases[at])]
    if word in _PERSONAL and persons:
        candidates = persons
    elif word in _NEUTER:
        candidates = [at for at in candidates if at not in persons]
    subjects = [
        at
        for at in candidates
        if any(doc[token].dep_ in (*SUBJECTS, "ROOT") for token in index.tokens[at])
    ]
    nearest = (subjects or candidates)[-1:]
    return nearest[0] if nearest else None


def parts_before(doc: Doc, pronoun: Token, index: PhraseIndex) -> list[int]:
    """Return the phrases that "its" begins: "its tail hangs down, and a mouse is behind it"."""
    return [
        at for at in index.phrases_before(pronoun.i) if doc[index.tokens[at].start].lower_ == "its"
    ]


def _is_who(index: PhraseIndex, phrase: int | None) -> bool:
    return phrase is not None and index.is_thing(phrase) and is_animate(index.phrases[phrase])


def _agrees_in_number(pronoun: str, phrase: Phrase) -> bool:
    if pronoun not in _PLURAL:
        return not phrase.plural
    return phrase.plural or bool(phrase.number and phrase.number > 1)


def _is_person(phrase: Phrase) -> bool:
    return phrase.head == "person" or phrase.head in synonyms().get("person", ())
