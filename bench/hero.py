"""Records the animated image of the README: a prompt, its images, and a verdict beside the truth.

``python -m bench.screenshots hero`` opens the running app and calls `record`. Some readers see only
the first frame, so it is the last view: the judge's verdicts with what was drawn, and the one that
is wrong says so.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Page, expect

from bench.tour import await_run, prepare_run

PROMPT, SEED = "three red circles and a blue square", 9
MODELS = ("primer/exact", "primer/hasty", "primer/careless")
TILE = "careless"  # the image of which the judge gets one question wrong
WIDTH, HEAVIEST = 1000, 390_000  # pixels across, bytes at most
# milliseconds of each scene
POSTER, TYPING, RUNNING, CARDS, EVIDENCE, LIT = 900, 900, 900, 1100, 500, 2000
LETTERS_A_FRAME = 5


class Frame(NamedTuple):
    """A screenshot as PNG and for how many milliseconds it is shown."""

    png: bytes
    duration: int


def record(page: Page) -> list[Frame]:
    """Do what a visitor does on an opened dashboard, and return the frames."""
    prepare_run(page, MODELS, SEED)
    page.evaluate("scrollTo(0, 0)")
    frames = [*_type(page), *_run(page)]
    page.locator("#cards .tile").first.wait_for()
    _show(page, "#cards")
    frames.append(Frame(page.screenshot(), CARDS))
    tile = page.locator("#cards .tile", has=page.get_by_role("heading", name=TILE, exact=True))
    tile.click()
    expect(page.locator("#evidence .which")).to_have_text(TILE)
    page.mouse.move(0, 0)
    _show(page, "#evidence")
    frames.append(Frame(page.screenshot(), EVIDENCE))
    wrong = page.locator("#evidence .question", has_text="the judge is wrong").first
    wrong.locator(".question-title").click()
    page.mouse.move(0, 0)
    _show(page, "#evidence")
    last = page.screenshot()
    return [Frame(last, POSTER), *frames, Frame(last, LIT)]


def save_animation(frames: Sequence[Frame], file: Path) -> int:
    """Write the frames as an animated WebP that repeats, as good as fits; return its bytes.

    Raises ValueError where nothing fits.
    """
    images = [_fit(frame.png) for frame in frames]
    for quality in (80, 70, 60, 50, 40, 30):
        images[0].save(
            made := io.BytesIO(),
            "WEBP",
            save_all=True,
            append_images=images[1:],
            duration=[frame.duration for frame in frames],
            loop=0,
            quality=quality,
            method=6,
            minimize_size=True,
        )
        if made.tell() <= HEAVIEST:
            file.write_bytes(made.getvalue())
            return made.tell()
    raise ValueError(f"{len(frames)} frames take more than {HEAVIEST:,} bytes: record fewer.")


def _type(page: Page) -> list[Frame]:
    field = page.locator("#prompt input")
    ends = [*range(0, len(PROMPT), LETTERS_A_FRAME), len(PROMPT)]
    frames = []
    for end in ends:
        field.fill(PROMPT[:end])
        frames.append(Frame(page.screenshot(), TYPING // len(ends)))
    return frames


def _run(page: Page) -> list[Frame]:
    """Press Generate, and take a frame of each state of the cards until all are judged."""
    page.locator("#go").click()
    page.locator("#cards .tile").first.wait_for()
    _show(page, "#cards")
    shots: list[bytes] = []
    while page.locator("#cards .sign:not(.waiting)").count() < 5 * len(MODELS):
        shot = page.screenshot()
        if not shots or shot != shots[-1]:
            shots.append(shot)
    await_run(page, PROMPT, MODELS)
    return [Frame(shot, RUNNING // len(shots)) for shot in shots]


def _show(page: Page, selector: str) -> None:
    """Bring a part of the page to the upper edge."""
    page.locator(selector).evaluate("one => { one.scrollIntoView(); scrollBy(0, -12) }")


def _fit(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    height = round(image.height * WIDTH / image.width)
    return image.resize((WIDTH, height), Image.Resampling.LANCZOS)
