"""Opens what a person names as images: a folder, a zip, a table, or a data set of the Hub."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.archive import ARCHIVES, ArchiveLimits, unpacked
from hallascope.engine.image_folders.detection import OpenedImages, open_folder
from hallascope.engine.image_folders.hub import HubColumns, is_hub_name, open_hub


@contextmanager
def open_images(
    source: str,
    layout: str | None = None,
    prompts: Path | None = None,
    limits: ArchiveLimits | None = None,
    columns: HubColumns | None = None,
    named_by: str = "",
) -> Iterator[OpenedImages]:
    """Open the images while the block runs; `columns` are those of a data set of the Hub.

    `named_by` as in `open_folder`. Raises BadRequest.
    """
    if is_hub_name(source):
        if layout is not None or prompts is not None or named_by:
            raise BadRequest(
                "A data set names prompts and images in its columns: leave --layout, --prompts and"
                " --named-by out."
            )
        with open_hub(source, columns) as opened:
            yield opened
        return
    path = Path(source)
    if path.is_file() and path.suffix.casefold() == ".zip":
        with unpacked(path, limits) as folder:
            yield open_folder(folder, layout, prompts, str(path.absolute()), named_by)
        return
    if path.is_file() and path.suffix.casefold() in ARCHIVES:
        raise BadRequest(
            f"{path.name!r} is an archive of another kind: unpack it, or pack it as a .zip."
        )
    yield open_folder(path, layout, prompts, named_by=named_by)
