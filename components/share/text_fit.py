"""Breaks a text into lines that fit a box, at the largest size that fits, and draws them.

Lines are measured as they are drawn: on a canvas that is FINER times as fine as the card, so that
the distances of letters need no rounding. Text from right to left stands at the right edge.
"""

import math
import re
import unicodedata
from dataclasses import dataclass

from PIL import ImageDraw

from hallascope.components.share.fonts import Font, choose_family, load_font

Extent = tuple[int, int, int, int]
"""Left, top, right and bottom in px."""

NO_FONT = "(in a script that the server has no font for)"
FINER = 2
_ELLIPSIS = "…"
_LEADING = 1.22  # height of a line in sizes of its font
# signs that turn the direction of what follows them, which could make a text read otherwise
_DIRECTION_SIGNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_MOST_CHARACTERS = 1_000  # of a text that are looked at: more never fits


@dataclass(frozen=True)
class TextStyle:
    """Says how a text is set: sizes in px from which the largest that fits is taken, and lines."""

    sizes: tuple[int, ...]
    most_lines: int = 1
    bold: bool = False
    align_right: bool = False


@dataclass(frozen=True)
class FittedText:
    """Holds the lines of a text as they are drawn within `box`, which is in px of the card."""

    lines: tuple[str, ...]
    font: Font
    size: int
    box: Extent
    align_right: bool

    @property
    def line_height(self) -> int:
        return round(self.size * _LEADING)

    @property
    def bottom(self) -> int:
        """Return where the last line ends, in px from the top of the card."""
        return self.box[1] + len(self.lines) * self.line_height

    @property
    def width(self) -> int:
        """Return the width of the longest line in px of the card."""
        return max((_ink_width(self.font, line) for line in self.lines), default=0)

    def draw(self, drawing: ImageDraw.ImageDraw, color: str) -> None:
        """Draw the lines on the fine canvas, the first at the top of the box."""
        left, top, right, _ = (side * FINER for side in self.box)
        for number, line in enumerate(self.lines):
            ink_left, _, ink_right, _ = self.font.getbbox(line)
            x = right - ink_right if self.align_right else left - min(0, ink_left)
            y = top + number * self.line_height * FINER
            drawing.text((x, y), line, font=self.font, fill=color)


def fit_text(text: str, box: Extent, style: TextStyle) -> FittedText:
    """Return a text as it fits a box: whole where one of the sizes allows it, else cut with "…".

    A text of which the fonts here lack more than a fifth of the characters is replaced by a remark.
    """
    text = _clean(text)
    choice = choose_family(text)
    if choice.missing * 5 > len(set(text)):
        text = NO_FONT
        choice = choose_family(text)
    width = box[2] - box[0]
    fitted = None
    for size in style.sizes:
        font = load_font(choice.family, size * FINER, style.bold)
        room = min(style.most_lines, max(1, int((box[3] - box[1]) / (size * _LEADING))))
        lines = break_lines(text, font, width, room)
        fitted = FittedText(
            tuple(lines if len(lines) <= room else _cut(lines, room, font, width)),
            font,
            size,
            box,
            style.align_right or is_right_to_left(text),
        )
        if len(lines) <= room:
            break
    assert fitted is not None, "a style has a size"
    return fitted


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter with a direction runs from right to left."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def break_lines(text: str, font: Font, width: int, room: int = _MOST_CHARACTERS) -> list[str]:
    """Return the lines of a text, none wider than `width` px; a longer word is broken within.

    After one line more than there is `room` for it ends.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        if len(lines) > room:
            return lines
        joined = f"{line} {word}".strip()
        if _ink_width(font, joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        line = word
        while _ink_width(font, line) > width:
            head = _longest_start(line, font, width)
            lines.append(head)
            line = line[len(head) :]
    return [*lines, line] if line else lines


def _longest_start(word: str, font: Font, width: int) -> str:
    """Return as many first characters of a word as fit, one at least."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        if _ink_width(font, word[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    while low > 1 and low < len(word) and unicodedata.combining(word[low]):
        low -= 1
    return word[:low]


def _cut(lines: list[str], room: int, font: Font, width: int) -> list[str]:
    """Return the first lines, the last of them with an ellipsis."""
    last = lines[room - 1]
    while last and _ink_width(font, f"{last}{_ELLIPSIS}") > width:
        last = last[:-1]
    return [*lines[: room - 1], f"{last.rstrip()}{_ELLIPSIS}"]


def _ink_width(font: Font, text: str) -> int:
    """Return the width in px of the card of what is drawn, what hangs over the left side too."""
    if not text:
        return 0
    left, _, right, _ = font.getbbox(text)
    return math.ceil((right - min(0, left)) / FINER)


def _clean(text: str) -> str:
    """Return a text in one paragraph, without signs that change the direction of what follows."""
    text = _DIRECTION_SIGNS.sub("", text[:_MOST_CHARACTERS])
    return " ".join(
        "".join(
            " " if unicodedata.category(c)[0] == "C" and c not in "\u200c\u200d" else c
            for c in text
        ).split()
    )
