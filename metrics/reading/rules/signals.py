"""Says how hard a text was to read: what no pass accounts for, and what readings often get wrong.

`confidence` weighs these signals; `training.reading_confidence` measures the weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hallascope.data.prompt_reading import StyleWords
from hallascope.metrics.reading.rules.elements import (
    NOUN_CLASSES,
    Link,
    NounPhrase,
    Parse,
)
from hallascope.metrics.reading.words import wordnet
from hallascope.metrics.reading.words.language import wordset
from hallascope.metrics.reading.words.lists import SIGNALS, VERBS

if TYPE_CHECKING:
    from spacy.tokens import Token

_SAYING = ("NOUN", "PROPN", "VERB", "ADJ", "NUM")
_WRITING = wordset("say read spell write title label")
_LONG_STYLE = 6  # words, from which on a style may have taken an object with it


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
    linked = {end for link in links for end in (link.subject, link.target)}
    linked |= {phrase.owner for phrase in phrases}
    linked |= {at for at, phrase in enumerate(phrases) if phrase.owner is not None}
    isolated = sum(
        phrase.kind == "object" and at not in linked for at, phrase in enumerate(phrases)
    )
    counts = Counter(parse.words)
    for token in parse.doc:
        counts.update((f"tag:{token.tag_}", f"pos:{token.pos_}", f"dep:{token.dep_}"))
    return {
        **{name: sum(counts[one] for one in listed) for name, listed in SIGNALS.items()},
        "words": len(parse.doc) / 10,
        "unread_share": len(unread) / max(1, len(parse.doc)),
        "long_style": sum(len(words.text.split()) > _LONG_STYLE for words in style),
        "objects": len(objects),
        "isolated": isolated * (len(objects) > 1),
        "unknown": sum(_is_unknown(parse, phrase) for phrase in objects),
        "counts": sum(phrase.count is not None for phrase in objects),
        "owners": sum(phrase.owner is not None for phrase in phrases),
        "mentions": sum(phrase.same is not None or phrase.group is not None for phrase in phrases),
        "repeated": len(objects) - len({phrase.noun for phrase in objects}),
        "disagreeing": sum(_disagrees(parse, link) for link in links),
        "choices": sum(_choices(parse, link) > 1 for link in links),
        "held": sum(_is_held(parse, link) for link in links),
    }


def _is_unknown(parse: Parse, phrase: NounPhrase) -> bool:
    """Return whether no lexicon has the noun of a phrase."""
    return not wordnet.senses(parse.words[phrase.head])


def _disagrees(parse: Parse, link: Link) -> bool:
    """Return whether a relation depends on another phrase than its subject."""
    governor = parse.by_token.get(parse.doc[link.first].head.i)
    return governor not in (None, link.subject)


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
        "unknown": _is_unknown(parse, phrase),
        "no_noun": noun.pos_ not in NOUN_CLASSES,
        "long_name": phrase.head - phrase.name,
        "modifiers": len(phrase.words),
        "counted": phrase.count is not None,
        "joined": phrase.stop > phrase.head + 1,
        "bare": phrase.first == phrase.head and not phrase.plural,
        "abstract": wordnet.is_abstract(phrase.noun),
    }


def link_signals(parse: Parse, link: Link, kind: str) -> Mapping[str, float]:
    """Return the signals of a relation by their names."""
    subject = parse.phrases[link.subject]
    return {
        "words": len(parse.doc) / 10,
        "far": max(0, link.first - subject.stop),
        "disagreeing": _disagrees(parse, link),
        "choices": _choices(parse, link),
        "held": _is_held(parse, link),
        "of_image": link.target is None,
        "backward": subject.first > link.first,
        "action": kind == "action",
        "part": kind == "part",
    }
