"""Images that are numbered by the rows of a list get the prompts of these rows."""

from pathlib import Path

import pytest

from bench.support.images import png
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.layouts import drawbench
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from tests.support.image_folders import PROMPTS, write, write_drawbench


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("samples", [1, 2])
def test_rows_are_counted_from_the_first_number(first: int, samples: int, tmp_path: Path) -> None:
    matched = drawbench.read(write_drawbench(tmp_path, first=first, samples=samples))
    images = [entry for entry in matched.entries if isinstance(entry, FolderImage)]
    assert [(image.prompt, image.sample) for image in images] == [
        (prompt, sample) for prompt in PROMPTS for sample in range(samples)
    ]
    assert f"counted from {first}" in matched.note


def test_a_row_that_cannot_be_read_keeps_its_place(tmp_path: Path) -> None:
    prompts = write(tmp_path / "prompts.csv", "prompt,category\na cat,x\n,x\na dog,x\na bird,x\n")
    for row in (0, 1, 2, 9):
        write(tmp_path / "images" / f"{row}.png", png())
    write(tmp_path / "images" / "cover.png", png())
    entries = list(drawbench.read(tmp_path / "images", prompts).entries)
    images = [entry for entry in entries if isinstance(entry, FolderImage)]
    assert [(image.name, image.prompt) for image in images] == [
        ("0.png", "a cat"),
        ("2.png", "a dog"),
    ]
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "prompts.csv, row 3: the field 'prompt' is empty.",
        "cover.png: the name is not the number of a row.",
        "1.png: prompts.csv has no prompt 1, counted from 0.",
        "9.png: prompts.csv has no prompt 9, counted from 0.",
        "prompts.csv: no image belongs to 1 of its prompts (3).",
    ]


def test_several_lists_or_none_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "0.png", png())
    with pytest.raises(BadRequest, match="holds no list of prompts"):
        drawbench.read(tmp_path)
    write(tmp_path / "a.txt", "a cat")
    write(tmp_path / "b.txt", "a dog")
    with pytest.raises(BadRequest, match=r"a\.txt, b\.txt"):
        drawbench.read(tmp_path)
