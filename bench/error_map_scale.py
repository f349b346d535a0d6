"""Measures the map of the Errors tab with many images: ``python -m bench.error_map_scale``.

It is a part of ``make bench``: how much longer the tab takes to open with 20,000 judged images than
with 200. Exit code 1 where the bound is missed. The images are copies of one evaluation with scores
and vectors by chance.
"""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Browser, expect

from bench import big_store
from bench.measuring import Row, finish, launch, ratio_row, seconds
from hallascope.data.models.specs import read_models
from hallascope.engine.error_analysis.error_map.clusters import cluster_images
from hallascope.engine.error_analysis.error_map.embeddings import bind_embedder, embedder_key
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.browser import chromium
from tests.support.shipped_app import PATIENCE, running_app

FEW, MANY = 200, 20_000
MOST_LONGER = 3.0
OPENINGS = 3
DIMENSIONS, CLUSTERS = 256, 12


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
    """Fill two stores, and open the tab with each."""
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many:
        fill(Path(few), FEW)
        fill(Path(many), images)
        with chromium() as browser:
            short = opening_seconds(browser, Path(few), FEW)
            long = opening_seconds(browser, Path(many), images)
    opening = f"opening the map at {images:,} images, to at {FEW:,}"
    yield ratio_row(opening, [(long, short)], MOST_LONGER)


def opening_seconds(browser: Browser, folder: Path, images: int) -> float:
    """Return the seconds until the map is drawn."""
    with running_app(folder) as app:
        open_map = partial(_open, browser, app.address, images)
        open_map()  # computes the layout, which is kept
        return median(seconds(open_map) for _ in range(OPENINGS))


def _open(browser: Browser, address: str, images: int) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 1100}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}?tab=errors&part=map")
    words = page.locator(".map-words")
    expect(words).to_contain_text(f"{images:,} images as points", timeout=PATIENCE)
    chosen = page.locator("#errors-summary")
    expect(chosen).to_contain_text(f"{images:,} judged images", timeout=PATIENCE)
    legend = page.locator("#errors-map-plot .js-plotly-plot .legendtext")
    expect(legend.first).to_be_visible(timeout=PATIENCE)
    page.close()


def main(images: int = MANY) -> None:
    finish(measure(images))


if __name__ == "__main__":
    launch(main)
