"""Holds lists of prompts as benchmarks give them away: what was read and what was wrong."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from hallascope.data.benchmarks.ihalla import NOT_GIVEN, NotABenchmark
from hallascope.data.benchmarks.prompt_files import PROMPT_FIELDS, PromptEntry
from hallascope.data.files import tidy
from hallascope.data.files.cells import UnreadableCell, leave_out
from hallascope.data.files.csv_tables import CsvRow
from hallascope.data.files.sheets import Complaint

_ID = ("id", "image_id")


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
    if not (prompt := tidy.line(text or "")):
        raise UnreadableCell(f"the field {name!r} is empty")
    return prompt


def read_prompts(
    file: str, rows: Iterable[PromptEntry], complaints: list[Complaint]
) -> Iterator[tuple[PromptEntry, str]]:
    """Yield each entry with its prompt; one without a prompt is left out and named."""
    for entry in rows:
        with leave_out(CsvRow(file, entry.row, {}), complaints, "prompt"):
            yield entry, prompt_of(entry)


def add_once(
    prompts: dict[object, ListedPrompt],
    prompt: ListedPrompt,
    place: CsvRow,
    complaints: list[Complaint],
) -> None:
    """Add a prompt unless it stands in the same category and split already, which is named."""
    first = prompts.setdefault((prompt.prompt, prompt.category, prompt.split), prompt)
    if first is not prompt:
        complaints.append(
            place.complaint(
                f"the prompt {prompt.prompt!r} stands there twice (first at {first.source}); the"
                " second is left out"
            )
        )


def source_of(entry: PromptEntry) -> str:
    """Return the id that the file gives the entry, else its row."""
    given = (entry.fields.get(name) for name in _ID)
    name = next((value for value in given if value not in (None, "")), None)
    if isinstance(name, int | str) and not isinstance(name, bool):
        return tidy.line(str(name))
    return f"row {entry.row}"


def own(benchmark: str, prompts: Sequence[ListedPrompt]) -> tuple[tuple[ListedPrompt, ...], int]:
    """Return the items of this benchmark where ids say so, and how many are of others.

    Ids are such as "coco_17" beside "drawbench_3".
    """
    named = tuple(
        prompt for prompt in prompts if prompt.source.casefold().startswith(f"{benchmark}_")
    )
    return (named, len(prompts) - len(named)) if named else (tuple(prompts), 0)


def make_prompt_list(
    benchmark: str, file: str, prompts: Iterable[ListedPrompt], complaints: Sequence[Complaint]
) -> PromptList:
    """Return the prompts of this benchmark as read, those of others counted.

    Raises NotABenchmark where nothing was, with the first thing that was wrong.
    """
    mine, others = own(benchmark, tuple(prompts))
    if not mine:
        first = complaints[0] if complaints else f"{file}: is empty"
        raise NotABenchmark(
            f"no prompt was read, as there is nothing in the file that is one: {first}"
        )
    return PromptList(benchmark, file, mine, tuple(complaints), others)
