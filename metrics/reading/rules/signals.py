"""Says how hard a text was to read: what no pass accounts for, and what readings often get wrong.

`confidence` weighs these signals; `training.reading_confidence` measures the weights.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hallascope.data.prompt_reading import StyleWords
from hallascope.metrics.reading.rules.elements import SUBJECTS, Link, NounPhrase, Parse
from hallascope.metrics.reading.words import wordnet
from hallascope.metrics.reading.words.language import wordset
from hallascope.metrics.reading.words.lists import NOUNS, SIGNALS, VERBS
from hallascope.metrics.reading.words.spacy_model import lexicon, word_classes

if TYPE_CHECKING:
    from spacy.tokens import Token

_SAYING = ("NOUN", "PROPN", "VERB", "ADJ", "NUM")
_WRITING = wordset("say read spell write title label")
_ROLES = ("nsubj", "dobj", "pobj", "conj", "appos", "ROOT", "compound", "npadvmod")
_OPEN_TAGS = wordset("NN NNS NNPS JJ JJR JJS RB VB VBD VBG VBN VBP VBZ")
_LONG_STYLE = 6  # words, from which on a style may have taken an object with it
_DIGIT = re.compile(r"\d")


def find_unread(parse: Parse, links: Iterable[Link]) -> list[int]:
    """Return the tokens that say something and belong to nothing that was found."""
    read = set(parse.by_token) | set(parse.written)
    for phrase in parse.phrases:
        read.update(token for word in phrase.words for token in range(word.first, word.stop))
    read.update(token for link in links for token in range(link.first, link.stop))
    return [token.i for token in parse.doc if token.i not in read and _says_something(token)]


def _says_something(token: Token) -> bool:
    if token.pos_ == "ADP":
        return token.dep_ == "prep" and token.lower_ not in ("of", "with", "by", "as", "for")
    if token.pos_ not in _SAYING or not token.is_alpha:
        return False
    return token.lemma_ not in VERBS["resting"] | VERBS["showing"] | VERBS["motion"] | _WRITING


def text_signals(
    parse: Parse, links: Sequence[Link], unread: Sequence[int], style: Sequence[StyleWords]
) -> Mapping[str, float]:
    """Return the signals of a text by their names; each grows with how hard it is to read."""
    phrases = parse.phrases
    objects = [phrase for phrase in phrases if phrase.kind == "object"]
    absent = sum(phrase.kind == "absent" for phrase in phrases)
    roots = [sentence.root for sentence in parse.doc.sents]
    linked = {end for link in links for end in (link.subject, link.target)}
    linked |= {phrase.owner for phrase in phrases}
    linked |= {at for at, phrase in enumerate(phrases) if phrase.owner is not None}
    isolated = sum(
        phrase.kind == "object" and at not in linked for at, phrase in enumerate(phrases)
    )
    verbal = [phrase for phrase in objects if "verb" in word_classes(phrase.noun)]
    counts = Counter(parse.words)
    for token in parse.doc:
        counts.update((f"tag:{token.tag_}", f"pos:{token.pos_}", f"dep:{token.dep_}"))
    listed = {name: sum(counts[one] for one in words) for name, words in SIGNALS.items()}
    subjects = sum(counts[f"dep:{name}"] for name in SUBJECTS)
    return {
        **listed,
        "words": len(parse.doc) / 10,
        "sentences": max(0, len(roots) - 1),
        "fragments": sum(root.pos_ not in ("VERB", "AUX", "NOUN", "PROPN") for root in roots),
        "digits": sum(bool(_DIGIT.search(word)) for word in parse.words),
        "no_subject": max(0, listed["verbs"] - subjects),
        "misspelled": sum(map(_is_misspelled, parse.doc)),
        "unread": len(unread),
        "unread_share": len(unread) / max(1, len(parse.doc)),
        "texts": len(parse.written),
        "long_style": sum(len(words.text.split()) > _LONG_STYLE for words in style),
        "objects": len(objects),
        "isolated": isolated * (len(objects) > 1),
        "absent": absent,
        "unmet_negations": max(0, listed["negations"] - absent),
        "no_objects": sum(phrase.kind == "none" for phrase in phrases),
        "dropped": sum(
            phrase.kind == "none" and phrase.noun not in NOUNS["image"] | NOUNS["time"]
            for phrase in phrases
        ),
        "unknown": sum(phrase.features.unknown for phrase in objects),
        "verbal_nouns": len(verbal),
        "verbal_names": sum(phrase.head > phrase.name for phrase in verbal),
        "long_names": sum(phrase.head - phrase.name > 1 for phrase in objects),
        "counts": sum(phrase.count is not None for phrase in objects),
        "attributes": sum(len(phrase.words) for phrase in objects),
        "owners": sum(phrase.owner is not None for phrase in phrases),
        "mentions": sum(phrase.same is not None or phrase.group is not None for phrase in phrases),
        "repeated": len(objects) - len({phrase.noun for phrase in objects}),
        "links": len(links),
        "far": sum(link.features.distance > 3 for link in links),
        "disagreeing": sum(not link.features.agrees for link in links),
        "choices": sum(_choices(parse, link) > 1 for link in links),
        "held": sum(_is_held(parse, link) for link in links),
    }


def _is_misspelled(token: Token) -> bool:
    if not token.is_alpha or token.tag_ not in _OPEN_TAGS or token.lower_ in lexicon():
        return False
    return not wordnet.senses(token.lower_)


def _choices(parse: Parse, link: Link) -> int:
    """Return how many objects before a relation in its sentence may be its subject."""
    return len(parse.objects_before(link.first, parse.doc[link.first].sent.start))


def _is_held(parse: Parse, link: Link) -> bool:
    """Return whether the subject of a relation is the object of a verb or of a preposition."""
    return parse.doc[parse.phrases[link.subject].head].dep_ in ("dobj", "pobj")


def phrase_signals(parse: Parse, phrase: NounPhrase) -> Mapping[str, float]:
    """Return the signals of a phrase by their names."""
    noun = parse.doc[phrase.head]
    return {
        "words": len(parse.doc) / 10,
        "unknown": phrase.features.unknown,
        "no_noun": not phrase.features.agrees,
        "long_name": phrase.head - phrase.name,
        "verbal": "verb" in word_classes(phrase.noun),
        "verbal_name": phrase.head > phrase.name and "verb" in word_classes(phrase.noun),
        "name": noun.tag_ in ("NNP", "NNPS"),
        "modifiers": len(phrase.words),
        "counted": phrase.count is not None,
        "plural": phrase.plural,
        "definite": phrase.definite,
        "referring": phrase.same is not None or phrase.group is not None,
        "joined": phrase.stop > phrase.head + 1,
        "bare": phrase.first == phrase.head and not phrase.plural,
        "abstract": wordnet.is_abstract(phrase.noun),
        **{f"is_{name}": noun.dep_ == name for name in _ROLES},
    }


def link_signals(parse: Parse, link: Link, kind: str) -> Mapping[str, float]:
    """Return the signals of a relation by their names."""
    doc = parse.doc
    subject = parse.phrases[link.subject]
    return {
        "words": len(doc) / 10,
        "far": max(0, link.features.distance),
        "disagreeing": not link.features.agrees,
        "choices": _choices(parse, link),
        "held": _is_held(parse, link),
        "pronoun": subject.same is not None,
        "of_image": link.target is None,
        "backward": subject.first > link.first,
        "action": kind == "action",
        "part": kind == "part",
        "with": link.words == "with",
        "ands": sum(doc[at].lower_ == "and" for at in range(subject.stop, link.first)),
        "commas": sum(doc[at].text == "," for at in range(subject.stop, link.first)),
    }
