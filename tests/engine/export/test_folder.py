"""A folder is written whole or not at all, and over another only where it is wanted."""

from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.export.formats import FORMATS
from hallascope.engine.storage.store import Store
from tests.support.exports import Send


@pytest.mark.parametrize("form", FORMATS)
def test_a_folder_that_holds_something_is_left_alone_without_force(
    form: str, home: Store, send: Send, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(BadRequest, match="holds something already"):
        send(home, form)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_with_force_files_of_the_same_name_are_replaced_and_others_stay(
    home: Store, send: Send, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    (tmp_path / "out" / "runs.jsonl").write_text("old")
    send(home, "jsonl", force=True)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["mine.txt", "runs.jsonl"]
    assert (tmp_path / "out" / "runs.jsonl").read_text("utf-8").startswith('{"kind":"run"')
    assert not list(tmp_path.glob(".hallascope-*"))


def test_a_file_is_written_over_with_force_only(home: Store, send: Send, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("mine")
    with pytest.raises(BadRequest, match="is there already"):
        send(home, "csv", "one.csv")
    assert (tmp_path / "one.csv").read_text() == "mine"
    send(home, "csv", "one.csv", force=True)
    assert (tmp_path / "one.csv").read_text("utf-8").startswith("run,date,")
