"""What tests in a browser read from the images of a run on Explore."""

from playwright.sync_api import Page, expect


def expect_answers(page: Page, number: int) -> None:
    """Wait until the judge has given so many answers about the images that are shown."""
    on_cards = "#cards .strip[aria-label='Answers of the judge'] .sign:not(.waiting)"
    answered = f"{on_cards}, #cards .matrix-strip path:not(.matrix-wrong)"
    expect(page.locator(answered)).to_have_count(number)
