"""Lays an image over another, with a slider that uncovers it, as HTML."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.html.markup import image, tag


class ImagePair(NamedTuple):
    """Holds two named images: the first is seen left of the edge, the other right of it."""

    one: Path
    one_name: str
    other: Path
    other_name: str


def sliders(slides: Sequence[ImagePair]) -> Markup:
    """Return the pairs beside each other; nothing where there is none."""
    if not slides:
        return tag("div", class_="slides none")
    return tag("div", *map(_slide, slides), class_="slides")


def _slide(slide: ImagePair) -> Markup:
    pictures = tag(
        "div",
        image(slide.one, slide.one_name),
        tag("span", image(slide.other, slide.other_name), class_="over"),
        tag("span", class_="edge", aria_hidden="true"),
        tag(
            "input",
            type="range",
            min="0",
            max="100",
            value="50",
            aria_label=f"How much is seen of {slide.one_name}, the rest of {slide.other_name}",
        ),
        class_="slide-pictures",
    )
    names = tag("figcaption", tag("span", slide.one_name), tag("span", slide.other_name))
    return tag("figure", pictures, names, class_="slide panel")
