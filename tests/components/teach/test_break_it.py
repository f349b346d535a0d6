"""The panel to break a drawing begins empty; its script asks Python for what it shows."""

from typing import Any

from hallascope.components.teach.break_it import break_it_panel


def test_the_panel_takes_functions_and_begins_empty() -> None:
    def draw(sent: dict[str, Any]) -> dict[str, Any]:
        return sent

    panel = break_it_panel([draw], "some/judge", "panel")
    assert panel.elem_id == "panel"
    assert 'class="break-it"' in panel.props["body"]
