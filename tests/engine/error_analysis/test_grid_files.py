"""A grid is exported as an image of its cells, and as a page in which every text is escaped."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hallascope.engine.error_analysis.grid import ImageGrid, build_grid
from hallascope.engine.error_analysis.grid_files import export
from hallascope.engine.error_analysis.grid_files.export import read_exported_grid
from hallascope.engine.error_analysis.grid_files.html_page import write_page
from hallascope.engine.error_analysis.grid_files.image import SIZE, draw_grid
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def grid(store: Store) -> ImageGrid:
    red = Said(prompt=EVIL, states=("correct",), run="a")
    keep(store, red)
    keep(store, Said(prompt=EVIL, states=("incorrect",), model="m/two", run="b"))
    path: Path = store.images.thumbnail(red.image)
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (300, 300), "#ff0000").save(path, "WEBP")
    return build_grid(read_judged_images(store, ErrorSelection()).images)


def test_the_image_shows_thumbnails(store: Store, grid: ImageGrid) -> None:
    drawn = draw_grid(read_exported_grid(store, grid, 0))
    pixels = np.asarray(drawn)
    reds = int(((pixels[..., 0] > 240) & (pixels[..., 1:].max(axis=-1) < 20)).sum())
    assert 0.9 * SIZE * SIZE <= reds <= 1.1 * SIZE * SIZE, "one cell has a file"


def test_the_page_escapes_prompts_and_needs_no_other_file(store: Store, grid: ImageGrid) -> None:
    page = write_page(read_exported_grid(store, grid, 0))
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "http" not in page
    assert (page.count("<img "), page.count("not kept here")) == (1, 1)
    assert "1 worse" in page


def test_a_grid_that_is_too_large_is_refused_with_what_to_do(
    store: Store, grid: ImageGrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MOST_CELLS", 1)
    with pytest.raises(BadRequest, match="take the first 1 rows"):
        read_exported_grid(store, grid)
    with pytest.raises(BadRequest, match="The grid is empty"):
        read_exported_grid(store, grid.first_rows(0))
