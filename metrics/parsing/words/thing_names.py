"""Knows which names mean the same thing and which are kinds of another.

WordNet says it, and ``data/synonyms.txt`` where WordNet does not know it or people speak otherwise.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations, product
from pathlib import Path

from hallascope.metrics.parsing.words import language, wordnet
from hallascope.metrics.parsing.words.spelling import american

SYNONYMS = Path(__file__).parents[3] / "data" / "synonyms.txt"
# Where a name is that of a living thing and of what is made of it, the first of these is meant.
_NATURAL = ("animal", "food", "plant", "material")
# Everything above this depth of WordNet's tree is too general to name a thing.
_LEAST_DEPTH = 5
_TOO_GENERAL = """
    object, thing, item, article, artifact, entity, material, substance, product, goods,
    equipment, gear, device, tool, implement, instrument, utensil, kitchen utensil, appliance,
    home appliance, container, structure, construction, furniture, furnishing, food, foodstuff,
    produce, clothing, clothes, apparel, garment, wear, covering, decoration, organism,
    creature, life form, mammal, vertebrate, carnivore, body part, part, group, collection,
    machine, place, location, surface, shape, symbol, sports equipment, accessory, fashion
    accessory, tableware, kitchenware, household item, electronics, stationery, supplies, area
"""
# What is of one of these classes is a kind of what the last word of its name says.
_COMPOUNDED = wordnet.MADE | {"food"}
# Who is one of these is not called by a word for an adult of either sex.
_SEX_AND_AGE = frozenset({"man", "woman", "boy", "girl", "child", "male", "female", "animal"})
_GAP = re.compile(r"[\s'’.-]+")

# A name without spaces, or one of WordNet's synsets.
Node = str | int


@dataclass(frozen=True)
class _Thesaurus:
    """Holds what ``data/synonyms.txt`` says of each name, all names without spaces.

    `names` are the same with their spaces.
    """

    equals: Mapping[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    kinds: Mapping[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    others: Mapping[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    names: dict[str, str] = field(default_factory=dict)


@cache
def _thesaurus() -> _Thesaurus:
    thesaurus = _Thesaurus()
    for line in SYNONYMS.read_text(encoding="utf-8").splitlines():
        names = [name.strip() for name in re.split(r"!=|[=:,]", line)]
        if not line or line.startswith("#"):
            continue
        keys = [_key(name) for name in names]
        thesaurus.names.update(zip(keys, names, strict=True))
        if "!=" in line:
            for name, other in product(names[:1], names[1:]):
                thesaurus.others[_singular_key(name)].add(_singular_key(other))
                thesaurus.others[_singular_key(other)].add(_singular_key(name))
        elif ":" in line:
            for kind in keys[1:]:
                thesaurus.kinds[kind].add(keys[0])
        else:
            for name, other in permutations(keys, 2):
                thesaurus.equals[name].add(other)
    return thesaurus


def _key(name: str) -> str:
    return _GAP.sub("", american(name))


def _singular_key(name: str) -> str:
    return language.singular(_key(name))


@cache
def listed_kinds(name: str) -> frozenset[str]:
    """Return the names that ``data/synonyms.txt`` says to be kinds of a name."""
    thesaurus = _thesaurus()
    return frozenset(
        thesaurus.names[kind] for kind, names in thesaurus.kinds.items() if _key(name) in names
    )


def is_listed(name: str) -> bool:
    """Return whether ``data/synonyms.txt`` has a name."""
    return _key(name) in _thesaurus().names


def is_listed_kind(name: str) -> bool:
    """Return whether ``data/synonyms.txt`` says what a name is a kind of."""
    return _key(name) in _thesaurus().kinds


def is_known(name: str) -> bool:
    """Return whether a name is known as it stands, in the singular or plural."""
    return is_listed(name) or bool(wordnet.senses(name))


@cache
def is_other_thing(name: str, other: str) -> bool:
    """Return whether two names are said to be different things."""
    return _singular_key(other) in _thesaurus().others.get(_singular_key(name), ())


@cache
def is_same_or_kind(name: str, kind: str) -> bool:
    """Return whether a name means the same as another, or a kind of it."""
    if _key(name) == _key(kind):
        return True
    if is_other_thing(name, kind):
        return False
    return not _meanings(kind).isdisjoint(_reachable(name))


@cache
def is_acceptable(expected: str, observed: str) -> bool:
    """Return whether who asked for the one name may be content with the other.

    It means the same, a kind of it, or something more general, which must not be too general.
    """
    if is_same_or_kind(observed, expected):
        return True
    if is_too_general(observed) or is_other_thing(expected, observed):
        return False
    return (
        is_same_or_kind(expected, observed)
        or _is_adult(expected, observed)
        or _is_kind_of_head(expected, observed)
        or _is_kind_of_head(observed, expected)
    )


def _is_adult(name: str, adult: str) -> bool:
    """Return whether "man" or "woman" is said of a person whose name has no sex and no age."""
    known = _reachable(name)
    return (
        _key(adult) in ("man", "woman")
        and "person" in known
        and known.isdisjoint(_SEX_AND_AGE)
        and any(wordnet.thing_class(sense) == "person" for sense in _sense(name))
    )


def _is_kind_of_head(compound: str, head: str) -> bool:
    """Return whether a compound names a kind of its last word: both are of one class of things.

    Names of animals say little of that: "a guinea pig" is no pig.
    """
    if not compound.endswith(f" {head}"):
        return False
    classes = {wordnet.thing_class(sense) for sense in _sense(compound)} & _COMPOUNDED
    return any(wordnet.thing_class(sense) in classes for sense in _sense(head))


def is_depiction(name: str) -> bool:
    """Return whether a name is that of a thing that shows another, which is not there itself."""
    return any(is_same_or_kind(name, kind) for kind in ("statue", "picture", "toy", "figurine"))


def is_too_general(name: str) -> bool:
    """Return whether a name says next to nothing of what a thing is: "object", "furniture"."""
    if american(name) in _too_general_names():
        return True
    senses = _sense(name)
    return bool(senses) and not is_listed(name) and wordnet.depth(senses[0]) < _LEAST_DEPTH


@cache
def _too_general_names() -> frozenset[str]:
    return frozenset(name.strip() for name in _TOO_GENERAL.split(","))


@cache
def _sense(name: str) -> tuple[int, ...]:
    """Return the synset that a name most often means of those that can be seen, () if it has none.

    "Mole" is the animal and no sauce, "cherry" the fruit and no wood. What ``data/synonyms.txt``
    says of a name decides first: "tissue", which it lists as a kind of paper, is no part of a body.
    """
    senses = [sense for sense in _seen_senses(name) if not _is_nickname(sense, name)]
    if senses and wordnet.thing_class(senses[0]) in _NATURAL:
        senses.sort(key=_natural_rank)
    return tuple(_listed_senses(name, senses)[:1])


def _listed_senses(name: str, senses: list[int]) -> list[int]:
    """Return the senses that are of the class of what ``data/synonyms.txt`` says of a name.

    An animal keeps its sense, though it is listed with what else has its name ("mouse").
    """
    listed = _listed_classes(name, 1)
    is_animal = bool(senses) and wordnet.thing_class(senses[0]) == "animal"
    if not listed or (is_animal and "person" not in listed):
        return senses
    all_listed = _listed_classes(name, wordnet.MOST_SENSES)
    made = wordnet.MADE if not all_listed.isdisjoint(wordnet.MADE) else frozenset()
    # What is of no class may be anything.
    choices = (
        [sense for sense in senses if wordnet.thing_class(sense) in classes]
        for classes in (listed, all_listed, made, {""})
    )
    return next(filter(None, choices), [])


@cache
def _seen_senses(name: str) -> tuple[int, ...]:
    senses = wordnet.senses(name) or wordnet.senses(american(name))
    return tuple(sense for sense in senses if wordnet.is_visible(sense))


def _is_nickname(sense: int, name: str) -> bool:
    """Return whether a sense is a person who is named like something else ("tiger", "toaster").

    It is none where ``data/synonyms.txt`` says what the name is a kind of.
    """
    if wordnet.thing_class(sense) != "person" or is_listed_kind(name):
        return False
    return any(wordnet.thing_class(other) != "person" for other in _seen_senses(name))


def _listed_classes(name: str, most: int) -> frozenset[str]:
    """Return the classes of what ``data/synonyms.txt`` says that a name equals or is a kind of.

    So many senses of each of these count.
    """
    thesaurus = _thesaurus()
    key = _key(name)
    relatives = (*thesaurus.equals.get(key, ()), *thesaurus.kinds.get(key, ()))
    classes = (
        wordnet.thing_class(sense)
        for relative in relatives
        for sense in _seen_senses(thesaurus.names[relative])[:most]
    )
    return frozenset(filter(None, classes))


def _natural_rank(sense: int) -> int:
    found = wordnet.thing_class(sense)
    return _NATURAL.index(found) if found in _NATURAL else len(_NATURAL)


@cache
def _meanings(name: str) -> frozenset[Node]:
    """Return the names that equal a name, and its synset."""
    key = _key(name)
    return frozenset((key, *_thesaurus().equals.get(key, ()), *_sense(name)))


@cache
def _reachable(name: str) -> frozenset[Node]:
    """Return what a name means, and what that is a kind of."""
    reached: set[Node] = set()
    waiting = list(_meanings(name))
    for equal in _thesaurus().equals.get(_key(name), ()):
        waiting.remove(equal)
        reached.add(equal)
        waiting += _thesaurus().kinds.get(equal, ())
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += _parents(node)
    return frozenset(reached)


@cache
def _parents(node: Node) -> tuple[Node, ...]:
    """Return what a node is a kind of, one step up; a synset also of the nouns that mean it."""
    thesaurus = _thesaurus()
    if isinstance(node, str):
        return (
            *thesaurus.kinds.get(node, ()),
            *_sense(thesaurus.names.get(node, node)),
        )
    nouns = (noun for noun in wordnet.nouns(node) if _sense(noun) == (node,))
    above = wordnet.parent(node)
    return (*map(_key, nouns), *(() if above is None else (above,)))
