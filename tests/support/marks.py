"""Evidence with any number of marks, and an image to show it on."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from hallascope.data.evidence import Evidence, Finding, SegmentEvidence
from hallascope.data.masks import array, box, encode
from hallascope.data.regions import Mask

SIDE = 512  # pixels
COLORS = ("#c0392b", "#2e8b57", "#2f5fd0", "#8e44ad", "#d68910")


def segment(name: str, phrase: str, mask: Mask, caption: str = "") -> SegmentEvidence:
    found = box(mask)
    assert found
    return SegmentEvidence(
        name=name, phrase=phrase, box=found, score=0.91, mask=mask, caption=caption
    )


def crowd(number: int, side: int = 1024) -> Evidence:
    """Return so many segments with wavy outlines on a grid, each in two findings."""
    across = int(np.ceil(np.sqrt(number)))
    cell = side // across
    ys, xs = (axis / cell - 0.5 for axis in np.mgrid[:cell, :cell])
    far, turn = np.hypot(xs, ys), np.arctan2(ys, xs)
    segments, findings = [], []
    for i in range(number):
        pixels = np.zeros((side, side), dtype=bool)
        row, column = (i // across) * cell, (i % across) * cell
        pixels[row : row + cell, column : column + cell] = far < 0.42 * (
            1 + 0.12 * np.sin(9 * turn + i)
        )
        mask = encode(pixels)
        segments.append(segment(f"s{i + 1}", f"thing {i + 1}", mask, f"Thing number {i + 1}."))
        findings.append(
            Finding(
                kind="object",
                expected=f"thing {i + 1}",
                observed=f"thing {i + 1}",
                state="correct" if i % 3 else "incorrect",
                segments=(f"s{i + 1}",),
            )
        )
    findings += [
        Finding(
            kind="color",
            expected=f"thing {i + 1}",
            observed="",
            state="failed",
            segments=(f"s{i + 1}", f"s{(i + 1) % number + 1}"),
        )
        for i in range(number)
    ]
    return Evidence(segments=tuple(segments), findings=tuple(findings))


def paint(found: Evidence, path: Path, side: int = SIDE) -> Path:
    """Paint the segments on paper, as an image file."""
    picture = Image.new("RGB", (side, side), "#f1ece1")
    for i, one in enumerate(found.segments):
        if one.mask:
            pixels = Image.fromarray(array(one.mask)).resize((side, side))
            picture.paste(COLORS[i % len(COLORS)], mask=pixels)
    ImageDraw.Draw(picture).line((0, side - 1, side, side - 1), fill="#cccccc")
    picture.save(path)
    return path
