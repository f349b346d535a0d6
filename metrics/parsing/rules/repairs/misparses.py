"""Repairs verbs that spaCy's small model takes for nouns: "a blacksmith hammers a horseshoe".

Grammar tells them: "a" cannot stand before a plural, and two persons joined by "and" do what
follows them. The text is parsed once more with a plain verb in place of each such word, and what
the model then says is carried over to the words of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from hallascope.metrics.parsing.words import language, wordnet
from hallascope.metrics.parsing.words.grammar import NOUNS, PLURALS, is_plural_only
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import CONTAINERS, NEVER_PLURAL
from hallascope.metrics.parsing.words.number_words import QUANTIFIERS, number_value
from hallascope.metrics.parsing.words.verb_words import MOTION_VERBS, POSTURE_VERBS, STATE_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SINGULAR = ("a", "an", "another", "every", "each")
_FINITE_TAGS = ("VBZ", "VBP", "VBD", "MD")
# verbs whose past tense is as their noun: "the candle cast shadows"
_PAST_AS_NOUN = wordset("cast hit cut")
_BASE_VERBS = MOTION_VERBS | POSTURE_VERBS | STATE_VERBS | wordset("paddle chat talk dine fight")
_WITHIN_PHRASE = ("NN", "NNP", "JJ", "JJR", "JJS", "VBN", "VBG", "HYPH", "RB")


class _StandIn(NamedTuple):
    """A plain verb that is parsed in place of a word, and the lemma of the word as a verb."""

    word: str
    lemma: str


def repair_misparses(
    doc: Doc, parse: Callable[[Doc], Doc], sentence_starts: Collection[int]
) -> Doc:
    """Return a parsed text with verbs that were read as nouns read as verbs.

    `parse` is the model; `sentence_starts` are the characters at which a sentence must begin.
    """
    stand_ins = dict(_find_verbs(doc))
    if not stand_ins:
        return doc
    from spacy.tokens import Doc as EmptyDoc

    words = [token.text for token in doc]
    spaces = [bool(token.whitespace_) for token in doc]
    plain_words = [stand_ins[at].word if at in stand_ins else word for at, word in enumerate(words)]
    plain = EmptyDoc(doc.vocab, words=plain_words, spaces=spaces)
    for token, original in zip(plain, doc, strict=True):
        if original.idx in sentence_starts:
            token.is_sent_start = True
    return _carry_over(parse(plain), words, spaces, stand_ins)


def _carry_over(
    parsed: Doc, words: list[str], spaces: list[bool], stand_ins: Mapping[int, _StandIn]
) -> Doc:
    """Return what was parsed, with the words of the text."""
    return type(parsed)(
        parsed.vocab,
        words=words,
        spaces=spaces,
        tags=[token.tag_ for token in parsed],
        pos=[token.pos_ for token in parsed],
        lemmas=[
            stand_ins[token.i].lemma if token.i in stand_ins else token.lemma_ for token in parsed
        ],
        heads=[token.head.i for token in parsed],
        deps=[token.dep_ for token in parsed],
    )


def _find_verbs(doc: Doc) -> Iterator[tuple[int, _StandIn]]:
    """Yield the tokens that are verbs and were read as nouns, each with its stand-in."""
    for token in doc[1:]:
        following = token.nbor(1) if token.i + 1 < len(doc) else None
        has_object = following is not None and following.tag_ in ("DT", "PRP$", "CD", "JJ")
        phrase = _singular_phrase(token)
        if phrase and _is_verb_behind_singular(token):
            stand_in = "holds" if has_object else "sits"
            yield token.i, _StandIn(stand_in, language.singular(token.lower_))
        elif phrase and following is not None and _is_verb_of_several(token, following):
            yield token.i, _StandIn("sit", token.lower_)
        elif token.lower_ == "pet" and token.nbor(-1).lower_ == "to" and has_object:
            yield token.i, _StandIn("hold", "pet")
        elif token.lower_ in _PAST_AS_NOUN and _is_between_nouns(token):
            yield token.i, _StandIn("had", token.lower_)


def _is_between_nouns(token: Token) -> bool:
    has_noun_behind = token.i + 1 < len(token.doc) and token.nbor(1).pos_ in NOUNS
    return token.nbor(-1).pos_ in NOUNS and has_noun_behind


def _singular_phrase(token: Token) -> bool:
    """Return whether "a" and a noun stand before a word, with nothing that counts between."""
    doc = token.doc
    before = doc[token.i - 1]
    # "a kilt dance": the model takes nouns that it does not know for adjectives
    is_noun = before.pos_ in NOUNS or (
        before.tag_ == "JJ" and token.tag_ == "NN" and bool(wordnet.senses(before.lower_))
    )
    if not is_noun or token.pos_ not in NOUNS:
        return False
    at = token.i - 1
    while at > 0 and doc[at].tag_ in _WITHIN_PHRASE and not _counts(doc[at]):
        at -= 1
    return doc[at].lower_ in _SINGULAR and at < token.i - 1


def _counts(token: Token) -> bool:
    """Return whether a word makes "a" stand before a plural: "a few dogs", "a dozen eggs"."""
    word = token.lower_
    return word in QUANTIFIERS | CONTAINERS or number_value(word) is not None


def _is_verb_behind_singular(token: Token) -> bool:
    """Return whether a supposed plural behind "a" and a noun is a verb: "a sailboat leans"."""
    if token.tag_ not in PLURALS or not token.lower_.endswith("s"):
        return False
    if token.lower_ in NEVER_PLURAL or language.singular(token.lower_) == token.lower_:
        return is_plural_only(token) and _begins_with_animal(token)
    return not is_plural_only(token) or _begins_with_animal(token)


def _is_verb_of_several(token: Token, following: Token) -> bool:
    """Return whether a noun is what two do: "a man and a dog paddle on a lake"."""
    if token.tag_ != "NN" or token.lower_ not in _BASE_VERBS or following.tag_ != "IN":
        return False
    sentence = token.sent
    words = token.doc[sentence.start : token.i]
    if not any(word.lower_ == "and" for word in words):
        return False
    has_verb = any(word.tag_ in _FINITE_TAGS for word in sentence)
    return not has_verb and _is_living(next((w for w in words if w.pos_ in NOUNS), None))


def _begins_with_animal(token: Token) -> bool:
    """Return whether the sentence speaks of an animal, which has no clothes: "a dog pants"."""
    words = token.doc[token.sent.start : token.i]
    subject = next((w for w in words if w.tag_ == "NN" and w.dep_ != "compound"), None)
    return subject is not None and "animal" in _kinds(subject.lower_)


def _is_living(noun: Token | None) -> bool:
    return noun is not None and not _kinds(noun.lower_).isdisjoint({"person", "animal"})


def _kinds(noun: str) -> set[str]:
    """Return the names of what a noun is a kind of, in its most common sense."""
    (first, *_) = wordnet.senses(noun) or (None,)
    if first is None:
        return set()
    return {name for synset in wordnet.ancestors(first) for name in wordnet.nouns(synset)}
