"""Prepares a text for the parser, and carries places in it back to the text as it came.

White space is collapsed, capitals are lowered in a text of capitals alone, and what is quoted is
masked.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from hallascope.data.regions import Span
from hallascope.metrics.parsing.parsed import Action, Modifier, Parsed, Phrase, QuotedText
from hallascope.metrics.parsing.written_text import find_written

_QUOTED = re.compile(
    r'"([^"]{1,200})"|“([^“”]{1,200})”|«([^«»]{1,200})»'
    r"|(?<![\w'])'([^']{1,100})'(?!\w)|(?<!\w)‘([^‘’]{1,100})’(?!\w)"
)
# the rest of "'Hello' written in red letters on the wall", up to the wall
_ON_SURFACE = re.compile(
    r"[\"”’']?\s*(?:(?:is|are)\s+)?(?P<verb>written|painted|printed|carved|scrawled|embroidered)?"
    r"(?:\s*(?:in|with)\s+(?:\w+\s+){1,3}?)?\s*\b(?:on|onto|across|above|into)\s+",
    re.IGNORECASE,
)
_TEXT_NOUN = re.compile(r"\b(?:words?|text|letters?|phrase|slogan|message)\b\W*$", re.I)
_SAYING = ("saying", "reading", "spelling", "stating")
_FARTHEST_TEXT = 4  # characters between "reads" and its text
# no space: they stand within words of Persian and the scripts of India, and within emoji
_JOINERS = "\u200c\u200d"


class PlainText(NamedTuple):
    """Holds a text with single spaces, and the original place of each of its characters."""

    text: str
    places: tuple[int, ...]

    def original(self, span: Span) -> Span:
        """Return where a place of this text lies in the text as it came."""
        return self.places[span[0]], self.places[span[1] - 1] + 1

    def plain(self, place: int) -> int:
        """Return where this text has a place of the text as it came, or the next that it has."""
        return bisect_left(self.places, place)


def plain_text(text: str, edits: Mapping[int, str] = MappingProxyType({})) -> PlainText:
    """Return a text with white space collapsed; one in capitals alone is read in lower case.

    `edits`: by place, what is read there in place of a character.
    """
    edited = [(place, read) for place in range(len(text)) for read in edits.get(place, text[place])]
    all_capitals = not any(letter.islower() for _, letter in edited)
    letters: list[str] = []
    places: list[int] = []
    for place, letter in edited:
        if letter.isspace() or not (letter.isprintable() or letter in _JOINERS):
            letter = " "
        if letter == " " and (not letters or letters[-1] == " "):
            continue
        lower = letter.lower()
        letters.append(lower if all_capitals and len(lower) == 1 else letter)
        places.append(place)
    if letters and letters[-1] == " ":
        letters.pop()
        places.pop()
    return PlainText("".join(letters), tuple(places))


# --- quotes


def find_quotes(text: str) -> list[Span]:
    """Return where words are written in the picture: in quotation marks, or named without them.

    Between quotation marks is more than space.
    """
    spans = [match.span(match.lastindex or 0) for match in _QUOTED.finditer(text)]
    quoted = [span for span in spans if text[slice(*span)].strip()]
    # what is quoted can neither begin nor end what is not
    rest = mask_spans(text, quoted)
    written = [
        span
        for span in find_written(rest)
        if not any(start < span[1] and span[0] < stop for start, stop in quoted)
    ]
    return sorted(quoted + written)


def mask_quotes(text: str) -> str:
    """Replace what is written by one word of the same length, so that it is not parsed.

    Its words and stops are not the sentence's.
    """
    return mask_spans(text, find_quotes(text))


def mask_spans(text: str, spans: Sequence[Span]) -> str:
    """Replace some places of a text by one word of the same length each."""
    for start, stop in spans:
        text = f"{text[:start]}{'X' * (stop - start)}{text[stop:]}"
    return text


def attribute_quote(
    text: str, span: Span, phrases: Sequence[Phrase], actions: Sequence[Action]
) -> QuotedText:
    """Return written words with the thing that they are on.

    It is what says them, or what they are said to be written on, else the nearest thing before
    them, else the nearest after.
    """
    things = [(index, phrase.span) for index, phrase in enumerate(phrases) if phrase.is_thing]
    before = [index for index, (_, stop) in things if stop <= span[0]]
    after = [index for index, (start, _) in things if start >= span[1]]
    sayers = [
        action.subject for action in actions if says_text(action, span) and action.subject in before
    ]
    surface = _surface_end(text, span)
    surfaces = [index for index, (start, _) in things if start == surface]
    nearest = surfaces or sayers or before[-1:] or after[:1]
    return QuotedText(text[slice(*span)].strip(), span, nearest[0] if nearest else None)


def says_text(action: Action, span: Span) -> bool:
    """Return whether an action is that of a sign which reads what is written at a place."""
    return 0 < span[0] - action.span[1] < _FARTHEST_TEXT and action.words.startswith(_SAYING)


def _surface_end(text: str, span: Span) -> int | None:
    """Return where the surface begins that words are said to be written on: "on the wall"."""
    match = _ON_SURFACE.match(text, span[1])
    if match is None:
        return None
    is_written = match["verb"] or _TEXT_NOUN.search(text[: span[0]])
    return match.end() if is_written else None


# --- back to the text as it came


def restore_places(parsed: Parsed, text: str, plain: PlainText) -> Parsed:
    """Return what was read in a plain text, with all places in the text as it came."""
    return Parsed(
        text,
        style=parsed.style,
        phrases=tuple(_restore_phrase(phrase, text, plain) for phrase in parsed.phrases),
        positions=tuple(
            position._replace(span=plain.original(position.span)) for position in parsed.positions
        ),
        quotes=tuple(quote._replace(span=plain.original(quote.span)) for quote in parsed.quotes),
        actions=tuple(
            action._replace(span=plain.original(action.span)) for action in parsed.actions
        ),
    )


def _restore_phrase(phrase: Phrase, text: str, plain: PlainText) -> Phrase:
    modifiers = (Modifier(word.text, plain.original(word.span)) for word in phrase.modifiers)
    return replace(
        phrase,
        span=plain.original(phrase.span),
        name_span=plain.original(phrase.name_span),
        count_span=plain.original(phrase.count_span) if phrase.count_span else None,
        # the mask of what is quoted describes nothing: the text says other words there
        modifiers=tuple(
            word for word in modifiers if _letters(text[slice(*word.span)]) == _letters(word.text)
        ),
    )


def _letters(text: str) -> str:
    return "".join(text.lower().split())
