"""Tests the commands that compare generators: sheets and their refusals."""

from pathlib import Path
from typing import Any

from PIL import Image


def test_a_contact_sheet_shows_every_model(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    models = "primer/exact,primer/careless"
    result = command("contact-sheet", out, "--models", models, "--prompts", 2)
    assert (result.code, result.out) == (0, f"2 prompts, 2 models: {out}\n")
    with Image.open(out) as sheet:
        assert sheet.width > 2 * 128


def test_a_contact_sheet_is_a_picture(command: Any, tmp_path: Path) -> None:
    result = command("contact-sheet", tmp_path / "sheet.pdf")
    assert result.code == 2
    assert "give a name that ends in .png or .webp" in result.err


def test_an_unknown_generator_is_refused(command: Any) -> None:
    result = command("recognition-trial", "--models", "primer/nobody", "--seeds", 1)
    assert (result.code, "primer/nobody" in result.err) == (2, True)
