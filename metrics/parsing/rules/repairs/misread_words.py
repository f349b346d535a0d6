"""Finds nouns and adjectives that spaCy's small model takes for another part of speech.

A word that English has only as a noun is one: "a white fire hydrant". The model takes those that it
does not know for adjectives or verbs. And "devoid of" is read as an adjective.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.repairs.stand_ins import StandIn
from hallascope.metrics.parsing.words import language, wordnet
from hallascope.metrics.parsing.words.grammar import NOUNS, lemma, stands_without_article
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import (
    COVERED,
    NAMES_IN_ING,
    PLACE_ADVERBS,
    PLURAL_ONLY,
)
from hallascope.metrics.parsing.words.spacy_model import is_irregular_form, word_classes
from hallascope.metrics.parsing.words.verb_words import INVERTED_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_NOT_NOUN_TAGS = ("JJ", "VB", "VBP", "VBZ", "VBD", "VBN", "RB", "FW", "NFP", "ADD")
# with "of" these say what is not there; the model takes them for nouns
_ABSENCE = ("devoid", "bereft", "void", "absent")
# nouns by form that name no thing where they are taken for something else
_ATTRIBUTIVE = wordset("vintage deluxe upside")
_SHORTEST = 4  # letters of a word that the lists may be trusted for


def find_misread_words(doc: Doc) -> Iterator[tuple[int, StandIn]]:
    """Yield the tokens that were read as another part of speech, each with its stand-in."""
    for token in doc:
        word = token.lower_
        if _is_can(token):
            yield token.i, StandIn("box", word)
            continue
        if _is_participle_in_list(token):
            yield token.i, StandIn("old", word)
            continue
        if _is_adjective_alone(token):
            yield token.i, StandIn("quiet", word)
            continue
        if word in PLURAL_ONLY and token.tag_ == "VBZ":
            yield token.i, StandIn("gloves", word)
            continue
        is_before_of = token.i + 1 < len(doc) and token.nbor(1).lower_ == "of"
        if word in _ABSENCE and is_before_of and token.pos_ != "ADJ":
            yield token.i, StandIn("full", word)
            continue
        if token.tag_ == "NN" and _is_adjective_behind_noun(token):
            yield token.i, StandIn("open", word)
        if _is_name_in_ing(token):
            yield token.i, StandIn("sauce", word)
            continue
        if _is_participle_in_row(token):
            yield token.i, StandIn("big", word)
            continue
        if _is_noun_behind_singular(token):
            yield token.i, StandIn("table", word)
            continue
        if _is_covering(token):
            yield token.i, StandIn("well", lemma(token), token.tag_)
            continue
        if token.tag_ not in _NOT_NOUN_TAGS or len(word) < _SHORTEST or not word.isalpha():
            continue
        is_auxiliary = token.pos_ == "AUX" and not _is_plural_noun(word)
        if word in language.STOP or is_auxiliary or _describes_noun(token):
            continue
        if word in _ATTRIBUTIVE:
            continue
        singular = language.singular(word)
        classes = word_classes(word) | word_classes(singular)
        if token.tag_ in ("JJ", "RB") and not classes & {"adj", "adv"}:
            # "a tattoo", which is a noun or a verb
            classes = classes - {"verb"}
        if classes == {"noun"} and not _is_inflected(word):
            yield token.i, StandIn(_plain_noun(token, singular != word), singular)


def _is_adjective_behind_noun(token: Token) -> bool:
    """Return whether a supposed noun is only an adjective: "a bedroom with the bed unmade"."""
    word = token.lower_
    if (
        word in PLACE_ADVERBS
        or token.i == 0
        or token.nbor(-1).pos_ not in NOUNS
        or wordnet.senses(word)
    ):
        return False
    is_last = token.i + 1 == len(token.doc) or token.nbor(1).pos_ not in NOUNS
    return is_last and word_classes(word) == {"adj"}


def _is_name_in_ing(token: Token) -> bool:
    """Return whether a supposed verb in -ing is the last noun of a name: "cream cheese icing"."""
    if token.tag_ != "VBG" or token.lower_ not in NAMES_IN_ING or token.i == 0:
        return False
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    is_last = following is None or following.pos_ in ("ADP", "PUNCT", "CCONJ", "VERB", "AUX")
    return is_last and token.nbor(-1).pos_ in (*NOUNS, "ADJ")


def _is_participle_in_row(token: Token) -> bool:
    """Return whether a participle describes the next in a row: "blueberries and sliced almonds"."""
    if token.i < 2 or token.i + 1 >= len(token.doc) or not token.lower_.endswith("ed"):
        return False
    is_in_row = token.nbor(-1).lower_ in ("and", ",") and token.nbor(-2).pos_ in NOUNS
    noun = token.nbor(1)
    is_read = token.dep_ == "amod" and token.head.i > token.i
    if not is_in_row or is_read or noun.pos_ not in NOUNS:
        return False
    # "a man walked and kicked balls"
    has_verb = any(word.tag_ in ("VBD", "VBZ", "VBP") for word in token.doc[: token.i])
    return not has_verb or not stands_without_article(noun)


def _is_noun_behind_singular(token: Token) -> bool:
    """Return whether a supposed base form of a verb stands behind "a" and a noun.

    "A bathroom sink": what one does would end in "s". But "a man helps a child fly a kite".
    """
    doc = token.doc
    if token.tag_ not in ("VB", "VBP") or token.i < 2 or token.pos_ != "VERB":
        return False
    at = token.i - 1
    if (
        doc[at].tag_ not in ("NN", "NNP")
        or not doc[at].is_lower
        or "noun" not in word_classes(token.lower_)
    ):
        return False
    if wordnet.is_kind_of(doc[at].lower_, "person", "animal"):
        # "a guy wear a hat" is a slip
        return False
    if token.lower_ in INVERTED_VERBS and doc[token.sent.start].pos_ == "ADP":
        # "on the shelf of a pantry stand three jars"
        return False
    while at > 0 and doc[at].tag_ in ("NN", "NNP", "JJ"):
        at -= 1
    is_done = at > 0 and doc[at - 1].pos_ in ("VERB", "AUX", "CCONJ")
    return doc[at].lower_ in ("a", "an", "one", "another") and not is_done


def _is_covering(token: Token) -> bool:
    """Return whether a noun says what something is covered with: "a white cloth covered table"."""
    doc = token.doc
    if token.tag_ not in ("NN", "NNS") or token.i == 0 or token.i + 2 >= len(doc):
        return False
    covered, noun = doc[token.i + 1], doc[token.i + 2]
    is_read = covered.dep_ == "amod" and covered.head.i > covered.i
    is_described = token.nbor(-1).pos_ in ("DET", "ADJ", "ADP")
    return (
        covered.lower_ in COVERED and noun.pos_ in (*NOUNS, "ADJ") and is_described and not is_read
    )


def _is_can(token: Token) -> bool:
    """Return whether "can" is a thing: behind an article, with no verb behind it."""
    if token.lower_ != "can" or token.tag_ != "MD" or token.i < 2:
        return False
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    before = token.nbor(-2) if token.nbor(-1).pos_ not in ("DET", "PRON") else token.nbor(-1)
    has_verb = following is not None and following.pos_ in ("VERB", "AUX", "ADV", "PART")
    return before.pos_ == "DET" and not has_verb


def _is_participle_in_list(token: Token) -> bool:
    """Return whether a supposed verb describes the next of a list: "chairs, and carved doors"."""
    if token.tag_ not in ("VBD", "VBN") or not token.lower_.endswith("ed") or token.i == 0:
        return False
    if token.i + 1 >= len(token.doc) or token.dep_ == "amod":
        return False
    following = token.nbor(1)
    is_before_plural = following.tag_ == "NNS" or (
        following.pos_ in (*NOUNS, "ADJ")
        and token.i + 2 < len(token.doc)
        and token.nbor(2).tag_ == "NNS"
    )
    has_past = any(word.tag_ == "VBD" for word in token.sent if word.i < token.i)
    return token.nbor(-1).text in (",", "and") and is_before_plural and not has_past


def _is_adjective_alone(token: Token) -> bool:
    """Return whether a supposed noun is an adjective and nothing else: "sits motionless"."""
    word = token.lower_
    if token.tag_ != "NN" or token.i == 0 or token.nbor(-1).pos_ != "VERB":
        return False
    return word_classes(word) == {"adj"} and not wordnet.senses(word)


def _describes_noun(token: Token) -> bool:
    """Return whether a supposed adjective stands before a noun: "a vintage, colored drawing"."""
    is_living = wordnet.is_kind_of(token.lower_, "person", "animal")
    if is_living and token.i + 1 < len(token.doc) and token.nbor(1).lower_.endswith("ing"):
        # "a kitten playing with a ball"
        return False
    behind = [other for other in token.doc[token.i + 1 : token.i + 3] if other.text != ","]
    is_before_noun = bool(behind) and behind[0].pos_ in (*NOUNS, "ADJ")
    return bool(token.tag_ == "JJ") and is_before_noun and not _is_plural_noun(token.lower_)


def _is_plural_noun(word: str) -> bool:
    """Return whether a word is the plural of what English has only as a noun: "pandas"."""
    singular = language.singular(word)
    return singular != word and word_classes(singular) == {"noun"} and not word_classes(word)


def _is_inflected(word: str) -> bool:
    """Return whether a word may be a form of a verb or an adjective: "hung", "parked"."""
    stem = word.removesuffix("est").removesuffix("er")
    is_compared = stem != word and any(
        "adj" in word_classes(form) for form in (stem, f"{stem}e", stem[:-1])
    )
    return is_compared or word.endswith(("ed", "ing", "ly")) or is_irregular_form(word)


def _plain_noun(token: Token, is_plural: bool) -> str:
    """Return a noun that the model knows; one of a mass where no article stands before."""
    if is_plural:
        return "tables"
    before = token.nbor(-1) if token.i else None
    is_counted = before is not None and before.pos_ in ("DET", "ADJ", "NOUN", "PROPN", "PRON")
    return "table" if is_counted else "food"
