"""Files are listed in the order of their names, and nothing leads out of the folder."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.support.images import png
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.folder_files import LeavesFolder, find_within, walk_files
from hallascope.engine.image_folders.records import UnmatchedFile
from tests.support.image_folders import write


def test_images_are_listed_by_name_and_others_are_left_aside(tmp_path: Path) -> None:
    for name in ("b/2.png", "b/1.JPG", "a.webp", "notes.txt", ".hidden/3.png", "__MACOSX/4.png"):
        write(tmp_path / name, png())
    listed = [file for file in walk_files(tmp_path) if isinstance(file, Path)]
    assert [file.relative_to(tmp_path).as_posix() for file in listed] == [
        "a.webp",
        "b/1.JPG",
        "b/2.png",
    ]


def test_links_are_named_and_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "secret.png", png())
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "image.png").symlink_to(outside)
    (inside / "folder").symlink_to(outside.parent)
    listed = list(walk_files(inside))
    assert all(isinstance(entry, UnmatchedFile) for entry in listed)
    assert {entry.name for entry in listed if isinstance(entry, UnmatchedFile)} == {
        "image.png",
        "folder",
    }


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="cannot be read"):
        list(walk_files(tmp_path / "missing"))


@pytest.mark.parametrize(
    "named",
    ["../secret.png", "/etc/passwd", "C:\\secret.png", "a/../../secret.png", "..\\secret.png", ""],
)
def test_a_path_that_leads_out_of_the_folder_is_refused(named: str, tmp_path: Path) -> None:
    write(tmp_path / "secret.png", png())
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(LeavesFolder):
        find_within(folder, named)


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    outside = write(tmp_path / "secret.png", png())
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "image.png").symlink_to(outside)
    with pytest.raises(LeavesFolder, match="leads out of the folder"):
        find_within(folder, "image.png")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(named=st.text(alphabet=st.sampled_from("ab./\\ :\0~\n"), max_size=12))
def test_no_path_leads_out_of_the_folder(named: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write(folder / "a" / "b", b"")
    write(tmp_path / "ab", b"")
    try:
        found = find_within(folder, named)
    except LeavesFolder:
        return
    assert found.resolve().is_relative_to(folder.resolve())
