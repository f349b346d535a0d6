"""Holds the labels of the parser's grammar that several rules share, and a word's place and lemma.

Labels are those of spaCy: parts of speech (`pos_`), and dependencies (`dep_`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words import language, wordnet
from hallascope.metrics.parsing.words.irregular_plurals import IRREGULAR_PLURALS
from hallascope.metrics.parsing.words.noun_words import (
    INVARIANT_PLURALS,
    MASS_NOUNS,
    NEVER_PLURAL,
    PLURAL_ONLY,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.data.regions import Span

NOUNS = ("NOUN", "PROPN")
PLURALS = ("NNS", "NNPS")
VERBS = ("VERB", "AUX")
SUBJECTS = ("nsubj", "nsubjpass")
OBJECTS = ("dobj", "attr")
# kinds of nouns that name who can do something
_LIVING = ("person", "animal", "imaginary being", "automaton")
_AGENT_ENDINGS = ("ist", "ista", "man", "woman", "ists", "istas", "men", "women")
# what glasses are that are worn
_EYEWEAR = frozenset(
    ("tortoiseshell", "rimmed", "reading", "prescription", "bifocal", "nerdy", "steampunk", "nerd")
)
# plurals as they are, though not of the form of their singular
_IRREGULAR_PLURALS = frozenset({"people", "dice"})
_PLURALS_AT_THE_END = (("children", "child"), ("men", "man"), ("mice", "mouse"), ("geese", "goose"))
# where a noun stands in a sentence, whatever the parser takes the word for
NOUN_DEPENDENCIES = ("ROOT", *SUBJECTS, *OBJECTS, "pobj", "conj")


def span_of(doc: Doc, start: int, stop: int) -> Span:
    """Return the place of some tokens in characters of the parser's text."""
    return doc[start].idx, doc[stop - 1].idx + len(doc[stop - 1])


def lemma(token: Token) -> str:
    """Return the singular in lower case.

    It is the same for the same word whatever the parser takes it for.
    """
    if is_plural_only(token) or (token.pos_ != "NOUN" and token.tag_ != "NNPS"):
        return str(token.lower_)
    if token.lower_ in NEVER_PLURAL or token.lower_ in INVARIANT_PLURALS - _IRREGULAR_PLURALS:
        return str(token.lower_)
    return noun_singular(token).casefold()


def noun_singular(token: Token) -> str:
    """Return the singular of a noun: by our list, else by a rule that WordNet knows, else spaCy's.

    SpaCy has "vas" for "vases" and "thermo" for "thermos".
    """
    if token.lower_ in IRREGULAR_PLURALS or token.pos_ != "NOUN":
        return language.singular(token.text if token.pos_ != "NOUN" else token.lower_)
    by_rule = _singular_by_rule(token.lower_)
    return by_rule or language.singular(token.lemma_)


def _singular_by_rule(word: str) -> str:
    """Return the singular where a rule gives a noun that WordNet has; else ""."""
    singular = language.singular(word)
    if wordnet.has_noun(word) and (singular == word or not wordnet.has_noun(singular)):
        # "thermos", "biceps"
        return word
    if singular != word:
        if wordnet.has_noun(singular):
            return singular
        return ""
    for plural, one in _PLURALS_AT_THE_END:
        # "schoolchildren", "snowmen"
        if word.endswith(plural) and word != plural and not wordnet.has_noun(word):
            return f"{word.removesuffix(plural)}{one}"
    return ""


def is_plural_only(token: Token) -> bool:
    """Return whether a noun is plural for one thing, too: "pants", and "glasses" that are worn."""
    if token.lower_ == "lights" and token.i:
        return token.nbor(-1).lower_ in ("northern", "southern", "polar")
    if token.lower_ == "trunks" and token.i:
        return token.nbor(-1).lower_ in ("swim", "swimming", "bathing", "boxing")
    if token.lower_ != "glasses":
        return token.lower_ in PLURAL_ONLY
    doc = token.doc
    behind = doc[token.i + 1].lower_ if token.i + 1 < len(doc) else ""
    before = [word.lower_ for word in doc[max(0, token.i - 6) : token.i]]
    is_worn = any(word in ("wear", "wears", "wearing", "wore", "worn") for word in before)
    is_with_person = any(
        before[at] in ("with", "in") and _is_who_wears(before[at - 1])
        for at in range(1, len(before))
    )
    is_rimmed = not _EYEWEAR.isdisjoint(before[-2:])
    is_pair = is_rimmed or any(word in before[-3:] for word in ("pair", "pairs"))
    return behind != "of" and (is_worn or is_with_person or is_pair)


def stands_without_article(noun: Token) -> bool:
    """Return whether a noun needs no article, as plurals, "food" and "tennis" do, not "stove"."""
    if noun.tag_ in PLURALS or is_plural_only(noun) or noun.lower_ in MASS_NOUNS:
        return True
    return wordnet.is_kind_of(noun.lower_, "food", "substance", "sport", "game")


def is_living(token: Token | None) -> bool:
    """Return whether a word names a person, an animal, or who acts like one: "a robot"."""
    if token is None:
        return False
    # "raccoon" and "lamb" are furs and meat first; WordNet does not know "barista"
    word = token.lower_
    is_unknown = word.endswith(_AGENT_ENDINGS) and not wordnet.senses(word)
    return is_unknown or wordnet.may_be_kind_of(word, *_LIVING)


def _is_who_wears(noun: str) -> bool:
    """Return whether a noun names who may wear glasses: a person, a cat or a dog."""
    return noun in ("people", "cat", "dog", "bear") or wordnet.is_kind_of(noun, "person")
