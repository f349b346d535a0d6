"""A table names prompts and images, and may name model and seed."""

from pathlib import Path

import pytest

from bench.support.images import png
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.layouts import table
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from tests.support.image_folders import write, write_table


def test_models_and_seeds_are_read_and_samples_are_counted_without_seeds(tmp_path: Path) -> None:
    rows = [
        {"Prompt": "a cat", "Image": "x/1.png", "Model": "a", "Seed": "7"},
        {"Prompt": "a cat", "Image": "x/2.png", "Model": "a", "Seed": ""},
        {"Prompt": "a cat", "Image": "x\\3.png", "Model": "a", "Seed": ""},
        {"Prompt": "a cat", "Image": "x/4.png", "Model": "", "Seed": ""},
    ]
    for number in range(1, 6):
        write(tmp_path / "x" / f"{number}.png", png(str(number)))
    matched = table.read(write_table(tmp_path, rows))
    entries = list(matched.entries)
    images = [entry for entry in entries if isinstance(entry, FolderImage)]
    assert [(image.name, image.model, image.sample) for image in images] == [
        ("x/1.png", "a", 7),
        ("x/2.png", "a", 0),
        ("x/3.png", "a", 1),
        ("x/4.png", None, 0),
    ]
    assert (matched.models, matched.lacks_model) == (("a",), True)
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "x/5.png: no row of images.csv names it."
    ]


def test_what_a_row_lacks_is_named_by_its_line(tmp_path: Path) -> None:
    write(tmp_path / "folder" / "1.png", png())
    write(tmp_path / "2.png", png())
    rows = [
        {"prompt": "", "image": "1.png", "seed": ""},
        {"prompt": "a cat", "image": "../2.png", "seed": ""},
        {"prompt": "a cat", "image": "9.png", "seed": ""},
        {"prompt": "a cat", "image": "1.png", "seed": "-1"},
        {"prompt": "a cat", "image": "1.png", "seed": "3"},
    ]
    path = write_table(tmp_path / "folder", rows) / "images.csv"
    entries = list(table.read_table(path).entries)
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "images.csv, row 2: the prompt is empty.",
        "images.csv, row 3: '../2.png': the path leads out of the folder: give it relative to the"
        " table.",
        "images.csv, row 4: '9.png': the image is not there.",
        "images.csv, row 5: the seed '-1' is no whole number from 0 to 2**63 - 1.",
    ]
    assert len(entries) == 5


def test_several_tables_or_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="no table with the columns prompt and image"):
        table.read(tmp_path)
    for name in ("a.csv", "b.csv"):
        write_table(tmp_path, [{"prompt": "a cat", "image": "1.png"}], name)
    with pytest.raises(BadRequest, match=r"a\.csv, b\.csv"):
        table.read(tmp_path)
