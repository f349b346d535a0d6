"""Finds verbs behind a plural that spaCy's small model takes for nouns: "two crows perch on".

Two plurals in a row are no name, and neither is a plural before a verb without "s". A supposed verb
between a comma and a participle is itself a plural: ", sparks flying around him".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.repairs.clauses import (
    BEHIND_VERB,
    CLAUSE_WORDS,
    KINDS_IN_PLURAL,
    SINGULAR_ARTICLES,
    WITHIN_PHRASE,
    begins_object,
    has_finite_verb,
    may_be_done,
    plain_subject,
)
from hallascope.metrics.parsing.rules.repairs.stand_ins import StandIn
from hallascope.metrics.parsing.words import language, wordnet
from hallascope.metrics.parsing.words.grammar import is_living, is_plural_only
from hallascope.metrics.parsing.words.noun_words import NEVER_PLURAL
from hallascope.metrics.parsing.words.number_words import number_value
from hallascope.metrics.parsing.words.spacy_model import verbs

if TYPE_CHECKING:
    from spacy.tokens import Token

_NOUN_TAGS = ("NN", "NNS")
_NO_PLURALS = KINDS_IN_PLURAL | NEVER_PLURAL


def is_plural_before_participle(token: Token, following: Token) -> bool:
    """Return whether a supposed verb is a plural that does something: ", sparks flying around"."""
    if token.tag_ != "VBZ" or following.tag_ not in ("VBG", "VBN") or token.pos_ == "AUX":
        return False
    is_plural = token.lower_.endswith("s") and language.singular(token.lower_) != token.lower_
    is_first = token.nbor(-1).lower_ in (",", "and", "with", "as")
    return is_first and is_plural and bool(wordnet.senses(token.lower_))


def is_verb_behind_plural(token: Token, following: Token | None) -> bool:
    """Return whether a noun behind a plural is its verb: "two crows perch on", "boots lies in"."""
    plural = token.nbor(-1)
    living = is_living(plural)
    tags = _NOUN_TAGS if not living else ("JJ", *_NOUN_TAGS, *(("NNP",) if token.is_lower else ()))
    if not _is_plural(plural) or token.tag_ not in tags:
        return False
    is_name = wordnet.senses(f"{plural.lower_} {token.lower_}")
    if is_name or language.singular(token.lower_) not in verbs():
        return False
    if following is not None and following.tag_ in BEHIND_VERB and following.lower_ != "of":
        return token.tag_ != "JJ" or following.tag_ in ("DT", "PRP$", "RP")
    if not living or has_finite_verb(plural) or not _begins_clause(plural):
        return False
    is_last = following is None or following.text in (".", ",", ";")
    return may_be_done(token) if following is None or is_last else begins_object(following)


def _is_plural(token: Token) -> bool:
    """Return whether a word is a plural, whatever the model takes it for: "crows", "llamas"."""
    if is_plural_only(token) or token.lower_ in _NO_PLURALS:
        return False
    at = token.i - 1
    while at > 0 and token.doc[at].tag_ == "JJ":
        at -= 1
    if at >= 0 and token.doc[at].lower_ in SINGULAR_ARTICLES:
        # "a crowded farmers market"
        return False
    is_counted = token.i > 0 and (number_value(token.nbor(-1).lower_) or 1) > 1
    is_misread = token.tag_ in ("VBZ", "JJ", "NNP") and token.lower_.endswith("s")
    return token.tag_ == "NNS" or (is_misread and (is_counted or _is_living_alone(token)))


def _is_living_alone(token: Token) -> bool:
    """Return whether a word in "s" is the plural of who lives, with no article: "as crows ski"."""
    is_bare = token.i == 0 or token.nbor(-1).tag_ in ("IN", ",", "CC", "JJ", ":")
    is_verb = token.dep_ == "ROOT" and language.singular(token.lower_) in verbs()
    is_subject = token.dep_ in ("nsubj", "compound", "aux", "ROOT") and not is_verb
    return is_bare and is_subject and is_living(token)


def plural_and_verb(token: Token) -> Iterator[tuple[int, StandIn]]:
    """Yield a verb behind a plural, and the plural where that was read as a verb: "crows"."""
    has_object = token.i + 1 < len(token.doc) and begins_object(token.nbor(1))
    base = language.singular(token.lower_)
    yield token.i, StandIn("hold" if has_object else "sit", base, "VBP")
    plural = token.nbor(-1)
    if plural.tag_ in ("VBZ", "JJ"):
        yield plural.i, StandIn("dogs", language.singular(plural.lower_))
    else:
        yield from plain_subject(plural)


def _begins_clause(noun: Token) -> bool:
    """Return whether a phrase begins a clause: the one of "as two tall plumbers bark"."""
    start = noun.i
    while start > 0 and noun.doc[start - 1].tag_ in (*WITHIN_PHRASE, "CD", "DT"):
        start -= 1
    return start == noun.sent.start or noun.doc[start - 1].lower_ in CLAUSE_WORDS
