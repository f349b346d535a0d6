"""Draws SVG as PNG without a browser, in the light colors, and fits texts into it.

Widths of texts are estimated, as the fonts of the machine are known to the renderer alone.
"""

import re
import tempfile
from pathlib import Path
from textwrap import wrap

import resvg_py
from PIL import ImageFont

from hallascope.components.theme.look import FOLDER, LIGHT

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


def svg_png(svg: str, sheet: str, zoom: float = 1.0) -> bytes:
    """Return an SVG as PNG, with `zoom` px for each of its own.

    `sheet`: its style sheet in the folder of components. Text is set in a font of the system; each
    character that it lacks, in one that has it. Without any font on the machine the one inside
    Pillow is used, which knows Latin letters only.
    """
    with tempfile.TemporaryDirectory(prefix="hallascope-font-") as folder:
        image: bytes = resvg_py.svg_to_bytes(
            svg_string=_NO_XML.sub("\ufffd", svg),
            style_sheet=_style(sheet),
            background=LIGHT["card"],
            zoom=zoom,
            font_files=_bundled_fonts(Path(folder)),
        )
    return image


def _style(sheet: str) -> str:
    """Return the style sheet with colors in the place of their names, which resvg cannot read."""
    families = ", ".join(f"'{name}'" for name in _FONTS)
    rules = (FOLDER / sheet).read_text("utf-8")
    colored = re.sub(r"var\(--([\w-]+)\)", lambda name: LIGHT[name[1]], rules)
    return f"svg {{ font-family: {families}; }}\n{colored}"


def _bundled_fonts(folder: Path) -> list[str]:
    """Write Pillow's own font into the folder and return its path; [] without FreeType."""
    font = ImageFont.load_default(size=12)
    if not isinstance(font, ImageFont.FreeTypeFont):
        return []
    path = folder / "bundled.ttf"
    path.write_bytes(font.font_bytes)
    return [str(path)]


def text_width(text: str, size: float) -> float:
    """Return about the width in px of a text in a font of `size` px, rather too wide."""
    return size * sum(map(_relative_width, text))


def _relative_width(sign: str) -> float:
    if ord(sign) >= 0x2E80:  # Chinese, Japanese and Korean signs are as wide as they are high
        return 1.0
    if sign in "iljtfI.,:;'|! ":
        return 0.36
    if sign in "mwMW→":
        return 0.92
    return 0.72 if sign.isupper() else 0.61


def fit_text(text: str, width: float, size: float, lines: int) -> tuple[str, ...]:
    """Return the text in at most so many lines, with dots where something is missing."""
    for letters in range(min(len(text), int(3 * width / size)), 0, -1):
        wrapped = wrap(text, letters, max_lines=lines, placeholder="…")
        if all(text_width(line, size) <= width for line in wrapped):
            return tuple(wrapped)
    return ()
