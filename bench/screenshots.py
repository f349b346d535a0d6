"""Makes the images of README and docs: ``python -m bench.screenshots [NAME ...]``.

A name is `hero`, a tab, `panels`, `rounds`, `truth`, `corrected`, `labeling-desk` or
`contact-sheet`; without one it makes all. They come from the running app and the embedded models;
those of corrected scores are of a simulated judge and simulated people.
"""

import io
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from bench.measuring import launch
from bench.tour import (
    PANELS,
    STOPS,
    await_run,
    label_queue,
    open_rater_page,
    prepare_run,
    show_corrected,
    show_round,
    show_wrong_verdict,
)
from hallascope.data.models.specs import read_models
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services, create_services
from hallascope.engine.sheets.contact_sheet import (
    SheetBlock,
    draw_pictures,
    draw_sheet,
    sample_evenly,
)
from hallascope.engine.storage.store import Store
from hallascope.primer import scenes
from tests.support import drawn_plan, labeled_board
from tests.support.browser import chromium
from tests.support.shipped_app import PATIENCE, ROOT, running_app

DOCS = ROOT / "docs"
LIGHT = "?__theme=light"
PHONE: ViewportSize = {"width": 390, "height": 844}
SIZE: ViewportSize = {"width": 1440, "height": 1100}
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
SMALL: ViewportSize = {"width": 1024, "height": 1150}
SHORT: ViewportSize = {"width": 1200, "height": 700}
DESK: ViewportSize = {"width": 1440, "height": 1900}
PLANNED = 40  # prompts of the plan of which the images of labeling show a part
WIDTH, HEIGHT, MOST = 1200, 1400, 90_000  # pixels across and down, and bytes at most
HERO = "three red circles and a blue square"
HERO_MODELS = ("primer/exact", "primer/hasty", "primer/careless")
SHARED = (*STOPS, "panels", "hero")  # what one running app shows
HERO_WIDTH, HERO_MOST = 1000, 390_000
COMPARED = ("primer/exact", "primer/careless", "primer/diffusion-small", "primer/diffusion-tiny")
CONTACT_SHEET = "contact-sheet"
Frame = tuple[bytes, int]  # a screenshot as PNG, and for how many milliseconds it is shown


@dataclass(frozen=True)
class Scene:
    """Is what is shown in `views` (day, night, phone), on a store that `fill` has filled."""

    show: Callable[[Page], None]
    size: ViewportSize
    query: str = ""
    fill: Callable[[Path], None] = lambda folder: None
    show_on_phone: Callable[[Page], None] | None = None
    views: tuple[str, ...] = ("day",)

    def take(self, browser: Browser, address: str, folder: Path) -> None:
        """Take each of them."""
        for name in self.views:
            theme = "dark" if name == "night" else "light"
            size = PHONE if name == "phone" else self.size
            page = open_page(browser, f"{address}?__theme={theme}&{self.query}", size)
            show = self.show_on_phone if name == "phone" and self.show_on_phone else self.show
            save(page, show, folder / f"{name}.webp")
            page.close()


def open_page(browser: Browser, address: str, size: ViewportSize) -> Page:
    page = browser.new_page(viewport=size, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


def save(page: Page, show: Callable[[Page], None], file: Path, *, whole: bool = False) -> None:
    """Write what a page shows, as wide as a column and as good as fits; `whole`: all of it.

    Raises ValueError where nothing fits.
    """
    show(page)
    page.mouse.move(0, 0)
    if whole:
        page.evaluate("window.scrollTo(0, 0)")
    image = fitted(page.screenshot(full_page=whole), WIDTH)
    shown = image.crop((0, 0, image.width, min(image.height, HEIGHT)))
    write_fitting(shown, file, MOST)


def write_fitting(image: Image.Image, file: Path, most: int, **options: Any) -> int:
    """Write a WebP file of `most` bytes at most, as good as fits; return its bytes.

    Raises ValueError where nothing fits.
    """
    for quality in (85, 75, 65, 50, 40, 30):
        image.save(made := io.BytesIO(), "WEBP", quality=quality, method=6, **options)
        if made.tell() <= most:
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(made.getvalue())
            print(f"{file}: {made.tell():,} bytes", flush=True)
            return made.tell()
    raise ValueError(f"{file.name} takes more than {most:,} bytes: show less on it.")


def fitted(png: bytes, width: int) -> Image.Image:
    """Return an image that is at most so wide."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.thumbnail((width, 10 * image.height), Image.Resampling.LANCZOS)
    return image


# --- the animated image of the README ---


def record(page: Page) -> list[Frame]:
    """Do what a visitor does on an opened dashboard, and return the frames.

    Some readers see only the first frame, so it is the last view: the judge's verdicts with what
    was drawn, and the one that is wrong says so.
    """

    def shoot(milliseconds: int, selector: str) -> Frame:
        page.mouse.move(0, 0)
        page.locator(selector).evaluate("one => { one.scrollIntoView(); scrollBy(0, -12) }")
        return page.screenshot(), milliseconds

    prepare_run(page, HERO_MODELS, seed=9)
    frames = []
    for end in range(5, len(HERO) + 5, 5):
        page.locator("#prompt input").fill(HERO[:end])
        frames.append(shoot(100, "#prompt"))
    page.locator("#generate").click()
    for number in range(1, 6):
        answers = page.locator("#cards .sign:not(.waiting)")
        answers.nth(number * len(HERO_MODELS) - 1).wait_for()
        frames.append(shoot(180, "#cards"))
    await_run(page, HERO, HERO_MODELS)
    frames.append(shoot(1100, "#cards"))
    heading = page.get_by_role("heading", name="careless", exact=True)
    page.locator("#cards .tile", has=heading).click()
    expect(page.locator("#evidence .which")).to_have_text("careless")
    frames.append(shoot(500, "#evidence"))
    wrong = page.locator("#evidence .question", has_text="the judge is wrong").first
    wrong.locator(".question-title").click()
    last, _ = shoot(0, "#evidence")
    return [(last, 900), *frames, (last, 2000)]


def save_animation(frames: Sequence[Frame], file: Path) -> int:
    """Write the frames as an animated WebP that repeats, as good as fits; return its bytes.

    Raises ValueError where nothing fits.
    """
    images = [fitted(png, HERO_WIDTH) for png, _ in frames]
    return write_fitting(
        images[0],
        file,
        HERO_MOST,
        save_all=True,
        append_images=images[1:],
        duration=[milliseconds for _, milliseconds in frames],
        loop=0,
        minimize_size=True,
    )


# --- stores and scenes ---


def fill_corrected(folder: Path) -> None:
    with closing(Store(folder=folder)) as store:
        labeled_board.fill(store)


def fill_labeling(folder: Path) -> None:
    """Make a store with a plan of which two raters have labeled a part."""
    with closing(Store(folder=folder)) as store:
        services = Services(store, read_models())
        plan = drawn_plan.draw_plan(services, PLANNED)
        drawn_plan.label_images(services, plan, "Bo", PLANNED)
        drawn_plan.label_images(services, plan, "Cy", PLANNED // 2, wrong_every=3)


SCENES: Mapping[str, Scene] = {
    "rounds": Scene(show_round, LAPTOP),
    "truth": Scene(show_wrong_verdict, SIZE),
    "corrected": Scene(show_corrected, SMALL, "tab=leaderboard", fill_corrected),
    "labeling-desk": Scene(
        label_queue,
        DESK,
        "tab=trust&part=labels",
        fill_labeling,
        open_rater_page,
        ("day", "night", "phone"),
    ),
}


def take_shared(browser: Browser, address: str, names: Sequence[str]) -> None:
    """Take the tabs, the panels and the hero, which one running app shows in this order."""
    page = open_page(browser, address, SIZE)
    for name in (name for name in STOPS if name in names):
        save(page, STOPS[name], DOCS / "tour" / f"{name}.webp", whole=True)
    page.close()
    for name, show in PANELS.items() if "panels" in names else ():
        page = open_page(browser, address + LIGHT, LAPTOP)
        save(page, show, DOCS / "panels" / f"{name}.webp")
        page.close()
    if "hero" in names:
        page = open_page(browser, address + LIGHT, SHORT)
        save_animation(record(page), DOCS / "hero.webp")
        page.close()


def draw_contact_sheet(file: Path) -> None:
    """Write what several models make of the same prompts, drawn side by side below each prompt."""
    services = create_services()
    blocks = [
        SheetBlock(prompt, tuple(draw_pictures(services, COMPARED, prompt).values()))
        for prompt in sample_evenly(scenes.benchmark(), 64)
    ]
    names = ", ".join(model.removeprefix("primer/") for model in COMPARED)
    draw_sheet(blocks, 4, 88, 11, heading=f"From left to right: {names}").save(file)


def main(names: Annotated[list[str] | None, typer.Argument(help="Make these.")] = None) -> None:
    expect.set_options(timeout=PATIENCE)
    known = [*SHARED, *SCENES, CONTACT_SHEET]
    wanted = names or known
    if unknown := [name for name in wanted if name not in known]:
        raise BadRequest(f"There is no image {unknown[0]!r}: choose one of {', '.join(known)}.")
    if CONTACT_SHEET in wanted:
        draw_contact_sheet(DOCS / "contact-sheet.webp")
    fills = {"": Scene.fill} if {*SHARED} & {*wanted} else {}
    fills |= {name: SCENES[name].fill for name in wanted if name in SCENES}
    for name, fill in fills.items():
        with tempfile.TemporaryDirectory() as folder:
            fill(Path(folder))
            with running_app(Path(folder)) as app, chromium() as browser:
                if name:
                    SCENES[name].take(browser, app.address, DOCS / name)
                else:
                    take_shared(browser, app.address, wanted)


if __name__ == "__main__":
    launch(main)
