"""Reads DrawBench as it is given away: 200 prompts in 11 categories.

The source is Saharia et al., Imagen, NeurIPS 2022, section 5.2.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hallascope.data.benchmarks.prompt_files import NotABenchmark, PromptEntry, read_entries
from hallascope.data.benchmarks.prompt_lists import FoundEntry, PromptList, list_prompts, prompt_of
from hallascope.data.files.tables import Complaint, UnreadableCell
from hallascope.data.files.tidy import line

NAME = "drawbench"
# in the order of the Hub's class labels, which some files give by number
CATEGORIES = (
    *("Colors", "Conflicting", "Counting", "DALL-E", "Descriptions", "Gary Marcus et al."),
    *("Misspellings", "Positional", "Rare Words", "Reddit", "Text"),
)
_HUB = re.compile(r"hub:([\w.-]+/[\w.-]+)(?:@([\w./-]+))?")
_CONVERTED = "refs/convert/parquet"  # where the Hub keeps what a script used to load


def read_drawbench(path: Path | str) -> PromptList:
    """Read a file, or ``hub:OWNER/NAME[@REVISION]`` for a data set of the Hub, as it is.

    A file is .csv, .tsv, .json, .jsonl or .txt.

    Of a file that lists several benchmarks, those whose ids begin with "drawbench_". Raises
    NotABenchmark.
    """
    complaints: list[Complaint] = []
    hub = _HUB.fullmatch(str(path))
    file = hub[1] if hub else Path(path).name
    entries = _hub_entries(hub[1], hub[2]) if hub else read_entries(Path(path), complaints)
    found = (FoundEntry(entry, category=_category(file, entry, complaints)) for entry in entries)
    return list_prompts(NAME, file, found, complaints)


def _category(file: str, entry: PromptEntry, complaints: list[Complaint]) -> str | None:
    """Return the category as DrawBench writes it, else as the file does, which is named.

    Return None where the file has none. An entry without a prompt is named for that alone.
    """
    if "category" not in entry.fields:
        return None
    given = entry.fields["category"]
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < len(CATEGORIES):
        return CATEGORIES[given]
    name = line(str("" if given is None else given))
    for known in CATEGORIES:
        if known.casefold() == name.casefold():
            return known
    unknown = f"the category {name!r} is none of {', '.join(CATEGORIES)}; it is kept as it is"
    with suppress(UnreadableCell):
        prompt_of(entry)
        problem = unknown if name else "the category is missing"
        complaints.append(Complaint(file, None, entry.row, problem))
    return name or None


def _hub_entries(name: str, revision: str | None) -> list[PromptEntry]:
    """Return all rows of a data set of the Hub, in the order of its splits.

    Raises NotABenchmark where it cannot be had.
    """
    from datasets import load_dataset
    from httpx import HTTPError

    try:
        try:
            splits = load_dataset(name, revision=revision)
        except RuntimeError as error:
            if revision or "script" not in str(error):
                raise
            splits = load_dataset(name, revision=_CONVERTED)
    except (OSError, RuntimeError, ValueError, HTTPError) as error:
        why = " ".join(str(error).split())[:200].rstrip(".")
        raise NotABenchmark(
            f"the data set {name!r} cannot be had from the Hub ({why}): check the name and the net,"
            " or give a file"
        ) from error
    rows = (
        _in_words(row, getattr(split, "features", None) or {})
        for split in splits.values()
        for row in split
    )
    return [PromptEntry(n, row) for n, row in enumerate(rows, 1)]


def _in_words(row: Mapping[str, object], features: Mapping[str, Any]) -> dict[str, object]:
    """Return the fields by name in lower case, class labels by their names in this data set."""
    fields: dict[str, object] = {}
    for name, value in row.items():
        label_name = getattr(features.get(name), "int2str", None)
        if label_name and isinstance(value, int) and value >= 0:
            value = label_name(value)
        fields[str(name).casefold()] = value
    return fields
