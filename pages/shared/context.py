"""Defines what the app gives every page beside the services."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import gradio as gr

from hallascope.components.html.gradio_html import NO_PROGRESS
from hallascope.pages.shared.spending import SpendingInputs


@dataclass(frozen=True)
class CurrentRun:
    """Names the run that is shown, and says whether it is over; pages follow both."""

    run: str | None = None
    done: bool = False


class PageGroup(NamedTuple):
    """Holds tabs within a tab: the name of each page by its title, and a State of the open one."""

    tabs: gr.Tabs
    names: Mapping[str, str]
    opened: gr.State


class OpenPage:
    """Keeps which page is open, and tells that page when it is opened.

    A page that follows the run is also told when another run is shown while it is open. Nothing is
    read for a page that is not open.

    A page is told by a number of its own, which is no State, since Gradio 6.31 takes the first
    event that may set a State for a change of it.
    """

    def __init__(self, first: str) -> None:
        self._name = gr.State(first)
        self._shown: dict[str, gr.Number] = {}
        self._groups: dict[str, PageGroup] = {}
        self._following: set[str] = set()

    def add(self, name: str) -> gr.Number:
        """Return the number that changes when there is something new for the page to show."""
        if name not in self._shown:
            self._shown[name] = gr.Number(0, visible=False)
        return self._shown[name]

    def follow_run(self, name: str) -> None:
        """Tell a page when the run changes while it is open."""
        self._following.add(name)

    def add_group(self, name: str, group: PageGroup) -> None:
        """Open the page that was last open within a tab when that tab is selected."""
        self._groups[name] = group

    def connect(self, tabs: gr.Tabs, names: Mapping[str, str], run: gr.State) -> None:
        """Connect the tabs, named by their titles, and the run, once the pages are laid out."""
        pages, shown = tuple(self._shown), list(self._shown.values())
        groups = self._groups

        def open_tab(event: gr.SelectData, current: str, *parts: str) -> tuple[Any, ...]:
            name = names[event.value]
            opened = dict(zip(groups, parts, strict=True)).get(name, name)
            return opened, *change_open_tab(pages, opened, current)

        states = [self._name, *(group.opened for group in groups.values())]
        tabs.select(open_tab, states, [self._name, *shown], **NO_PROGRESS)
        for group in groups.values():
            outputs = [self._name, group.opened, *shown]
            opener = part_opener(pages, group.names)
            group.tabs.select(opener, self._name, outputs, **NO_PROGRESS)
        following = {name: self._shown[name] for name in pages if name in self._following}
        run.change(
            partial(change_open_tab, tuple(following)),
            self._name,
            list(following.values()),
            **NO_PROGRESS,
        )


class PageContext(NamedTuple):
    """Holds the app, the tab of a page, a State of `CurrentRun`, and the controls of spending.

    `shown` is a number that changes when the page is opened; where the page follows the run, also
    when another run is shown or the run ends while it is open. `pages`: those of the whole app.
    `models`: the pickers of `MetricModels`, where the page evaluates by them.
    """

    demo: gr.Blocks
    tab: gr.Tab
    current: gr.State
    shown: gr.Number
    spending: SpendingInputs
    pages: OpenPage
    models: Mapping[str, Any] = {}

    def follow_run(self, look: Callable[..., Any], inputs: Any, outputs: Any, **how: Any) -> None:
        """Have `look` fill the outputs when the page is opened, and when the run changes then.

        `how` are further options of the event. Gradio would drop a change that comes while the
        opening is answered; here it is answered next.
        """
        self.pages.follow_run(str(self.tab.id))
        self.shown.change(
            look, inputs, outputs, **{"trigger_mode": "always_last", **NO_PROGRESS, **how}
        )

    def build_parts(self, parts: Mapping[str, tuple[str, Callable[["PageContext"], Any]]]) -> None:
        """Lay out tabs within the tab: the title of each by its name, and what builds its page."""
        opened = gr.State(next(iter(parts)))
        tabs: gr.Tabs
        with gr.Tabs(elem_id=f"{self.tab.id}-parts", elem_classes=["parts"]) as tabs:
            for name, (title, build) in parts.items():
                with gr.Tab(title, id=name) as part:
                    build(self._replace(tab=part, shown=self.pages.add(name)))
        names = {title: name for name, (title, _) in parts.items()}
        self.pages.add_group(str(self.tab.id), PageGroup(tabs, names, opened))


_changes = count(1)


def change_open_tab(tabs: Sequence[str], opened: str, current: str = "") -> tuple[Any, ...]:
    """Return a new value for the number of the opened tab, and none for the others.

    None at all where it is the `current` one: an address opens a tab and its part at once, and of
    two values that come so close Gradio 6.31 shows one after the other without end.
    """
    told = opened if opened != current else ""
    return tuple(next(_changes) if name == told else gr.skip() for name in tabs)


def part_opener(
    pages: Sequence[str], names: Mapping[str, str]
) -> Callable[[gr.SelectData, str], tuple[Any, ...]]:
    """Return the handler of tabs within a tab; it tells the name of the open page twice.

    Gradio needs a plain function, no partial, to give it the event.
    """

    def open_part(event: gr.SelectData, current: str) -> tuple[Any, ...]:
        name = names[event.value]
        return name, name, *change_open_tab(pages, name, current)

    return open_part


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
