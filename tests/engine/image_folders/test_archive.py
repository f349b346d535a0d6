"""A folder, its zip, its table and what is dropped on the page are opened alike; a zip that would
do harm is refused, and nothing leads out of the folder.
"""

import io
import stat
import struct
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders import archive
from hallascope.engine.image_folders.archive import BadArchive, unpacked
from hallascope.engine.image_folders.folder_files import (
    LeavesFolder,
    find_within,
    walk_files,
)
from hallascope.engine.image_folders.layouts.drawbench import read_numbered_prompts
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from hallascope.engine.image_folders.sources import open_dropped, open_images
from tests.support.image_folders import PROMPTS, write, write_geneval, write_table
from tests.support.images import png


def zip_folder(folder: Path, path: Path, above: str = "") -> Path:
    with ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, above + file.relative_to(folder).as_posix())
    return path


def write_zip(path: Path, *entries: tuple[ZipInfo | str, bytes]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def test_what_a_file_manager_leaves_behind_is_left_aside(tmp_path: Path) -> None:
    path = write_zip(
        tmp_path / "a.zip", ("x/1.png", png()), ("__MACOSX/x/._1.png", b"x"), ("x/.DS_Store", b"x")
    )
    with unpacked(path) as found:
        assert [file.name for file in found.rglob("*")] == ["1.png"]


def test_what_fails_outside_the_archive_is_not_laid_to_it(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", ("1.png", png()))
    with pytest.raises(BrokenPipeError), unpacked(path):
        raise BrokenPipeError


def link(name: str, kind: int = stat.S_IFLNK) -> ZipInfo:
    entry = ZipInfo(name)
    entry.create_system = 3  # Unix
    entry.external_attr = (kind | 0o777) << 16
    return entry


def inner_zip() -> bytes:
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.writestr("1.png", png())
    return stream.getvalue()


HOSTILE: dict[str, tuple[tuple[ZipInfo | str, bytes], str]] = {
    "a path above": (("../1.png", png()), "leads out of the folder"),
    "a path from the root": (("/tmp/1.png", png()), "leads out of the folder"),
    "a path with a drive": (("C:/1.png", png()), "leads out of the folder"),
    "a path of Windows": (("a\\..\\..\\1.png", png()), "leads out of the folder"),
    "a link": ((link("1.png"), b"/etc/passwd"), "a link or a device"),
    "a device": ((link("1.png", stat.S_IFCHR), b""), "a link or a device"),
    "a bomb": (("prompts.csv", b"0" * 3_000_000), "as a bomb does"),
    "an archive": (("inner.zip", inner_zip()), "an archive within the archive"),
    "a deep folder": (("a/" * 20 + "1.png", png()), "folders deep"),
    "a control sign": (("a\n1.png", png()), "cannot be shown"),
}


@pytest.mark.parametrize("harm", HOSTILE)
def test_a_hostile_archive_is_refused_and_nothing_of_it_is_left(
    harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    entry, reason = HOSTILE[harm]
    path = write_zip(tmp_path / "hostile.zip", ("good.png", png()), entry)
    with pytest.raises(BadArchive, match=reason), unpacked(path):
        pytest.fail("it was unpacked")
    assert list(scratch.iterdir()) == []
    assert {file.name for file in tmp_path.iterdir()} == {"scratch", "hostile.zip"}


@pytest.mark.parametrize(
    "limit, most, reason",
    [
        ("MOST_FILES", 2, "at most 2 are taken"),
        ("MOST_BYTES", 100, "unpacks to 0 MB and at most"),
        ("MOST_FILE_BYTES", 10, "is larger than"),
    ],
)
def test_too_much_is_refused(
    limit: str, most: int, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, limit, most)
    path = write_zip(tmp_path / "a.zip", *((f"{n}.png", png()) for n in range(3)))
    with pytest.raises(BadArchive, match=reason), unpacked(path):
        pytest.fail("it was unpacked")


def test_many_small_files_that_fill_the_disk_are_a_bomb(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", *((f"{n}.png", bytes(400_000)) for n in range(50)))
    assert path.stat().st_size < 100_000
    with pytest.raises(BadArchive, match="as a bomb does"), unpacked(path):
        pytest.fail("it was unpacked")


def test_a_table_of_contents_without_end_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_FILES", 10)
    path = write_zip(tmp_path / "a.zip", *((f"{n}.png", b"") for n in range(21)))
    monkeypatch.setattr(ZipFile, "infolist", lambda self: pytest.fail("it was read"))
    with pytest.raises(BadArchive, match="is damaged"), unpacked(path):
        pytest.fail("it was unpacked")


@pytest.mark.parametrize(
    "field, written",
    [(24, struct.pack("<I", 1)), (8, struct.pack("<H", 1))],
    ids=["its size is a lie", "it is encrypted"],
)
def test_an_archive_whose_table_of_contents_is_odd_is_refused(
    field: int, written: bytes, tmp_path: Path
) -> None:
    path = write_zip(tmp_path / "a.zip", ("1.txt", b"abc" * 100))
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02") + field
    data[at : at + len(written)] = written
    path.write_bytes(data)
    with pytest.raises(BadArchive), unpacked(path):
        pytest.fail("it was unpacked")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
def test_any_change_of_bytes_is_unpacked_within_the_folder_or_refused(
    data: st.DataObject, tmp_path: Path
) -> None:
    path = write_zip(tmp_path / "a.zip", ("a/1.png", png()), ("b.txt", PROMPTS[0].encode() * 9))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    before = set(tmp_path.rglob("*"))
    try:
        with unpacked(path) as found:
            assert all(file.resolve().is_relative_to(found) for file in found.rglob("*"))
    except BadArchive:
        pass
    assert set(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("above", ["", "images/", "a/b/"])
def test_a_zip_gives_the_same_images_as_its_folder(above: str, tmp_path: Path) -> None:
    folder = write_geneval(tmp_path / "images")
    packed = zip_folder(folder, tmp_path / "images.zip", above)
    read = []
    for source in (folder, packed):
        with open_images(str(source)) as opened:
            images = [e for e in opened.entries if isinstance(e, FolderImage)]
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
        assert [entry.name for entry in opened.entries] == ["1.png"]


def test_a_table_finds_its_images_wherever_each_of_them_lies(tmp_path: Path) -> None:
    first = write(tmp_path / "a" / "1.png", png("a"))
    second = write(tmp_path / "b" / "2.png", png("b"))
    rows = [{"prompt": "a cat", "image": "1.png"}, {"prompt": "a dog", "image": "2.png"}]
    table = write_table(tmp_path / "c", rows) / "images.csv"
    with open_dropped([first, table, second]) as opened:
        images = [e for e in opened.entries if isinstance(e, FolderImage)]
        assert [(e.prompt, e.path.read_bytes()) for e in images] == [
            ("a cat", png("a")),
            ("a dog", png("b")),
        ]
    assert first.read_bytes() == png("a")


@pytest.mark.parametrize(
    "names, reason",
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


def test_images_are_listed_by_name_and_links_are_named_and_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "secret.png", png())
    inside = tmp_path / "inside"
    for name in ("b/2.png", "b/1.JPG", "a.webp", "notes.txt", ".hidden/3.png", "__MACOSX/4.png"):
        write(inside / name, png())
    (inside / "image.png").symlink_to(outside)
    (inside / "folder").symlink_to(outside.parent)
    listed = list(walk_files(inside))
    images = [file for file in listed if isinstance(file, Path)]
    assert [file.relative_to(inside).as_posix() for file in images] == [
        "a.webp",
        "b/1.JPG",
        "b/2.png",
    ]
    links = {entry.name for entry in listed if isinstance(entry, UnmatchedFile)}
    assert links == {"image.png", "folder"}


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


def test_a_file_that_is_no_list_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="has no column"):
        read_numbered_prompts(write(tmp_path / "a.csv", "id,image\n1,2\n"))
