"""Reads the signs that Primer draws from their pixels, for the models that ship.

Those were trained before Primer had signs. A sign is a dark frame around dark letters, each of
which is compared with the drawn letters; the truth of an image is never looked at.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps

from hallascope.backends import domain
from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.data import masks
from hallascope.data.masks import Heat, HeatComponent
from hallascope.data.records import Picture
from hallascope.data.regions import Mask, TextLine
from hallascope.data.requests import Failure, ReadText, TextRead
from hallascope.primer.compose import portrait
from hallascope.primer.signs import LETTERS, sign

DARK = 80  # gray value, of 255, below which a pixel is ink
LEAST_AREA = 0.0005  # of a letter, as a share of the image
LEAST_LIKENESS = 0.8  # correlation of a piece of ink with a letter
LARGEST_OFFSET = 0.03  # of a letter from the line, as a share of the image
LEAST_HEIGHT = 0.18  # of a letter, as a share of the height of the board, which is wider than high
LETTER_SIZE = (40, 40)  # px to which a piece of ink is scaled


class DrawnSign(NamedTuple):
    """Holds a sign: its line of text, whose box is that of the sign, and its mask."""

    line: TextLine
    mask: Mask

    @property
    def description(self) -> str:
        return f'A sign that says "{self.line.text}"'


class SignReader:
    """Reads the text of a sign in an image of Primer's drawn style."""

    limits = CallLimits()
    revision = "1"

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec

    def read_text(
        self, requests: Sequence[ReadText], on_step: OnStep | None = None
    ) -> list[TextRead | Failure]:
        """Return the line of the sign in each image, none where there is no sign.

        An image of another style is a Failure.
        """
        return [self._read(request.image) for request in requests]

    def _read(self, picture: Picture) -> TextRead | Failure:
        if found := find_sign(self.spec, picture):
            return TextRead((found.line,))
        return domain.check(self.spec, picture) or TextRead(())


def find_sign(spec: ModelSpec, picture: Picture) -> DrawnSign | None:
    """Return the sign in an image; None where there is none, and for models that do not ship."""
    return read_sign(picture) if spec.is_embedded else None


@lru_cache(maxsize=4096)
def read_sign(picture: Picture) -> DrawnSign | None:
    """Return the sign in an image; None where its ink is more than a frame and a line of letters.

    Its score is the least likeness of a letter.
    """
    with Image.open(picture.path) as image:
        pieces = _ink_pieces(image)
    letters = sorted(pieces[1:], key=lambda letter: letter.box.left)
    sides = [(letter.box.top, letter.box.bottom) for letter in letters]
    if len(letters) < 2 or np.ptp(sides, axis=0).max() > LARGEST_OFFSET:
        return None
    board, letter_height = pieces[0].box, np.diff(sides).min()
    height = board.bottom - board.top
    if board.right - board.left < height or letter_height < LEAST_HEIGHT * height:
        return None
    likenesses, names = zip(*map(_likeliest_letter, letters), strict=True)
    if min(likenesses) < LEAST_LIKENESS:
        return None
    frame = pieces[0]
    mask = masks.encode(masks.box_pixels(frame.box, *frame.pixels.shape))
    return DrawnSign(TextLine("".join(names), frame.box, min(likenesses)), mask)


def _ink_pieces(image: Image.Image) -> list[HeatComponent]:
    """Return the connected pieces of ink, that with the largest box first."""
    ink = np.asarray(image.convert("L")) < DARK
    pieces = masks.pieces(ink.astype(float), min_area=LEAST_AREA)
    return sorted(pieces, key=lambda piece: -piece.box.area)


def _likeliest_letter(piece: HeatComponent) -> tuple[float, str]:
    """Return the letter that a piece of ink is most like, behind the likeness."""
    pixels = _scaled(piece)
    return max((float((pixels * letter).sum()), name) for name, letter in _drawn_letters().items())


@cache
def _drawn_letters() -> dict[str, Heat]:
    return {
        letter: _scaled(_ink_pieces(portrait(sign(letter), {"text": letter}, 0).image())[1])
        for letter in LETTERS
    }


def _scaled(piece: HeatComponent) -> Heat:
    """Return the ink of a piece in the middle of a square, in its proportions, of length 1."""
    ink = Image.fromarray(piece.pixels).convert("L")
    square = np.asarray(ImageOps.pad(ink.crop(ink.getbbox()), LETTER_SIZE), dtype=float)
    scaled: Heat = square / np.linalg.norm(square)
    return scaled
