"""Draws two scene graphs as a PNG file: the SVG of the page in the light colors."""

import re
import tempfile
from pathlib import Path

import resvg_py
from PIL import ImageFont

from hallascope.components.scene_graph.diagram import drawing
from hallascope.components.scene_graph.layout.placement import layout
from hallascope.components.scene_graph.links import link_graphs
from hallascope.components.theme.look import FOLDER, LIGHT
from hallascope.data.evidence import Evidence

SCALE = 2  # px of the picture for one of the page
LARGEST = 16_000  # px of a side; what would be larger is drawn smaller
# the font inside Pillow: the last choice, so that a machine without fonts draws text
_BUNDLED = "Aileron"
_FONTS = (
    "Segoe UI",
    "Helvetica Neue",
    "Arial",
    "DejaVu Sans",
    "Liberation Sans",
    "Noto Sans",
    _BUNDLED,
)
# what XML 1.0 forbids
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def png(evidence: Evidence) -> bytes:
    """Return both graphs of the evidence as PNG, two px for each of the page.

    Text is set in a font of the system; each character that it lacks, in one that has it.
    Without any font on the machine the one inside Pillow is used, which knows Latin letters only.
    Raises ValueError where the evidence has no graphs.
    """
    links = link_graphs(evidence)
    if links is None:
        raise ValueError("There are no scene graphs to draw: evaluate the image with scene-graph.")
    placed = layout(links.pairs)
    with tempfile.TemporaryDirectory(prefix="hallascope-font-") as folder:
        image: bytes = resvg_py.svg_to_bytes(
            svg_string=_NO_XML.sub("\ufffd", drawing(placed, links)),
            style_sheet=_style(),
            background=LIGHT["card"],
            zoom=min(SCALE, LARGEST / max(placed.width, placed.height)),
            font_files=_bundled_fonts(Path(folder)),
        )
    return image


def _style() -> str:
    """Return the style sheet with colors in the place of their names, which resvg cannot read."""
    sheet = (FOLDER / "scene_graph" / "graph_drawing.css").read_text("utf-8")
    families = ", ".join(f"'{name}'" for name in _FONTS)
    colored = re.sub(r"var\(--([\w-]+)\)", lambda name: LIGHT[name[1]], sheet)
    return f"svg {{ font-family: {families}; }}\n{colored}"


def _bundled_fonts(folder: Path) -> list[str]:
    """Write Pillow's own font into the folder and return its path; [] without FreeType."""
    font = ImageFont.load_default(size=12)
    if not isinstance(font, ImageFont.FreeTypeFont):
        return []
    path = folder / "bundled.ttf"
    path.write_bytes(font.font_bytes)
    return [str(path)]
