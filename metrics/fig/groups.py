"""Groups the segments of a picture by what their captions call them, for FiG's meta-caption."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from hallascope.data.lexicon import NamedThing, noun_forms
from hallascope.data.regions import Box
from hallascope.metrics.detection.geometry import Center
from hallascope.metrics.reading import mention_counts
from hallascope.metrics.reading.parsed import Parsed, Phrase
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.language import COLORS, wordset

_MASS_NOUNS = wordset(
    "grass water sand snow ice sky wood smoke fog fire rain food hair fur hay graffiti"
)
# What may stand between a name and what is said of it.
_LEADS = re.compile(
    r"^(?:[\s,;:]+|(?:that|which|who)\s+(?=is\b|are\b|\w+s\b)|and\s+(?=is\b|are\b|has\b|have\b))+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_PARTICIPLES = wordset("made held shown worn lit cut built set kept hung bent full")
_NO_VERBS = wordset(
    "with on in at by under over above below behind beside near next inside against among between"
    " and or like of to from"
)


@dataclass(frozen=True)
class SegmentCaption:
    """Holds what is known of one segment: its caption, the center of its mask, and its box.

    The center is mean x and y, in shares of the picture.
    """

    caption: str
    center: Center
    box: Box


class CaptionDetail(NamedTuple):
    """What else a caption says: a `predicate` without "is", one with a `verb`, or a `sentence`."""

    kind: Literal["predicate", "verb", "sentence"]
    words: str


@dataclass(frozen=True, kw_only=True)
class CaptionGroup:
    """Holds things that are called alike: how many they are, and what their captions add.

    `count` is one, several, or None where a plural does not say.
    """

    phrase: Phrase
    singular_name: str
    plural_name: str
    count: int | None
    members: tuple[SegmentCaption, ...]
    details: tuple[CaptionDetail, ...] = ()
    article: str = "a"

    @property
    def plural(self) -> bool:
        """Whether they are several, or may be."""
        return self.count != 1

    @property
    def name(self) -> tuple[str, ...]:
        """What groups that belong together have in common."""
        return (self.phrase.concept,) if self.phrase.concept else self.phrase.lemmas


def subject(caption: Parsed) -> Phrase | None:
    """Return the thing that a caption is about: the first that it names."""
    return next(iter(caption.objects), None)


def group_captions(
    captions: Sequence[SegmentCaption], describing: frozenset[str] = frozenset()
) -> list[CaptionGroup]:
    """Return what is called alike together, in the order of the captions."""
    groups: dict[str, CaptionGroup] = {}
    for caption in captions:
        group = _caption_group(caption, describing)
        if group is not None:
            key = group.singular_name.casefold()
            groups[key] = _merge_groups(groups[key], group) if key in groups else group
    return list(groups.values())


def _caption_group(segment: SegmentCaption, describing: frozenset[str]) -> CaptionGroup | None:
    """Return the group of one segment; None where its caption names nothing."""
    caption = parse(" ".join(segment.caption.split()), describing)
    phrase = subject(caption)
    if phrase is None:
        return None
    # The name ends with what the thing belongs to: " of a ladybug".
    whole = phrase if phrase.owner is None else caption.phrases[phrase.owner]
    stop = whole.span[1] if whole.is_object else phrase.span[1]
    owner = caption.text[phrase.span[1] : stop]
    words = _leading_words(caption, phrase, describing)
    return CaptionGroup(
        phrase=phrase,
        singular_name=f"{words}{phrase.name}{owner}",
        plural_name=f"{words}{plural(phrase)}{owner}",
        count=mention_counts.count(phrase),
        members=(segment,),
        details=_details(caption, stop, COLORS | describing),
        article=_article(caption, phrase),
    )


def _merge_groups(group: CaptionGroup, other: CaptionGroup) -> CaptionGroup:
    unknown = group.count is None or other.count is None
    return replace(
        group,
        count=None if unknown else (group.count or 0) + (other.count or 0),
        members=(*group.members, *other.members),
        details=tuple(dict.fromkeys((*group.details, *other.details))),
        article="a" if group.article == "the" else group.article,
    )


# --- the name


def _leading_words(caption: Parsed, phrase: Phrase, describing: frozenset[str]) -> str:
    """Return the words before a name, those said behind it first.

    Article and number are left out: "the ball is red" gives "red ball".
    """
    name = phrase.name_span[0]
    inside = [word for word in phrase.modifiers if phrase.span[0] <= word.span[0] < name]
    texts = {word.text for word in inside}
    behind = dict.fromkeys(
        word.text
        for word in phrase.modifiers
        if word not in inside and word.text in COLORS | describing and word.text not in texts
    )
    first = min((word.span[0] for word in inside), default=name)
    return "".join(f"{word} " for word in behind) + caption.text[first:name]


def _article(caption: Parsed, phrase: Phrase) -> str:
    """Return "the" for "the planet Saturn", none for "Darth Vader" and "grass", else "a"."""
    first = caption.text_at(phrase.span).split()[0].casefold()
    if first in ("a", "an") or phrase.number is not None:
        return "a"
    if phrase.concept:
        # The lexicon has the article: "the planet Saturn", "Stonehenge", "a ladybug".
        first = _named_thing(phrase.concept).phrase.split()[0].casefold()
        return {"a": "a", "an": "a", "the": "the"}.get(first, "")
    name = caption.text_at(phrase.name_span)
    is_proper = " " in name and name.istitle()
    is_bare = phrase.span[0] == phrase.name_span[0]
    return "" if is_bare and (is_proper or phrase.head in _MASS_NOUNS) else "a"


def _named_thing(concept: str) -> NamedThing:
    return noun_forms()[concept.lower()].thing


def plural(phrase: Phrase) -> str:
    """Return the name of several: "bottles of wine"."""
    if phrase.concept:
        return _named_thing(phrase.concept).plural
    head, of, rest = phrase.name.partition(" of ")
    return f"{language.plural(head)}{of}{rest}"


# --- what else the captions say


def _details(caption: Parsed, stop: int, describing: frozenset[str]) -> tuple[CaptionDetail, ...]:
    """Return what a caption says beside the name of its thing.

    That is the rest of the sentence ("seen with a large grille"), then the sentences after it.
    `stop` is where the name ends.
    """
    match = _SENTENCE_END.search(caption.text, stop)
    end = match.end() if match else len(caption.text)
    rest = _LEADS.sub("", caption.text[stop:end]).strip(" ,;:.!")
    after = caption.text[end:].strip(" .")
    first, _, last = rest.casefold().partition(" ")
    # A word that describes stands before the name already.
    stands_before = first in ("is", "are") and last in describing
    details = []
    if rest and not stands_before:
        details.append(_predicate(rest))
    if after:
        details.append(CaptionDetail("sentence", after))
    return tuple(details)


def _predicate(rest: str) -> CaptionDetail:
    first, _, last = rest.partition(" ")
    word = first.casefold()
    if word in ("is", "are"):
        return CaptionDetail("predicate", last)
    if word == "and":
        return CaptionDetail("predicate", f"seen with {last}")
    is_singular_form = word.endswith("s") and not word.endswith("ss") and word.isalpha()
    if is_singular_form and word not in _NO_VERBS:
        return CaptionDetail("verb", rest)
    if word.endswith(("ing", "ed", "en")) or word in _PARTICIPLES:
        return CaptionDetail("predicate", rest)
    return CaptionDetail("predicate", f"seen {rest}")
