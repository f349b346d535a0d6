"""A contact sheet shows every violation of the concepts that it is asked for."""

import pytest

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


def test_a_domain_that_is_none_is_refused_with_those_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.argv", ["sheet", "mineral", "out.png"])
    with pytest.raises(SystemExit, match=r"animal,artifact,.*OUT\.png"):
        contact_sheet.main()
