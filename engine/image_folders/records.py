"""Defines what a folder of images is read as: images with their prompts, and what has none."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from hallascope.data.concepts import FactualPrompt
from hallascope.data.files.tables import Complaint
from hallascope.data.records import QuestionSet

Layout = Literal["ihalla", "factualbench", "t2i-compbench", "geneval", "drawbench", "csv"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
LARGEST_SEED = 2**63 - 1  # what the store can hold


@dataclass(frozen=True, kw_only=True)
class FolderImage:
    """Holds an image file and the prompt that it was made for.

    `path` holds the file until the next entry is read; `name` is its path within the folder, with
    "/" between. `sample` is the seed or the number of the sample, from 0 on; `counted`: it is the
    place among the images of the prompt, as nothing names it. `model` is None where the layout
    names none. `questions` and `factual` are what a benchmark knows of the prompt.
    """

    path: Path
    name: str
    prompt: str
    sample: int = 0
    counted: bool = False
    model: str | None = None
    questions: QuestionSet | None = None
    factual: FactualPrompt | None = None


def parse_seed(text: str) -> int | None:
    """Read a seed from a table: a whole number from 0 to 2**63 - 1; None where it is not one."""
    text = text.strip()
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(LARGEST_SEED)):
        return None
    seed = int(text)
    return seed if seed <= LARGEST_SEED else None


class SampleCounter:
    """Numbers the images of a model and a prompt that have no seed, from 0 on."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def image(self, path: Path, name: str, prompt: str, model: str, seed: str) -> FolderImage:
        """Return an image with its seed, else with its number. Raises ValueError for the seed."""
        sample = parse_seed(seed) if seed else self._counts[model, prompt]
        if sample is None:
            raise ValueError(f"the seed {seed!r} is not a whole number from 0 to 2**63 - 1")
        self._counts[model, prompt] += not seed
        return FolderImage(
            path=path,
            name=name,
            prompt=prompt,
            sample=sample,
            counted=not seed,
            model=model or None,
        )


@dataclass(frozen=True)
class UnmatchedFile:
    """Names a file, or a row, that is left out; `reason` says why, and ends without a stop."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}."


FolderEntry = FolderImage | UnmatchedFile


@dataclass(frozen=True, kw_only=True)
class OpenedImages:
    """Holds the images of a folder, an archive or a data set, matched with their prompts.

    `entries` are read one by one, the images of a prompt together where the layout allows it.
    `models` are those that the layout names, in order; `lacks_model`: an image may have none.
    `note` says in one sentence what was decided on the way, "" where nothing was. `source` names it
    all for people and in the id of the work; `detected`: nobody named the layout.
    """

    entries: Iterator[FolderEntry]
    models: tuple[str, ...] = ()
    lacks_model: bool = True
    note: str = ""
    source: str = ""
    layout: str = ""
    detected: bool = False

    def document(self) -> dict[str, Any]:
        """Return where the images are and how they are matched, for programs."""
        return {
            "source": self.source,
            "layout": self.layout,
            "detected": self.detected,
            "note": self.note,
        }


def unmatched_row(complaint: Complaint) -> UnmatchedFile:
    """Return what a reader of tables complains of as an entry of the folder."""
    sheet = f", sheet {complaint.sheet}" if complaint.sheet else ""
    row = f", row {complaint.row}" if complaint.row else ""
    return UnmatchedFile(f"{complaint.file}{sheet}{row}", complaint.problem.rstrip("."))
