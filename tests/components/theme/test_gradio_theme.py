"""The look: text is readable on its ground by day and by night, and nothing is fetched from
elsewhere.
"""

import re
from collections.abc import Mapping

import pytest

from hallascope.components.theme import gradio_theme
from hallascope.components.theme.look import FOLDER

PAIRS = [
    (words, ground)
    for words in ("ink", "soft", "accent", "correct", "incorrect", "left-out")
    for ground in ("paper", "card")
]
PAIRS += [
    ("soft", "quiet"),
    *((name, f"{name}-wash") for name in ("accent", "correct", "incorrect", "left-out")),
]


def brightness(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((brightness(one), brightness(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", [gradio_theme.LIGHT, gradio_theme.DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("words", "ground"), PAIRS)
def test_text_has_the_contrast_of_level_aa(
    look: Mapping[str, str], words: str, ground: str
) -> None:
    assert contrast(look[words], look[ground]) >= 4.5


@pytest.mark.parametrize("look", [gradio_theme.LIGHT, gradio_theme.DARK], ids=["light", "dark"])
def test_the_button_can_be_read(look: Mapping[str, str]) -> None:
    assert contrast("#ffffff", look["button"]) >= 4.5


def test_both_looks_have_the_same_tokens() -> None:
    assert gradio_theme.LIGHT.keys() == gradio_theme.DARK.keys()


def test_every_token_that_the_style_sheet_uses_exists() -> None:
    used, own = (
        set(re.findall(pattern, gradio_theme.sheets()))
        for pattern in (r"var\(--([a-z-]+)\)", r"[{;\s]--([a-z-]+):")
    )
    assert used <= set(gradio_theme.LIGHT) | own, (
        "some, such as mark and tint, are set by the style sheet itself"
    )
    assert not own & set(gradio_theme.LIGHT), "none of them takes the name of a token"


def test_nothing_is_fetched_from_elsewhere_and_nothing_shines() -> None:
    options = gradio_theme.launch_options()
    for words in (
        options["css"],
        options["head"],
        *(file.read_text("utf-8") for file in FOLDER.rglob("*.js")),
    ):
        assert not re.search(r"https?://|@import|gradient\(|box-shadow: (?!none)", words)
    assert options["theme"]._stylesheets == []
