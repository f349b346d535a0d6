"""The segments of a picture put together by what their captions call them, for the meta-caption of FiG; it knows no prompt, no model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from data.seeing import Box
from metrics import language
from metrics.geometry import Center
from metrics.language import listed
from metrics.parsed import Parsed, Phrase
from metrics.parsing import COLOURS, parse

_MASS = listed("grass water sand snow ice sky wood smoke fog fire rain food hair fur hay graffiti")
_LEADS = re.compile(r"^(?:[\s,;:]+|(?:that|which|who)\s+(?=is\b|are\b|\w+s\b)|and\s+(?=is\b|are\b|has\b|have\b))+", re.IGNORECASE)
_END = re.compile(r"[.!?](?=\s|$)")
_NEVER_VERB = listed("with on in at by under over above below behind beside near next inside against among between and or like of to from")


@dataclass(frozen=True)
class Seen:
    """What is told of one segment: its caption, the center of its mask (mean x and y, shares of the picture), and its box."""

    caption: str
    center: Center
    box: Box


@dataclass(frozen=True)
class Group:
    """Things that are called alike: one of them, several, how many (None where a plural does not say), and what else their captions say."""

    phrase: Phrase
    one: str
    many: str
    count: int | None
    members: tuple[Seen, ...]
    more: tuple[str, ...] = ()
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


def grouped(seen: Sequence[Seen], describing: frozenset[str] = frozenset()) -> list[Group]:
    """What is called alike together, in the order of the captions."""
    found: dict[str, Group] = {}
    for one in seen:
        group = _group(one, describing)
        if group is not None:
            known = found.get(group.one.casefold())
            found[group.one.casefold()] = _both(known, group) if known else group
    return list(found.values())


def _group(seen: Seen, describing: frozenset[str]) -> Group | None:
    caption = parse(" ".join(seen.caption.split()), describing)
    phrase = subject(caption)
    if phrase is None:
        return None
    stop, of = _end(caption, phrase)
    words = f"{_before(caption, phrase, describing)}"
    count = phrase.number if phrase.number is not None else None if phrase.plural else 1
    return Group(
        phrase,
        f"{words}{phrase.name}{of}",
        f"{words}{plural(phrase)}{of}",
        count,
        (seen,),
        _more(caption, phrase, stop),
        _article(caption, phrase),
    )


def _end(caption: Parsed, phrase: Phrase) -> tuple[int, str]:
    """Where a name ends with what it belongs to, and those words: " of a ladybug"."""
    index = caption.phrases.index(phrase)
    owner = next((one for one in caption.phrases if one.owner == index and one.is_thing), None)
    stop = owner.span[1] if owner else phrase.span[1]
    return stop, caption.text[phrase.span[1] : stop]


def _before(caption: Parsed, phrase: Phrase, describing: frozenset[str]) -> str:
    """The words before a name without article and number, those said behind it first: "the ball is red" gives "red ball"."""
    inside = [word for word in phrase.words if phrase.span[0] <= word.span[0] < phrase.named[0]]
    behind = [w.text for w in phrase.words if w not in inside and w.text in COLOURS | describing and w.text not in {v.text for v in inside}]
    said = caption.text[min((word.span[0] for word in inside), default=phrase.named[0]) : phrase.named[0]]
    return "".join(f"{word} " for word in [*dict.fromkeys(behind)]) + said


def _article(caption: Parsed, phrase: Phrase) -> str:
    """ "the" of "the planet Saturn", none for "Darth Vader" and "grass", else "a"."""
    named = caption.said(phrase.named)
    first = caption.said(phrase.span).split()[0].casefold()
    proper = named[:1].isupper() and phrase.span[0] != 0
    if first in ("a", "an") or phrase.number is not None:
        return "a"
    if phrase.definite and (phrase.known or proper):
        return "the"
    bare = phrase.span[0] == phrase.named[0] and (phrase.head in _MASS or (named[:1].isupper() and named.istitle() and " " in named))
    return "" if bare else "a"


def plural(phrase: Phrase) -> str:
    """The name of several: "bottles of wine"."""
    if phrase.known:
        return _plural_of(phrase.known, phrase.name)
    head, of, rest = phrase.name.partition(" of ")
    return f"{language.plural(head)}{of}{rest}"


def _plural_of(known: str, name: str) -> str:
    from data.primer import scenes  # here, as it loads what draws

    noun = scenes.nouns().get(known.lower())
    return noun.concept.plural if noun else language.plural(name)


def _both(one: Group, other: Group) -> Group:
    count = None if one.count is None or other.count is None else one.count + other.count
    more = tuple(dict.fromkeys((*one.more, *other.more)))
    return Group(one.phrase, one.one, one.many, count, (*one.members, *other.members), more, "a" if one.article == "the" else one.article)


# --- what else the captions say ------------------------------------------------------------------------------------------


def _more(caption: Parsed, phrase: Phrase, stop: int) -> tuple[str, ...]:
    """What follows the name in its sentence, as what is said of it ("is seen with a large grille"), and the sentences after it."""
    end = _sentence_end(caption.text, stop)
    rest = _LEADS.sub("", caption.text[stop:end]).strip(" ,;:.!")
    coloured = rest.split(" ", 1)[-1].casefold() in COLOURS and rest.split(" ", 1)[0].casefold() in ("is", "are")
    first = "" if not rest or coloured else _predicate(rest)
    after = caption.text[end:].strip(" .")
    return tuple(filter(None, (first, f". {after}" if after else "")))


def _sentence_end(text: str, start: int) -> int:
    found = _END.search(text, start)
    return found.end() if found else len(text)


def _predicate(rest: str) -> str:
    first = rest.split(" ", 1)[0].casefold()
    if first in ("is", "are"):
        return rest.split(" ", 1)[-1]
    if first.endswith("s") and not first.endswith("ss") and first.isalpha() and first not in _NEVER_VERB:
        return f"\0{rest}"  # it has its verb
    if first == "and":
        return f"seen with {rest[4:]}"
    return rest if first.endswith(("ing", "ed", "en")) else f"seen {rest}"
