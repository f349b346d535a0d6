"""Makes the pictures of README, tour and scores.

``python -m bench.screenshots [TAB ...] [truth] [corrected]``: they come from the running app and
the embedded models; those of corrected scores are of a simulated judge and simulated people.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.conftest import ROOT, dashboard, served
from tests.support.browser import PATIENCE, chromium, ready
from tests.support.labeled_board import MODELS as LABELED_MODELS
from tests.support.tour import STOPS, show_wrong_verdict

README = ROOT / "docs" / "explore.webp"
TOUR = ROOT / "docs" / "tour"
TRUTH = ROOT / "docs" / "truth"
CORRECTED = ROOT / "docs" / "corrected"
PHONE: ViewportSize = {"width": 390, "height": 844}
SIZE: ViewportSize = {"width": 1440, "height": 1100}
VIEWS = {"day": ("light", SIZE), "night": ("dark", SIZE), "phone": ("light", PHONE)}
SMALL: ViewportSize = {"width": 1024, "height": 1150}
WIDTH, HEIGHT, MOST = 1200, 1400, 90_000  # pixels across, pixels down at most, bytes at most


def serve() -> None:
    """What the started process does: the dashboard as a user has it."""
    from hallascope.engine.services import create_services
    from tests.support.serve import launched

    launched(create_services()).block_thread()


def open_page(browser: Browser, address: str, size: ViewportSize) -> Page:
    page = browser.new_page(viewport=size, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


def webp(png: bytes) -> bytes:
    """The top of a picture of a page, as wide as a reader's column and as good as fits.

    Raises ValueError where nothing fits.
    """
    whole = Image.open(io.BytesIO(png)).convert("RGB")
    fitted = whole.resize(
        (WIDTH, round(whole.height * WIDTH / whole.width)), Image.Resampling.LANCZOS
    )
    shown = fitted.crop((0, 0, WIDTH, min(fitted.height, HEIGHT)))
    for quality in (85, 75, 65, 50, 35):
        shown.save(made := io.BytesIO(), "WEBP", quality=quality, method=6)
        if made.tell() <= MOST:
            return made.getvalue()
    raise ValueError(f"A picture of {shown.size} takes more than {MOST:,} bytes: show less on it.")


def take(page: Page, name: str) -> None:
    """The picture of one tab, from the top; that of Explore also as the README has it."""
    STOPS[name](page)
    page.mouse.move(0, 0)
    page.evaluate("window.scrollTo(0, 0)")
    whole = page.screenshot(full_page=True)
    (TOUR / f"{name}.webp").write_bytes(webp(whole))
    print(f"docs/tour/{name}.webp", flush=True)
    if name == "explore":
        Image.open(io.BytesIO(whole)).convert("RGB").save(README, quality=75, method=6)


def take_truth(browser: Browser, address: str) -> None:
    """The truth beside a wrong verdict: by day, by night and on a phone."""
    TRUTH.mkdir(exist_ok=True)
    for name, (theme, size) in VIEWS.items():
        page = open_page(browser, f"{address}?__theme={theme}", size)
        show_wrong_verdict(page)
        page.mouse.move(0, 0)
        page.locator("#evidence").scroll_into_view_if_needed()
        save(page.screenshot(), TRUTH / f"{name}.webp")
        page.close()


def take_corrected(browser: Browser) -> None:
    """The leaderboard with scores corrected by people: by day, by night and on a phone."""
    CORRECTED.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        dashboard(Path(folder), 0, "labeled") as address,
    ):
        for name, (theme, _) in VIEWS.items():
            query = "tab=leaderboard&board-published=hidden"
            shape = PHONE if name == "phone" else SMALL
            page = open_page(browser, f"{address}?__theme={theme}&{query}", shape)
            ready(page, "board")
            expect(page.locator("#board-figure .bars .point")).to_have_count(len(LABELED_MODELS))
            page.mouse.move(0, 0)
            page.evaluate(
                "document.querySelector('#board-figure').scrollIntoView(); scrollBy(0, -12)"
            )
            save(page.screenshot(), CORRECTED / f"{name}.webp", quality=40)
            page.close()


def save(png: bytes, file: Path, quality: int = 75) -> None:
    Image.open(io.BytesIO(png)).convert("RGB").save(file, quality=quality, method=6)
    print(file.relative_to(ROOT), flush=True)


def main(names: list[str]) -> None:
    TOUR.mkdir(exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), "bench.screenshots", "serve") as address,
        chromium() as browser,
    ):
        page = open_page(browser, address, SIZE)
        for name in names or [*STOPS, "truth", "corrected"]:
            if name == "truth":
                take_truth(browser, address)
            elif name == "corrected":
                take_corrected(browser)
            else:
                take(page, name)


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main(sys.argv[1:])
