"""Reads T2I-CompBench's layout: ``samples/PROMPT_000123.png``.

The name of a file is its prompt, an underscore and a number of six digits (Huang et al., NeurIPS
2023, the authors' generation script).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from hallascope.data.benchmarks.prompt_lists import read_prompt_list
from hallascope.data.files.tables import BadTable
from hallascope.engine.errors import refuse
from hallascope.engine.image_folders.folder_files import (
    fold_prompt,
    most_fit,
    name_within,
    parse_prompted_name,
    walk_files,
)
from hallascope.engine.image_folders.layouts.drawbench import NumberedPrompts, read_numbered_prompts
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    OpenedImages,
    UnmatchedFile,
    unmatched_row,
)


def matches(folder: Path) -> bool:
    """Return whether most of the first images of the folder are named by prompts."""
    return most_fit(folder, parse_prompted_name)


def read(folder: Path, prompts: Path | None = None) -> OpenedImages:
    """Match the images by their names, and with `prompts` by the prompts listed there.

    `prompts` is a list or the authors' folder of lists. A name may lack signs that file names
    cannot have, and is then given the listed prompt. Raises BadRequest.
    """
    if prompts is None:
        return OpenedImages(entries=_entries(folder, None, ""))
    listed = _read_lists(prompts) if prompts.is_dir() else read_numbered_prompts(prompts)
    by_key: dict[str, dict[str, None]] = defaultdict(dict)
    for prompt in listed.prompts.values():
        by_key[fold_prompt(prompt)][prompt] = None
    choices = {key: tuple(same) for key, same in by_key.items()}
    return OpenedImages(entries=chain(listed.problems, _entries(folder, choices, listed.file)))


def _read_lists(folder: Path) -> NumberedPrompts:
    """Read the authors' folder of prompts, ``examples/dataset``. Raises BadRequest."""
    with refuse(BadTable):
        listed = read_prompt_list("t2i-compbench", folder)
    prompts = {number: item.prompt for number, item in enumerate(listed.prompts)}
    return NumberedPrompts(listed.file, prompts, tuple(map(unmatched_row, listed.complaints)))


def _entries(
    folder: Path, choices: Mapping[str, tuple[str, ...]] | None, prompt_file: str
) -> Iterator[FolderEntry]:
    for file in walk_files(folder):
        if isinstance(file, UnmatchedFile):
            yield file
            continue
        name = name_within(folder, file)
        parsed = parse_prompted_name(file.stem)
        if parsed is None:
            reason = "the name is not a prompt, an underscore and a number of six digits"
            yield UnmatchedFile(name, reason)
            continue
        listed: tuple[str, ...] = (parsed.prompt,)
        if choices is not None:
            listed = choices.get(fold_prompt(parsed.prompt), ())
        if len(listed) == 1:
            yield FolderImage(path=file, name=name, prompt=listed[0], sample=parsed.number)
        elif listed:
            yield UnmatchedFile(name, f"several prompts of {prompt_file} may be meant")
        else:
            yield UnmatchedFile(name, f"{prompt_file} has no prompt {parsed.prompt!r}")
