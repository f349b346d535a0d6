"""Reads GenEval's layout: ``00000/metadata.jsonl`` with the prompt, ``00000/samples/0000.png``.

Source: Ghosh et al., NeurIPS 2023, the authors' generation script. ``grid.png`` beside the samples
is no sample and left aside.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from hallascope.data.files import tidy
from hallascope.engine.image_folders.folder_files import (
    name_within,
    parse_numbered_name,
    walk_files,
)
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    OpenedImages,
    UnmatchedFile,
)

METADATA = "metadata.jsonl"
SAMPLES = "samples"
_LARGEST = 2**20  # bytes of a metadata file


def matches(folder: Path) -> bool:
    """Return whether any numbered folder has its metadata."""
    return any((numbered / METADATA).is_file() for numbered in _numbered_folders(folder))


def read(folder: Path, prompts: Path | None = None) -> OpenedImages:
    """Match each sample with the prompt of its folder; `prompts` is not used."""
    return OpenedImages(entries=_entries(folder))


def _numbered_folders(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if path.name.isascii() and path.name.isdigit() and path.is_dir() and not path.is_symlink()
    )


def _entries(folder: Path) -> Iterator[FolderEntry]:
    for numbered in _numbered_folders(folder):
        try:
            prompt = _read_prompt(numbered / METADATA)
        except ValueError as problem:
            yield UnmatchedFile(numbered.name, f"{problem}; its images are left out")
            continue
        if not (numbered / SAMPLES).is_dir():
            yield UnmatchedFile(numbered.name, f"there is no folder {SAMPLES!r}")
            continue
        for file in walk_files(numbered / SAMPLES, root=folder):
            if isinstance(file, UnmatchedFile):
                yield file
                continue
            name = name_within(folder, file)
            parsed = parse_numbered_name(file.stem)
            if parsed is None or parsed.sample:
                yield UnmatchedFile(name, "the name is not the number of a sample")
                continue
            yield FolderImage(path=file, name=name, prompt=prompt, sample=parsed.row)


def _read_prompt(metadata: Path) -> str:
    """Return the prompt of a folder. Raises ValueError with what is wrong."""
    try:
        if metadata.stat().st_size > _LARGEST:
            raise ValueError(f"{METADATA} is larger than 1 MB")
        line = metadata.read_text(encoding="utf-8-sig").strip().partition("\n")[0]
        fields = json.loads(line)
    except OSError as error:
        raise ValueError(f"there is no {METADATA} that can be read") from error
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{METADATA} is no JSON") from error
    prompt = fields.get("prompt") if isinstance(fields, dict) else None
    if not isinstance(prompt, str) or not tidy.line(prompt):
        raise ValueError(f"{METADATA} has no text under 'prompt'")
    return tidy.line(prompt)
