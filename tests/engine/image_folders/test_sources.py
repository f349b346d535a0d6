"""A folder, its zip and its table are opened alike."""

from pathlib import Path

import pytest

from bench.support.images import png
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.records import FolderImage
from hallascope.engine.image_folders.sources import open_images
from tests.engine.image_folders.test_archive import zip_folder
from tests.support.image_folders import write, write_geneval, write_table


def test_a_zip_gives_the_same_images_as_its_folder(tmp_path: Path) -> None:
    folder = write_geneval(tmp_path / "images")
    packed = zip_folder(folder, tmp_path / "images.zip", "images/")
    read = []
    for source in (folder, packed):
        with open_images(str(source)) as opened:
            images = [e for e in opened.folder.entries if isinstance(e, FolderImage)]
            read.append([(e.name, e.prompt, e.path.read_bytes()) for e in images])
            assert opened.layout == "geneval"
            assert opened.source == str(source)
    assert read[0] == read[1]
    assert len(read[0]) == 6


def test_a_table_alone_is_opened_with_the_images_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "1.png", png())
    write(tmp_path / "unrelated.png", png())
    table = write_table(tmp_path, [{"prompt": "a cat", "image": "1.png"}]) / "images.csv"
    with open_images(str(table)) as opened:
        assert [entry.name for entry in opened.folder.entries] == ["1.png"]


def test_another_kind_of_archive_is_one_sentence(tmp_path: Path) -> None:
    path = write(tmp_path / "images.tar.gz", "x")
    with pytest.raises(BadRequest, match=r"pack it as a \.zip"), open_images(str(path)):
        pytest.fail("it was opened")
