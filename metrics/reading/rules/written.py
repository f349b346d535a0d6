"""Finds words that are to be written in the image: quoted, or named as written.

"A sign that says STOP", "a book titled Ulysses", "with the wordsHAPPY BIRTHDAY".
"""

import re
from collections.abc import Iterator, Sequence

from hallascope.data.regions import Span

_QUOTED = re.compile(
    r'"([^"]{1,200})"|“([^“”]{1,200})”|«([^«»]{1,200})»'
    r"|(?<![\w'])'((?:[^']|(?<=\w)'(?=\w)){1,100})'(?!\w)|(?<!\w)‘([^‘’]{1,100})’(?!\w)"
)
_SAYING = re.compile(r"\b(?:says?|saying|reads?|reading|spells?|spelling|said|stating|states)\b:?")
_TITLED = re.compile(
    r"\b(?:titled|entitled|labell?ed|inscribed|captioned|lettered|stamped|emblazoned|engraved"
    r"|imprinted)(?:\s+(?:with|as))?\b:?",
)
_TEXT_NOUN = re.compile(
    r"\b(?:the|with|a|big|white|red)\s+(?P<noun>words?|letters?|text|phrase|slogan|message|caption"
    r"|title|inscription|lettering|sentence|name)\b:?"
    r"(?:\s+(?:that\s+)?(?:says|saying|reads|reading)\b)?:?",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"\s*([A-Z0-9][A-Z0-9:'’&!?-]*(?:\s+[A-Z0-9&][A-Z0-9'’&!?-]*)*)(?!\w)")
_CAPITALIZED = re.compile(
    r"\s*([A-Z][\w'’&-]*(?:\s+(?:(?:of|the|and|to|in|for|a|&)\s+)*[A-Z][\w'’&-]*)*)"
)


def find_written(text: str) -> list[Span]:
    """Return where words are written in the image, in the order of the text."""
    quoted = [match.span(match.lastindex or 0) for match in _QUOTED.finditer(text)]
    spans = [span for span in quoted if text[slice(*span)].strip()]
    # what is quoted can neither begin nor end what is not
    for span in sorted(_unquoted(mask_spans(text, spans))):
        if not any(start < span[1] and span[0] < stop for start, stop in spans):
            spans.append(span)
    return sorted(spans)


def _unquoted(text: str) -> Iterator[Span]:
    for match in (*_SAYING.finditer(text), *_TEXT_NOUN.finditer(text)):
        yield from _capitals(text, match.end())
    for match in _TITLED.finditer(text):
        yield from _first(text, match.end(), _CAPITALIZED)


def _capitals(text: str, at: int) -> Iterator[Span]:
    """Yield the place of words in capitals alone."""
    for span in _first(text, at, _CAPITALS):
        words = text[slice(*span)]
        if words not in ("A", "I") and any(letter.isalnum() for letter in words):
            yield span


def _first(text: str, at: int, pattern: re.Pattern[str]) -> Iterator[Span]:
    match = pattern.match(text, at)
    if match is not None and match.start(1) > at:
        yield match.span(1)


def mask_spans(text: str, spans: Sequence[Span]) -> str:
    """Replace some places of a text by one word of the same length each."""
    for start, stop in spans:
        text = f"{text[:start]}{'X' * (stop - start)}{text[stop:]}"
    return text
