"""Photographs the first page of a running app, and tells a photograph of it from a blank one.

It starts no app.
"""

from pathlib import Path

from PIL import Image, ImageStat
from playwright.sync_api import Browser, Error, expect

from bench.support.browser import PATIENCE

MIN_COLORS, MIN_DEVIATION = 100, 5.0  # a picture with less shows nothing


class BadPhotograph(Exception):
    """The page shows an error, or nothing; the message says which."""


def photograph(browser: Browser, address: str, file: Path) -> int:
    """Take a picture of the first page; return its bytes.

    What the page asks of other machines is refused, as for a visitor without a network: on a Space,
    Gradio's own page asks for fonts and for the Space's name.

    Raises BadPhotograph where the page shows an error, lacks its title, or the picture is blank.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    page = browser.new_page(viewport={"width": 1440, "height": 1180}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.route(
        lambda url: not url.startswith((address, "data:", "blob:")), lambda route: route.abort()
    )
    try:
        page.goto(address)
        expect(page.locator("h1.wordmark")).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_role("tab").first).to_be_visible(timeout=PATIENCE)
    except (AssertionError, Error) as error:
        raise BadPhotograph(f"the page is not as it should be: {error}") from error
    faults += page.locator(".toast-body.error").all_inner_texts()
    page.screenshot(path=file)
    page.close()
    if faults:
        raise BadPhotograph(f"the page shows an error: {faults[0]}")
    if fault := blank(file):
        raise BadPhotograph(f"{file} is blank: {fault}.")
    return file.stat().st_size


def blank(file: Path) -> str:
    """Return in words why a picture shows nothing; "" where it shows something.

    A page of text and images has hundreds of colors, and its brightness differs.
    """
    with Image.open(file) as image:
        colors = len(image.convert("RGB").getcolors(image.width * image.height) or ())
        (deviation,) = ImageStat.Stat(image.convert("L")).stddev
    if colors < MIN_COLORS or deviation < MIN_DEVIATION:
        return f"{colors} colors, brightness deviates by {deviation:.1f} of 255"
    return ""
