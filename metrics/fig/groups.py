"""Groups the segments of a picture by what their captions call them, for FiG.

The meta-caption needs it; it knows no prompt and no model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hallascope.data.lexicon import NamedThing, noun_forms
from hallascope.data.regions import Box
from hallascope.metrics.detection.geometry import Center
from hallascope.metrics.parsing import language
from hallascope.metrics.parsing.language import wordset
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import COLORS, parse

_MASS = wordset("grass water sand snow ice sky wood smoke fog fire rain food hair fur hay graffiti")
_LEADS = re.compile(
    r"^(?:[\s,;:]+|(?:that|which|who)\s+(?=is\b|are\b|\w+s\b)|and\s+(?=is\b|are\b|has\b|have\b))+",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?](?=\s|$)")
_PARTICIPLES = wordset("made held shown worn lit cut built set kept hung bent full")
_NO_VERBS = wordset(
    "with on in at by under over above below behind beside near next inside against among between"
    " and or like of to from"
)


@dataclass(frozen=True)
class SegmentCaption:
    """Holds what is told of one segment: caption, center of its mask, and box.

    The center is mean x and y, in shares of the picture.
    """

    caption: str
    center: Center
    box: Box


class More(NamedTuple):
    """What else a caption says: a `predicate` without "is", one with a `verb`, or a `sentence`."""

    kind: Literal["predicate", "verb", "sentence"]
    words: str


@dataclass(frozen=True, kw_only=True)
class CaptionGroup:
    """Holds things that are called alike: how many they are, and what their captions add.

    The count is one, several, or None where a plural does not say.
    """

    phrase: Phrase
    one: str
    many: str
    count: int | None
    members: tuple[SegmentCaption, ...]
    more: tuple[More, ...] = ()
    article: str = "a"

    @property
    def plural(self) -> bool:
        return self.count != 1

    @property
    def name(self) -> tuple[str, ...]:
        """By which groups belong together."""
        return (self.phrase.known,) if self.phrase.known else self.phrase.lemmas


def subject(caption: Parsed) -> Phrase | None:
    """The thing that a caption is about: the first that it names."""
    return next(iter(caption.things), None)


def group_captions(
    seen: Sequence[SegmentCaption], describing: frozenset[str] = frozenset()
) -> list[CaptionGroup]:
    """What is called alike together, in the order of the captions."""
    found: dict[str, CaptionGroup] = {}
    for one in seen:
        group = _group(one, describing)
        if group is not None:
            known = found.get(group.one.casefold())
            found[group.one.casefold()] = _merge_groups(known, group) if known else group
    return list(found.values())


def _group(seen: SegmentCaption, describing: frozenset[str]) -> CaptionGroup | None:
    caption = parse(" ".join(seen.caption.split()), describing)
    phrase = subject(caption)
    if phrase is None:
        return None
    stop, of = _end(caption, phrase)
    words = _leading_words(caption, phrase, describing)
    if phrase.number is not None:
        count = phrase.number
    elif phrase.plural:
        count = None
    else:
        count = 1
    return CaptionGroup(
        phrase=phrase,
        one=f"{words}{phrase.name}{of}",
        many=f"{words}{plural(phrase)}{of}",
        count=count,
        members=(seen,),
        more=_more(caption, stop, COLORS | describing),
        article=_article(caption, phrase),
    )


def _end(caption: Parsed, phrase: Phrase) -> tuple[int, str]:
    """Where a name ends with what it belongs to, and those words: " of a ladybug"."""
    index = caption.phrases.index(phrase)
    owner = next((one for one in caption.phrases if one.owner == index and one.is_thing), None)
    stop = owner.span[1] if owner else phrase.span[1]
    return stop, caption.text[phrase.span[1] : stop]


def _leading_words(caption: Parsed, phrase: Phrase, describing: frozenset[str]) -> str:
    """Return the words before a name, those said behind it first.

    Article and number are left out: "the ball is red" gives "red ball".
    """
    inside = [word for word in phrase.words if phrase.span[0] <= word.span[0] < phrase.named[0]]
    behind = [
        w.text
        for w in phrase.words
        if w not in inside
        and w.text in COLORS | describing
        and w.text not in {v.text for v in inside}
    ]
    said = caption.text[
        min((word.span[0] for word in inside), default=phrase.named[0]) : phrase.named[0]
    ]
    return "".join(f"{word} " for word in [*dict.fromkeys(behind)]) + said


def _article(caption: Parsed, phrase: Phrase) -> str:
    """ "the" of "the planet Saturn", none of "Darth Vader" and "grass", else "a"."""
    first = caption.text_at(phrase.span).split()[0].casefold()
    named = caption.text_at(phrase.named)
    if first in ("a", "an") or phrase.number is not None:
        return "a"
    if phrase.known:
        return _article_of(phrase.known)
    bare = phrase.span[0] == phrase.named[0] and (
        phrase.head in _MASS or (" " in named and named.istitle())
    )
    return "" if bare else "a"


def _article_of(known: str) -> str:
    """That of the thing's own phrase: "the planet Saturn", "Stonehenge", "a ladybug"."""
    first = _named_thing(known).phrase.split()[0].casefold()
    if first in ("a", "an"):
        return "a"
    if first == "the":
        return "the"
    return ""


def _named_thing(known: str) -> NamedThing:
    return noun_forms()[known.lower()].thing


def plural(phrase: Phrase) -> str:
    """The name of several: "bottles of wine"."""
    if phrase.known:
        return _named_thing(phrase.known).plural
    head, of, rest = phrase.name.partition(" of ")
    return f"{language.plural(head)}{of}{rest}"


def _merge_groups(one: CaptionGroup, other: CaptionGroup) -> CaptionGroup:
    count = None if one.count is None or other.count is None else one.count + other.count
    more = tuple(dict.fromkeys((*one.more, *other.more)))
    return CaptionGroup(
        phrase=one.phrase,
        one=one.one,
        many=one.many,
        count=count,
        members=(*one.members, *other.members),
        more=more,
        article="a" if one.article == "the" else one.article,
    )


# --- what else the captions say
# ------------------------------------------------------------------------------------------


def _more(caption: Parsed, stop: int, describing: frozenset[str]) -> tuple[More, ...]:
    """Return what follows the name in its sentence, and the sentences after it.

    It is what is said of it ("seen with a large grille").
    """
    found = _END.search(caption.text, stop)
    end = found.end() if found else len(caption.text)
    rest = _LEADS.sub("", caption.text[stop:end]).strip(" ,;:.!")
    after = caption.text[end:].strip(" .")
    first, _, last = rest.casefold().partition(" ")
    told = not rest or (
        first in ("is", "are") and last in describing
    )  # such a word stands before the name already
    return (*(() if told else (_predicate(rest),)), *((More("sentence", after),) if after else ()))


def _predicate(rest: str) -> More:
    first, _, last = rest.partition(" ")
    word = first.casefold()
    if word in ("is", "are"):
        return More("predicate", last)
    if word == "and":
        return More("predicate", f"seen with {last}")
    if word.endswith("s") and not word.endswith("ss") and word.isalpha() and word not in _NO_VERBS:
        return More("verb", rest)
    return More(
        "predicate",
        rest if word.endswith(("ing", "ed", "en")) or word in _PARTICIPLES else f"seen {rest}",
    )
