"""Events of the pages lose nothing that happens while an earlier one is answered."""

import ast

from tests.support.modules import ROOT


def gradio_events() -> list[tuple[str, ast.Call]]:
    """Every call of `gr.on` in the pages and the app, with where it stands."""
    files = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]
    return [
        (f"{file.relative_to(ROOT)}:{node.lineno}", node)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "gr.on"
    ]


def test_a_change_is_not_dropped_where_another_event_stands_before_it() -> None:
    """Gradio decides by the first event of a list: after `select` or `click`, it drops a change
    that comes while the handler is at work.
    """
    found = gradio_events()
    assert len(found) > 10
    for place, call in found:
        events = call.args[0]
        if not isinstance(events, ast.List):
            continue
        is_change = [ast.unparse(event).endswith(".change") for event in events.elts]
        if any(is_change) and not is_change[0]:
            assert any(word.arg == "trigger_mode" for word in call.keywords), place
