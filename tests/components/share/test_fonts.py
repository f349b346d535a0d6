"""A font is found for a text, on every machine at least one for Latin letters."""

from pathlib import Path

import pytest

from hallascope.components.share import fonts
from hallascope.components.share.fonts import FontFamily, choose_family, has_glyph, load_font
from hallascope.components.share.text_fit import NO_FONT, TextStyle, fit_text

PILLOW = FontFamily(None, None)


def test_the_font_of_the_page_has_latin_greek_and_cyrillic_letters() -> None:
    choice = choose_family("Größe, Четыре, ωμέγα: 3 × 4")
    assert choice.missing == 0
    assert choice.family.regular is None or "SourceSansPro" in str(choice.family.regular)


def test_a_glyph_that_a_font_lacks_is_noticed() -> None:
    assert has_glyph(PILLOW, "A")
    assert has_glyph(PILLOW, " ")
    assert not has_glyph(PILLOW, "四")


def test_a_script_without_any_font_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_families", lambda: iter([PILLOW]))
    fitted = fit_text("四个氢原子", (0, 0, 600, 60), TextStyle(sizes=(20,)))
    assert " ".join(fitted.lines) == NO_FONT


def test_a_file_that_is_no_font_gives_the_one_of_pillow(tmp_path: Path) -> None:
    bad = tmp_path / "bad.ttf"
    bad.write_bytes(b"no font")
    assert load_font(FontFamily(bad, bad), 20, bold=True).getname() == (
        load_font(PILLOW, 20).getname()
    )
