"""Finds verbs that spaCy's small model takes for nouns: "a blacksmith hammers a horseshoe".

Grammar tells them: "a" cannot stand before a plural, two plurals in a row are no name, two persons
joined by "and" do what follows them, and so does a person or an animal before a word in -ing ("a
woman hauling baggage"). Behind a place at the start there is a verb ("on the wall hang pictures").

A supposed verb between a comma and a participle is a plural: ", sparks flying around him".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.repairs.stand_ins import StandIn
from hallascope.metrics.parsing.words import language, wordnet
from hallascope.metrics.parsing.words.grammar import (
    NOUNS,
    PLURALS,
    VERBS,
    is_plural_only,
    lemma,
    stands_without_article,
)
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import CONTAINERS, NEVER_PLURAL, NOUNS_IN_ING
from hallascope.metrics.parsing.words.number_words import QUANTIFIERS, number_value
from hallascope.metrics.parsing.words.spacy_model import adjectives, verbs
from hallascope.metrics.parsing.words.verb_words import MOTION_VERBS, POSTURE_VERBS, STATE_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SINGULAR = ("a", "an", "another", "every", "each")
_DEFINITE = ("the", "his", "her", "its", "their", "this")
_FINITE_TAGS = ("VBZ", "VBP", "VBD", "MD")
# verbs whose past tense is as their noun: "the candle cast shadows"
_PAST_AS_NOUN = wordset("cast hit cut")
_BASE_VERBS = (
    MOTION_VERBS
    | POSTURE_VERBS
    | STATE_VERBS
    | wordset("paddle chat talk dine fight laugh giggle stare gaze shout argue embrace cuddle")
)
# things do these, too: "a cup and a saucer sit on a table"
_RESTING_VERBS = wordset("hang lie sit lean float rest")
_INVERTED_VERBS = _RESTING_VERBS | wordset("stand grow perch hover burn glow swim sleep fly crouch")
# what may follow a verb, and hardly a noun that another one begins
_BEHIND_VERB = ("IN", "DT", "PRP$", "RP", "RB", "TO", "CD")
# plurals that stand before a noun as its kind: "a sports shoe"
_KINDS_IN_PLURAL = wordset("sports arms goods sales savings customs news")
_NO_PLURALS = _KINDS_IN_PLURAL | NEVER_PLURAL
_NOUN_TAGS = ("NN", "NNP", "NNS", "NNPS")
# words in -ing that names have, and that persons and animals do: "a bear swimming underwater"
_DONE_OR_NAMED = wordset("swimming cutting dining sewing washing shopping frying cooking loading")
_SHORTEST_DOING = 6  # letters of a word in -ing
_WITHIN_PHRASE = ("NN", "NNP", "JJ", "JJR", "JJS", "VBN", "VBG", "HYPH", "RB")


def find_misread_verbs(doc: Doc) -> Iterator[tuple[int, StandIn]]:
    """Yield the tokens that are verbs and were read as nouns, each with its stand-in."""
    doing = dict(_doing_stand_ins(doc))
    yield from doing.items()
    for token in doc[1:]:
        if token.i in doing:
            # the onions of "a chef slicing onions"
            continue
        following = token.nbor(1) if token.i + 1 < len(doc) else None
        if following is not None and _is_plural_before_participle(token, following):
            yield token.i, StandIn("dogs", language.singular(token.lower_), "NNS")
            continue
        if following is not None and _is_verb_behind_plural(token, following):
            yield from _plural_and_verb(token)
            continue
        if _is_finite_in_phrase(token):
            yield token.i, StandIn("sits" if token.tag_ == "VBZ" else "sit", token.lemma_)
            continue
        if following is not None and _is_inverted_verb(token, following):
            yield token.i, StandIn("sit", token.lower_)
            continue
        has_object = following is not None and following.tag_ in ("DT", "PRP$", "CD", "JJ")
        phrase = _singular_phrase(token)
        if phrase and _is_verb_behind_singular(token):
            stand_in = "holds" if has_object else "sits"
            yield token.i, StandIn(stand_in, language.singular(token.lower_))
        elif (
            (phrase or _is_living(token.nbor(-1)) or _is_behind_owner(token))
            and following is not None
            and _is_verb_of_several(token, following)
        ):
            yield token.i, StandIn("sit", token.lower_)
        elif _is_what_the_living_do(token) or _is_verb_behind_led(token, following):
            yield token.i, StandIn("sits", language.singular(token.lower_))
        elif token.lower_ == "pet" and token.nbor(-1).lower_ == "to" and has_object:
            yield token.i, StandIn("hold", "pet")
        elif token.lower_ in _PAST_AS_NOUN and _is_between_nouns(token):
            yield token.i, StandIn("had", token.lower_)


def _is_plural_before_participle(token: Token, following: Token) -> bool:
    """Return whether a supposed verb is a plural that does something: ", sparks flying around"."""
    if token.tag_ != "VBZ" or following.tag_ not in ("VBG", "VBN") or token.pos_ == "AUX":
        return False
    is_plural = token.lower_.endswith("s") and language.singular(token.lower_) != token.lower_
    is_first = token.nbor(-1).lower_ in (",", "and", "with", "as")
    return is_first and is_plural and bool(wordnet.senses(token.lower_))


def _is_verb_behind_plural(token: Token, following: Token) -> bool:
    """Return whether a noun behind a plural is its verb: "two crows perch on", "boots lies in"."""
    plural = token.nbor(-1)
    is_counted = plural.i > 0 and (number_value(plural.nbor(-1).lower_) or 1) > 1
    is_plural = plural.tag_ == "NNS" or (plural.tag_ == "VBZ" and is_counted)
    if not is_plural or is_plural_only(plural) or plural.lower_ in _NO_PLURALS:
        return False
    if token.tag_ not in ("NN", "NNS") or following.tag_ not in _BEHIND_VERB:
        return False
    is_name = wordnet.senses(f"{plural.lower_} {token.lower_}")
    return not is_name and language.singular(token.lower_) in verbs()


def _plural_and_verb(token: Token) -> Iterator[tuple[int, StandIn]]:
    """Yield a verb behind a plural, and the plural where that was read as a verb: "crows"."""
    yield token.i, StandIn("sit", language.singular(token.lower_))
    plural = token.nbor(-1)
    if plural.tag_ == "VBZ":
        yield plural.i, StandIn("dogs", language.singular(plural.lower_))


def _is_finite_in_phrase(token: Token) -> bool:
    """Return whether the article of a noun is tied to its verb: "a raven perches"."""
    if token.tag_ not in ("VBZ", "VB", "VBP") or token.nbor(-1).pos_ not in NOUNS:
        return False
    dependencies = {child.dep_ for child in token.lefts}
    tied = {"det", "compound", "amod"} if token.tag_ == "VBZ" else {"det"}
    return not tied.isdisjoint(dependencies)


def _is_inverted_verb(token: Token, following: Token) -> bool:
    """Return whether a noun is the verb behind a place: "on the wall hang two pictures"."""
    # "of a pantry stand three jars": `misread_words` takes it for a noun, too
    may_be_noun = token.pos_ in NOUNS or (
        token.tag_ in ("VB", "VBP") and token.nbor(-1).tag_ == "NN"
    )
    if token.lower_ not in _INVERTED_VERBS or not may_be_noun:
        return False
    if following.tag_ not in ("DT", "CD", "PRP$", "JJ", "NNS") and following.lower_ != "at":
        return False
    clause = token.doc[token.sent.start : token.i]
    joints = [word.i for word in clause if word.tag_ in (",", "CC")]
    start = joints[-1] + 1 if joints else token.sent.start
    has_verb = any(word.pos_ in VERBS for word in token.doc[start : token.i])
    return not has_verb and bool(token.doc[start].pos_ == "ADP")


def _is_between_nouns(token: Token) -> bool:
    has_noun_behind = token.i + 1 < len(token.doc) and token.nbor(1).pos_ in NOUNS
    return token.nbor(-1).pos_ in NOUNS and has_noun_behind


def _singular_phrase(token: Token) -> bool:
    """Return whether "a" and a noun stand before a word, with nothing that counts between."""
    doc = token.doc
    before = doc[token.i - 1]
    # "a kilt dance": the model takes nouns that it does not know for adjectives
    is_noun = before.pos_ in NOUNS or _is_noun_alone(before)
    if not is_noun or token.pos_ not in NOUNS:
        return False
    at = token.i - 1
    while at > 0 and doc[at].tag_ in _WITHIN_PHRASE and not _counts(doc[at]):
        at -= 1
    is_owned = doc[at].tag_ == "POS"
    return bool((doc[at].lower_ in _SINGULAR or is_owned) and at < token.i - 1)


def _is_noun_alone(token: Token) -> bool:
    """Return whether a supposed adjective is a noun and none in the lexicon: "oven"."""
    is_noun = token.tag_ == "JJ" and bool(wordnet.senses(token.lower_))
    return is_noun and token.lower_ not in adjectives()


def _counts(token: Token) -> bool:
    """Return whether a word makes "a" stand before a plural: "a few dogs", "a dozen eggs"."""
    word = token.lower_
    return word in QUANTIFIERS | CONTAINERS or number_value(word) is not None


def _is_verb_behind_singular(token: Token) -> bool:
    """Return whether a supposed plural behind "a" and a noun is a verb: "a sailboat leans"."""
    word = token.lower_
    if token.tag_ not in PLURALS or not word.endswith("s") or word in _KINDS_IN_PLURAL:
        return False
    if token.lower_ in NEVER_PLURAL or language.singular(token.lower_) == token.lower_:
        return is_plural_only(token) and _begins_with_animal(token)
    return not is_plural_only(token) or _begins_with_animal(token)


def _is_what_the_living_do(token: Token) -> bool:
    """Return whether a supposed plural behind "the" and who lives is a verb: "the batter runs"."""
    before = token.nbor(-1)
    if token.tag_ not in PLURALS or before.tag_ != "NN" or not _is_living(before):
        return False
    if token.i < 2 or token.nbor(-2).lower_ not in _DEFINITE:
        return False
    is_verb = language.singular(token.lower_) in _BASE_VERBS
    behind = token.nbor(1) if token.i + 1 < len(token.doc) else None
    return is_verb and (behind is None or behind.pos_ in ("ADP", "ADV", "PUNCT", "CCONJ", "SCONJ"))


def _is_verb_behind_led(token: Token, following: Token | None) -> bool:
    """Return whether a supposed plural is the verb of a clause that has none yet.

    "A dog with a ball in its mouth runs along the fence": the noun before stands behind a
    preposition, and is one.
    """
    doc, before = token.doc, token.nbor(-1)
    if token.tag_ not in PLURALS or before.tag_ != "NN" or following is None:
        return False
    if following.tag_ not in _BEHIND_VERB and following.pos_ != "PUNCT":
        return False
    verb = language.singular(token.lower_)
    has_object = following.tag_ in ("DT", "PRP$", "CD")
    if verb == token.lower_ or verb not in (verbs() if has_object else _BASE_VERBS):
        return False
    at = token.i - 1
    while at > 0 and doc[at].tag_ in _WITHIN_PHRASE:
        at -= 1
    is_led = at > 0 and doc[at - 1].pos_ == "ADP" and doc[at].lower_ in _DEFINITE
    if not is_led or wordnet.senses(f"{before.lower_} {verb}"):
        return False
    joints = [word.i for word in doc[token.sent.start : at] if word.text in (",", ";")]
    start = joints[-1] if joints else token.sent.start
    has_noun = any(word.pos_ in NOUNS for word in doc[start:at])
    return has_noun and not any(word.tag_ in _FINITE_TAGS for word in doc[start : token.i])


def _is_behind_owner(token: Token) -> bool:
    """Return whether "her" and a noun stand before a word: "a deer and her fawn drink"."""
    return token.i > 1 and token.nbor(-1).pos_ in NOUNS and token.nbor(-2).tag_ == "PRP$"


def _is_verb_of_several(token: Token, following: Token) -> bool:
    """Return whether a noun is what two do: "a man and a dog paddle on a lake"."""
    if token.tag_ != "NN" or token.lower_ not in _BASE_VERBS:
        return False
    if following.tag_ != "IN" and following.lower_ != "side":
        return False
    sentence = token.sent
    words = token.doc[sentence.start : token.i]
    if not any(word.lower_ == "and" for word in words):
        return False
    has_verb = any(word.tag_ in _FINITE_TAGS for word in sentence)
    if has_verb:
        return False
    first = next((w for w in words if w.pos_ in NOUNS), None)
    return _is_living(first) or token.lower_ in _RESTING_VERBS


def _begins_with_animal(token: Token) -> bool:
    """Return whether the sentence speaks of an animal, which has no clothes: "a dog pants"."""
    words = token.doc[token.sent.start : token.i]
    subject = next((w for w in words if w.tag_ == "NN" and w.dep_ != "compound"), None)
    return subject is not None and wordnet.is_kind_of(subject.lower_, "animal")


def _is_living(noun: Token | None) -> bool:
    return noun is not None and wordnet.is_kind_of(noun.lower_, "person", "animal")


# --- verbs in -ing


def _doing_stand_ins(doc: Doc) -> Iterator[tuple[int, StandIn]]:
    """Yield verbs in -ing behind who does them, and the bare noun behind: "a woman hauling bags".

    The model takes "hauling" for a part of the name of the bags.
    """
    for token in doc[1:]:
        if not _is_misread_doing(token):
            continue
        following = token.nbor(1) if token.i + 1 < len(doc) else None
        has_object = following is not None and _is_bare_object(following)
        if token.pos_ in NOUNS:
            word = "holding" if has_object else "standing"
            yield token.i, StandIn(word, _base_form(token))
        if following is not None and has_object:
            yield following.i, StandIn("them", lemma(following), following.tag_)


def _is_misread_doing(token: Token) -> bool:
    """Return whether a word in -ing that was read into a name says what the noun before it does."""
    word = token.lower_
    is_name = word in NOUNS_IN_ING and word not in _DONE_OR_NAMED
    if not word.endswith("ing") or is_name or len(word) < _SHORTEST_DOING:
        return False
    is_in_name = token.pos_ in NOUNS or token.dep_ in ("amod", "compound", "nmod")
    doer = token.nbor(-1)
    # the model takes "kitten" for an adjective
    is_noun = doer.tag_ in _NOUN_TAGS or (doer.tag_ == "JJ" and _is_living(doer))
    if not is_in_name or not is_noun or wordnet.senses(f"{doer.lower_} {word}"):
        return False
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    if following is not None and wordnet.senses(f"{word} {following.lower_}"):
        return False
    if _is_living(doer):
        return bool(token.head.i != doer.i)
    # "a woman on a bench feeding pigeons", but "near a wood burning stove"
    is_fed = following is not None and stands_without_article(following)
    first = next((other for other in token.sent if other.pos_ in NOUNS), None)
    return is_fed and first is not None and first.i < doer.i and _is_living(first)


def _is_bare_object(noun: Token) -> bool:
    """Return whether a noun stands alone behind a verb: no noun follows that it would belong to."""
    following = noun.nbor(1) if noun.i + 1 < len(noun.doc) else None
    is_last = following is None or following.pos_ not in NOUNS
    return is_last and noun.tag_ in _NOUN_TAGS and stands_without_article(noun)


def _base_form(token: Token) -> str:
    """Return "surf" of "surfing" and "ride" of "riding"."""
    stem = str(token.lower_).removesuffix("ing")
    known = verbs()
    undoubled = stem[:-1] if stem[-1] == stem[-2] else stem
    return next((form for form in (f"{stem}e", undoubled, stem) if form in known), stem)
