"""The page is told a grid by the axes that were chosen, and gets files of what it shows."""

import base64

import pytest

from hallascope.engine.error_analysis.conditions import Condition
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.leaderboard.filters import Filters
from hallascope.pages.error_analysis.grid_view import (
    GridExportRequest,
    grid_file,
    grid_value,
    read_selection,
    selection_fields,
)
from tests.pages.conftest import Judged


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (("prompt", "model"), ("prompt", "model")),
        (("model", "seed"), ("model", "seed")),
        (("weather", ""), ("prompt", "model")),
        (("model", "model"), ("model", "prompt")),
    ],
)
def test_axes_that_cannot_be_shown_are_replaced(
    judged: Judged, asked: tuple[str, str], given: tuple[str, str]
) -> None:
    services, view = judged("ihalla")
    value = grid_value(services, ErrorSelection(), asked)
    assert value is not None
    assert (value["rows"], value["columns"]) == given
    ids = [id_ for _, _, cell in value["cells"] for id_ in cell]
    assert len(ids) == len(set(ids)) == len(view.shots)


def test_nothing_is_shown_where_no_image_is_judged(judged: Judged) -> None:
    services, _ = judged("ihalla")
    none = ErrorSelection(tags=("nobody gave this",))
    assert grid_value(services, none, ("prompt", "model")) is None


def test_a_selection_goes_to_the_page_and_comes_back() -> None:
    selection = ErrorSelection(
        metric="tifa",
        filters=Filters(models=("m/one",), runs=("r",), instrument="abc"),
        conditions=(Condition("number", "4;"),),
        tags=("extra fingers",),
    )
    assert read_selection(selection_fields(selection)) == selection


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG"), ("html", b"<!doctype html>")])
def test_a_grid_is_handed_out_as_a_file(judged: Judged, kind: str, begins: bytes) -> None:
    services, _ = judged("ihalla")
    request = GridExportRequest.model_validate(
        {
            "rows": "prompt",
            "columns": "model",
            "kind": kind,
            "selection": selection_fields(ErrorSelection()).model_dump(),
        }
    )
    file = grid_file(services, request)
    assert file["name"] == f"grid-prompt-model.{kind}"
    assert base64.b64decode(file["base64"]).startswith(begins)
