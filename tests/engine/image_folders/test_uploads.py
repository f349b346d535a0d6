"""What is dropped on the page is a zip, or a table with its images."""

from pathlib import Path

import pytest

from bench.support.images import png
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.records import FolderImage
from hallascope.engine.image_folders.uploads import open_dropped
from tests.engine.image_folders.test_archive import zip_folder
from tests.support.image_folders import write, write_geneval, write_table


def test_a_zip_is_opened_in_its_layout(tmp_path: Path) -> None:
    folder = write_geneval(tmp_path / "images")
    with open_dropped([zip_folder(folder, tmp_path / "images.zip")]) as opened:
        assert (opened.layout, opened.source) == ("geneval", "dropped images.zip")
        assert len([e for e in opened.folder.entries if isinstance(e, FolderImage)]) == 6


def test_a_table_finds_its_images_wherever_each_of_them_lies(tmp_path: Path) -> None:
    first = write(tmp_path / "a" / "1.png", png("a"))
    second = write(tmp_path / "b" / "2.png", png("b"))
    rows = [{"prompt": "a cat", "image": "1.png"}, {"prompt": "a dog", "image": "2.png"}]
    table = write_table(tmp_path / "c", rows) / "images.csv"
    with open_dropped([first, table, second]) as opened:
        images = [e for e in opened.folder.entries if isinstance(e, FolderImage)]
        assert [(e.prompt, e.path.read_bytes()) for e in images] == [
            ("a cat", png("a")),
            ("a dog", png("b")),
        ]
    assert first.read_bytes() == png("a")


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["1.png"], "drop a .zip of them"),
        (["a/images.csv"], "drop a .zip of them"),
        (["a/images.csv", "b/images.csv", "1.png"], "drop a .zip of them"),
        (["a.zip", "b.zip"], "A .zip is judged alone"),
        (["a/images.csv", "a/1.png", "b/1.png"], "Two files are named '1.png'"),
    ],
)
def test_what_cannot_be_opened_is_one_sentence(
    names: list[str], reason: str, tmp_path: Path
) -> None:
    files = [write(tmp_path / name, "prompt,image\na cat,1.png\n") for name in names]
    with pytest.raises(BadRequest, match=reason), open_dropped(files):
        pytest.fail("it was opened")
