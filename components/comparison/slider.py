"""A picture laid over another, with a slider that uncovers it, as HTML; it knows no metric."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.components.html.markup import image, text


class ImagePair(NamedTuple):
    """Return two named pictures: the first is seen left of the edge, the other right of it."""

    one: Path
    one_name: str
    other: Path
    other_name: str


def sliders(slides: Sequence[ImagePair]) -> str:
    """The pairs beside each other; nothing where there is none."""
    return (
        f'<div class="slides">{"".join(map(_slide, slides))}</div>'
        if slides
        else '<div class="slides none"></div>'
    )


def _slide(slide: ImagePair) -> str:
    label = f"How much is seen of {slide.one_name}, the rest of {slide.other_name}"
    return (
        '<figure class="slide panel"><div'
        f' class="slide-pictures">{image(slide.one, slide.one_name)}'
        f'<span class="over">{image(slide.other, slide.other_name)}</span><span class="edge"'
        ' aria-hidden="true"></span>'
        f'<input type="range" min="0" max="100" value="50" aria-label="{text(label)}"></div>'
        f"<figcaption><span>{text(slide.one_name)}</span>"
        f"<span>{text(slide.other_name)}</span></figcaption></figure>"
    )
