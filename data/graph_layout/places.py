"""Rectangles in px and texts that fit them, for drawings made without a browser.

It knows no graph.
"""

from typing import NamedTuple


class LayoutBox(NamedTuple):
    """A rectangle in px."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Half of its height down."""
        return self.y + self.height / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def right(self) -> float:
        return self.x + self.width

    def meets(self, other: "LayoutBox") -> bool:
        """Whether the two share more than an edge."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def lowered(self, by: float) -> "LayoutBox":
        return self._replace(y=self.y + by)


def text_width(text: str, size: float) -> float:
    """Return about the width in px of a text in a font of `size` px, rather too wide.

    No font is asked.
    """
    return size * sum(map(_share, text))


def _share(sign: str) -> float:
    if ord(sign) >= 0x2E80:  # Chinese, Japanese and Korean signs are as wide as they are high
        return 1.0
    if sign in "iljtfI.,:;'|! ":
        return 0.36
    if sign in "mwMW→":
        return 0.92
    if sign.isupper():
        return 0.72
    return 0.61


def cut(text: str, width: float, size: float) -> str:
    """The text as far as it fits, with dots where something is missing."""
    if text_width(text, size) <= width:
        return text
    fits = [n for n in range(len(text)) if text_width(_dotted(text, n), size) <= width]
    return _dotted(text, max(fits, default=0))


def _dotted(text: str, kept: int) -> str:
    return f"{text[:kept].rstrip()}…"


def wrapped(text: str, width: float, size: float) -> tuple[str, ...]:
    """The text in one line, or in two, cut where two are too few."""
    words = text.split()
    if text_width(text, size) <= width or len(words) < 2:
        return (cut(text, width, size),)
    fits = [n for n in range(1, len(words)) if text_width(" ".join(words[:n]), size) <= width]
    first = max(fits, default=1)
    return tuple(cut(" ".join(part), width, size) for part in (words[:first], words[first:]))
