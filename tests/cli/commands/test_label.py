"""Tests the refusals of `hallascope label`; the way from pictures to a trial is tested with it."""

from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("make", "OUT", "--models", " , "), "No model is named: name at least one with --models."),
        (("sheet", "OUT", "sheet.pdf"), "give a name that ends in .png or .webp"),
        (("read", "OUT", "typed.txt"), "OUT"),
        (("ratings", "OUT"), "No image is rated by T2I-FactualBench's form yet"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    command: Any, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    folder = str(tmp_path / "labels")
    result = command("label", *(part.replace("OUT", folder) for part in arguments))
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert words.replace("OUT", folder) in result.err
