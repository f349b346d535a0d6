"""Reads T2I-CompBench as it is given away: a text file a category and split.

A line is a prompt (Huang et al., NeurIPS 2023, and "++", 2024).
"""

import re
from collections.abc import Iterable
from pathlib import Path

from hallascope.data.benchmarks.ihalla import NotABenchmark
from hallascope.data.benchmarks.prompt_files import entries
from hallascope.data.benchmarks.prompt_lists import (
    ListedPrompt,
    PromptList,
    add_once,
    make_prompt_list,
    read_prompts,
)
from hallascope.data.files.csv_tables import CsvRow
from hallascope.data.files.sheets import Complaint

NAME = "t2i-compbench"
CATEGORIES = (
    "color",
    "shape",
    "texture",
    "spatial",
    "3d_spatial",
    "numeracy",
    "non_spatial",
    "complex",
)
SPLITS = ("train", "val", "test")
_FILE = re.compile(
    rf"({'|'.join(sorted(CATEGORIES, key=len, reverse=True))})_({'|'.join(SPLITS)})(?:_(\w+))?",
    re.IGNORECASE,
)


def read_t2i_compbench(path: Path | str, split: str | None = None) -> PromptList:
    """Read the folder (``examples/dataset``) or one of its files, such as ``color_val.txt``.

    Other files of the folder are left aside.

    `source` is the file's name and the line: "color_val/17". Of a category's kinds
    ("complex_val_action.txt") each is named in the category: "complex: action". `split`: only
    "train", "val" or "test". Raises NotABenchmark.
    """
    files = [
        file for file in _files(Path(path)) if _parse_file_name(file)[2] == split or split is None
    ]
    if not files:
        raise NotABenchmark(
            f"nothing in {str(path)!r} is of the split {split!r}: its files are named after"
            f" {', '.join(SPLITS)}"
        )
    complaints: list[Complaint] = []
    prompts = [prompt for file in files for prompt in _prompts(file, complaints)]
    return make_prompt_list(NAME, Path(path).name, prompts, complaints)


def _files(path: Path) -> list[Path]:
    """Raises NotABenchmark where none is there."""
    if path.is_dir():
        files = sorted(
            file
            for file in path.iterdir()
            if file.suffix.casefold() == ".txt" and _FILE.fullmatch(file.stem)
        )
        if not files:
            raise NotABenchmark(
                f"the folder {str(path)!r} holds no files of T2I-CompBench: give the one with"
                " color_val.txt in it"
            )
        return files
    return [path]


def _parse_file_name(file: Path) -> tuple[str, str, str]:
    """Return category, its kind ("" where there is none) and split, by the name of the file."""
    match = _FILE.fullmatch(file.stem)
    if match is None:
        raise NotABenchmark(
            f"the file {file.name!r} does not say its category: name it CATEGORY_SPLIT.txt, as in"
            " color_val.txt"
        )
    return match[1].casefold(), (match[3] or "").casefold(), match[2].casefold()


def _prompts(file: Path, complaints: list[Complaint]) -> Iterable[ListedPrompt]:
    """Return every prompt of a file; the first stays where there are two."""
    category, kind, split = _parse_file_name(file)
    prompts: dict[object, ListedPrompt] = {}
    for entry, prompt in read_prompts(file.name, entries(file, complaints), complaints):
        named = f"{category}: {kind}" if kind else category
        listed = ListedPrompt(prompt, f"{file.stem}/{entry.row}", named, split)
        add_once(prompts, listed, CsvRow(file.name, entry.row, {}), complaints)
    return prompts.values()
