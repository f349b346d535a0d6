"""Reads benchmarks that are lists of prompts, as `prompt_lists.toml` declares them."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.data.benchmarks.prompt_files import (
    PROMPT_FIELDS,
    PromptEntry,
    list_entries,
    read_entries,
    read_json,
)
from hallascope.data.files.tables import BadTable, Complaint, TableRow, UnreadableCell, leave_out
from hallascope.data.files.tidy import line
from hallascope.data.lexicon import shorten

FILE = Path(__file__).with_suffix(".toml")
NOT_GIVEN = "not given"
_HUB = re.compile(r"hub:([\w.-]+/[\w.-]+)(?:@([\w./-]+))?")
_CONVERTED = "refs/convert/parquet"  # where the Hub keeps what a script used to load


@dataclass(frozen=True)
class ListedPrompt:
    """Holds one prompt of a benchmark, on one line.

    `source` is its id there, such as "drawbench_17", else its row in the file.

    `category` and `split` (the part of the data set) are None where the benchmark names none.
    """

    prompt: str
    source: str
    category: str | None = None
    split: str | None = None


@dataclass(frozen=True)
class PromptList:
    """Holds a benchmark's prompts as read from a file.

    `others`: prompts of other benchmarks that stand in the same file.
    """

    benchmark: str
    file: str
    prompts: tuple[ListedPrompt, ...]
    complaints: tuple[Complaint, ...]
    others: int = 0

    def summary(self) -> dict[str, object]:
        """Return what was read as JSON-able counts, with slices where the benchmark has them."""
        summary: dict[str, object] = {
            "benchmark": self.benchmark,
            "file": self.file,
            "prompts": len(self.prompts),
        }
        if self.others:
            summary["of_other_benchmarks"] = self.others
        for name in ("category", "split"):
            values = [getattr(prompt, name) for prompt in self.prompts]
            if any(values):
                summary[f"by_{name}"] = dict(Counter(value or NOT_GIVEN for value in values))
        summary["complaints"] = len(self.complaints)
        return summary

    def sample(self, count: int, seed: int = 0) -> tuple[ListedPrompt, ...]:
        """Return as many prompts as asked for, in their order, or all where there are fewer.

        The same seed gives the same on every machine, and a larger sample holds the smaller one of
        its seed.
        """

        def drawn(place: int) -> tuple[bytes, int]:
            return sha256(f"{seed}\n{self.prompts[place].prompt}".encode()).digest(), place

        places = sorted(sorted(range(len(self.prompts)), key=drawn)[: max(count, 0)])
        return tuple(self.prompts[place] for place in places)


@dataclass(frozen=True, kw_only=True)
class PromptBenchmark:
    """Holds what `prompt_lists.toml` says of a benchmark, as its head describes it."""

    prompt: Sequence[str] = ()
    category: str = ""
    categories: Sequence[str] = ()
    split: str = ""
    files: str = ""
    example: str = ""
    repeats: bool = False
    json: Sequence[Mapping[str, Any]] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the names of fields that hold the prompt, of which the first one there is read."""
        return (*PROMPT_FIELDS, *self.prompt)


class _Found(NamedTuple):
    """Holds an entry, where it stands, and what the name of its file says."""

    row: TableRow
    entry: PromptEntry
    said: Mapping[str, str] = {}


@cache
def prompt_benchmarks() -> Mapping[str, PromptBenchmark]:
    """Return the benchmarks of the file by name."""
    declared = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: PromptBenchmark(**fields) for name, fields in declared.items()}


def read_prompt_list(name: str, path: Path | str, split: str | None = None) -> PromptList:
    """Read a benchmark of `prompt_benchmarks`: a file, its folder, or a data set of the Hub.

    A file is of a form that `read_entries` reads, a data set is ``hub:OWNER/NAME[@REVISION]``. Of a
    folder, files with other names are left aside; of a file that lists several benchmarks, the
    prompts whose ids begin with other names are counted as `others`. An entry without a prompt is
    left out and named, and so is the second of two prompts that are the same. `split`: only this
    part, where the benchmark names parts. Raises BadTable.
    """
    benchmark = prompt_benchmarks()[name]
    complaints: list[Complaint] = []
    prompts: list[ListedPrompt] = []
    first: dict[object, str] = {}
    others = set[str]()  # splits
    hub = _HUB.fullmatch(str(path))
    title = hub[1] if hub else Path(path).name
    found = (
        _hub_entries(hub[1], hub[2]) if hub else _entries(name, benchmark, Path(path), complaints)
    )
    for row, entry, said in found:
        if split and said.get("split", split) != split:
            others.add(said["split"])
            continue
        with leave_out(row, complaints, "prompt"):
            prompt = prompt_of(entry, benchmark.fields)
            given = entry.fields.get(benchmark.split) if benchmark.split else None
            part = said.get("split") or line(str(given or "")) or None
            category = said.get("category") or _category(benchmark, row, entry, complaints)
            source = said.get("source") or _source(entry)
            earlier = first.setdefault((prompt, category, part), source)
            if not benchmark.repeats and earlier is not source:
                raise UnreadableCell(f"the prompt {prompt!r} appears twice (first at {earlier})")
            prompts.append(ListedPrompt(prompt, source, category, part))
    # ids are such as "coco_17" beside "drawbench_3"
    mine = [one for one in prompts if one.source.casefold().startswith(f"{name}_")] or prompts
    kept = tuple(one for one in mine if split in (None, one.split))
    if (mine or others) and not kept:
        known = sorted({one.split for one in mine if one.split} | others)
        raise BadTable(
            f"{title!r} has no split {split!r}: its splits are {', '.join(known)}"
            if known
            else f"{title!r} names no splits: ask for all of it"
        )
    if not kept:
        wrong = complaints[0] if complaints else f"{title}: is empty"
        raise BadTable(f"no prompt was read, as there is nothing in the file that is one: {wrong}")
    return PromptList(name, title, kept, tuple(complaints), len(prompts) - len(mine))


def _entries(
    name: str, benchmark: PromptBenchmark, path: Path, complaints: list[Complaint]
) -> Iterator[_Found]:
    """Yield the entries of a file, or of those files of a folder that are named as declared.

    Raises BadTable.
    """
    if not benchmark.files:
        for entry in _file_entries(path, benchmark, complaints):
            yield _Found(TableRow(path.name, entry.row, {}), entry)
        return
    files = sorted(path.glob("*.[tT][xX][tT]")) if path.is_dir() else [path]
    pattern = re.compile(benchmark.files, re.IGNORECASE)
    named = [(file, match) for file in files if (match := pattern.fullmatch(file.stem))]
    if not named:
        raise BadTable(
            f"nothing at {str(path)!r} is named as the files of {name} are: give one such as"
            f" {benchmark.example}, or the folder that holds it"
        )
    for file, match in named:
        said = {group: text.casefold() for group, text in match.groupdict("").items()}
        if kind := said.get("kind"):
            said["category"] += f": {kind}"
        for entry in read_entries(file, complaints):
            source = {"source": f"{file.stem}/{entry.row}"}
            yield _Found(TableRow(file.name, entry.row, {}), entry, said | source)


def _file_entries(
    path: Path, benchmark: PromptBenchmark, complaints: list[Complaint]
) -> Iterable[PromptEntry]:
    if not benchmark.json or path.suffix.casefold() != ".json":
        return read_entries(path, complaints, benchmark.fields)
    content = read_json(path)
    for form in benchmark.json:
        if isinstance(content, dict) and isinstance(listed := content.get(form["list"]), list):
            return _form_entries(form, listed, path.name, complaints)
    return list_entries(content, path.name, complaints, benchmark.fields)


def _form_entries(
    form: Mapping[str, Any], listed: list[object], file: str, complaints: list[Complaint]
) -> Iterator[PromptEntry]:
    """Yield the entries of a form of JSON; an id that is missing is the place of its entry."""
    within = form.get("within")
    for row, item in enumerate(listed, 1):
        inner = item.get(within) if isinstance(item, dict) and within else [item]
        if not isinstance(item, dict) or not isinstance(inner, list):
            problem = f"has no list {within!r}" if isinstance(item, dict) else "is no JSON object"
            complaints.append(Complaint(file, None, row, f"{problem}; it is left out"))
            continue
        for place, own in enumerate(inner, 1 if within else row):
            fields = {form["prompt"]: None, **item, **(own if isinstance(own, dict) else {})}
            ids = [
                next((fields[name] for name in names if type(fields.get(name)) is int), missing)
                for names, missing in zip(form["id"], (f"row {row}", place), strict=True)
            ]
            yield PromptEntry(row, {**fields, "id": "/".join(map(str, ids))})


def _category(
    benchmark: PromptBenchmark, row: TableRow, entry: PromptEntry, complaints: list[Complaint]
) -> str | None:
    """Return the category as the benchmark writes it, else as the file does, which is named.

    Return None where the file has none.
    """
    if not benchmark.category or benchmark.category not in entry.fields:
        return None
    given = entry.fields[benchmark.category]
    known = benchmark.categories
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < len(known):
        return known[given]
    name = line(str("" if given is None else given))
    for own in known:
        if own.casefold() == name.casefold():
            return own
    if known:
        unknown = f"the category {name!r} is none of {', '.join(known)}; it is kept as it is"
        complaints.append(row.complaint(unknown if name else "the category is missing"))
    return name or None


def prompt_of(entry: PromptEntry, fields: Sequence[str] = PROMPT_FIELDS) -> str:
    """Return the prompt of an entry on one line, from the first of the fields that is there.

    Raises UnreadableCell with what is wrong.
    """
    name = next((name for name in fields if name in entry.fields), fields[0])
    text = entry.fields.get(name)
    if text is not None and not isinstance(text, str):
        raise UnreadableCell(f"the field {name!r} is {shorten(repr(text))} and no text")
    if not (prompt := line(text or "")):
        raise UnreadableCell(f"the field {name!r} is empty")
    return prompt


def _source(entry: PromptEntry) -> str:
    """Return the id that the file gives the entry, else its row."""
    given = (entry.fields.get(name) for name in ("id", "image_id"))
    name = next((value for value in given if value not in (None, "")), None)
    if isinstance(name, int | str) and not isinstance(name, bool):
        return line(str(name))
    return f"row {entry.row}"


def read_prompts(
    file: str, entries: Sequence[PromptEntry], complaints: list[Complaint]
) -> list[str]:
    """Return the prompt of each entry; an entry without one is left out and named."""
    prompts: list[str] = []
    for entry in entries:
        with leave_out(TableRow(file, entry.row, {}), complaints, "prompt"):
            prompts.append(prompt_of(entry))
    return prompts


def count_values(values: Iterable[str], order: Iterable[str] = ()) -> dict[str, int]:
    """Return how often each value stands there, in the given order first.

    Values that are not there are left out.
    """
    counts = Counter(map(str, values))
    ordered = dict.fromkeys((*map(str, order), *counts))
    return {value: counts[value] for value in ordered if counts[value]}


# --- data sets of the Hub


def _hub_entries(name: str, revision: str | None) -> list[_Found]:
    """Return all rows of a data set of the Hub, in the order of its splits.

    Raises BadTable where it cannot be had.
    """
    from datasets import load_dataset
    from httpx2 import HTTPError

    try:
        try:
            splits = load_dataset(name, revision=revision)
        except RuntimeError as error:
            if revision or "script" not in str(error):
                raise
            splits = load_dataset(name, revision=_CONVERTED)
    except (OSError, RuntimeError, ValueError, HTTPError) as error:
        why = " ".join(str(error).split())[:200].rstrip(".")
        raise BadTable(
            f"the data set {name!r} cannot be loaded from the Hub ({why}): check the name and the"
            " connection, or give a file"
        ) from error
    rows = (
        _in_words(row, getattr(split, "features", None) or {})
        for split in splits.values()
        for row in split
    )
    return [
        _Found(TableRow(name, number, {}), PromptEntry(number, row))
        for number, row in enumerate(rows, 1)
    ]


def _in_words(row: Mapping[str, object], features: Mapping[str, Any]) -> dict[str, object]:
    """Return the fields by name in lower case, class labels by their names in this data set."""
    fields: dict[str, object] = {}
    for name, value in row.items():
        label_name = getattr(features.get(name), "int2str", None)
        if label_name and isinstance(value, int) and value >= 0:
            value = label_name(value)
        fields[str(name).casefold()] = value
    return fields
