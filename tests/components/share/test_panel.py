"""The row of buttons holds what its script needs, and names the viewer that it shares from."""

from hallascope.components.share.panel import ACTIONS, FORMATS, OUTCOMES, share_panel
from hallascope.components.theme.look import FOLDER
from hallascope.engine.export.formats import FORMATS as EXPORT_FORMATS
from hallascope.engine.export.selection.selection import read_selection


def test_every_button_has_an_action_in_the_script() -> None:
    html = share_panel([], "evidence", "share").value
    script = (FOLDER / "share" / "share.js").read_text("utf-8")
    for name, words in ACTIONS.items():
        assert f'data-share="{name}"' in html
        assert f">{words}</button>" in html
        assert f"    {name}: async" in script
    assert 'data-evidence="evidence"' in html


def test_the_page_offers_formats_and_outcomes_that_the_engine_has() -> None:
    assert set(FORMATS) <= set(EXPORT_FORMATS)
    for outcome in filter(None, OUTCOMES):
        assert read_selection(outcomes=outcome).outcomes == {outcome}
