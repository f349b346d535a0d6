"""Holds lists of prompts as benchmarks give them away: what was read and what was wrong."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from hallascope.data.benchmarks.prompt_files import PROMPT_FIELDS, NotABenchmark, PromptEntry
from hallascope.data.files.tables import Complaint, TableRow, UnreadableCell, leave_out
from hallascope.data.files.tidy import line

NOT_GIVEN = "not given"


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


def prompt_of(entry: PromptEntry, field: str | None = None) -> str:
    """Return the prompt of an entry on one line, from `field` or the first of the usual names.

    Raises UnreadableCell with what is wrong.
    """
    names = (field,) if field else PROMPT_FIELDS
    name = next((name for name in names if name in entry.fields), names[0])
    text = entry.fields.get(name)
    if text is not None and not isinstance(text, str):
        shown = repr(text)
        if len(shown) > 60:
            shown = f"{shown[:57]}..."
        raise UnreadableCell(f"the field {name!r} is {shown} and no text")
    if not (prompt := line(text or "")):
        raise UnreadableCell(f"the field {name!r} is empty")
    return prompt


class FoundEntry(NamedTuple):
    """Holds an entry of a benchmark's file with what the benchmark says of it.

    `field` holds the prompt, "" for the usual names; `file` is the entry's own where a benchmark
    has several.
    """

    entry: PromptEntry
    source: str = ""
    category: str | None = None
    split: str | None = None
    field: str = ""
    file: str = ""


def list_prompts(
    benchmark: str,
    file: str,
    found: Iterable[FoundEntry],
    complaints: list[Complaint],
    *,
    unique: bool = True,
) -> PromptList:
    """Return the prompts of this benchmark as read, those of others counted.

    An entry without a prompt is left out and named, and where they are `unique` the second of two
    that are the same in their category and split. Raises NotABenchmark where no prompt was read,
    with the first thing that was wrong.
    """
    prompts: list[ListedPrompt] = []
    first: dict[object, str] = {}
    for one in found:
        with leave_out(TableRow(one.file or file, one.entry.row, {}), complaints, "prompt"):
            prompt = prompt_of(one.entry, one.field)
            source = one.source or _source(one.entry)
            earlier = first.setdefault((prompt, one.category, one.split), source)
            if unique and earlier is not source:
                raise UnreadableCell(
                    f"the prompt {prompt!r} stands there twice (first at {earlier})"
                )
            prompts.append(ListedPrompt(prompt, source, one.category, one.split))
    # ids are such as "coco_17" beside "drawbench_3"
    mine = [one for one in prompts if one.source.casefold().startswith(f"{benchmark}_")] or prompts
    if not mine:
        wrong = complaints[0] if complaints else f"{file}: is empty"
        raise NotABenchmark(
            f"no prompt was read, as there is nothing in the file that is one: {wrong}"
        )
    others = len(prompts) - len(mine)
    return PromptList(benchmark, file, tuple(mine), tuple(complaints), others)


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
