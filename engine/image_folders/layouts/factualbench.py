"""Reads T2I-FactualBench's layout as its authors' scripts write it.

``MODEL/LEVEL/prompt.jsonl`` holds a prompt a line, with the path of its image as ``result_image``;
the images are in ``MODEL/LEVEL/prompt_image/0.png``. Without ``result_image`` an image belongs to
the line of its number, from 0 on.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from hallascope.data.benchmarks.factualbench import read_factualbench
from hallascope.data.concepts import FactualPrompt
from hallascope.data.files import tidy
from hallascope.data.files.tables import BadTable, json_object
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.image_folders.folder_files import (
    find_within,
    name_within,
    walk_files,
)
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    OpenedImages,
    UnmatchedFile,
)

_LOOKED_AT = 20  # files by which the layout is recognized


def matches(folder: Path) -> bool:
    """Return whether any JSON lines hold sentences with concepts, and have a folder of images."""
    return any(
        _image_folder(file).is_dir() and _is_prompt_file(file)
        for file in islice(_prompt_files(folder), _LOOKED_AT)
    )


def read(folder: Path, prompts: Path | None = None) -> OpenedImages:
    """Match each line with its image.

    `prompts` is the authors' folder of prompts and references, where it is another; concepts,
    tasks and reference images are those that it knows. Raises BadRequest.
    """
    with refuse(BadTable):
        benchmark = read_factualbench(prompts or folder)
    known = {_key(prompt.prompt): prompt for prompt in reversed(benchmark.prompts)}
    files = [file for file in _prompt_files(folder) if _image_folder(file).is_dir()]
    if not files:
        raise BadRequest(
            f"The folder {folder.name!r} has no images of T2I-FactualBench: it needs a folder"
            " prompt_image beside prompt.jsonl."
        )
    models = [_model_of(folder, file) for file in files]
    return OpenedImages(
        entries=_entries(folder, files, known),
        models=tuple(dict.fromkeys(filter(None, models))),
        lacks_model=None in models,
    )


def _prompt_files(folder: Path) -> Iterator[Path]:
    for file in walk_files(folder, lambda path: path.suffix.casefold() == ".jsonl"):
        if isinstance(file, Path):
            yield file


def _is_prompt_file(file: Path) -> bool:
    with file.open("rb") as stream:
        return {"sentence", "concept"} <= (json_object(stream.readline(2**20)) or {}).keys()


def _image_folder(file: Path) -> Path:
    return file.with_name(f"{file.stem}_image")


def _model_of(folder: Path, file: Path) -> str | None:
    """Return the folder two above the file, where that is below the folder that was given."""
    parts = file.relative_to(folder).parts
    return parts[-3] if len(parts) > 2 else None


def _key(text: str) -> str:
    return tidy.line(text).casefold()


def _entries(
    folder: Path, files: list[Path], known: Mapping[str, FactualPrompt]
) -> Iterator[FolderEntry]:
    for file in files:
        images = _image_folder(file)
        used: set[Path] = set()
        with file.open("rb") as stream:
            rows = (row for row in enumerate(stream) if row[1].strip())
            for index, line in rows:
                fields = json_object(line)
                file_name = _image_name(index, fields or {})
                used.add(images / file_name)  # also where the row is listed
                try:
                    image = _match_line(folder, file, file_name, fields, known)
                except ValueError as problem:
                    place = f"{name_within(folder, file)}, row {index + 1}"
                    yield UnmatchedFile(place, str(problem))
                    continue
                used.add(image.path)
                yield image
        for other in walk_files(images, root=folder):
            if isinstance(other, UnmatchedFile):
                yield other
            elif other not in used:
                yield UnmatchedFile(name_within(folder, other), f"no row of {file.name} names it")


def _image_name(index: int, fields: Mapping[str, Any]) -> str:
    """Return the name of the image that a line names, else that of its id, or of its number."""
    given = fields.get("result_image") or f"{fields.get('id', index)}.png"
    # the authors write the path as it was on their machine: its last part matters
    return PurePosixPath(str(given).replace("\\", "/")).name


def _match_line(
    folder: Path,
    file: Path,
    name: str,
    fields: Mapping[str, Any] | None,
    known: Mapping[str, FactualPrompt],
) -> FolderImage:
    """Return the image of a line. Raises ValueError with what is wrong."""
    if fields is None:
        raise ValueError("it is no JSON object")
    text = fields.get("sentence")
    if not isinstance(text, str) or not tidy.line(text):
        raise ValueError("it has no 'sentence'")
    path = find_within(_image_folder(file), name)
    prompt = tidy.line(text)
    return FolderImage(
        path=path,
        name=name_within(folder, path),
        prompt=prompt,
        model=_model_of(folder, file),
        factual=known.get(_key(prompt)),
    )
