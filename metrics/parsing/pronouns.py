"""Which thing a pronoun stands for: "it" in "a dog chases a ball, it is brown".

It knows words and their order, no picture.

Our reading of what the papers leave open: the subject of what was said before, else the thing named
last, of the same number; "he" and "she" are persons where one was named, and "it" is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.language import wordset
from hallascope.metrics.parsing.name_matching import synonyms
from hallascope.metrics.parsing.parsed import Phrase

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ONE = wordset("it")
_PERSON = wordset("he she him her")
_MANY = wordset("they them")
_RELATIVE = wordset("that which who")


def referents(doc: Doc, phrases: Sequence[Phrase], tokens: Sequence[range]) -> Mapping[int, int]:
    """For each pronoun that stands for a thing, by its token, which of the phrases that is."""
    of = {at: index for index, span in enumerate(tokens) for at in span}
    found: dict[int, int] = {}
    for token in doc:
        if token.i in of:
            continue
        if token.lower_ in _RELATIVE and token.dep_ in ("nsubj", "nsubjpass"):
            head = of.get(token.head.head.i) if token.head.dep_ == "relcl" else None
        elif token.lower_ in _ONE | _PERSON | _MANY and token.tag_ == "PRP":
            head = _antecedent(token, phrases, tokens, doc)
        else:
            continue
        if head is not None:
            found[token.i] = head
    return found


def _antecedent(
    pronoun: Token, phrases: Sequence[Phrase], tokens: Sequence[range], doc: Doc
) -> int | None:
    before = [
        i
        for i, span in enumerate(tokens)
        if span.stop <= pronoun.i and phrases[i].is_thing and _fits(pronoun.lower_, phrases[i])
    ]
    persons = [i for i in before if _is_person(phrases[i])]
    if pronoun.lower_ in _PERSON and persons:
        before = persons
    elif pronoun.lower_ in _ONE:
        before = [i for i in before if i not in persons]
    subjects = [
        i for i in before if any(doc[at].dep_ in ("nsubj", "nsubjpass", "ROOT") for at in tokens[i])
    ]
    return next(iter((subjects or before)[-1:]), None)


def _fits(pronoun: str, phrase: Phrase) -> bool:
    """Whether the numbers agree."""
    return phrase.plural == (pronoun in _MANY) or (
        pronoun in _MANY and bool(phrase.number and phrase.number > 1)
    )


def _is_person(phrase: Phrase) -> bool:
    return phrase.head == "person" or phrase.head in synonyms().get("person", ())
