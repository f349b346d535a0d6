"""What every page is given: the run that is shown, and a way to carry a text to another tab."""

import json
import shutil
import subprocess
from typing import Any

import gradio as gr
import pytest

from hallascope.pages.shared.context import CurrentRun, carry, change_open_tab

# A page with one field, and one that is laid out some time after the tab was clicked.
PAGE = """
const field = { value: 'a "gentoo" penguin' };
const box = { events: [], dispatchEvent(event) { this.events.push([event.type, this.value]); } };
let opened = 0;
let laidOut = false;
const observers = new Set();
globalThis.Event = class { constructor(type) { this.type = type; } };
globalThis.MutationObserver = class {
  constructor(callback) { this.callback = callback; }
  observe() { observers.add(this); }
  disconnect() { observers.delete(this); }
};
const change = () => [...observers].forEach((observer) => observer.callback());
globalThis.document = {
  body: {},
  querySelector: (selector) => {
    if (selector === "#from textarea") return field;
    if (selector.includes("data-tab-id=questions")) return { click: () => { opened += 1; } };
    if (selector === "#to [data-x='y']") return laidOut ? box : null;
    throw new Error(selector);
  },
};
"""


def test_before_the_first_run_there_is_none_and_it_is_not_over() -> None:
    assert CurrentRun() == CurrentRun(run=None, done=False)


def carried(before: str, after: str) -> Any:
    """What the page tells once the script ran between two parts of a program."""
    script = carry("#from textarea", "questions", "#to [data-x='y']")
    told = "console.log(JSON.stringify([opened, observers.size, box.events]));"
    program = f"{PAGE}{before} ({script})(); {after} {told}"
    done = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.skipif(shutil.which("node") is None, reason="node runs the script of the page")
def test_a_text_is_carried_once_into_a_field_that_is_there_or_laid_out_later() -> None:
    expected = [1, 0, [["input", 'a "gentoo" penguin']]]
    assert carried("laidOut = true;", "change();") == expected
    assert carried("", "change(); laidOut = true; change(); change();") == expected


@pytest.mark.skipif(shutil.which("node") is None, reason="node runs the script of the page")
def test_where_the_field_never_comes_nothing_is_filled() -> None:
    assert carried("", "change(); change();") == [1, 1, []]


def test_only_the_opened_tab_is_told_of_another_run_and_each_time_anew() -> None:
    tabs = ("explore", "fig", "leaderboard")
    first, again = (change_open_tab(tabs, "fig") for _ in range(2))
    assert [value == gr.skip() for value in first] == [True, False, True]
    assert first[1] != again[1]
