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
from hallascope.metrics.parsing.parsed import Modifier, Parsed, Phrase, QuotedText

_QUOTED = re.compile(
    r'"([^"]{1,200})"|“([^“”]{1,200})”|«([^«»]{1,200})»'
    r"|(?<![\w'])'([^']{1,100})'(?!\w)|(?<!\w)‘([^‘’]{1,100})’(?!\w)"
)
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
    """Return where words stand in quotation marks; between them is more than space."""
    spans = [match.span(match.lastindex or 0) for match in _QUOTED.finditer(text)]
    return [span for span in spans if text[slice(*span)].strip()]


def mask_quotes(text: str) -> str:
    """Replace what is quoted by one word of the same length, so that it is not parsed.

    Its words and stops are not the sentence's.
    """
    for start, stop in find_quotes(text):
        text = f"{text[:start]}{'X' * (stop - start)}{text[stop:]}"
    return text


def attribute_quote(text: str, span: Span, phrases: Sequence[Phrase]) -> QuotedText:
    """Return quoted words with the nearest thing before them, else the nearest after."""
    things = [(index, phrase.span) for index, phrase in enumerate(phrases) if phrase.is_thing]
    before = [index for index, (_, stop) in things if stop <= span[0]]
    after = [index for index, (start, _) in things if start >= span[1]]
    nearest = before[-1:] or after[:1]
    return QuotedText(text[slice(*span)].strip(), span, nearest[0] if nearest else None)


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
            word
            for word in modifiers
            if "".join(text[slice(*word.span)].split()).lower() == word.text
        ),
    )
