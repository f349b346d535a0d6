"""A picture is kept whole, and one whose file was changed is reported and left out."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.data.models.specs import read_models
from hallascope.engine.events import Evaluated, PictureFailed
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.fig_run import FIG, sees
from tests.support.images import png
from tests.support.vision_metric import models


def run(store: Store, script: Any = sees) -> tuple[Services, list[Any]]:
    services = Services(store, read_models(), models(script))
    return services, list(services.evaluate(FIG))


@pytest.mark.parametrize("change", ["another image", "cut in half"])
def test_a_picture_whose_file_was_changed_is_reported_and_left_out_until_it_is_made_anew(
    store: Store, change: str, tmp_path: Path
) -> None:
    services, events = run(store)
    (run_id,) = [record.id for record in services.store.runs()]
    (path,) = [shot.path for shot in store.generated_pictures(run_id) if shot.path]
    whole = path.read_bytes()
    path.write_bytes(png("other") if change == "another image" else whole[: len(whole) // 2])

    _, events = run(store)
    (failed,) = [event for event in events if isinstance(event, PictureFailed)]
    assert failed.shot.failure is not None
    assert "does not hold the image it is named by" in failed.shot.failure.message
    assert str(tmp_path) not in failed.shot.failure.message
    assert not [event for event in events if isinstance(event, Evaluated)]
    assert events[-1].failures == 1

    source = ExportSource(services=services, runs=[run_id], images=True)
    written = export(source, "jsonl", tmp_path / "out")
    assert (written.images, len(written.missing)) == (0, 1)

    path.unlink()
    _, events = run(store)
    assert [event for event in events if isinstance(event, Evaluated)]
    assert path.read_bytes() == whole


def test_a_thumbnail_is_rendered_when_somebody_looks_at_it(store: Store) -> None:
    image = store.keep_image(png("red", size=500))
    small = store.images.thumbnail(image.sha256)
    assert small is not None
    assert not small.exists()
    assert store.images.render_thumbnail(image.sha256) == small
    with Image.open(small) as opened:
        assert (opened.format, opened.size) == ("WEBP", (384, 384))
    image.path.write_bytes(b"cut")
    small.unlink()
    assert store.images.render_thumbnail(image.sha256) is None
    image.path.unlink()
    assert store.images.thumbnail(image.sha256) is None


@pytest.mark.parametrize("damage", ["no chunks", "cut", "another byte"])
def test_what_is_no_whole_image_is_refused_where_it_is_kept(store: Store, damage: str) -> None:
    whole = png("red")
    middle = len(whole) // 2
    data = {
        "no chunks": b"\x89PNG\r\n\x1a\n" + b"junk, IEND, junk",
        "cut": whole[:middle],
        "another byte": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    }[damage]
    with pytest.raises(ValueError, match=r"PNG: fix"):
        store.keep_image(data)
