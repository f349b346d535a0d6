"""Images outside the style are the same for a seed, and none that is measured is learned from."""

import csv
import json
import random
import tarfile
from contextlib import nullcontext
from pathlib import Path

import pytest
from PIL import Image

from bench.style_trial import OTHER_STYLES, OUTSIDE, measure
from hallascope.backends import domain
from training import packages
from training.style_images import change_file, paint


def test_images_that_are_painted_are_those_of_their_seed() -> None:
    seeds = [*range(8), *range(8)]
    images = [paint(random.Random(seed)).tobytes() for seed in seeds]
    assert images[:8] == images[8:]
    assert len(set(images)) == 8


def test_a_changed_file_is_the_same_for_a_seed_and_keeps_its_bounds() -> None:
    image = Image.linear_gradient("L").resize((512, 512)).convert("RGB")
    for seed in range(12):
        changed, again = (change_file(image, random.Random(seed)) for _ in range(2))
        assert changed.tobytes() == again.tobytes()
        assert 128 <= max(changed.size) <= 1024
        assert 0.85 < changed.width / changed.height < 1.18, "a slight crop"


def test_no_package_that_is_measured_or_sets_the_limit_is_learned_from() -> None:
    with (OTHER_STYLES / "sources.csv").open(encoding="utf-8", newline="") as file:
        measured = {row["package"] for row in csv.DictReader(file)}
    assert not measured & {*packages.LEARNED, *packages.VALIDATED}
    assert not {*packages.LEARNED} & {*packages.VALIDATED}


def test_a_package_is_there_only_when_all_of_it_is_unpacked(tmp_path: Path) -> None:
    icons: dict[str, dict[str, dict[str, str]]] = {"icons": {"a": {"body": "<g/>"}, "b": {}}}
    for body in ({}, {"body": "<g/>"}):
        icons["icons"]["b"] = body
        (folder := tmp_path / "package").mkdir(exist_ok=True)
        (folder / "icons.json").write_text(json.dumps(icons))
        with tarfile.open(tmp_path / "pack.tgz", "w:gz") as archive:
            archive.add(folder, "package")
        with nullcontext() if body else pytest.raises(KeyError):
            packages.unpack_icons(tmp_path / "pack.tgz", tmp_path / "icons")
        assert (tmp_path / "icons").exists() == bool(body)
    assert {file.name for file in (tmp_path / "icons").iterdir()} == {"a.svg", "b.svg"}


@pytest.mark.full
def test_the_detector_refuses_most_other_images_and_hardly_any_in_the_style() -> None:
    sorts = measure(domain.load_detector().accepts, drawings=65)
    assert sorts[OUTSIDE]["images"].sum() == 544
    for kinds in sorts.values():
        assert kinds["wrong"].sum() <= 0.01 * kinds["images"].sum(), kinds
