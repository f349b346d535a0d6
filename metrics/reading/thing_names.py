"""Knows which names mean the same thing and which are kinds of another.

WordNet says it, and ``data/synonyms.txt`` where WordNet does not know it or people speak otherwise.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import chain, permutations
from pathlib import Path
from typing import NamedTuple

from hallascope.metrics.reading.words import language, wordnet
from hallascope.metrics.reading.words.language import LISTS
from hallascope.metrics.reading.words.wordnet import MADE, thing_class

SYNONYMS = Path(__file__).parents[2] / "data" / "synonyms.txt"
# Where a name is that of a living thing and of what is made of it, the first of these is meant.
_RANKS = {"animal": 0, "food": 1, "plant": 2, "material": 3}


class _Thesaurus(NamedTuple):
    """Holds what ``data/synonyms.txt`` says of names, all by their keys; `names` are as written."""

    names: dict[str, str]
    equals: defaultdict[str, set[str]]
    kinds: defaultdict[str, set[str]]
    others: set[frozenset[str]]


@cache
def _thesaurus() -> _Thesaurus:
    thesaurus = _Thesaurus({}, defaultdict(set), defaultdict(set), set())
    for line in SYNONYMS.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        first, *others = names = [name.strip() for name in re.split(r"!=|[=:,]", line)]
        thesaurus.names.update((_key(name), name) for name in names)
        if "!=" in line:
            thesaurus.others.update(_pair(first, other) for other in others)
        elif ":" in line:
            for kind in others:
                thesaurus.kinds[_key(kind)].add(_key(first))
        else:
            for name, other in permutations(map(_key, names), 2):
                thesaurus.equals[name].add(other)
    return thesaurus


def american(name: str) -> str:
    """Return a name in lower case with every word in the American spelling."""
    spellings = LISTS["american"]
    return re.sub(r"[^\W\d_]+", lambda word: spellings.get(word[0], word[0]), name.casefold())


@cache
def _key(name: str) -> str:
    return re.sub(r"[\s'’.-]+", "", american(name))


def _pair(name: str, other: str) -> frozenset[str]:
    return frozenset(language.singular(_key(each)) for each in (name, other))


def is_known(name: str, by_list: bool = False) -> bool:
    """Return whether a name is known as it stands, to ``data/synonyms.txt`` alone if `by_list`."""
    return _key(name) in _thesaurus().names or (not by_list and bool(wordnet.senses(name)))


def is_other_thing(name: str, other: str) -> bool:
    """Return whether two names are said to be different things."""
    return _pair(name, other) in _thesaurus().others


def is_too_general(name: str) -> bool:
    """Return whether a name says next to nothing of what a thing is: "object", "furniture"."""
    forms = {american(name), language.singular(american(name))}
    return not forms.isdisjoint(LISTS["names"]["too_general"])


@cache
def is_acceptable(expected: str, observed: str) -> bool:
    """Return whether who asked for the one name may be content with the other.

    It means the same, a kind of it, or something more general, which must not be too general.
    """
    if is_same_or_kind(observed, expected):
        return True
    if is_too_general(observed) or is_other_thing(expected, observed):
        return False
    # "Man" or "woman" is said of a person whose name has no sex and no age.
    known = _reachable(expected)
    is_person = "person" in _classes(_sense(expected))
    is_adult = is_person and known.isdisjoint(("man", "woman", "child"))
    return is_same_or_kind(expected, observed) or (is_adult and observed in ("man", "woman"))


@cache
def is_same_or_kind(name: str, kind: str) -> bool:
    """Return whether a name means the same as another, or a kind of it."""
    key = _key(kind)
    meanings = {key, *_thesaurus().equals[key], *_sense(kind)}
    return not is_other_thing(name, kind) and not meanings.isdisjoint(_reachable(name))


@cache
def _reachable(name: str) -> frozenset[str | int]:
    """Return what a name means and is a kind of: keys of names, and synsets of WordNet."""
    if name.startswith("toy ") and not is_known(name):
        return _reachable("toy") | {_key(name)}
    names, equals, kinds, _ = _thesaurus()
    reached: set[str | int] = {*equals[_key(name)]}
    waiting: list[str | int] = [_key(name), *_sense(name)]
    waiting += chain(*(kinds[equal] for equal in equals[_key(name)]))
    while waiting:
        node = waiting.pop()
        if node in reached:
            continue
        reached.add(node)
        if isinstance(node, str):
            waiting += [*kinds[node], *_sense(names.get(node, node))]
        else:
            waiting += [_key(noun) for noun in wordnet.nouns(node) if _sense(noun) == (node,)]
            waiting += wordnet.ancestors(node)
    # A compound for food or a made thing is a kind of its last word; "a guinea pig" is no pig.
    head = _sense(name.rpartition(" ")[2])
    classes = _classes(_sense(name)) & _classes(head)
    return frozenset(reached.union(head if classes & {*MADE, "food"} else ()))


@cache
def _sense(name: str) -> tuple[int, ...]:
    """Return the synset that a name most often means of those that can be seen, () if it has none.

    "Mole" is the animal and no sauce, "tiger" no person. What ``data/synonyms.txt`` says of a name
    decides first, but of an animal: "tissue", which it lists as paper, is no part of a body.
    """
    senses = _seen_senses(name)
    if not senses or thing_class(senses[0]) == "animal":
        return senses[:1]
    choices = sorted(senses, key=lambda sense: thing_class(sense) == "person")
    if thing_class(choices[0]) in _RANKS:
        choices.sort(key=lambda sense: _RANKS.get(thing_class(sense), len(_RANKS)))
    names, equals, kinds, _ = _thesaurus()
    listed = [_seen_senses(names[other]) for other in equals[_key(name)] | kinds[_key(name)]]
    if classes := _classes(chain(*listed)):
        classes |= {"", *(MADE if classes & MADE else ())}
        choices = [sense for sense in choices if thing_class(sense) in classes]
        first = _classes(sense for found in listed for sense in found[:1])
        choices.sort(key=lambda sense: thing_class(sense) not in first)
    return tuple(choices[:1])


def _seen_senses(name: str) -> tuple[int, ...]:
    return tuple(filter(wordnet.is_visible, wordnet.senses(name)))


def _classes(senses: Iterable[int]) -> set[str]:
    return set(filter(None, map(thing_class, senses)))
