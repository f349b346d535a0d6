"""A contact sheet shows every violation of the concepts that it is asked for."""

from pathlib import Path

import pytest
from PIL import Image

from hallascope.primer import contact_sheet
from hallascope.primer.concepts import concepts_of


def test_a_row_has_a_drawing_of_each_violation() -> None:
    ladybug = concepts_of("animal")[0]
    assert ladybug.variation is not None
    labels = [label for label, _ in contact_sheet.rows(ladybug, 16)]
    violations: list[str] = []
    for fact in ladybug.facts:
        violations += [f"{fact.parameter}={value}" for value in fact.violations]
    # The plain prompt has the base of the variation, so what its phrase asks for is drawn as well.
    fact = ladybug.variation.fact
    others = [value for value in fact.values if value != ladybug.variation.base]
    varied = [f"{fact.parameter}={value}" for value in others]
    assert labels == ["ladybug 0", "ladybug 1", "ladybug 2", *violations, *varied]


def test_the_command_draws_the_concepts_that_are_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "sheet.png"
    monkeypatch.setattr("sys.argv", ["sheet", "celestial", str(out), "Mars"])
    contact_sheet.main()
    [mars] = [concept for concept in concepts_of("celestial") if concept.name == "Mars"]
    expected = contact_sheet.sheet((mars,))
    with Image.open(out) as drawn:
        assert drawn.size == expected.size
        assert drawn.tobytes() == expected.tobytes()


def test_a_domain_that_is_none_is_refused_with_those_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.argv", ["sheet", "mineral", "out.png"])
    with pytest.raises(SystemExit, match=r"animal,artifact,.*OUT\.png"):
        contact_sheet.main()
