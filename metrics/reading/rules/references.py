"""Ties words to what was named before: "it", "a blue one", "the other two", "the dog".

It knows three ties: a pronoun stands for a phrase, a phrase names the `same` object as another,
or some of its `group`.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hallascope.metrics.reading.rules.elements import SUBJECTS, NounPhrase, Parse
from hallascope.metrics.reading.rules.phrases import ELLIPTICAL, phrase_name
from hallascope.metrics.reading.words import wordnet
from hallascope.metrics.reading.words.language import COLORS, wordset
from hallascope.metrics.reading.words.lists import CONTRARY, is_person

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEW = wordset("another other second third fourth different additional more")
_NEUTER = wordset("it its")
_PERSONAL = wordset("he she him her his")
_PLURAL = wordset("they them their")
_RELATIVE = wordset("that which who whom whose")
_TELLS_APART = wordset("with while where which ; : (")


def resolve_ellipses(parse: Parse) -> None:
    """Name the phrases without a noun after what they stand for: "a blue one", "the largest"."""
    for at, phrase in enumerate(parse.phrases):
        before = [other for other in range(at) if parse.is_object(other)]
        if phrase.noun not in ELLIPTICAL or phrase.kind != "none" or not before:
            continue
        several = [other for other in before if parse.phrases[other].is_several]
        described = [other for other in before if _differ(phrase, parse.phrases[other])]
        antecedent = (several or described or before)[-1]
        whole = parse.phrases[antecedent]
        phrase.singular = phrase_name(parse.doc, whole)
        phrase.noun, phrase.kind = whole.noun, "object"
        if several:
            phrase.group = antecedent if whole.group is None else whole.group


def _differ(phrase: NounPhrase, before: NounPhrase) -> bool:
    """Return whether two descriptions tell apart: "a red car by a tree and a blue one"."""
    colors, colors_before = (_texts(item) & COLORS for item in (phrase, before))
    return bool(colors and colors_before and not colors & colors_before)


# --- pronouns


def resolve_pronouns(parse: Parse) -> None:
    """Find which phrase each pronoun stands for."""
    for token in parse.doc:
        word = token.lower_
        if token.i in parse.by_token:
            continue
        if word in _RELATIVE and token.dep_ in (*SUBJECTS, "pobj", "dobj", "poss"):
            referent = _relative(parse, token)
        elif word in _NEUTER | _PERSONAL | _PLURAL and token.tag_ in ("PRP", "PRP$"):
            referent = _antecedent(parse, token)
        else:
            continue
        if referent is not None:
            parse.referents[token.i] = referent


def _relative(parse: Parse, token: Token) -> int | None:
    clause = token.head if token.dep_ in SUBJECTS else token.head.head
    described = parse.object_at(clause.head.i) if clause.dep_ == "relcl" else None
    before = parse.objects_before(token.i)[-1:]
    return described if described is not None else next(iter(before), None)


def _antecedent(parse: Parse, pronoun: Token) -> int | None:
    """Return what a pronoun stands for: the subject before it, else the last of its number."""
    word = pronoun.lower_
    choices = [
        at
        for at in parse.objects_before(pronoun.i)
        if parse.phrases[at].is_several == (word in _PLURAL)
        and parse.word(parse.phrases[at].first) != "its"
    ]
    persons = [at for at in choices if is_person(parse.noun(at))]
    if word in _PERSONAL and persons:
        choices = persons
    elif word in _NEUTER:
        choices = [at for at in choices if at not in persons]
    subjects = [
        at for at in choices if parse.doc[parse.phrases[at].head].dep_ in (*SUBJECTS, "ROOT")
    ]
    return next(iter((subjects or choices)[-1:]), None)


# --- the same object again


def mark_parts(parse: Parse) -> None:
    """Mark the phrases in brackets or behind a colon that tell apart what was counted before.

    "Three circles (two red circles and one blue circle)".
    """
    whole: int | None = None
    for at in range(1, len(parse.phrases)):
        before, phrase = parse.phrases[at - 1], parse.phrases[at]
        between = parse.words[before.stop : phrase.first]
        if parse.doc[before.head].sent != parse.doc[phrase.head].sent or {")", ";"} & {*between}:
            whole = None
        if whole is None and between in (["("], [":"]) and before.is_several:
            whole = at - 1
        if whole is not None and phrase.noun == parse.phrases[whole].noun:
            phrase.is_part, phrase.group = True, whole


def resolve_mentions(parse: Parse, related: set[tuple[int, int | None]]) -> None:
    """Find which phrases name an object that was named before, or some of a group.

    `related` are pairs of phrases in a relation, which are two objects.
    """
    for at, phrase in enumerate(parse.phrases):
        if phrase.kind == "none" or phrase.same is not None or phrase.group is not None:
            continue
        named = [
            before
            for before in range(at - 1, -1, -1)
            if parse.phrases[before].same is None
            and (before, at) not in related
            and (at, before) not in related
            and _may_be_same(parse, phrase, parse.phrases[before])
        ]
        groups = [before for before in named if parse.phrases[before].is_several]
        if _is_restated(parse, at, named, related):
            phrase.same = named[0]
        elif phrase.definite:
            _resolve_definite(parse, phrase, named, groups)
        elif groups and _is_of_group(parse, phrase, parse.phrases[groups[0]]):
            phrase.group = groups[0]


def _is_restated(
    parse: Parse, at: int, named: list[int], related: set[tuple[int, int | None]]
) -> bool:
    """Return whether a sentence begins with what one before began with, and says no more of it."""
    phrase = parse.phrases[at]
    if not named or parse.doc[phrase.head].sent.start != phrase.first:
        return False
    before = parse.phrases[named[0]]
    is_open = parse.doc[before.head].sent.start == before.first
    subjects = {subject for subject, _ in related}
    is_alike = phrase.plural == before.plural and _texts(phrase) <= _texts(before)
    return is_open and is_alike and subjects.isdisjoint((at, named[0]))


def _resolve_definite(
    parse: Parse, phrase: NounPhrase, named: list[int], groups: list[int]
) -> None:
    is_chosen = any(
        word.text.endswith("est") or word.text in ("first", "second", "third", "last", "middle")
        for word in phrase.words
    )
    same = [at for at in named if phrase.plural or not parse.phrases[at].is_several]
    if same and not (is_chosen and groups):
        phrase.same = same[0]
    elif groups:
        phrase.group = groups[0]


def _may_be_same(parse: Parse, phrase: NounPhrase, before: NounPhrase) -> bool:
    if phrase.kind != before.kind or not _agree(_texts(phrase), _texts(before)):
        return False
    if phrase.noun == before.noun:
        names = [set(parse.words[item.name : item.head]) for item in (phrase, before)]
        return not (names[0] and names[1]) or bool(names[0] & names[1])
    if parse.word(phrase.first) not in ("the", "this", "that"):
        return False
    name = phrase_name(parse.doc, before).lower()
    return any(wordnet.is_kind_of(other, phrase.noun) for other in (name, before.noun))


def _texts(phrase: NounPhrase) -> set[str]:
    return {word.text for word in phrase.words}


def _agree(words: set[str], before: set[str]) -> bool:
    """Return whether two descriptions may be of one object."""
    colors, colors_before = words & COLORS, before & COLORS
    if colors and colors_before and not colors & colors_before:
        return False
    return not any(frozenset(pair) in CONTRARY for pair in product(words, before))


def _is_of_group(parse: Parse, phrase: NounPhrase, group: NounPhrase) -> bool:
    """Return whether an indefinite phrase names some of a group that was named before."""
    first = parse.word(phrase.first)
    if first in _NEW or phrase.count == group.count:
        return False
    if parse.doc[phrase.head].sent != parse.doc[group.head].sent:
        return not phrase.plural or phrase.count is not None
    return phrase.count is not None and parse.word(phrase.first - 1) in _TELLS_APART
