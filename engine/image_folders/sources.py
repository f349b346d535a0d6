"""Opens what a person names as images: a folder, a zip, a table, or a data set of the Hub."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.archive import ArchiveLimits, unpacked
from hallascope.engine.image_folders.detection import OpenedImages, open_folder

_OTHER_ARCHIVES = (".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst")


@contextmanager
def open_images(
    source: str,
    layout: str | None = None,
    prompts: Path | None = None,
    limits: ArchiveLimits | None = None,
) -> Iterator[OpenedImages]:
    """Open the images while the block runs. Raises BadRequest."""
    path = Path(source)
    if path.is_file() and path.suffix.casefold() == ".zip":
        with unpacked(path, limits) as folder:
            yield open_folder(folder, layout, prompts, source=str(path.absolute()))
        return
    if path.is_file() and path.suffix.casefold() in _OTHER_ARCHIVES:
        raise BadRequest(
            f"{path.name!r} is an archive of another kind: unpack it, or pack it as a .zip."
        )
    yield open_folder(path, layout, prompts)
