"""Everything that can be opened or chosen can be: no tab, chip or fold of the page breaks where it
is drawn, what is chosen stays, and a wrong number locks nothing.
"""

import re
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_accessibility import settled
from tests.support.browser import (
    CHOSEN,
    choose_chips,
    expect_answers,
    expect_chosen,
    generate,
    ready,
    visit,
)

pytestmark = [pytest.mark.browser, pytest.mark.full]
# Finds the boxes that can be chosen: Gradio's, and the chips of the Leaderboard and of Errors.
# Gradio gives a radio button another name whenever it draws it.
BOXES = """[...document.querySelectorAll(
  ".tabitem fieldset.block label input:enabled, .tabitem .chip input:enabled"
)].filter((input) => input.closest("label").checkVisibility()).map((input) => ({
  input, owner: input.closest("[id]").id, name: input.type === "radio" ? "" : input.name,
}))"""
# The owner, name, value and sort of every box of the open tab, and whether it is chosen.
CHIPS = f"""() => {BOXES}
  .map(({{ input, owner, name }}) => [owner, name, input.value, input.type, input.checked])"""

# Clicks boxes by owner, name and value, a frame each; those that are gone by then are left out.
CLICK = f"""async (chips) => {{
  const frame = () => new Promise((done) => {{ requestAnimationFrame(() => setTimeout(done)); }});
  for (const chip of chips) {{
    const box = {BOXES}.find(({{ input, owner, name }}) =>
      [owner, name, input.value].every((part, i) => part === chip[i]));
    if (box) box.input.closest("label").click();
    await frame();
  }}
}}"""


class Chip(NamedTuple):
    """Names a box, and the input that it belongs to."""

    owner: str
    name: str
    value: str
    sort: str


def top_tabs(page: Page) -> list[Locator]:
    """The tabs of the dashboard, whatever tabs there are; not those within one."""
    return page.locator("#tabs > .tab-wrapper [role=tab][data-tab-id]").all()


def inner_tabs(page: Page) -> list[Locator]:
    return page.locator("#tabs .tabitem:visible [role=tab][data-tab-id]:visible").all()


def unfold(page: Page) -> None:
    """Open every fold that is to be seen on the tab."""
    for folded in (
        "details:not([open]) > summary",
        "button.label-wrap:not(.open)",
    ):
        left = page.locator(f".tabitem:visible {folded}:visible")
        while left.count():
            fold = left.first.element_handle()
            fold.click()
            page.wait_for_function("(fold) => fold.matches('.open, [open] > *')", arg=fold)


def chips_of(page: Page) -> dict[Chip, bool]:
    """The chips of the open tab that can be chosen, and which of them are."""
    return {Chip(*key): checked for *key, checked in page.evaluate(CHIPS)}


def click_chips(page: Page, chips: list[Chip]) -> None:
    page.evaluate(CLICK, [[chip.owner, chip.name, chip.value] for chip in chips])
    settled(page)


def choose_every_chip(page: Page) -> int:
    """Choose all chips of the tab one after the other, also those that only come by a choice.

    In the end what was chosen before is chosen again. Returns how many chips there were.
    """
    before = chips_of(page)
    tried: set[Chip] = set()
    while left := chips_of(page).keys() - tried:
        tried |= left
        click_chips(page, sorted(chip for chip in left if not before.get(chip)))
    after = chips_of(page)
    changed = [chip for chip, checked in before.items() if after.get(chip, checked) != checked]
    click_chips(page, [chip for chip in changed if before[chip] or chip.sort == "checkbox"])
    return len(tried)


def open_every_list(page: Page) -> int:
    """Open all lists of the tab in which something is chosen, and return how many there were."""
    lists = page.locator(".tabitem:visible .wrap-inner:visible").all()
    filled = [
        one.get_by_role("combobox")
        for one in lists
        if one.locator(".token").count() or one.get_by_role("combobox").input_value()
    ]
    for field in filled:
        field.click()
        options = page.locator(f"#{field.get_attribute('aria-controls')} [role=option]")
        expect(options.first).to_be_visible()
        page.keyboard.press("Escape")
    return len(filled)


def test_every_tab_chip_and_fold_is_drawn(browser: Browser, address: str) -> None:
    errors: list[str] = []
    with visit(browser, address) as page:
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        ready(page, "prompts-to-try")
        chips = lists = 0
        for tab in top_tabs(page):
            tab.click()
            expect(tab).to_have_attribute("aria-selected", "true")
            for inner in inner_tabs(page) or [tab]:
                inner.click()
                unfold(page)
                chips += choose_every_chip(page)
                lists += open_every_list(page)
        assert chips > 40
        assert lists > 20
        expect(page.get_by_text("Error rendering")).to_have_count(0)
    assert errors == []


# The inputs of which one thing must be chosen, and none is.
WITHOUT = """() => [...document.querySelectorAll('#tabs fieldset.block:has(input[type=radio])')]
  .filter((group) => !group.querySelector('input:checked'))
  .map((group) => group.id)"""
# What is chosen in every input, by its element id, also on tabs that are not open.
CHOSEN_IN_ALL = f"""() => {{
  const chosen = {CHOSEN};
  const inputs = "#tabs :is(fieldset, .block:has([role=combobox]))[id]";
  const ids = [...document.querySelectorAll(inputs)].map((input) => input.id);
  return Object.fromEntries(ids.map((id) => [id, chosen(id)]));
}}"""


def open_all(page: Page, *, backwards: bool = False) -> None:
    """Open every tab and every part of one, in their order or from the last to the first."""
    tabs = top_tabs(page)
    for tab in reversed(tabs) if backwards else tabs:
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        parts = inner_tabs(page)
        for part in reversed(parts) if backwards else parts:
            part.click()
            unfold(page)
        unfold(page)
    settled(page)


def chosen(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(CHOSEN_IN_ALL)
    return found


def test_every_picker_keeps_its_choice_while_all_tabs_are_opened_in_order_and_back(
    page: Page,
) -> None:
    first = chosen(page)
    open_all(page)
    expect(page.locator("#how-steps input:checked")).to_be_attached()
    after = chosen(page)
    assert len(after) > 15, "pickers of all tabs"
    assert {name: after[name] for name in first} == first
    assert page.evaluate(WITHOUT) == []
    open_all(page, backwards=True)
    assert chosen(page) == after
    assert page.evaluate(WITHOUT) == []
    expect_chosen(page, "judge", "primer/judge")
    choose_chips(page, "models", "primer/hasty")
    generate(page, "a ladybug")
    expect_answers(page, 5)


class Use(NamedTuple):
    """The button that uses the numbers of a part of the page, and where it says what is wrong."""

    button: str
    said: str


# By the title of the tab, and the label of the field where a tab has several buttons.
USES = {
    ("Evaluate", ""): Use("#generate", "#status [role=alert]"),
    ("All", ""): Use("#generate", "#status [role=alert]"),
    ("I-HallA", ""): Use("#repair-go", "#repair-status [role=alert]"),
    ("Probe", ""): Use("#errors-probe-go", "#errors-probe-status [role=alert]"),
    ("Repair", ""): Use("#errors-remedies-go", "#errors-remedies-status [role=alert]"),
    ("Judges", ""): Use("#judges-go", "#judges-status [role=alert]"),
    ("Labels", ""): Use("#queue-create", "#queue-created [role=alert]"),
    ("For teachers", "Number of exercises"): Use(
        "#sets-add-random-exercises", "#set-status [role=alert]"
    ),
    ("For teachers", "Seed"): Use("#sets-add-the-drawing", "#set-status [role=alert]"),
}


def tries_wrong_numbers(box: Locator, tab: str) -> None:
    """Ask for a run with a number below, above, with a fraction and with none, and put back what
    stood there.
    """
    page = box.page
    use = USES.get((tab, "")) or USES[tab, str(box.get_attribute("aria-label"))]
    before = box.input_value()
    for value in ("-1", "99999999999", "1.5", ""):
        box.fill(value)
        page.locator(use.button).click()
        told = page.locator(use.said)
        sentence = rf"is {value or 'missing'}(\.0)?: give a whole number from \d to [\d,]+\.$"
        expect(told).to_have_text(re.compile(sentence))
        expect(page.locator(use.button)).to_be_enabled()
        assert box.input_value() == value, "what was typed stays"
    box.fill(before)


def test_no_number_of_any_tab_locks_anything_and_each_says_what_is_allowed(
    browser: Browser, address: str
) -> None:
    tried = 0
    with visit(browser, address) as page:
        ready(page, "prompts-to-try")
        # the settings of Evaluate stand above its parts: they are tried once
        unfold(page)
        seen: set[str] = set()
        for tab in top_tabs(page):
            tab.click()
            for part in inner_tabs(page) or [tab]:
                part.click()
                unfold(page)
                title = part.inner_text().strip()
                for box in page.locator(".tabitem:visible input[type=number]:visible").all():
                    place = str(box.evaluate("box => box.closest('#settings')?.id ?? ''"))
                    label = str(box.get_attribute("aria-label")) if place else ""
                    if place and label in seen:
                        continue
                    seen.add(label)
                    tries_wrong_numbers(box, "Evaluate" if place else title)
                    tried += 1
    assert tried >= 12, "Evaluate has three, I-HallA one, Errors three, Judges four, and others"


def test_a_cap_below_zero_is_said_and_locks_nothing(page: Page) -> None:
    page.locator("#terms > button").click()
    page.locator("#cap-run input").fill("-3")
    page.locator("#prompt input").fill("a ladybug")
    page.locator("#prompt input").press("Enter")
    expect(page.locator("#status [role=alert]")).to_contain_text("give an amount")
    expect(page.locator("#generate")).to_be_enabled()
    page.locator("#cap-run input").fill("")
    page.locator("#prompt input").press("Enter")
    expect(page.locator("#cards .frame img")).to_have_count(4)
