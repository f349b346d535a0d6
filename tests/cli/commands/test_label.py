"""Tests the refusals of `hallascope label`; the way from pictures to a trial is tested with it."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.commands import label
from tests.support.labeled_trials import labeled_trial


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("make", "OUT", "--models", " , "), "No model is named: name at least one with --models."),
        (("sheet", "OUT", "sheet.pdf"), "give a name that ends in .png or .webp"),
        (("read", "OUT", "typed.txt"), "OUT"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    command: Any, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    folder = str(tmp_path / "labels")
    result = command("label", *(part.replace("OUT", folder) for part in arguments))
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert words.replace("OUT", folder) in result.err


def test_a_trial_on_labels_prints_sensitivity_and_specificity_by_composition_of_interest() -> None:
    _, by_coi = label.trial_lines(labeled_trial()).split(
        "sensitivity by composition of interest:\n"
    )
    flagged, accepted = by_coi.split("specificity by composition of interest:\n")
    assert flagged.splitlines()[1].split() == ["shape", "0.500", "-", "2"]
    assert accepted.splitlines()[1].split() == ["color", "0.800", "0.500", "to", "1.000", "5"]
