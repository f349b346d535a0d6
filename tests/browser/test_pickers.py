"""A picker's chips count from the moment they are drawn, also before its script listens."""

import json

import pytest
from playwright.sync_api import Browser

from hallascope.components.html import scripts
from hallascope.components.models.pickers import Option, chip_row

pytestmark = pytest.mark.browser
OPTIONS = (Option("a/one", "One"), Option("b/two", "Two"))
# As Gradio starts a component: its properties, and what it triggers.
MOUNT = f"""(id) => {{
  const element = document.getElementById(id);
  const props = {{ value: ["a/one"] }};
  const events = [];
  const trigger = (event) => events.push(event);
  const watch = () => {{}};
  const server = {{}};
  {scripts.start("models/pickers")}
  return JSON.stringify({{ value: props.value, events }});
}}"""


@pytest.mark.parametrize(
    ("clicked", "value", "events"),
    [([], ["a/one"], []), (["b/two", "a/one"], ["b/two"], ["change"])],
)
def test_what_is_chosen_before_the_script_listens_is_kept_and_told(
    browser: Browser, clicked: list[str], value: list[str], events: list[str]
) -> None:
    page = browser.new_page()
    page.set_content(f"<div id='picker'>{chip_row(OPTIONS, ['a/one'], 'Models')}</div>")
    page.add_script_tag(content=scripts.bundle("page"))
    for each in clicked:
        page.locator(f"label:has(input[value='{each}'])").click()
    assert json.loads(page.evaluate(MOUNT, "picker")) == {"value": value, "events": events}
    assert page.locator("input:checked").input_value() == value[0]
    page.close()


@pytest.mark.full
def test_a_shared_choice_made_before_the_script_listens_holds_in_the_other_pickers(
    browser: Browser,
) -> None:
    rows = [
        f"<div id='{name}'>"
        f"{chip_row(OPTIONS, ['a/one'], 'Judge', 'radio', group=name, shared='judge')}</div>"
        for name in ("drawn", "later")
    ]
    page = browser.new_page()
    page.set_content("".join(rows))
    page.add_script_tag(content=scripts.bundle("page"))
    page.locator("#drawn label:has(input[value='b/two'])").click()
    expected = {"value": ["b/two"], "events": ["change"]}
    assert json.loads(page.evaluate(MOUNT, "drawn")) == expected
    assert json.loads(page.evaluate(MOUNT, "later")) == expected
    page.close()


@pytest.mark.full
def test_new_chips_tell_the_choice_that_came_with_them(browser: Browser) -> None:
    """Gradio loses the value now and then, where both come while it draws the tab."""
    page = browser.new_page()
    page.set_content(
        f"<div id='picker'>{chip_row(OPTIONS, [], 'Writer', 'radio', group='w')}</div>"
    )
    page.add_script_tag(content=scripts.bundle("page"))
    listening = MOUNT.replace('{ value: ["a/one"] }', "window.props = { value: [] }")
    listening = listening.replace(
        "const watch = () => {}", "const watch = (name, f) => (on[name] = f)"
    )
    page.evaluate("window.on = {}")
    assert json.loads(page.evaluate(listening, "picker")) == {"value": [], "events": []}
    page.evaluate(
        """(chips) => {
          document.getElementById("picker").innerHTML = chips;
          on.body();
          return new Promise(requestAnimationFrame);
        }""",
        str(chip_row(OPTIONS, ["b/two"], "Writer", "radio", group="w")),
    )
    assert page.evaluate("props.value") == ["b/two"]
    assert page.locator("input:checked").input_value() == "b/two"
    page.close()
