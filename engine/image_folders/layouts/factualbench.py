"""Reads T2I-FactualBench's layout as its authors' scripts write it.

``MODEL/LEVEL/prompt.jsonl`` holds a prompt a line, with the path of its image as ``result_image``;
the images are in ``MODEL/LEVEL/prompt_image/0.png``. Without ``result_image`` an image belongs to
the line of its number, from 0 on.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath

from hallascope.data.benchmarks.factualbench import read_factualbench
from hallascope.data.benchmarks.ihalla import NotABenchmark
from hallascope.data.concepts import FactualPrompt
from hallascope.data.files import tidy
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.image_folders.folder_files import (
    LeavesFolder,
    find_within,
    name_within,
    walk_files,
)
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    MatchedFolder,
    UnmatchedFile,
)

_LOOKED_AT = 20  # files by which the layout is recognized


def matches(folder: Path) -> bool:
    """Return whether any JSON lines hold sentences with concepts, and have a folder of images."""
    return any(
        _image_folder(file).is_dir() and _is_prompt_file(file)
        for file in islice(_prompt_files(folder), _LOOKED_AT)
    )


def read(folder: Path, prompts: Path | None = None) -> MatchedFolder:
    """Match each line with its image.

    `prompts` is the authors' folder of prompts and references, where it is another; concepts,
    tasks and reference images are those that it knows. Raises BadRequest.
    """
    try:
        benchmark = read_factualbench(prompts or folder)
    except NotABenchmark as error:
        raise BadRequest(sentence(error)) from error
    known = {_key(prompt.prompt): prompt for prompt in reversed(benchmark.prompts)}
    files = [file for file in _prompt_files(folder) if _image_folder(file).is_dir()]
    if not files:
        raise BadRequest(
            f"The folder {folder.name!r} has no images of T2I-FactualBench: it needs a folder"
            " prompt_image beside prompt.jsonl."
        )
    models = [_model_of(folder, file) for file in files]
    return MatchedFolder(
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
        first = stream.readline(2**20)
    try:
        fields = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and {"sentence", "concept"} <= fields.keys()


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
                try:
                    image = _match_line(folder, file, index, line, known)
                except ValueError as problem:
                    place = f"{name_within(folder, file)}, row {index + 1}"
                    yield UnmatchedFile(place, str(problem))
                    continue
                used.add(image.path)
                yield image
        for other in walk_files(images):
            if isinstance(other, UnmatchedFile):
                yield UnmatchedFile(f"{name_within(folder, images)}/{other.name}", other.reason)
            elif other not in used:
                yield UnmatchedFile(name_within(folder, other), f"no row of {file.name} names it")


def _match_line(
    folder: Path, file: Path, index: int, line: bytes, known: Mapping[str, FactualPrompt]
) -> FolderImage:
    """Return the image of a line. Raises ValueError with what is wrong."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError("it is no JSON") from error
    text = fields.get("sentence") if isinstance(fields, dict) else None
    if not isinstance(text, str) or not tidy.line(text):
        raise ValueError("it has no 'sentence'")
    given = fields.get("result_image") or f"{index}.png"
    if not isinstance(given, str):
        raise ValueError("its 'result_image' is no path")
    # the authors write the path as it was on their machine: its last part matters
    name = PurePosixPath(given.replace("\\", "/")).name
    try:
        path = find_within(_image_folder(file), name)
    except LeavesFolder as problem:
        raise ValueError(f"{name!r}: {problem}") from problem
    prompt = tidy.line(text)
    return FolderImage(
        path=path,
        name=name_within(folder, path),
        prompt=prompt,
        model=_model_of(folder, file),
        factual=known.get(_key(prompt)),
    )
