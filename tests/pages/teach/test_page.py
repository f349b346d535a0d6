"""The Learn tab opens at the part that the address names."""

from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest

from hallascope.pages.teach import page


def selected(**parameters: str) -> Any:
    """The part that is opened; None where the first stays open."""
    update: Any = page.part(SimpleNamespace(query_params=parameters))  # type: ignore[arg-type]
    return None if update == gr.skip() else update.selected


@pytest.mark.parametrize("part", page.PARTS)
def test_the_address_names_a_part_of_the_tab(part: str) -> None:
    assert selected(tab="teach", part=part) == part


@pytest.mark.parametrize("part", page.PARTS)
def test_an_older_address_names_the_part_in_place_of_the_tab(part: str) -> None:
    assert selected(tab=part) == part


@pytest.mark.parametrize(
    "address",
    [{}, {"tab": "teach"}, {"tab": "teach", "part": "nothing"}, {"tab": "fig", "part": "sets"}],
)
def test_without_a_part_of_this_tab_the_first_stays_open(address: dict[str, str]) -> None:
    assert selected(**address) is None
