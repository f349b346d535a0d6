"""Measures the map of the Errors tab with many images: ``python -m bench.error_map_scale``.

It is a part of ``make bench``: how much longer the tab takes to open with 20,000 judged images than
with 200, and how much script a selection takes until the gallery shows it. Exit code 1 where a
bound is missed. The images are copies of one evaluation with scores and vectors by chance.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

import numpy as np
from playwright.sync_api import Browser, CDPSession, Page, expect

from bench import big_store
from bench.measuring import Row, finish, launch, ratio_row
from hallascope.data.models.specs import read_models
from hallascope.engine.error_analysis.error_map.clusters import cluster_images
from hallascope.engine.error_analysis.error_map.embeddings import bind_embedder, embedder_key
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.browser import chromium
from tests.support.shipped_app import PATIENCE, running_app

FEW, MANY = 200, 20_000
MOST_LONGER = 3.0
FRAME = 16.0  # ms
OPENINGS, SELECTIONS = 3, 40
DIMENSIONS, CLUSTERS = 256, 12
# Drag a lasso with a corner every six degrees, all but its end.
LASSO = """([across, down, radius]) => {
  const stage = document.querySelector(".map-stage");
  const { left, top, width, height } = stage.getBoundingClientRect();
  stage.setPointerCapture = () => {};
  const send = (name, x, y) => stage.dispatchEvent(new PointerEvent(name, {
    bubbles: true, pointerId: 1, button: 0, clientX: left + x, clientY: top + y,
  }));
  const spot = (step) => [
    (across + radius * Math.cos(step / 9.55)) * width,
    (down + radius * Math.sin(step / 9.55)) * height,
  ];
  send("pointerdown", ...spot(0));
  for (let step = 1; step < 60; step += 1) send("pointermove", ...spot(step));
  window.endLasso = () => send("pointerup", ...spot(60));
}"""
# Wait until the gallery shows its first image, in the page itself: what looks from outside runs
# script of its own there. False where the lasso selected nothing.
GALLERY = """() => new Promise((resolve) => {
  if (!/^[1-9]/.test(document.querySelector(".map-status").textContent)) return resolve(false);
  const gallery = document.querySelector("#errors-map-gallery");
  const isShown = () => gallery.querySelector("[data-index='0'] .cell-frame");
  if (isShown()) return resolve(true);
  const observer = new MutationObserver(() => {
    if (!isShown()) return;
    observer.disconnect();
    resolve(true);
  });
  observer.observe(gallery, { childList: true, subtree: true });
})"""


# ms of the script's own time that each selection took: the script at the end of the lasso, and all
# script of the page until the gallery names the images and shows the first of them
SelectionTimes = tuple[list[float], list[float]]


def fill(folder: Path, images: int) -> None:
    """Make a store with so many judged images and their vectors."""
    big_store.fill(folder, images, ("ihalla",))
    services = Services(Store(folder=folder), read_models())
    chance = np.random.default_rng(0)
    middles = chance.normal(size=(CLUSTERS, DIMENSIONS)) * 2
    vectors = {
        f"{number:064x}": middles[number % CLUSTERS] + chance.normal(size=DIMENSIONS)
        for number in range(1, images)
    }
    first = services.view(services.store.runs()[0].id).shots[0].image
    vectors[str(first)] = middles[0]
    key = embedder_key(bind_embedder(services))
    services.store.embeddings.add(key, vectors)
    cluster_images(services.store, key)
    services.store.close()


def measure(images: int) -> Iterator[Row]:
    """Fill two stores, open the tab with each, and select images in the large one."""
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many:
        fill(Path(few), FEW)
        fill(Path(many), images)
        with chromium() as browser:
            short, _ = _times(browser, Path(few), FEW, selections=0)
            long, (own, whole) = _times(browser, Path(many), images, selections=SELECTIONS)
    opening = f"opening the map at {images:,} images, to at {FEW:,}"
    yield ratio_row(opening, [(long, short)], MOST_LONGER)
    for what, times in (
        ("the map's script of a selection", own),
        ("all script from a selection to the gallery", whole),
    ):
        slow = quantiles(times, n=20)[-1]
        words = f"median {median(times):.1f} ms, 95 % within {slow:.1f} ms"
        yield Row(what, words, f"95 % within a frame of {FRAME:g} ms", slow <= FRAME)


def _times(
    browser: Browser, folder: Path, images: int, selections: int
) -> tuple[float, SelectionTimes]:
    """Return the seconds until the map is drawn, and what selections take."""
    with running_app(folder) as app:
        _open(browser, app.address, images).close()  # computes the layout, which is kept
        seconds = []
        for _ in range(OPENINGS):
            began = time.perf_counter()
            page = _open(browser, app.address, images)
            seconds.append(time.perf_counter() - began)
            page.close()
        page = _open(browser, app.address, images)
        times = _select(page, selections)
        page.close()
    return median(seconds), times


def _open(browser: Browser, address: str, images: int) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 1100}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}?tab=errors&part=map")
    words = page.locator(".map-words")
    expect(words).to_contain_text(f"{images:,} images as points", timeout=PATIENCE)
    chosen = page.locator(".selection-summary")
    expect(chosen).to_contain_text(f"{images:,} judged images", timeout=PATIENCE)
    expect(page.locator("[data-drawn] .map-legend button").first).to_be_visible(timeout=PATIENCE)
    return page


def _select(page: Page, selections: int) -> SelectionTimes:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    chance = np.random.default_rng(0)
    owns: list[float] = []
    wholes: list[float] = []
    while len(owns) < selections:
        lasso = [*chance.uniform(0.3, 0.7, 2).tolist(), float(chance.uniform(0.05, 0.2))]
        page.evaluate(LASSO, lasso)
        before = _script(session)
        page.evaluate("() => window.endLasso()")
        own = _script(session) - before
        if page.evaluate(GALLERY):  # else no point lies there
            owns.append(own)
            wholes.append(_script(session) - before)
    return owns, wholes


def _script(session: CDPSession) -> float:
    """Return the ms of script that the page has run so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(1000 * float(row["value"]) for row in metrics if row["name"] == "ScriptDuration")


def main(images: int = MANY) -> None:
    finish(measure(images))


if __name__ == "__main__":
    launch(main)
