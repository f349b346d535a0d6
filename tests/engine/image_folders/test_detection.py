"""A folder is read by the layout it has, and refused in one sentence where it has none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.detection import open_folder
from hallascope.engine.image_folders.records import FolderImage
from tests.support import image_folders
from tests.support.image_folders import PROMPTS, drawing, write, write_table


def write_images_table(root: Path) -> Path:
    for index, prompt in enumerate(PROMPTS):
        write(root / f"{index}.png", drawing(prompt))
    rows = [{"prompt": prompt, "image": f"{index}.png"} for index, prompt in enumerate(PROMPTS)]
    return write_table(root, rows)


BUILDERS: dict[str, Callable[[Path], Path]] = {
    "ihalla": image_folders.write_ihalla,
    "factualbench": image_folders.write_factualbench,
    "t2i-compbench": image_folders.write_compbench,
    "geneval": image_folders.write_geneval,
    "drawbench": image_folders.write_drawbench,
    "csv": write_images_table,
}


@pytest.mark.parametrize("layout", BUILDERS)
def test_every_published_layout_is_detected_and_gives_every_prompt(
    layout: str, tmp_path: Path
) -> None:
    folder = BUILDERS[layout](tmp_path / "images")
    opened = open_folder(folder)
    images = [entry for entry in opened.folder.entries if isinstance(entry, FolderImage)]
    assert (opened.layout, opened.detected) == (layout, True)
    assert {image.prompt for image in images} == set(PROMPTS)
    assert all((folder / image.name).read_bytes() for image in images)
    named = open_folder(folder, layout)
    assert not named.detected
    assert [entry for entry in named.folder.entries if isinstance(entry, FolderImage)] == images


@pytest.mark.parametrize("names", [(), ("cat.png", "dog.png")])
def test_a_folder_of_no_layout_is_refused_and_says_what_to_do(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    for name in names:
        write(tmp_path / name, drawing(PROMPTS[0]))
    with pytest.raises(BadRequest, match="write a table with the columns prompt and image"):
        open_folder(tmp_path)


@pytest.mark.parametrize(
    ("name", "layout", "prompts", "reason"),
    [
        ("missing", None, None, "There is no folder"),
        (".", "imagenet", None, "There is no layout 'imagenet'"),
        (".", None, "missing.csv", "There is no file"),
        ("notes.txt", None, None, "no folder, no .zip and no table"),
        ("images.csv", "geneval", None, "take no other layout than csv"),
    ],
)
def test_what_cannot_be_opened_is_one_sentence(
    name: str, layout: str | None, prompts: str | None, reason: str, tmp_path: Path
) -> None:
    write(tmp_path / "notes.txt", "a cat")
    write_images_table(tmp_path)
    with pytest.raises(BadRequest, match=reason):
        open_folder(tmp_path / name, layout, tmp_path / prompts if prompts else None)
