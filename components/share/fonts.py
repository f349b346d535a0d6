"""Finds a font that has all the characters of a text.

The fonts of the page, which Gradio ships, come first. For other scripts (Arabic, Chinese, ...) the
fonts of the machine are searched. Nothing is downloaded.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont

Font = ImageFont.FreeTypeFont
_OF_GRADIO = "templates/frontend/static/fonts/SourceSansPro"
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
_ENDINGS = frozenset({".ttf", ".otf", ".ttc"})
# families with many scripts come first; the rest follows by name
_FAMILIES = ("notosans", "dejavusans", "arialunicode", "droidsansfallback", "wqy", "unifont")
_OTHER_STYLES = ("bold", "italic", "oblique", "mono", "narrow", "condensed", "light", "serif")
_MOST_FONTS = 400  # of the machine that are tried
_PROBE = 24  # px: the size at which a glyph is looked for
_NO_GLYPH = "\uffff"  # no character, so that every font draws its sign for a missing one


class FontFamily(NamedTuple):
    """Names the files of a font, regular and bold; None is the font that comes with Pillow."""

    regular: Path | None
    bold: Path | None


class FontChoice(NamedTuple):
    """Holds the font for a text, and how many of its characters the font lacks."""

    family: FontFamily
    missing: int


def load_font(family: FontFamily, size: int, bold: bool = False) -> Font:
    """Return a font at a size in px. It is the one that comes with Pillow where the file is bad."""
    return _load(family.bold if bold else family.regular, size)


def choose_family(text: str) -> FontChoice:
    """Return the first font that has all characters of a text, else the one that lacks fewest."""
    best: FontChoice | None = None
    for family in _families():
        missing = sum(not has_glyph(family, character) for character in set(text))
        if best is None or missing < best.missing:
            best = FontChoice(family, missing)
        if not missing:
            break
    return best or FontChoice(FontFamily(None, None), 0)


@lru_cache(maxsize=8192)
def has_glyph(family: FontFamily, character: str) -> bool:
    """Return whether a font can draw a character. Spaces and signs without a shape always can."""
    if unicodedata.category(character) in ("Zs", "Cf", "Cc"):
        return True
    font = _load_basic(family.regular)
    return bytes(font.getmask(character)) != _missing_glyph(family.regular)


def _families() -> Iterator[FontFamily]:
    yield _page_family()
    yield from _machine_families()


@cache
def _page_family() -> FontFamily:
    """Return the font of the page. Gradio is found and not imported, which takes seconds."""
    gradio = find_spec("gradio")
    for place in (gradio.submodule_search_locations or ()) if gradio else ():
        folder = Path(place) / _OF_GRADIO
        files = [folder / f"SourceSansPro-{style}.woff2" for style in ("Regular", "Bold")]
        if all(map(_is_font, files)):
            return FontFamily(*files)
    return FontFamily(None, None)


def _is_font(path: Path) -> bool:
    try:
        ImageFont.truetype(str(path), _PROBE)
    except OSError:
        return False
    return True


@cache
def _machine_families() -> tuple[FontFamily, ...]:
    """Return the fonts of the machine, those with many scripts first."""
    files = [
        path
        for folder in _FOLDERS
        for path in Path(folder).expanduser().rglob("*")
        if path.suffix.lower() in _ENDINGS and not _has_other_style(path.stem)
    ]
    files.sort(key=lambda path: (_rank(path.stem), path.stem, str(path)))
    return tuple(FontFamily(path, _bold_of(path)) for path in files[:_MOST_FONTS] if _is_font(path))


def _has_other_style(stem: str) -> bool:
    return any(style in stem.lower() for style in _OTHER_STYLES)


def _rank(stem: str) -> int:
    name = stem.lower().replace("-", "").replace("_", "").replace(" ", "")
    return next((i for i, family in enumerate(_FAMILIES) if name.startswith(family)), 99)


def _bold_of(path: Path) -> Path:
    """Return the bold file beside a regular one; the regular one where there is none."""
    stem = path.stem.removesuffix("-Regular")
    bold = path.with_name(f"{stem}-Bold{path.suffix}")
    return bold if bold.exists() and _is_font(bold) else path


@lru_cache(maxsize=256)
def _load(path: Path | None, size: int) -> Font:
    try:
        if path is not None:
            return ImageFont.truetype(str(path), size)
    except OSError:
        pass
    font = ImageFont.load_default(size)
    assert isinstance(font, Font), "Pillow has FreeType"
    return font


@lru_cache(maxsize=256)
def _load_basic(path: Path | None) -> Font:
    """Return a font that draws each character by itself, for a look at its glyphs."""
    if path is None:
        return _load(None, _PROBE)
    return ImageFont.truetype(str(path), _PROBE, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=256)
def _missing_glyph(path: Path | None) -> bytes:
    return bytes(_load_basic(path).getmask(_NO_GLYPH))
