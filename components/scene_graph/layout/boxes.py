"""Holds rectangles in px and fits texts into them, for drawings made without a browser."""

from typing import NamedTuple


class LayoutBox(NamedTuple):
    """Is a rectangle in px."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Return the y of half of its height down."""
        return self.y + self.height / 2

    @property
    def bottom(self) -> float:
        """Return the y of its lower edge."""
        return self.y + self.height

    @property
    def right(self) -> float:
        """Return the x of its right edge."""
        return self.x + self.width

    def meets(self, other: "LayoutBox") -> bool:
        """Say whether the two share more than an edge."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def move_down(self, by: float) -> "LayoutBox":
        """Return the same rectangle further down."""
        return self._replace(y=self.y + by)


def text_width(text: str, size: float) -> float:
    """Return about the width in px of a text in a font of `size` px, rather too wide.

    It is estimated without the font.
    """
    return size * sum(map(_relative_width, text))


def _relative_width(sign: str) -> float:
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
    """Return the text as far as it fits, with dots where something is missing."""
    if text_width(text, size) <= width:
        return text
    fits = [n for n in range(len(text)) if text_width(_shorten(text, n), size) <= width]
    return _shorten(text, max(fits, default=0))


def _shorten(text: str, length: int) -> str:
    return f"{text[:length].rstrip()}…"


def wrap(text: str, width: float, size: float) -> tuple[str, ...]:
    """Return the text in one line, or in two, cut where two are too few."""
    words = text.split()
    if text_width(text, size) <= width or len(words) < 2:
        return (cut(text, width, size),)
    fits = [n for n in range(1, len(words)) if text_width(" ".join(words[:n]), size) <= width]
    first = max(fits, default=1)
    return tuple(cut(" ".join(part), width, size) for part in (words[:first], words[first:]))
