"""Text is readable on its ground by day and by night, and every token exists."""

import re
from collections.abc import Mapping

import pytest

from hallascope.components.theme import look as looks

PAIRS = [
    (words, ground)
    for words in ("ink", "soft", "accent", "correct", "incorrect", "left-out")
    for ground in ("paper", "card")
]
PAIRS += [
    ("soft", "quiet"),
    *((name, f"{name}-wash") for name in ("accent", "correct", "incorrect", "left-out")),
]


def brightness(color: str) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((brightness(first), brightness(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", [looks.LIGHT, looks.DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("words", "ground"), PAIRS)
def test_text_has_the_contrast_of_level_aa(
    look: Mapping[str, str], words: str, ground: str
) -> None:
    assert contrast(look[words], look[ground]) >= 4.5


@pytest.mark.parametrize("look", [looks.LIGHT, looks.DARK], ids=["light", "dark"])
def test_the_button_can_be_read(look: Mapping[str, str]) -> None:
    assert contrast("#ffffff", look["button"]) >= 4.5


def test_both_looks_have_the_same_tokens() -> None:
    assert looks.LIGHT.keys() == looks.DARK.keys()


def test_every_token_that_the_style_sheet_uses_exists() -> None:
    used, own = (
        set(re.findall(pattern, looks.sheets()))
        for pattern in (r"var\(--([a-z-]+)\)", r"[{;\s]--([a-z-]+):")
    )
    assert used <= set(looks.LIGHT) | own, (
        "some, such as mark and tint, are set by the style sheet itself"
    )
    assert not own & set(looks.LIGHT), "none of them takes the name of a token"


def test_both_looks_and_all_sheets_are_in_the_style_sheet() -> None:
    css = looks.css()
    assert css.startswith(f":root {{ color-scheme: light; --paper: {looks.LIGHT['paper']};")
    assert f".dark {{ color-scheme: dark; --paper: {looks.DARK['paper']};" in css
    assert css.endswith(looks.sheets())
