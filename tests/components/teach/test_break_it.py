"""The panel to break a drawing begins empty and offers what Python can do for it."""

from typing import Any

from hallascope.components.teach.break_it import break_it_panel


def test_the_panel_offers_its_functions_under_their_names() -> None:
    def draw(sent: dict[str, Any]) -> dict[str, Any]:
        return sent

    panel = break_it_panel([draw], "panel")
    assert panel.elem_id == "panel"
    assert panel.server_functions == [draw]
    assert 'class="break-it"' in panel.props["body"]
