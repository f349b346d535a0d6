"""Holds what the evidence viewer shows: images with marks, texts with marked words, and rows.

Everything carries keys, such as ``finding=2``: what shares a key belongs together, whatever it is,
and lights up together. A key is also how the choice is named in the address.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from markupsafe import Markup

from hallascope.components.html.signs import SIGNS, SignKind
from hallascope.data.evidence import State
from hallascope.data.outlines import Polygon
from hallascope.data.regions import Box, Span

EvidenceKeys = tuple[str, ...]
EvidenceKind = Literal["question", "fact", "finding", "segment", "node", "edge"]
SQUARE = (512, 512)  # the shape of an image that cannot be read
_WORST: tuple[SignKind, ...] = ("incorrect", "left-out", "correct")


@dataclass(frozen=True, kw_only=True)
class ImageRegion:
    """Is a part of the image.

    `keys`: what it belongs to; choosing it again and again leads through them in this order.
    `words` say its state to those who cannot see the color, `kind` is that state (None: it has
    none of its own). `quiet`: nothing is drawn of it before it is pointed at or chosen. Its shapes
    are numbered where what is chosen counts them. `under`: keys with which it lights up, but to
    which it does not lead.
    """

    name: str
    keys: EvidenceKeys
    polygons: tuple[Polygon, ...] = ()
    box: Box | None = None
    kind: SignKind | None = None
    words: str = ""
    quiet: bool = False
    under: EvidenceKeys = ()


@dataclass(frozen=True)
class AnnotatedSpan:
    """Marks characters of a text that belong to something."""

    span: Span
    keys: EvidenceKeys
    kind: SignKind | None = None


@dataclass(frozen=True)
class AnnotatedText:
    """Holds a text with its marked words, which may overlap; `empty` stands where there is none."""

    title: str
    text: str
    words: tuple[AnnotatedSpan, ...] = ()
    empty: str = ""


@dataclass(frozen=True)
class EvidenceGroup:
    """Holds rows or cards under one heading; `aside`: a few words beside it, `body`: their HTML."""

    title: str
    body: Markup
    aside: str = ""


@dataclass(frozen=True)
class EvidenceSection:
    """Holds what a further metric says of the same image.

    Its rows have keys of their own, which begin with the name of the metric: "fig.finding=2".
    `is_right`: nothing is wrong or left out, so that one line says it all.
    """

    metric: str
    title: str
    body: Markup
    aside: str = ""
    is_right: bool = False


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """Holds one image with all its evidence.

    `key` names the image within the run, `metric` who says all this of it. `alt` says what was
    found wrong. `placeholder`: words in the place of an image that is not there; `hint`: what is
    said below the image before anything is chosen. `revised`: the prompt as the service changed
    it. `diagram`: what is drawn beside the image. `side_by_side`: it only stands beside another
    image, and nothing is said of it. `chosen`: the key that is chosen when it arrives, "" for
    none. An image of no run (`run` "") is not named in the address. `page_run`: the run that the
    page shows and the address names, where `run` evaluated the images of another.

    `sections`: what further metrics say. `same` holds by key the keys of what they say of the same
    thing, which light up with it; `whole` those of a thing of which it is a part, and of its parts.
    `scores`: the scores of all metrics. `tags`: what people tagged the image with, None where
    nobody can. `unnamed`: the address names neither run nor image.
    """

    run: str
    key: str
    name: str
    path: Path | None
    alt: str
    placeholder: str = ""
    hint: str = ""
    revised: str | None = None
    metric: str = ""
    page_run: str | None = None
    marks: tuple[ImageRegion, ...] = ()
    texts: tuple[AnnotatedText, ...] = ()
    groups: tuple[EvidenceGroup, ...] = ()
    numbers: Markup = Markup()
    diagram: Markup = Markup()
    side_by_side: bool = False
    chosen: str = ""
    sections: tuple[EvidenceSection, ...] = ()
    same: Mapping[str, EvidenceKeys] = field(default_factory=dict)
    whole: Mapping[str, EvidenceKeys] = field(default_factory=dict)
    scores: Markup = Markup()
    tags: tuple[str, ...] | None = None
    unnamed: bool = False


def key(thing: EvidenceKind, index: int) -> str:
    """Return the key of the question, finding or segment of that index, counted from 1."""
    return f"{thing}={index + 1}"


def kind(state: State | None) -> SignKind | None:
    """Return how the state is shown; None where there is no state."""
    return SIGNS[state].kind if state else None


def worst(kinds: Iterable[SignKind | None]) -> SignKind | None:
    """Return what is shown of several states: wrong before left out before correct."""
    present = set(kinds)
    return next((kind for kind in _WORST if kind in present), None)


def wrong_first(keys: Sequence[str], kinds: Mapping[str, SignKind | None]) -> EvidenceKeys:
    """Return the keys in order, those of faults first, so that a click leads to a fault first."""
    return tuple(sorted(keys, key=lambda key: kinds.get(key) != "incorrect"))


@lru_cache(maxsize=512)
def size(path: Path) -> tuple[int, int]:
    """Return width and height in px of an image, which keep its place before it is loaded."""
    from PIL import Image

    try:
        with Image.open(path) as picture:
            return picture.size
    except OSError:
        return SQUARE
