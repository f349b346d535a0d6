"""Reads T2I-CompBench as it is given away: a text file a category and split.

A line is a prompt (Huang et al., NeurIPS 2023, and "++", 2024).
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hallascope.data.benchmarks.prompt_files import NotABenchmark, read_entries
from hallascope.data.benchmarks.prompt_lists import FoundEntry, PromptList, list_prompts
from hallascope.data.files.tables import Complaint

NAME = "t2i-compbench"
CATEGORIES = (
    *("color", "shape", "texture", "spatial"),
    *("3d_spatial", "numeracy", "non_spatial", "complex"),
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
    path = Path(path)
    files = [file for file in _files(path) if split in (None, _parse_file_name(file)[1])]
    if not files:
        raise NotABenchmark(
            f"nothing in {str(path)!r} is of the split {split!r}: its files are named after"
            f" {', '.join(SPLITS)}"
        )
    complaints: list[Complaint] = []
    return list_prompts(NAME, path.name, _found_entries(files, complaints), complaints)


def _files(path: Path) -> list[Path]:
    """Raises NotABenchmark where none is there."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.glob("*.[tT][xX][tT]") if _FILE.fullmatch(file.stem))
    if not files:
        raise NotABenchmark(
            f"the folder {str(path)!r} holds no files of T2I-CompBench: give the one with"
            " color_val.txt in it"
        )
    return files


def _parse_file_name(file: Path) -> tuple[str, str]:
    """Return category, with its kind where there is one, and split."""
    match = _FILE.fullmatch(file.stem)
    if match is None:
        raise NotABenchmark(
            f"the file {file.name!r} does not say its category: name it CATEGORY_SPLIT.txt, as in"
            " color_val.txt"
        )
    category, split, kind = (part and part.casefold() for part in match.groups())
    return f"{category}: {kind}" if kind else category, split


def _found_entries(files: Sequence[Path], complaints: list[Complaint]) -> Iterator[FoundEntry]:
    for file in files:
        category, split = _parse_file_name(file)
        for entry in read_entries(file, complaints):
            source = f"{file.stem}/{entry.row}"
            yield FoundEntry(entry, source, category, split, file=file.name)
