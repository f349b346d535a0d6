"""Reads images and prompts from a data set of the Hugging Face Hub, row by row, as it is streamed.

The bytes of an image are taken as the data set holds them; nothing is decoded before it is checked.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hallascope.data.files import tidy
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    OpenedImages,
    SampleCounter,
    UnmatchedFile,
)
from hallascope.engine.images.uploads import MAX_BYTES

HUB = "hf:"
LAYOUT = "hub"
_NAME = re.compile(
    r"hf:(?P<name>\w[\w.-]*/\w[\w.-]*)(?::(?P<subset>\w[\w.-]*))?(?:@(?P<revision>\w[\w./-]*))?"
)
_REMOTE = re.compile(r"(?:[\w/. -]+::)?hf://")  # a file of the Hub, or one packed in it


@dataclass(frozen=True, kw_only=True)
class HubColumns:
    """Names the columns of a data set; "" for one that is not read.

    `split` is the only split that is read, "" for all of them in their order.
    """

    image: str = "image"
    prompt: str = "prompt"
    model: str = ""
    seed: str = ""
    split: str = ""


def is_hub_name(source: str) -> bool:
    """Return whether a source is a data set of the Hub."""
    return source.startswith(HUB)


@contextmanager
def open_hub(source: str, columns: HubColumns | None = None) -> Iterator[OpenedImages]:
    """Open ``hf:OWNER/NAME[:SUBSET][@REVISION]`` while the block runs.

    Raises BadRequest where it cannot be loaded, or lacks a column.
    """
    columns = columns or HubColumns()
    match = _NAME.fullmatch(source)
    if match is None:
        raise BadRequest(f"{source!r} is not a data set: write hf:OWNER/NAME.")
    splits = _load(match["name"], match["subset"], match["revision"], columns.split)
    _require_columns(splits, match["name"], columns)
    with tempfile.TemporaryDirectory(prefix="hallascope-hub-") as folder:
        yield OpenedImages(
            entries=_entries(splits, match["name"], columns, Path(folder) / "image"),
            lacks_model=not columns.model,
            note=f"The data set {match['name']} is streamed.",
            source=source,
            layout=LAYOUT,
        )


def _load(name: str, subset: str | None, revision: str | None, split: str) -> Mapping[str, Any]:
    """Return the streams of a data set by split. Raises BadRequest."""
    from datasets import load_dataset

    try:
        loaded = load_dataset(name, subset, split=split or None, revision=revision, streaming=True)
    except Exception as error:  # it raises errors of many libraries
        raise BadRequest(_cannot_be_had(name, error)) from error
    return {split: loaded} if split else loaded


def _require_columns(splits: Mapping[str, Any], name: str, columns: HubColumns) -> None:
    """Check the columns of the first split by what it declares. Raises BadRequest."""
    features = getattr(next(iter(splits.values()), None), "features", None)
    named = [columns.image, columns.prompt, columns.model, columns.seed]
    for column in filter(None, named):
        if features and column not in features:
            listed = ", ".join(features)
            raise BadRequest(
                f"The data set {name!r} has no column {column!r}, its columns are {listed}:"
                " name them with --image-column and --prompt-column."
            )


def _cannot_be_had(name: str, error: Exception) -> str:
    why = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
    return (
        f"The data set {name!r} could not be loaded from the Hub ({why}): check the name and the"
        " network, and run the same command again."
    )


def _entries(
    splits: Mapping[str, Any], name: str, columns: HubColumns, path: Path
) -> Iterator[FolderEntry]:
    """Yield every row, with its image in the file `path`. Raises BadRequest where it breaks off."""
    samples = SampleCounter()
    for split, rows in splits.items():
        stream = enumerate(rows.decode(False) if getattr(rows, "features", None) else rows)
        while True:
            try:
                index, row = next(stream)
            except StopIteration:
                break
            except Exception as error:  # it raises errors of many libraries
                raise BadRequest(_cannot_be_had(name, error)) from error
            place = f"{split}/{index}"
            try:
                yield _image(place, row, columns, path, samples)
            except ValueError as problem:
                yield UnmatchedFile(place, str(problem))


def _image(
    name: str,
    row: Mapping[str, object],
    columns: HubColumns,
    path: Path,
    samples: SampleCounter,
) -> FolderImage:
    """Return the image of a row. Raises ValueError with what is wrong."""
    prompt = row.get(columns.prompt)
    if not isinstance(prompt, str) or not tidy.line(prompt):
        raise ValueError(f"the column {columns.prompt!r} has no text")
    model = tidy.line(str(row.get(columns.model) or "")) if columns.model else ""
    path.write_bytes(_bytes_of(row.get(columns.image)))
    seed = row.get(columns.seed) if columns.seed else None
    given = "" if seed is None else str(seed) or " "
    return samples.image(path, name, tidy.line(prompt), model, given)


def _bytes_of(value: object) -> bytes:
    """Return the bytes of an image as a data set holds them. Raises ValueError."""
    if isinstance(value, Mapping):
        content, path = value.get("bytes"), value.get("path")
        value = content if content is not None else path
    if isinstance(value, bytes):
        return value
    if isinstance(value, str) and _REMOTE.match(value):
        return _download(value)
    raise ValueError("the column of images holds no image")


def _download(address: str) -> bytes:
    """Return a file of the Hub, no more of it than an image may have. Raises ValueError."""
    import fsspec

    try:
        with fsspec.open(address, "rb") as file:
            return bytes(file.read(MAX_BYTES + 1))
    except Exception as error:  # it raises errors of many libraries
        raise ValueError(f"the image could not be loaded from the Hub ({error})") from error
