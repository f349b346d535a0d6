"""Finds the words of a prompt that speak of the picture and not of what it shows.

These are its medium ("an oil painting of"), and pieces between commas about its quality, light,
lens, renderer or artist ("8k", "soft light", "by Greg Rutkowski"). They are taken out before the
prompt is parsed. A prompt that is a list of such pieces and of names is a list of tags.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from hallascope.data.prompt_reading import StyleWords
from hallascope.metrics.parsing.flags import TextEdits, edited_text
from hallascope.metrics.parsing.plain_text import mask_quotes
from hallascope.metrics.parsing.words.language import NUMBERS, wordset
from hallascope.metrics.parsing.words.style_words import (
    BESIDE_STYLE,
    GENRE_SUFFIXES,
    GROUNDS,
    MEDIA,
    SCULPTED,
    STYLE,
    STYLE_ENDINGS,
    WEAK,
)

_FEWEST_TAGS = 3
_LONGEST_TAG = 5  # words
# a stop ends a sentence, and no number or abbreviation
_SENTENCE_END = re.compile(r"(?<!\bca)(?<!\bc)(?<!\bno)(?<!\bst)[.!?;]+(?=\s|$)|\n", re.IGNORECASE)
_PIECE_END = re.compile(r",(?!\d{3}\b)|\s\|\s|\|")
_WORD = re.compile(r"[^\s,;]*[^\s,;.!?]")
_ARTICLES = wordset("a an the this that")
_DETERMINERS = _ARTICLES | wordset("some several many his her their its my our") | {*NUMBERS}
# "35mm", "f/1.8", "iso 400", "16:9", "4k"
_FIGURE = re.compile(r"\d+(?:\.\d+)?(?:mm|k|p|fps|bit)|f/?\d+(?:\.\d+)?|iso\d*|\d+:\d+")
_YEARS = re.compile(r"\d{1,4}s?|'\d0s")
_GLUED_COUNT = re.compile(r"(?<![\w.:-])[1-9]\+?(?P<noun>[a-z]{3,})(?![\w-])")
_BEFORE_ARTIST = wordset(
    "art artwork painted drawn directed designed photographed illustrated shot"
)
# no artist: "sitting by Lake Como"
_PLACES = wordset("""
    lake river mount mountain bay tower bridge cathedral street square palace ben house beach park
    church station hall gate temple ocean sea building museum castle island coast canal pier
""")
_NAME = r"(?:[A-Z][\w.'’-]*)"
_ARTIST = re.compile(
    rf"(?:\b(?P<before>[a-z]+)\s+)?\bby\s+(?P<name>{_NAME}"
    rf"(?:\s*(?:,\s*)?(?:\s(?:and|&|von|van|de|da|del|der|di|la|le)\s+)?\s?{_NAME})+)"
)
_STARTS = re.compile(
    r"(?:(?:art|artwork|painted|drawn|directed|designed|illustrated|inspired|photographed)\s+by"
    r"|by\s+(?!an?\b|the\b)(?=\S+(?:\s+\S+)?\s*$)|trending\s+on|featured\s+on"
    r"|in\s+the\s+styles?\s+of|in\s+the\s+manner\s+of|style\s+of|copy\s+(?:after|of)"
    r"|rendered\s+(?:in|with|by|using)"
    r"|(?:shot|taken|photographed|filmed|captured)\s+(?:on|with|in|by)\s+(?:an?\s+)?\S*"
    r"|made\s+(?:in|with)\s+(?:blender|unreal|photoshop|procreate|octane))\b",
    re.IGNORECASE,
)
# within a piece, up to its end
_TAILS = re.compile(
    r"\s+(?:(?:(?:painted|drawn|rendered|done|depicted|shown|illustrated|photographed)\s+)?in\s+the"
    r"\s+(?:style|manner)s?\s+of\b.*|(?:(?:painted|drawn|rendered|done|depicted|shown|illustrated)"
    r"\s+)?in\s+(?:an?\s+|the\s+)?(?:[\w'’-]+\s+){1,4}style(?![\w-])|trending\s+on\s+\w+.*"
    r"|rendered\s+(?:in|with)\s+\w+.*)$",
    re.IGNORECASE,
)
_NO_MEDIUM = wordset("in on at with by from near behind under over holding and is are has")
_DRAWN_WITH = wordset("oil oils ink pencil charcoal acrylic pastel chalk crayon")
_MEDIUM_PREFIX = re.compile(
    r"\s*(?P<medium>(?:[\w'’.-]+\s+){1,7}?)(?:of|showing|depicting|featuring)\s+", re.IGNORECASE
)
# a picture that hangs in the picture is a thing of it
_HANGING = re.compile(
    r"\b(?:hangs|hanging|hung|(?:on|against)\s+(?:a|an|the|his|her|their)\s+(?:\w+\s+)?"
    r"(?:wall|easel|fridge|refrigerator))\b",
    re.IGNORECASE,
)
_ON_GROUND = re.compile(r"(?:[\w-]+\s+){1,3}on\s+(?:[\w-]+\s+){0,2}(?P<ground>[\w-]+)")


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


def find_style(text: str, edits: TextEdits) -> list[Piece]:
    """Add a prompt's words of style to its edits; return its tags, where it is a list of tags.

    `edits` are those of its flags.
    """
    rest = mask_quotes(edited_text(text, edits))
    pieces = _pieces(rest)
    style = [is_style(piece) for piece in pieces]
    tags = _is_tag_list(pieces, style)
    if not tags:
        style = _at_the_ends(pieces, style)
    if all(style):
        # nothing would be left to look for
        return []
    for piece, is_dropped in zip(pieces, style, strict=True):
        if is_dropped:
            _drop_piece(text, rest, piece, edits)
        else:
            _drop_words(text, piece, edits)
    kept = [piece for piece, is_dropped in zip(pieces, style, strict=True) if not is_dropped]
    return kept if tags else []


def part_glued_counts(text: str, edits: TextEdits) -> None:
    """Read a count and its noun, which tags write as one word, as two: "1girl", "2cats"."""
    for match in _GLUED_COUNT.finditer(text):
        at = match.start("noun")
        if at not in edits.characters and not _FIGURE.fullmatch(match[0].lower()):
            edits.characters[at] = f" {text[at]}"


def _pieces(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    start = 0
    for sentence, end in enumerate([*_SENTENCE_END.finditer(text), None]):
        stop = end.start() if end else len(text)
        for part in _split(text, start, stop):
            words = text[slice(*part)]
            if words.strip():
                lead = len(words) - len(words.lstrip())
                begin = part[0] + lead
                piece_text = words.strip()
                pieces.append(Piece(begin, begin + len(piece_text), sentence, piece_text))
        start = end.end() if end else stop
    return pieces


def _split(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    ends = [
        match
        for match in _PIECE_END.finditer(text, start, stop)
        if _is_outside(text, start, match.start())
    ]
    starts = [start, *(match.end() for match in ends)]
    stops = [*(match.start() for match in ends), stop]
    return list(zip(starts, stops, strict=True))


def _is_outside(text: str, start: int, at: int) -> bool:
    """Return whether a comma stands in no brackets."""
    return text.count("(", start, at) <= text.count(")", start, at)


# --- which pieces are style


def is_style(piece: Piece) -> bool:
    """Return whether a piece speaks of the picture: "highly detailed", "by Monet", "4k"."""
    words = piece.words
    if not words:
        return False
    if _STARTS.match(piece.text) and not _PLACES & set(words):
        return True
    ground = _ON_GROUND.fullmatch(piece.text)
    if ground and ground["ground"].lower() in GROUNDS and words[0] in MEDIA | _DRAWN_WITH:
        return True
    named = [word for word in words if word not in _ARTICLES]
    if not named or words[0] in _DETERMINERS - _ARTICLES:
        return False
    if len(named) > 1 and named[-1] in STYLE_ENDINGS and len(words) <= _LONGEST_TAG:
        return words[0] not in ("a", "an", "the") or _is_all_style(named)
    return _is_all_style(named)


def _is_all_style(words: Sequence[str]) -> bool:
    """Return whether all words are of style, and one of them makes it so."""
    if not all(_is_beside_style(word) for word in words):
        return False
    makers = [word for word in words if word in STYLE or _FIGURE.fullmatch(word) or _is_genre(word)]
    if any(word not in WEAK for word in makers):
        return True
    return len(words) > 1 and bool(makers) and "and" not in words


def _is_beside_style(word: str) -> bool:
    return (
        word in BESIDE_STYLE
        or all(part in BESIDE_STYLE for part in word.split("-"))
        or bool(_FIGURE.fullmatch(word) or _YEARS.fullmatch(word))
        or _is_genre(word)
    )


def _is_genre(word: str) -> bool:
    """Return whether a word is made with an ending of genres: "cottagecore", not "score"."""
    return any(word.endswith(suffix) and len(word) > len(suffix) + 4 for suffix in GENRE_SUFFIXES)


def _at_the_ends(pieces: Sequence[Piece], style: Sequence[bool]) -> list[bool]:
    """Return which pieces of style stand at the end or the beginning of a sentence.

    Those between others may describe a thing: "a dark, moody, old forest".
    """
    dropped = [False] * len(pieces)
    for sentence in {piece.sentence for piece in pieces}:
        places = [at for at, piece in enumerate(pieces) if piece.sentence == sentence]
        for at in reversed(places):
            beside = style[at - 1] if at > 0 else False
            is_beside = pieces[at].words == ["black", "and", "white"] and (
                beside or (at + 1 in places and dropped[at + 1])
            )
            if not style[at] and not is_beside and not _is_sculpted(pieces[at], sentence):
                break
            dropped[at] = True
        for at, following in pairwise(places):
            opens = pieces[following].words[:1] and pieces[following].words[0] in _DETERMINERS
            is_opening = style[at] and (opens or style[following])
            if not is_opening and not (_is_sculpted(pieces[at], sentence) and dropped[following]):
                break
            dropped[at] = True
    return dropped


def _is_sculpted(piece: Piece, sentence: int) -> bool:
    """Return whether a later sentence names the medium by a material alone: "Marble."."""
    return sentence > 0 and len(piece.words) == 1 and piece.words[0] in SCULPTED


def _is_tag_list(pieces: Sequence[Piece], style: Sequence[bool]) -> bool:
    """Return whether a prompt is a list of tags: short pieces in one sentence, and no clauses."""
    if len(pieces) < _FEWEST_TAGS or len({piece.sentence for piece in pieces}) > 1:
        return False
    if any(len(piece.words) > _LONGEST_TAG for piece in pieces if piece.words):
        return False
    things = [
        piece.words for piece, is_dropped in zip(pieces, style, strict=True) if not is_dropped
    ]
    if not things or any(words[0] in ("and", "or", "but", "while", "with") for words in things):
        return False
    if any("and" in words for words in things[-1:]):
        return False
    has_article = any(words[0] in _ARTICLES for words in things)
    return not has_article


# --- what is taken out


def _drop_piece(text: str, rest: str, piece: Piece, edits: TextEdits) -> None:
    """Take out a piece with the comma before it, or the one behind the first."""
    edits.drop_style(text, piece.start, piece.stop)
    before = rest[: piece.start].rstrip()
    if before.endswith((",", "|")):
        edits.drop(len(before) - 1, len(before))
    elif not before or before[-1] in ".!?;":
        behind = len(rest) - len(rest[piece.stop :].lstrip())
        if rest[behind : behind + 1] in (",", "|", ".", "!", ";"):
            edits.drop(behind, behind + 1)


def _drop_words(text: str, piece: Piece, edits: TextEdits) -> None:
    """Take out the medium before "of", an artist, and "in the style of" of a piece that stays."""
    start = piece.start
    medium = _MEDIUM_PREFIX.match(piece.text)
    is_thing = _HANGING.search(piece.text)
    if medium and not is_thing and _names_medium(medium["medium"].lower().split()):
        edits.drop(start, start + medium.end())
        edits.style.append(_style_words(text, start, start + medium.end("medium")))
    tail = _TAILS.search(piece.text)
    if tail:
        edits.drop_style(text, start + tail.start() + 1, start + tail.end())
        return
    for artist in _ARTIST.finditer(piece.text):
        before = artist["before"] or ""
        is_artist = not before.endswith("ing") and not _PLACES & {
            word.lower() for word in artist["name"].split()
        }
        if is_artist:
            begin = artist.start() if before in _BEFORE_ARTIST else artist.start("name")
            if before not in _BEFORE_ARTIST:
                begin = piece.text.rindex("by", 0, begin)
            edits.drop_style(text, start + begin, start + artist.end())


def _names_medium(words: Sequence[str]) -> bool:
    """Return whether words before "of" name a medium: "an old oil painting", "a close-up"."""
    named = [word for word in words if word not in _ARTICLES]
    if not named or named[-1] not in MEDIA:
        return False
    if any(word in _ARTICLES for word in words[1:]):
        # "a woman takes a picture of herself"
        return False
    return not any(word in _NO_MEDIUM for word in named)


def _style_words(text: str, start: int, stop: int) -> StyleWords:
    words = text[start:stop].rstrip()
    return StyleWords(words, (start, start + len(words)))
