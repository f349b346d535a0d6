"""Makes the pictures of README, tour, scores and labeling.

``python -m bench.screenshots [hero] [TAB ...] [rounds] [panels] [truth] [corrected] [labeling]``
takes all or these: they come from the running app and the embedded models; those of corrected
scores are of a simulated judge and simulated people.
"""

import io
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from bench.hero import record, save_animation
from bench.serving import PATIENCE, ROOT, running_app
from bench.tour import (
    PANELS,
    STOPS,
    label_queue,
    open_rater_page,
    show_wrong_verdict,
    take_label_back,
)
from hallascope.data.models.specs import read_models
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support import drawn_plan, labeled_board
from tests.support.browser import chromium, ready

HERO = ROOT / "docs" / "hero.webp"
TOUR = ROOT / "docs" / "tour"
ROUNDS = ROOT / "docs" / "rounds"
TRUTH = ROOT / "docs" / "truth"
CORRECTED = ROOT / "docs" / "corrected"
LABELING = ROOT / "docs" / "labeling-desk"
PANELS_FOLDER = ROOT / "docs" / "panels"
PHONE: ViewportSize = {"width": 390, "height": 844}
SIZE: ViewportSize = {"width": 1440, "height": 1100}
VIEWS = {"day": ("light", SIZE), "night": ("dark", SIZE), "phone": ("light", PHONE)}
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
SMALL: ViewportSize = {"width": 1024, "height": 1150}
SHORT: ViewportSize = {"width": 1200, "height": 700}
DESK: ViewportSize = {"width": 1440, "height": 1900}
PLANNED = 40  # prompts of the plan of which the pictures of labeling show a part
WIDTH, HEIGHT, MOST = 1200, 1400, 90_000  # pixels across, pixels down at most, bytes at most


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
    fitted = fit_width(whole, WIDTH)
    shown = fitted.crop((0, 0, WIDTH, min(fitted.height, HEIGHT)))
    for quality in (85, 75, 65, 50, 35):
        shown.save(made := io.BytesIO(), "WEBP", quality=quality, method=6)
        if made.tell() <= MOST:
            return made.getvalue()
    raise ValueError(f"An image of {shown.size} takes more than {MOST:,} bytes: show less on it.")


def take(page: Page, name: str) -> None:
    """The picture of one tab, from the top."""
    STOPS[name](page)
    page.mouse.move(0, 0)
    page.evaluate("window.scrollTo(0, 0)")
    whole = page.screenshot(full_page=True)
    (TOUR / f"{name}.webp").write_bytes(webp(whole))
    print(f"docs/tour/{name}.webp", flush=True)


def take_hero(browser: Browser, address: str) -> None:
    """The animated image of the README."""
    page = open_page(browser, f"{address}?__theme=light", SHORT)
    size = save_animation(record(page), HERO)
    print(f"{HERO.relative_to(ROOT)}: {size:,} bytes", flush=True)
    page.close()


def take_rounds(browser: Browser, address: str) -> None:
    """The rounds of the first page after a guess: by day, by night and on a phone."""
    ROUNDS.mkdir(exist_ok=True)
    for name, (theme, _) in VIEWS.items():
        shape = PHONE if name == "phone" else LAPTOP
        page = open_page(browser, f"{address}?__theme={theme}", shape)
        ready(page, "odd-one-out")
        page.locator("#odd-one-out .round-pick").nth(2).click()
        expect(page.locator("#odd-one-out .round-result")).to_be_visible()
        page.mouse.move(0, 0)
        save(page.screenshot(), ROUNDS / f"{name}.webp")
        page.close()


def take_panels(browser: Browser, address: str) -> None:
    """What opens on the tabs, by day."""
    PANELS_FOLDER.mkdir(exist_ok=True)
    for name, show in PANELS.items():
        page = open_page(browser, f"{address}?__theme=light", LAPTOP)
        show(page)
        page.mouse.move(0, 0)
        save(page.screenshot(), PANELS_FOLDER / f"{name}.webp", quality=60)
        page.close()


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


def take_corrected(browser: Browser, address: str) -> None:
    """The leaderboard with scores corrected by people: by day, by night and on a phone."""
    CORRECTED.mkdir(exist_ok=True)
    for name, (theme, _) in VIEWS.items():
        query = "tab=leaderboard&board-published=hidden"
        shape = PHONE if name == "phone" else SMALL
        page = open_page(browser, f"{address}?__theme={theme}&{query}", shape)
        ready(page, "board")
        expect(page.locator("#board-figure .bars .point")).to_have_count(len(labeled_board.MODELS))
        page.mouse.move(0, 0)
        page.evaluate("document.querySelector('#board-figure').scrollIntoView(); scrollBy(0, -12)")
        save(page.screenshot(), CORRECTED / f"{name}.webp", quality=40)
        page.close()


def take_labeling(browser: Browser, address: str) -> None:
    """The labeling queue by day and by night, and the page of raters on a phone."""
    LABELING.mkdir(exist_ok=True)
    for name, theme in (("day", "light"), ("night", "dark")):
        page = open_page(browser, f"{address}?tab=people&__theme={theme}", DESK)
        label_queue(page)
        link = page.locator("#queue-link a").get_attribute("href")
        page.locator("h2", has_text="Labeling queue").evaluate("one => one.scrollIntoView()")
        save_labeling(page, name)
        take_label_back(page)
        page.close()
    page = open_page(browser, f"{address}/{link}&__theme=light", PHONE)
    open_rater_page(page)
    save_labeling(page, "phone")
    page.close()


def save_labeling(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    save(page.screenshot(), LABELING / f"{name}.webp", quality=60, most=WIDTH)


def save(png: bytes, file: Path, quality: int = 75, most: int | None = None) -> None:
    """Write a picture; one that is wider than `most` pixels is made as wide as that."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    if most and picture.width > most:
        picture = fit_width(picture, most)
    picture.save(file, quality=quality, method=6)
    print(file.relative_to(ROOT), flush=True)


def fit_width(picture: Image.Image, width: int) -> Image.Image:
    height = round(picture.height * width / picture.width)
    return picture.resize((width, height), Image.Resampling.LANCZOS)


def take_tour(browser: Browser, address: str, names: Sequence[str]) -> None:
    """The tabs and what else one running app shows, in this order."""
    page = open_page(browser, address, SIZE)
    for name in names:
        if name in SCENES:
            SCENES[name](browser, address)
        else:
            take(page, name)


def fill_corrected(folder: Path) -> None:
    store = Store(folder=folder)
    labeled_board.fill(store)
    store.close()


def fill_labeling(folder: Path) -> None:
    """Make a store with a plan of which two raters have labeled a part."""
    services = Services(Store(folder=folder), read_models())
    plan = drawn_plan.draw_plan(services, PLANNED)
    drawn_plan.label_images(services, plan, "Bo", PLANNED)
    drawn_plan.label_images(services, plan, "Cy", PLANNED // 2, wrong_every=3)
    services.store.close()


Take = Callable[[Browser, str], None]
SCENES: dict[str, Take] = {
    "hero": take_hero,
    "rounds": take_rounds,
    "panels": take_panels,
    "truth": take_truth,
}
# what needs a store of its own, filled before the app starts
STORES: dict[str, tuple[Callable[[Path], None], Take]] = {
    "corrected": (fill_corrected, take_corrected),
    "labeling": (fill_labeling, take_labeling),
}


def main(names: list[str]) -> None:
    TOUR.mkdir(exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    names = names or ["hero", *STOPS, "rounds", "panels", "truth", *STORES]
    if shared := [name for name in names if name not in STORES]:
        run(lambda _: None, lambda browser, address: take_tour(browser, address, shared))
    for name in names:
        if name in STORES:
            run(*STORES[name])


def run(fill: Callable[[Path], None], take_all: Take) -> None:
    """Fill a store, start the app on it, and take pictures of it."""
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder))
        with running_app(Path(folder)) as app, chromium() as browser:
            take_all(browser, app.address)


if __name__ == "__main__":
    main(sys.argv[1:])
