"""Decides which phrases of a text name one object, and which object is one of several named before.

The rules, in the order in which they are tried:

1. A phrase without a noun refers as its words say (`rules.ellipsis`): "a blue one" is another.
2. "One of the children" is one of them; "each of the children" are they.
3. "The dog" is the dog named before, and one of the dogs where several were named.
4. Words of a group apart are of it: "A stack of 3 cubes. A red cube is on top.", "two dogs in a
   field with one dog holding a disc".
   What stands in a relation to another thing is not that thing: "a tower on the building".
   What has another place in the picture is another: "the man on the left", "the man on the right".
5. A second description of the same is no second thing: "A pink stop sign. A pink stop sign in the
   shape of a triangle."
"""

import re
from dataclasses import dataclass, field

from hallascope.data.prompt_reading import Count
from hallascope.metrics.parsing.name_matching import is_more_general, same_words
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import COLORS
from hallascope.metrics.parsing.words.number_words import number_value

_OF_GROUP = re.compile(r"\b(?P<word>\w+)\s+of\s+(?:the|these|those|his|her|their|its)$", re.I)
_WHOLE_GROUP = ("each", "both", "all", "any")
_CHOOSING = wordset("first second third fourth last middle best worst least most top front")
_POSSESSIVE = re.compile(r"(his|her|their|its|my|our|your|[\w-]+['’]s?)\s", re.I)
_NEW = re.compile(
    r"(?:an?\s+)?(?:other|another|second|third|fourth|different|additional|more)\b", re.I
)
# before a phrase of a group in the group's own sentence: "two dogs, with one dog in a hat"
_TELLS_APART = re.compile(r"(?:\b(?:with|while|where|of which)|[;:(])\s*$", re.I)

# nothing has two of these places in a picture
_CONTRARY_PLACES = (
    frozenset({"left of", "right of", "middle"}),
    frozenset({"top", "bottom", "middle"}),
    frozenset({"background", "foreground"}),
)
# these describe two things, where they are said of the same noun: "the left cup", "the right cup"
_CONTRARY_WORDS = (
    (wordset("left"), wordset("right")),
    (wordset("top upper"), wordset("bottom lower")),
    (wordset("front"), wordset("back rear")),
    (wordset("first"), wordset("second third")),
    (wordset("big large huge bigger larger"), wordset("small little tiny smaller")),
    (wordset("tall taller"), wordset("short shorter")),
    (wordset("old older elderly"), wordset("young younger")),
)


@dataclass
class Mentions:
    """Which phrases name one object.

    `firsts`: for each phrase the first one of the same object. For the first phrase of an object
    that is one of several, `groups` has the first phrase of those, and `counts` how many it is.
    """

    firsts: dict[int, int] = field(default_factory=dict)
    groups: dict[int, int] = field(default_factory=dict)
    counts: dict[int, Count] = field(default_factory=dict)


def resolve_mentions(parsed: Parsed) -> Mentions:
    """Return the object of each phrase that names a thing, or one said not to be there."""
    mentions = Mentions()
    for at, phrase in enumerate(parsed.phrases):
        if phrase.is_thing or phrase.absent:
            _resolve(parsed, at, mentions)
    return mentions


def _resolve(parsed: Parsed, at: int, mentions: Mentions) -> None:
    phrase = parsed.phrases[at]
    firsts = mentions.firsts
    firsts[at] = at
    if phrase.antecedent in firsts:
        _resolve_ellipsis(parsed, at, mentions)
        return
    same = _named_before(parsed, at, mentions)
    groups = (
        before
        for before in same
        if _is_group(parsed.phrases[before]) and before not in mentions.groups
    )
    group = next(groups, None)
    chosen = _OF_GROUP.search(parsed.text[: phrase.name_span[0]].rstrip())
    if chosen is not None and group is not None:
        number = number_value(chosen["word"].lower())
        if chosen["word"].lower() in _WHOLE_GROUP:
            firsts[at] = firsts[group]
        elif number is not None:
            mentions.groups[at] = firsts[group]
            mentions.counts[at] = Count.exactly(number)
        return
    first = _repeated(parsed, at, same)
    if first is not None:
        firsts[at] = firsts[first]
    elif group is not None and not phrase.absent and _is_of_group(parsed, at, group):
        mentions.groups[at] = firsts[group]


def _resolve_ellipsis(parsed: Parsed, at: int, mentions: Mentions) -> None:
    phrase = parsed.phrases[at]
    antecedent = mentions.firsts[phrase.antecedent or 0]
    if phrase.reference == "same":
        mentions.firsts[at] = antecedent
        return
    if phrase.definite:
        described = {word.text for word in phrase.modifiers}
        for before in _named_before(parsed, at, mentions):
            words = {word.text for word in parsed.phrases[before].modifiers}
            if described and described <= words:
                mentions.firsts[at] = mentions.firsts[before]
                return
    if phrase.reference == "one of":
        mentions.groups[at] = antecedent


def _named_before(parsed: Parsed, at: int, mentions: Mentions) -> list[int]:
    """Return the first mentions of things of the same name, the one named last first."""
    phrase = parsed.phrases[at]
    before = [first for first in dict.fromkeys(mentions.firsts.values()) if first != at]
    others = _related(parsed, at)
    return [
        first
        for first in reversed(before)
        if first not in others
        and not _are_apart(parsed, at, first)
        and parsed.phrases[first].absent == phrase.absent
        and (
            same_words(phrase, parsed.phrases[first])
            or (
                phrase.definite
                and not phrase.antecedent
                and is_more_general(phrase, parsed.phrases[first])
            )
        )
    ]


def _related(parsed: Parsed, at: int) -> set[int | None]:
    """Return the phrases to which a phrase stands in a relation, which are other things.

    "The clock tower on the building" is no building.
    """
    pairs = [(position.subject, position.anchor) for position in parsed.positions]
    pairs += [(action.subject, action.object) for action in parsed.actions]
    return {other for pair in pairs if at in pair for other in pair} - {at}


def _are_apart(parsed: Parsed, at: int, first: int) -> bool:
    """Return whether two phrases have places or words that no one thing can have at once."""
    words = {word.text for word in parsed.phrases[at].modifiers}
    words_before = {word.text for word in parsed.phrases[first].modifiers}
    for one, other in _CONTRARY_WORDS:
        if (words & one and words_before & other) or (words & other and words_before & one):
            return True
    places = _places_in_picture(parsed, at)
    places_before = _places_in_picture(parsed, first)
    return any(
        places & contrary and places_before & contrary and not places & places_before
        for contrary in _CONTRARY_PLACES
    )


def _places_in_picture(parsed: Parsed, at: int) -> set[str]:
    return {
        position.relation
        for position in parsed.positions
        if position.subject == at and position.anchor is None
    }


# --- the same thing again


def _repeated(parsed: Parsed, at: int, same: list[int]) -> int | None:
    """Return the first mention of what a phrase names again, if it does."""
    phrase = parsed.phrases[at]
    colors = _colors(phrase)
    candidates = [first for first in same if _is_compatible(colors, _colors(parsed.phrases[first]))]
    if phrase.definite:
        if _is_superlative(phrase) and any(_is_group(parsed.phrases[first]) for first in same):
            # "the smallest owl" of five
            return None
        owner = _owner(parsed, phrase)
        candidates = [
            first
            for first in candidates
            if not owner or _owner(parsed, parsed.phrases[first]) in ("", owner)
        ]
        if not phrase.plural:
            candidates = [first for first in candidates if not _is_group(parsed.phrases[first])]
        described_alike = [first for first in candidates if colors & _colors(parsed.phrases[first])]
        return next(iter(described_alike or candidates), None)
    restated = (first for first in candidates if _is_restated(parsed, at, first))
    return next(restated, None)


def _is_superlative(phrase: Phrase) -> bool:
    """Return whether a word chooses one of several: "the smallest owl", "the last one"."""
    return any(
        word.text in _CHOOSING or (word.text.endswith("est") and len(word.text) > 5)
        for word in phrase.modifiers
    )


def _owner(parsed: Parsed, phrase: Phrase) -> str:
    """Return the word of possession at the beginning of a phrase, in lower case."""
    owner = _POSSESSIVE.match(parsed.text_at(phrase.span))
    return owner[1].lower() if owner else ""


def _is_compatible(colors: set[str], before: set[str]) -> bool:
    return not colors or not before or bool(colors & before)


def _is_restated(parsed: Parsed, at: int, first: int) -> bool:
    """Return whether two sentences without a verb begin with the same thing.

    Each says what it is and neither where it is or what it does.
    """
    phrase = parsed.phrases[at]
    before = parsed.phrases[first]
    opening = {other.sentence: index for index, other in reversed([*enumerate(parsed.phrases)])}
    if phrase.sentence == before.sentence or opening[phrase.sentence] != at:
        return False
    if opening[before.sentence] != first or phrase.number != before.number:
        return False
    words_before = {word.text for word in before.modifiers}
    if not {word.text for word in phrase.modifiers} <= words_before:
        # "a large cat, a small cat"
        return False
    said_of = {position.subject for position in parsed.positions}
    said_of |= {action.subject for action in parsed.actions}
    return (
        phrase.plural == before.plural
        and _colors(phrase) == _colors(before)
        and not {at, first} & said_of
    )


def _colors(phrase: Phrase) -> set[str]:
    return {word.text for word in phrase.modifiers if word.text in COLORS}


# --- one of several


def _is_group(phrase: Phrase) -> bool:
    """Return whether a phrase names several things."""
    return phrase.plural or bool(phrase.count and phrase.count.least > 1)


def _is_of_group(parsed: Parsed, at: int, group: int) -> bool:
    """Return whether a phrase names some of a group that was named before."""
    phrase = parsed.phrases[at]
    whole = parsed.phrases[group]
    if _NEW.match(parsed.text_at(phrase.span)) or _is_as_many(phrase, whole):
        return False
    if phrase.is_part or phrase.definite:
        return True
    if phrase.sentence != whole.sentence:
        return not phrase.plural or phrase.count is not None
    is_counted = phrase.number is not None
    return is_counted and bool(_TELLS_APART.search(parsed.text[: phrase.span[0]]))


def _is_as_many(phrase: Phrase, whole: Phrase) -> bool:
    """Return whether a phrase names as many as the group has, or more."""
    number = 1 if not phrase.plural and phrase.number is None else phrase.number
    return bool(number and whole.number and number >= whole.number)
