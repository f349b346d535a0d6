"""Gives files that the page makes for download a folder for a while."""

import hashlib
import shutil
import time
from contextlib import suppress
from pathlib import Path

from hallascope.engine.deployment.hosting import UPLOAD_LIFETIME


def own_folder(folder: Path, content: str) -> Path:
    """Return a folder of its own for what differs, so that two visitors' files never meet.

    The same content gets the same place. Places older than UPLOAD_LIFETIME seconds are deleted.
    """
    for old in folder.iterdir():
        with suppress(FileNotFoundError):  # another call has deleted it meanwhile
            if time.time() - old.stat().st_mtime > UPLOAD_LIFETIME:
                shutil.rmtree(old, ignore_errors=True)
    name = hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()[:16]
    place = folder / name
    place.mkdir(exist_ok=True)
    return place
