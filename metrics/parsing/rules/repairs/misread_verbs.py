"""Finds verbs that spaCy's small model takes for nouns: "a blacksmith hammers a horseshoe".

Grammar tells them: "a" cannot stand before a plural, two persons joined by "and" do what follows
them, and no noun stands between another and an article. Behind a place at the start there is a verb
("on the wall hang pictures"). What stands behind a plural is read in `plural_subjects`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.repairs.clauses import (
    BASE_VERBS,
    BEHIND_VERB,
    FINITE_TAGS,
    KINDS_IN_PLURAL,
    SINGULAR_ARTICLES,
    WITHIN_PHRASE,
    begins_object,
    has_finite_verb,
    may_be_done,
    plain_subject,
)
from hallascope.metrics.parsing.rules.repairs.plural_subjects import (
    is_plural_before_participle,
    is_verb_behind_plural,
    plural_and_verb,
)
from hallascope.metrics.parsing.rules.repairs.stand_ins import StandIn
from hallascope.metrics.parsing.words import language, wordnet
from hallascope.metrics.parsing.words.grammar import (
    NOUNS,
    PLURALS,
    VERBS,
    is_living,
    is_plural_only,
)
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import (
    CONTAINERS,
    NEVER_PLURAL,
    PLURAL_ONLY,
)
from hallascope.metrics.parsing.words.number_words import QUANTIFIERS, number_value
from hallascope.metrics.parsing.words.spacy_model import adjectives, verbs, word_classes
from hallascope.metrics.parsing.words.verb_words import (
    INVERTED_VERBS,
    THINGS_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_DEFINITE = ("the", "his", "her", "its", "their", "this")
# verbs whose past tense is as their noun: "the candle cast shadows"
_PAST_AS_NOUN = wordset("cast hit cut")


def find_misread_verbs(doc: Doc) -> Iterator[tuple[int, StandIn]]:
    """Yield the tokens that are verbs and were read as nouns, each with its stand-in."""
    for token in doc[1:]:
        following = token.nbor(1) if token.i + 1 < len(doc) else None
        if following is not None and is_plural_before_participle(token, following):
            yield token.i, StandIn("dogs", language.singular(token.lower_), "NNS")
            continue
        if is_verb_behind_plural(token, following):
            yield from plural_and_verb(token)
            continue
        if _is_finite_in_phrase(token):
            has_object = following is not None and following.tag_ in ("DT", "PRP$")
            plain = "hold" if has_object else "sit"
            yield token.i, StandIn(f"{plain}s" if token.tag_ == "VBZ" else plain, token.lemma_)
            yield from plain_subject(token.nbor(-1))
            continue
        if following is not None and _is_inverted_verb(token, following):
            yield token.i, StandIn("sit", token.lower_)
            continue
        has_object = following is not None and begins_object(following)
        phrase = _singular_phrase(token)
        is_verb = (phrase and _is_verb_behind_singular(token)) or _is_verb_before_article(token)
        if is_verb or _is_second_verb(token) or _is_verb_behind_clothes(token):
            base = language.singular(token.lower_)
            stand_in = "holds" if has_object and base not in INVERTED_VERBS else "sits"
            yield token.i, StandIn(stand_in, base, "VBZ")
        elif _is_verb_of_several(token, following) or _is_verb_of_parts(token, following):
            yield token.i, StandIn("hold" if has_object else "sit", token.lower_, "VBP")
            yield from plain_subject(token.nbor(-1))
        elif _is_what_the_living_do(token) or _is_verb_behind_led(token, following):
            yield token.i, StandIn("sits", language.singular(token.lower_))
        elif token.lower_ == "pet" and token.nbor(-1).lower_ == "to" and has_object:
            yield token.i, StandIn("hold", "pet")
        elif token.lower_ in _PAST_AS_NOUN and _is_between_nouns(token):
            yield token.i, StandIn("had", token.lower_)


def _is_verb_before_article(token: Token) -> bool:
    """Return whether a supposed plural stands between a noun and an article.

    "The goat in the hat rings the bell": no name goes on with an article.
    """
    if token.tag_ not in PLURALS or token.i + 1 >= len(token.doc):
        return False
    following = token.nbor(1)
    is_article = following.tag_ in ("DT", "PRP$")
    return is_article and token.nbor(-1).tag_ == "NN" and _is_third_person(token)


def _is_second_verb(token: Token) -> bool:
    """Return whether a supposed plural is the second verb: "he leans out and waves to a whale"."""
    if token.tag_ != "NNS" or token.nbor(-1).lower_ != "and" or not _is_third_person(token):
        return False
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    has_object = following is not None and following.tag_ in ("DT", "PRP$", "TO")
    return has_object and any(word.tag_ == "VBZ" for word in token.sent if word.i < token.i)


def _is_verb_behind_clothes(token: Token) -> bool:
    """Return whether a supposed plural behind "sunglasses" is a verb: two plurals are no name."""
    is_behind = token.nbor(-1).lower_ in PLURAL_ONLY and token.tag_ == "NNS"
    return is_behind and _is_third_person(token)


def _is_third_person(token: Token) -> bool:
    """Return whether a word is a verb with an "s"."""
    base = language.singular(token.lower_)
    return base != token.lower_ and base in verbs()


def _is_finite_in_phrase(token: Token) -> bool:
    """Return whether the article of a noun is tied to its verb: "a raven perches"."""
    if token.tag_ not in ("VBZ", "VB", "VBP") or token.nbor(-1).pos_ not in NOUNS:
        return False
    dependencies = {child.dep_ for child in token.lefts}
    has_doer = token.tag_ == "VBZ" or is_living(token.nbor(-1))
    tied = {"det", "compound", "amod"} if has_doer else {"det"}
    return not tied.isdisjoint(dependencies)


def _is_inverted_verb(token: Token, following: Token) -> bool:
    """Return whether a noun is the verb behind a place: "on the wall hang two pictures"."""
    # "of a pantry stand three jars": `misread_words` takes it for a noun, too
    is_base_behind_noun = token.tag_ in ("VB", "VBP") and token.nbor(-1).tag_ == "NN"
    may_be_noun = token.pos_ in NOUNS or is_base_behind_noun
    if token.lower_ not in INVERTED_VERBS or not may_be_noun:
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
    while at > 0 and doc[at].tag_ in WITHIN_PHRASE and not _counts(doc[at]):
        at -= 1
    is_owned = doc[at].tag_ == "POS"
    return bool((doc[at].lower_ in SINGULAR_ARTICLES or is_owned) and at < token.i - 1)


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
    is_plural = token.tag_ in PLURALS or (token.tag_ == "NN" and not word_classes(word))
    if not is_plural or not word.endswith("s") or word in KINDS_IN_PLURAL:
        return False
    if token.tag_ == "NN" and not _is_third_person(token):
        return False
    if token.lower_ in NEVER_PLURAL or language.singular(token.lower_) == token.lower_:
        return is_plural_only(token) and _begins_with_animal(token)
    return not is_plural_only(token) or _begins_with_animal(token)


def _is_what_the_living_do(token: Token) -> bool:
    """Return whether a supposed plural behind "the" and who lives is a verb: "the batter runs"."""
    before = token.nbor(-1)
    if token.tag_ not in PLURALS or before.tag_ != "NN":
        return False
    if not is_living(before) and not _is_said_of_living(token):
        return False
    if token.i < 2 or token.nbor(-2).lower_ not in _DEFINITE:
        return False
    is_verb = language.singular(token.lower_) in BASE_VERBS
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
    if following.tag_ not in BEHIND_VERB and following.pos_ != "PUNCT":
        return False
    verb = language.singular(token.lower_)
    has_object = following.tag_ in ("DT", "PRP$", "CD")
    if verb == token.lower_ or verb not in (verbs() if has_object else BASE_VERBS):
        return False
    at = token.i - 1
    while at > 0 and doc[at].tag_ in WITHIN_PHRASE:
        at -= 1
    is_led = at > 0 and doc[at - 1].pos_ == "ADP" and doc[at].lower_ in _DEFINITE
    if not is_led or wordnet.senses(f"{before.lower_} {verb}"):
        return False
    joints = [word.i for word in doc[token.sent.start : at] if word.text in (",", ";")]
    start = joints[-1] if joints else token.sent.start
    has_noun = any(word.pos_ in NOUNS for word in doc[start:at])
    return has_noun and not any(word.tag_ in FINITE_TAGS for word in doc[start : token.i])


def _is_said_of_living(token: Token) -> bool:
    """Return whether who lives begins a clause without a verb: "a dog with a ball in its mouth"."""
    words = token.doc[token.sent.start : token.i]
    first = next((word for word in words if word.pos_ in NOUNS), None)
    return is_living(first) and not has_finite_verb(token)


def _is_verb_of_several(token: Token, following: Token | None) -> bool:
    """Return whether a noun is what two do: "a man and a dog paddle on a lake"."""
    before = token.nbor(-1)
    word = token.lower_
    if token.tag_ not in ("NN", "JJ", "VB") or word not in verbs() or has_finite_verb(token):
        return False
    is_before_article = following is not None and following.tag_ in ("DT", "PRP$")
    is_before_place = following is not None and following.tag_ == "IN" and word in BASE_VERBS
    if is_before_place or (is_before_article and not is_living(before)):
        # "a bride in a dress and a groom in a kilt dance on a rooftop"
        words = token.doc[token.sent.start : token.i]
        first = next((other for other in words if other.pos_ in NOUNS), None)
        is_joined = any(other.lower_ == "and" for other in words) and _singular_phrase(token)
        return is_joined and (is_living(first) or word in THINGS_VERBS)
    if wordnet.senses(f"{before.lower_} {word}") or not _ends_pair(before):
        return False
    if not is_living(before) and word not in THINGS_VERBS:
        return False
    if is_before_article:
        return True
    is_followed = following is None or following.pos_ in ("ADP", "ADV", "PUNCT", "CCONJ", "PART")
    has_adverb = following is not None and following.lower_ in ("side", "hand")
    return (is_followed or has_adverb) and may_be_done(token)


def _ends_pair(noun: Token) -> bool:
    """Return whether a noun ends "a man and a small dog": "and" stands before its article."""
    at = noun.i
    while at > 0 and noun.doc[at - 1].tag_ in WITHIN_PHRASE:
        at -= 1
    has_article = at > 1 and noun.doc[at - 1].lower_ in (*SINGULAR_ARTICLES, "the", "one")
    is_noun = noun.pos_ in NOUNS or is_living(noun)
    return is_noun and has_article and noun.doc[at - 2].lower_ in ("and", "&")


def _is_verb_of_parts(token: Token, following: Token | None) -> bool:
    """Return whether a noun is what several parts do: "the wheels of a cart roll through mud"."""
    if token.tag_ != "NN" or token.lower_ not in BASE_VERBS or has_finite_verb(token):
        return False
    doc = token.doc
    start = token.i
    while start > 0 and doc[start - 1].tag_ in (*WITHIN_PHRASE, "DT", "PRP$"):
        start -= 1
    is_of_several = start > 1 and doc[start - 1].lower_ == "of" and doc[start - 2].tag_ in PLURALS
    return is_of_several and following is not None and following.tag_ == "IN"


def _begins_with_animal(token: Token) -> bool:
    """Return whether the sentence speaks of an animal, which has no clothes: "a dog pants"."""
    words = token.doc[token.sent.start : token.i]
    subject = next((w for w in words if w.tag_ == "NN" and w.dep_ != "compound"), None)
    return subject is not None and wordnet.is_kind_of(subject.lower_, "animal")
