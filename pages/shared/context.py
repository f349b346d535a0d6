"""Defines what the app gives every page beside the services."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import gradio as gr

from hallascope.components.html.gradio_html import quiet
from hallascope.pages.shared.spending import SpendingInputs


@dataclass(frozen=True)
class CurrentRun:
    """Names the run that is shown, and says whether it is over; pages follow both."""

    run: str | None = None
    done: bool = False


class PageContext(NamedTuple):
    """Holds the app, the page's own tab, a State of `CurrentRun`, and the controls of spending.

    `run_changed` is a State that changes when another run is shown, or the run ends, while the tab
    of the page is open. What depends on the run is read then, and when the tab is opened: nothing
    is read for a tab that nobody sees.
    """

    demo: gr.Blocks
    tab: gr.Tab
    current: gr.State
    run_changed: gr.State
    spending: SpendingInputs

    def follow_run(self, look: Callable[..., Any], inputs: Any, outputs: Any, **how: Any) -> None:
        """Have `look` fill the outputs when the tab is opened, and when the run changes then.

        `how` are further options of the event. Gradio would drop a change that comes while the
        opening is answered; here it is answered next.
        """
        events = [self.tab.select, self.run_changed.change]
        gr.on(events, look, inputs, outputs, **{"trigger_mode": "always_last", **quiet(), **how})


_changes = count(1)


def change_open_tab(tabs: Sequence[str], opened: str) -> tuple[Any, ...]:
    """Return a new value for the `run_changed` of the opened tab, and none for the others."""
    return tuple(next(_changes) if name == opened else gr.skip() for name in tabs)


def carry(source: str, tab: str, target: str) -> str:
    """Return a script that opens another tab and copies the text of a field into one there.

    Both fields are named by CSS selectors. A tab that was never open has no field yet: the text
    is copied once the field is there.
    """
    return f"""() => {{
  const text = document.querySelector({source!r}).value;
  const fill = () => {{
    const field = document.querySelector({target!r});
    if (!field) return false;
    field.value = text;
    field.dispatchEvent(new Event("input", {{ bubbles: true }}));
    return true;
  }};
  document.querySelector("#tabs [role=tab][data-tab-id={tab}]").click();
  if (fill()) return;
  const observer = new MutationObserver(() => fill() && observer.disconnect());
  observer.observe(document.body, {{ childList: true, subtree: true }});
}}"""
