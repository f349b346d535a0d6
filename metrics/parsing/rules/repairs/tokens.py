"""Repairs tags and lemmas of single words that spaCy's small model gets wrong, where no parse is.

- "Rides" is a form of "ride", which the model takes for one of "rid", and "swam" one of "swim".
- "A tower lit up at night", "cars lined up in a row": what describes a noun behind it, or says how
  it was put there, is a participle and no past tense.
- "Bikinis" are several, and so are "Llamas" at the beginning of a sentence.
- "As crows ski": a subject is no verb.
- "A red scarf" ends with a noun, where English has it as no adjective.
- "A red headed woman" is described so, and has no name of two words.
- "Someone" names a person, unless the text tells what was done before the picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words import language
from hallascope.metrics.parsing.words.grammar import is_living
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import (
    BODY_ADJECTIVES,
    COLORS,
    NEVER_PLURAL,
    PLURAL_ONLY,
)
from hallascope.metrics.parsing.words.spacy_model import adjectives, word_classes
from hallascope.metrics.parsing.words.verb_words import (
    INTERACTING_VERBS,
    INTRANSITIVE_VERBS,
    MOTION_VERBS,
    POSTURE_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# who does these to something is no object of it: "a boy pointed to a dog"
_DONE_TO = (
    INTRANSITIVE_VERBS
    | MOTION_VERBS
    | INTERACTING_VERBS
    | wordset("point listen talk wave bow react respond return turn happen work belong play agree")
)
_NOT_NOUN_TAGS = ("JJ", "VB", "VBP", "VBN", "VBD")
_RIDING = wordset("ride rides riding ridding ridden rode")  # one of them is often misspelled
_SOMEBODY = wordset("someone somebody")


def repair_tokens(doc: Doc) -> None:
    """Repair tags, parts of speech and lemmas in place."""
    for token in doc:
        if token.lemma_ == "rid" and token.lower_ in _RIDING:
            token.lemma_ = "ride"
        if token.lower_ in ("swam", "swum"):
            token.lemma_ = "swim"
        if token.tag_ == "VBD" and (token.dep_ == "acl" or _is_placed(token)):
            token.tag_ = "VBN"
        if token.lower_ in BODY_ADJECTIVES and token.i > 0 and token.nbor(-1).lower_ in COLORS:
            token.pos_ = "ADJ"
            token.tag_ = "JJ"
        if token.lower_ == "laden" and token.pos_ == "ADJ":
            token.tag_ = "VBN"
            token.pos_ = "VERB"
        if token.tag_ == "VBZ" and token.dep_ in ("nsubj", "aux") and is_living(token):
            # "as crows ski": nobody has a verb for a subject
            token.pos_ = "NOUN"
            token.tag_ = "NNS"
            token.dep_ = "nsubj"
            token.lemma_ = language.singular(token.lower_)
        if _is_done_by_one(token):
            token.pos_ = "VERB"
            token.tag_ = "VBG"
        if _is_noun_with_article(token):
            token.pos_ = "NOUN"
            token.tag_ = "NN"
            token.lemma_ = token.lower_
        if token.tag_ == "VB" and _is_finite(token):
            token.tag_ = "VBP"
        is_first = token.i == token.sent.start
        if token.tag_ in ("NN", "NNP") and _is_plural(token.lower_ if is_first else token.text):
            token.pos_ = "NOUN"
            token.tag_ = "NNS"
        if token.lower_ in _SOMEBODY and not _is_before_has(token):
            token.pos_ = "NOUN"
            token.tag_ = "NN"


def _is_done_by_one(token: Token) -> bool:
    """Return whether "one" or "another" of several does it: "two seals: one diving into water"."""
    if token.tag_ != "NN" or not token.lower_.endswith("ing") or token.i < 2:
        return False
    doer, joint = token.nbor(-1), token.nbor(-2)
    is_item = doer.lower_ in ("one", "another") and joint.text in (",", ":", ";", "and")
    is_followed = token.i + 1 < len(token.doc) and token.nbor(1).pos_ in ("ADP", "DET", "PRON")
    return is_item and is_followed


def _is_noun_with_article(token: Token) -> bool:
    """Return whether a supposed adjective or verb has an article and is where a noun would be."""
    word = token.lower_
    if token.tag_ not in _NOT_NOUN_TAGS or token.dep_ not in ("dobj", "pobj", "nsubj"):
        return False
    if word in adjectives() or "noun" not in word_classes(word):
        return False
    is_last = token.i + 1 == len(token.doc) or token.nbor(1).pos_ not in ("NOUN", "PROPN", "ADJ")
    return is_last and any(child.tag_ in ("DT", "PRP$") for child in token.lefts)


def _is_plural(word: str) -> bool:
    """Return whether a word is the plural of a noun, and no noun in the singular: "bikinis"."""
    singular = language.singular(word)
    if singular == word or not word.endswith("s") or word in NEVER_PLURAL | PLURAL_ONLY:
        return False
    return "noun" in word_classes(singular) and not word_classes(word)


def _is_finite(verb: Token) -> bool:
    """Return whether a base form has a subject of its own: "a man and a woman dance"."""
    children = [child.dep_ for child in verb.children]
    return "nsubj" in children and "aux" not in children


def _is_before_has(token: Token) -> bool:
    """Return whether the text says what somebody did before: "someone has painted a wall"."""
    return token.i + 1 < len(token.doc) and token.nbor(1).lower_ in ("has", "had")


def _is_placed(token: Token) -> bool:
    """Return whether a past tense without an object says how something was put somewhere."""
    has_object = any(child.dep_ == "dobj" for child in token.children)
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    if not has_object and token.lower_ == "lit":
        return True
    if has_object or following is None or not token.lower_.endswith("ed"):
        return False
    is_tied = following.lower_ in ("to", "with") and token.lemma_ not in _DONE_TO
    return is_tied or token.lemma_ in POSTURE_VERBS - INTRANSITIVE_VERBS
