"""What differs has a folder of its own, and old ones are deleted."""

import os
from pathlib import Path

from hallascope.engine.deployment.hosting import UPLOAD_LIFETIME
from hallascope.pages.shared.download_folder import own_folder


def test_the_same_content_has_the_same_folder_and_other_content_another(tmp_path: Path) -> None:
    first = own_folder(tmp_path, "one")
    assert first.is_dir()
    assert own_folder(tmp_path, "one") == first
    assert own_folder(tmp_path, "\ud800") != first


def test_a_folder_past_its_time_is_deleted(tmp_path: Path) -> None:
    old, new = own_folder(tmp_path, "old"), own_folder(tmp_path, "new")
    (old / "file.json").write_text("{}")
    past = old.stat().st_mtime - UPLOAD_LIFETIME - 60
    os.utime(old, (past, past))
    own_folder(tmp_path, "another")
    assert not old.exists()
    assert new.exists()
