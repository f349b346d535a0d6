"""Finds the words of a prompt that speak of the image and not of what it shows.

These are its medium ("an oil painting of"), and pieces between commas about its quality, light,
lens, renderer or artist ("8k", "soft light", "by Greg Rutkowski"). They are taken out before the
prompt is parsed. A prompt that is a list of short pieces is a list of tags.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from hallascope.data.prompt_reading import StyleWords
from hallascope.metrics.reading.rules.flags import TextEdits
from hallascope.metrics.reading.words.language import NUMBERS, wordset
from hallascope.metrics.reading.words.lists import STYLE

_MAKERS = STYLE["medium"] | STYLE["maker"]
_BESIDE = _MAKERS | STYLE["technique"] | STYLE["beside"]
_FEWEST_TAGS = 3
_LONGEST_TAG = 5  # words
# a stop ends a sentence, and no number or abbreviation
_SENTENCE_END = re.compile(r"(?<!\bca)(?<!\bc)(?<!\bno)(?<!\bst)[.!?;]+(?=\s|$)|\n", re.IGNORECASE)
_PIECE_END = re.compile(r",(?!\d{3}\b)|\|")
_WORD = re.compile(r"[^\s,;]*[^\s,;.!?]")
_ARTICLES = wordset("a an the this that")
_DETERMINERS = _ARTICLES | wordset("some several many his her their its my our") | {*NUMBERS}
# "35mm", "f/1.8", "iso 400", "16:9", "4k", "1980s"
_FIGURE = re.compile(r"\d+(?:\.\d+)?(?:mm|k|p|fps|bit)|f/?\d+(?:\.\d+)?|iso\d*|\d+:\d+|'?\d{1,4}s?")
_GENRE = re.compile(r"\w{5,}(?:core|punk|wave|ism)")
# "1girl", "2cats"
_GLUED_COUNT = re.compile(r"(?<![\w.:-])[1-9]\+?(?P<noun>[a-z]{3,})(?![\w-])")
# no artist: "sitting by Lake Como"
_PLACES = wordset("""
    lake river mount mountain bay tower bridge cathedral street square palace ben house beach park
    church station hall gate temple ocean sea building museum castle island coast canal pier
""")
_MADE = r"(?:art|artwork|painted|drawn|directed|designed|illustrated|inspired|photographed|shot)"
_NAME = r"(?:[A-Z][\w.'’-]*)"
_ARTIST = re.compile(
    rf"(?:\b{_MADE}\s+)?\bby\s+{_NAME}"
    rf"(?:\s*(?:,\s*)?(?:\s(?:and|&|von|van|de|da|del|der|di|la|le)\s+)?\s?{_NAME})+"
)
_STYLE_START = re.compile(
    rf"(?:{_MADE}\s+by|by\s+(?!an?\b|the\b)(?=\S+(?:\s+\S+)?\s*$)|(?:trending|featured)\s+on"
    r"|in\s+the\s+(?:styles?|manner)\s+of|style\s+of|copy\s+(?:after|of)"
    r"|rendered\s+(?:in|with|by|using)"
    r"|(?:shot|taken|photographed|filmed|captured)\s+(?:on|with|in|by)\s+(?:an?\s+)?\S*"
    r"|made\s+(?:in|with)\s+(?:blender|unreal|photoshop|procreate|octane))\b",
    re.IGNORECASE,
)
_DONE = r"(?:(?:painted|drawn|rendered|done|depicted|shown|illustrated|photographed)\s+)?"
# within a piece, up to its end
_STYLE_TAIL = re.compile(
    rf"\s+(?:{_DONE}in\s+the\s+(?:style|manner)s?\s+of\b.*"
    rf"|{_DONE}in\s+(?:an?\s+|the\s+)?(?:[\w'’-]+\s+){{1,4}}style(?![\w-])"
    r"|trending\s+on\s+\w+.*|rendered\s+(?:in|with)\s+\w+.*)$",
    re.IGNORECASE,
)
_NO_MEDIUM = wordset("in on at with by from near behind under over holding and is are has")
_MEDIUM_PREFIX = re.compile(
    r"\s*(?P<medium>(?:[\w'’.-]+\s+){1,7}?)(?:of|showing|depicting|featuring)\s+", re.IGNORECASE
)
# an image that hangs in the image is an object of it
_HANGING = re.compile(
    r"\b(?:hangs|hanging|hung|(?:on|against)\s+(?:a|an|the|his|her|their)\s+(?:\w+\s+)?"
    r"(?:wall|easel|fridge|refrigerator))\b",
    re.IGNORECASE,
)


class Piece(NamedTuple):
    """A piece of a prompt between commas, and which of its sentences it stands in."""

    start: int
    stop: int
    sentence: int
    text: str

    @property
    def words(self) -> list[str]:
        """Return its words in lower case, without stops."""
        return [word.lower() for word in _WORD.findall(self.text)]


def find_style(text: str, read: str, edits: TextEdits) -> list[Piece]:
    """Add a prompt's words of style to its edits; return its tags, where it is a list of tags.

    `read` is the text without flags and quotes, as long as the text.
    """
    pieces = _pieces(read)
    style = [is_style(piece) for piece in pieces]
    is_tags = _is_tag_list(pieces, style)
    if not is_tags:
        style = _at_the_ends(pieces, style)
    for match in _GLUED_COUNT.finditer(text):
        at = match.start("noun")
        if not edits.characters.keys() & {at} and not _FIGURE.fullmatch(match[0].lower()):
            edits.characters[at] = f" {text[at]}"
    if all(style):
        # nothing would be left to look for
        return []
    for piece, is_dropped in zip(pieces, style, strict=True):
        if is_dropped:
            _drop_piece(text, read, piece, edits)
        else:
            _drop_words(text, piece, edits)
    kept = [piece for piece, is_dropped in zip(pieces, style, strict=True) if not is_dropped]
    return kept if is_tags else []


def _pieces(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    start = 0
    for sentence, end in enumerate([*_SENTENCE_END.finditer(text), None]):
        stop = end.start() if end else len(text)
        commas = list(_PIECE_END.finditer(text, start, stop))
        starts = [start, *(comma.end() for comma in commas)]
        for begin, last in zip(starts, [*(at.start() for at in commas), stop], strict=True):
            words = text[begin:last].strip()
            if words:
                first = text.index(words, begin)
                pieces.append(Piece(first, first + len(words), sentence, words))
        start = end.end() if end else stop
    return pieces


# --- which pieces are style


def is_style(piece: Piece) -> bool:
    """Return whether a piece speaks of the image: "highly detailed", "by Monet", "4k"."""
    words = piece.words
    if not words:
        return False
    if _STYLE_START.match(piece.text) and _PLACES.isdisjoint(words):
        return True
    named = [word for word in words if word not in _ARTICLES]
    if not named or words[0] in _DETERMINERS - _ARTICLES:
        return False
    if len(named) > 1 and named[-1] in STYLE["ending"] and len(words) <= _LONGEST_TAG:
        return words[0] not in _ARTICLES or _is_all_style(named)
    return _is_all_style(named)


def _is_all_style(words: Sequence[str]) -> bool:
    """Return whether all words are of style, and one of them makes it so."""
    if not all(_is_beside_style(word) for word in words):
        return False
    makers = [word for word in words if word in _MAKERS or _is_figure(word) or _GENRE.match(word)]
    if any(word not in STYLE["weak"] for word in makers):
        return True
    return len(words) > 1 and bool(makers) and "and" not in words


def _is_figure(word: str) -> bool:
    return bool(_FIGURE.fullmatch(word))


def _is_beside_style(word: str) -> bool:
    if word in _BESIDE or all(part in _BESIDE for part in word.split("-")):
        return True
    return _is_figure(word) or bool(_GENRE.fullmatch(word))


def _at_the_ends(pieces: Sequence[Piece], style: Sequence[bool]) -> list[bool]:
    """Return which pieces of style stand at the end or the beginning of a sentence.

    Those between others may describe an object: "a dark, moody, old forest".
    """
    dropped = [False] * len(pieces)
    for sentence in {piece.sentence for piece in pieces}:
        places = [at for at, piece in enumerate(pieces) if piece.sentence == sentence]
        for at in reversed(places):
            if not style[at]:
                break
            dropped[at] = True
        for at, following in pairwise(places):
            opens = pieces[following].words[:1] and pieces[following].words[0] in _DETERMINERS
            if not style[at] or not (opens or style[following]):
                break
            dropped[at] = True
    return dropped


def _is_tag_list(pieces: Sequence[Piece], style: Sequence[bool]) -> bool:
    """Return whether a prompt is a list of tags: short pieces in one sentence, and no clauses."""
    if len(pieces) < _FEWEST_TAGS or len({piece.sentence for piece in pieces}) > 1:
        return False
    if any(len(piece.words) > _LONGEST_TAG for piece in pieces):
        return False
    kept = [piece.words for piece, is_dropped in zip(pieces, style, strict=True) if not is_dropped]
    joints = _ARTICLES | {"and", "or", "but", "while", "with"}
    if not kept or "and" in kept[-1]:
        return False
    return not any(words and words[0] in joints for words in kept)


# --- what is taken out


def _drop_piece(text: str, read: str, piece: Piece, edits: TextEdits) -> None:
    """Take out a piece with the comma before it, or what ends the first."""
    edits.drop_style(text, piece.start, piece.stop)
    before = len(read[: piece.start].rstrip()) - 1
    if read[before : before + 1] in (",", "|"):
        edits.drop(before, before + 1)
    else:
        edits.drop(piece.stop, piece.stop + 1)


def _drop_words(text: str, piece: Piece, edits: TextEdits) -> None:
    """Take out the medium before "of", an artist, and "in the style of" of a piece that stays."""
    start = piece.start
    medium = _MEDIUM_PREFIX.match(piece.text)
    if medium and not _HANGING.search(piece.text):
        words = medium["medium"]
        if _names_medium(words.lower().split()):
            stop = start + len(words.rstrip())
            edits.drop(start, start + medium.end())
            edits.style.append(StyleWords(text[start:stop], (start, stop)))
    tail = _STYLE_TAIL.search(piece.text)
    if tail:
        edits.drop_style(text, start + tail.start() + 1, start + tail.end())
        return
    for artist in _ARTIST.finditer(piece.text):
        before = piece.text[: artist.start()].split()[-1:]
        is_place = not _PLACES.isdisjoint(artist[0].lower().split())
        if not is_place and not (before and before[0].endswith("ing")):
            edits.drop_style(text, start + artist.start(), start + artist.end())


def _names_medium(words: Sequence[str]) -> bool:
    """Return whether words before "of" name a medium: "an old oil painting", "a close-up"."""
    named = [word for word in words if word not in _ARTICLES]
    if not named or named[-1] not in STYLE["medium"] or not _ARTICLES.isdisjoint(words[1:]):
        return False
    return _NO_MEDIUM.isdisjoint(named)
