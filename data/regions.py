"""Holds where things are: boxes, detections and masks in a picture, and spans in a text.

Array forms of masks, and what is computed from them, live in `hallascope.data.masks`.
"""

from dataclasses import dataclass
from typing import Any

# from which and up to which character of a text
Span = tuple[int, int]
MARGIN = 0.1  # of a region's longer side, left around it on every side where it is cut out
_LONGEST = 60  # bits of a number in a compressed mask


@dataclass(frozen=True)
class Box:
    """Holds a rectangle in shares of the picture's width and height.

    Left and right are of the width, top and bottom of the height.

    Each is in [0, 1] from the top left corner.

    Raises ValueError where it is empty or leaves the picture.
    """

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        for side in ("left", "top", "right", "bottom"):
            # 0, 0.0 and -0.0 become one side, and one key in the cache.
            object.__setattr__(self, side, float(getattr(self, side)) + 0.0)
        if not (0 <= self.left < self.right <= 1 and 0 <= self.top < self.bottom <= 1):
            raise ValueError(
                f"The box {self.sides!r} is none: give left < right and top < bottom as shares of"
                " the image, each from 0 to 1."
            )

    @property
    def sides(self) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom."""
        return self.left, self.top, self.right, self.bottom

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Return the four corners as (x, y), clockwise from the top left."""
        left, top, right, bottom = self.sides
        return (left, top), (right, top), (right, bottom), (left, bottom)

    @property
    def area(self) -> float:
        """Return the share of the picture, in (0, 1]."""
        return (self.right - self.left) * (self.bottom - self.top)


def clip(left: float, top: float, right: float, bottom: float) -> Box | None:
    """Return what lies of a rectangle within the picture; None where nothing does."""
    left, top, right, bottom = (min(max(side, 0.0), 1.0) for side in (left, top, right, bottom))
    return Box(left, top, right, bottom) if left < right and top < bottom else None


def window(region: Box, width: int, height: int, square: bool = False) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom in px of what is cut out to look at a region.

    The picture has `width` x `height` px.

    The region with a margin; with `square` its shorter side is widened to its longer one. What
    would leave the picture is moved into it, and made no larger than it: a long region of an oblong
    picture may stay oblong.
    """
    across = (region.right - region.left) * width
    down = (region.bottom - region.top) * height
    margin = 2 * MARGIN * max(across, down)
    least = max(across, down) if square else 1.0
    left, right = _span(
        region.left * width, region.right * width, max(across, least) + margin, width
    )
    top, bottom = _span(
        region.top * height, region.bottom * height, max(down, least) + margin, height
    )
    return left, top, right, bottom


def _span(low: float, high: float, length: float, most: int) -> tuple[int, int]:
    """Return a stretch of `length` px around the middle of two places.

    It is at least one px, and lies within 0 and `most`.
    """
    size = min(max(round(length), 1), most)
    start = min(max(round((low + high - size) / 2), 0), most - size)
    return start, start + size


@dataclass(frozen=True)
class Detection:
    """Holds one detected thing: the phrase, its place, and how sure the detector is, in [0, 1]."""

    phrase: str
    box: Box
    score: float


@dataclass(frozen=True)
class TextLine:
    """Holds a line of writing: its characters, its place, and how sure the reader is, in [0, 1]."""

    text: str
    box: Box
    score: float


@dataclass(frozen=True)
class Mask:
    """Holds which pixels of a `height` x `width` picture belong to a thing, in run lengths.

    These are COCO's uncompressed ones.

    `counts` are the lengths of the runs down the columns, from the left: background, thing,
    background, ...; the first is 0 where the first pixel belongs to the thing. Raises ValueError
    where they do not fill the picture.
    """

    height: int
    width: int
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if (
            min(self.height, self.width) < 1
            or min(self.counts, default=0) < 0
            or sum(self.counts) != self.height * self.width
        ):
            raise ValueError(
                f"The runs of a mask of {self.height} x {self.width} pixels sum to"
                f" {sum(self.counts)}: give runs from 0 that sum to {self.height * self.width}."
            )

    def coco(self) -> dict[str, object]:
        """Return the mask in COCO's form, ``{"size": [height, width], "counts": "..."}``.

        It is as ``pycocotools`` writes it.
        """
        return {"size": [self.height, self.width], "counts": self.compressed()}

    def compressed(self) -> str:
        """Return the runs as COCO's compressed text (``rleToString`` of its ``maskApi.c``).

        From the fourth on, a run is written as its difference from the one two before it. Each
        number is written in pieces of five bits, the lowest first: a piece is a character from "0"
        on, with 32 added where another follows. The fifth bit of the last piece is the sign.
        """
        codes = []
        for index, run in enumerate(self.counts):
            rest = run - self.counts[index - 2] if index > 2 else run
            more = True
            while more:
                piece = rest & 31
                rest >>= 5
                more = rest != (-1 if piece & 16 else 0)
                codes.append(48 + piece + 32 * more)
        return bytes(codes).decode("ascii")

    @classmethod
    def from_compressed(cls, text: str, height: int, width: int) -> "Mask":
        """Return the mask of COCO's compressed text.

        Raises ValueError where the text is none, or does not fill the picture.
        """
        codes = [ord(character) - 48 for character in text]
        if not codes or min(codes) < 0 or max(codes) > 63 or codes[-1] & 32:
            raise ValueError(
                f"The runs {text[:40]!r} of a mask are cut short or hold characters that none has:"
                " get the mask again."
            )
        counts: list[int] = []
        number = 0
        bits = 0
        for code in codes:
            number |= (code & 31) << bits
            bits += 5
            if bits > _LONGEST:
                raise ValueError(
                    f"The runs {text[:40]!r} of a mask hold a number that is longer than any"
                    " image: get the mask again."
                )
            if code & 32:  # another piece of this number follows
                continue
            if code & 16:
                number -= 1 << bits
            counts.append(number + counts[-2] if len(counts) > 2 else number)
            number = 0
            bits = 0
        return cls(height, width, tuple(counts))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Return how pydantic keeps it as JSON: in COCO's form.

        Runs as plain numbers, as older stores hold them, are read too.
        """
        from pydantic_core import core_schema

        written = core_schema.plain_serializer_function_ser_schema(cls.coco, when_used="json")
        return core_schema.no_info_before_validator_function(
            parse_mask, handler(source), serialization=written
        )


def parse_mask(value: object) -> object:
    """Return the mask of COCO's form; anything else as it is.

    Raises ValueError where the form holds no mask.
    """
    match value:
        case {"size": [int(height), int(width)], "counts": str(text)}:
            return Mask.from_compressed(text, height, width)
        case {"counts": str(), **others}:
            size = others.get("size")
            raise ValueError(
                f"The size {size!r} of a mask is none: give [height, width] in pixels."
            )
    return value
