"""What the app gives every page beside the services: where it stands and what the pages share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import gradio as gr

from hallascope.pages.shared.spending import SpendingInputs


@dataclass(frozen=True)
class CurrentRun:
    """The run that is shown, and whether it has come to its end.

    Pages look again when either changes.
    """

    run: str | None = None
    done: bool = False


class PageContext(NamedTuple):
    """`demo`: the app, for what happens when it is opened; `tab`: the page's own.

    `current`: a State of Current; `terms`: for all pages.
    """

    demo: gr.Blocks
    tab: gr.Tab
    current: gr.State
    spending: SpendingInputs


def when_open(tab: str, look: Callable[[], Any]) -> Callable[[gr.Request], Any]:
    """Return a handler that looks when the app is opened, if the address names this tab.

    Every other tab waits until it is chosen.
    """

    def opened(asker: gr.Request) -> Any:
        return look() if asker.query_params.get("tab") == tab else gr.skip()

    return opened


def carry(source: str, tab: str, target: str) -> str:
    """Return a script that opens another tab and copies the text of a field into one there.

    Both are named by CSS selectors.
    """
    return f"""() => {{
  const said = document.querySelector({source!r}).value;
  const fill = () => {{
    const box = document.querySelector({target!r});
    // a tab that was never open is laid out only now
    if (!box) return void requestAnimationFrame(fill);
    box.value = said;
    box.dispatchEvent(new Event("input", {{ bubbles: true }}));
  }};
  document.querySelector("#tabs [role=tab][data-tab-id={tab}]").click();
  fill();
}}"""
