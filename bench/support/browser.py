"""Drives the pages of the app in chromium, as a person does."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 120_000  # milliseconds until something expected counts as missing


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        found = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()


def ready(page: Page, elem_id: str) -> None:
    """Wait until a component of ours listens."""
    expect(page.locator(f"#{elem_id}[data-ready], #{elem_id} [data-ready]")).to_have_count(1)


def unfold_settings(page: Page) -> None:
    """Show the settings of Explore, which are folded into one line at first."""
    toggle = page.locator(".settings-toggle")
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    expect(page.locator("#settings.unfolded")).to_be_visible()


def set_chip(page: Page, elem_id: str, value: str, checked: bool = True) -> None:
    """Set one chip of a picker by a click on its label, as a person does.

    Its input is a hidden pixel, which a click at its place misses where the page moves.
    """
    chip = page.locator(f"#{elem_id} label", has=page.locator(f"input[value='{value}']"))
    box = chip.locator("input")
    expect(box).to_have_count(1)
    if page.locator("#settings", has=chip).count():
        unfold_settings(page)
    if box.is_checked() != checked:
        chip.click()
    expect(box).to_be_checked(checked=checked)


def choose_chips(page: Page, elem_id: str, *values: str) -> None:
    """Choose these chips of a picker, and no other of those that can be chosen."""
    ready(page, elem_id)
    boxes = page.locator(f"#{elem_id} input:enabled")
    offered = [box.input_value() for box in boxes.all()]
    assert set(values) <= set(offered)
    for value in offered:
        set_chip(page, elem_id, value, value in values)


def expect_answers(page: Page, number: int) -> None:
    """Wait until the judge has given so many answers about the images of the run on Explore."""
    on_cards = "#cards .strip[aria-label='Answers of the judge'] .sign:not(.waiting)"
    answered = f"{on_cards}, #cards .matrix-strip path:not(.matrix-wrong)"
    expect(page.locator(answered)).to_have_count(number)
