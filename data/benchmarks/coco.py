"""Reads COCO captions as prompts: annotations, the Karpathy split, and plain lists.

The source is Chen et al., arXiv:1504.00325.

The ids of pictures and captions are kept; licences, addresses and sizes are not read.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from hallascope.data.benchmarks.ihalla import NotABenchmark
from hallascope.data.benchmarks.prompt_files import (
    PromptEntry,
    document,
    entries,
    of_document,
    text_of,
)
from hallascope.data.benchmarks.prompt_lists import (
    ListedPrompt,
    PromptList,
    make_prompt_list,
    prompt_of,
    source_of,
)
from hallascope.data.files import tidy
from hallascope.data.files.cells import leave_out
from hallascope.data.files.csv_tables import CsvRow
from hallascope.data.files.sheets import Complaint

NAME = "coco"
Objects = list[tuple[int, dict[str, object]]]  # with their place in the list, from 1


def read_coco(path: Path | str, split: str | None = None) -> PromptList:
    """Read captions of COCO's ``captions_val2017.json``, ``dataset_coco.json``, or a list.

    The second is Karpathy's; a list is .json, .txt and so on.

    The row of a complaint is the place in `annotations` or `images`. `source` is the picture's id
    and the caption's: "391895/770337". `split`: only this part, where the file names parts. Raises
    NotABenchmark.
    """
    reader = _CocoReader(Path(path).name)
    prompts = tuple(reader.read_prompts(Path(path)))
    return make_prompt_list(
        NAME, reader.file, _of_split(prompts, split, reader.file), reader.complaints
    )


def _of_split(
    prompts: tuple[ListedPrompt, ...], split: str | None, file: str
) -> tuple[ListedPrompt, ...]:
    """Raises NotABenchmark where there is no such part."""
    known = sorted({prompt.split for prompt in prompts if prompt.split})
    if split is None or split in known:
        return tuple(prompt for prompt in prompts if split is None or prompt.split == split)
    if not known:
        raise NotABenchmark(f"the file {file!r} names no splits: ask for all of it")
    raise NotABenchmark(
        f"the file {file!r} has no split {split!r}: its splits are {', '.join(known)}"
    )


class _CocoReader:
    """Reads one file and gathers what was wrong in it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.complaints: list[Complaint] = []

    def read_prompts(self, path: Path) -> Iterator[ListedPrompt]:
        if path.suffix.casefold() != ".json":
            return self.plain(entries(path, self.complaints))
        match document(text_of(path), self.file, self.complaints):
            case {"annotations": list(annotations), **rest}:
                return self.official(annotations, rest.get("images"))
            case {"images": list(images)}:
                return self.karpathy(images)
            case found:
                return self.plain(of_document(found, self.file, self.complaints))

    def plain(self, rows: list[PromptEntry]) -> Iterator[ListedPrompt]:
        for entry in rows:
            yield from self._prompt(entry, None, source_of(entry))

    def official(self, annotations: list[object], images: object) -> Iterator[ListedPrompt]:
        """A caption whose picture is not listed is left out, where pictures are listed.

        So is the second of an id.
        """
        known = (
            {_id(fields, "id") for _, fields in self._objects(images, "image")}
            if isinstance(images, list)
            else None
        )
        met: set[int] = set()
        for row, fields in self._objects(annotations, "annotation"):
            image, number = _id(fields, "image_id"), _id(fields, "id")
            problem = ""
            if image is None or number is None:
                problem = "'image_id' or 'id' is no whole number; the caption"
            elif known is not None and image not in known:
                problem = f"its image {image} is not among the images; the caption"
            elif number in met:
                problem = f"the caption {number} stands there twice; the second"
            else:
                met.add(number)
                yield from self._prompt(PromptEntry(row, fields), "caption", f"{image}/{number}")
            if problem:
                self._complain(row, f"{problem} is left out")

    def karpathy(self, images: list[object]) -> Iterator[ListedPrompt]:
        """Five sentences a picture or so; the picture's id is COCO's where it is given."""
        for row, fields in self._objects(images, "image"):
            sentences = fields.get("sentences")
            split = fields.get("split")
            given = (_id(fields, name) for name in ("cocoid", "imgid"))
            image = next((number for number in given if number is not None), f"row {row}")
            if not isinstance(sentences, list):
                self._complain(row, "the image has no list 'sentences'; it is left out")
                continue
            for place, sentence in enumerate(sentences, 1):
                own = sentence if isinstance(sentence, dict) else {}
                number = _id(own, "sentid")
                source = f"{image}/{place if number is None else number}"
                part = tidy.line(split) if isinstance(split, str) else None
                yield from self._prompt(PromptEntry(row, own), "raw", source, part or None)

    def _prompt(
        self, entry: PromptEntry, field: str | None, source: str, split: str | None = None
    ) -> Iterator[ListedPrompt]:
        with leave_out(CsvRow(self.file, entry.row, {}), self.complaints, "caption"):
            yield ListedPrompt(prompt_of(entry, field), source, split=split)

    def _objects(self, listed: list[object], what: str) -> Objects:
        objects = []
        for row, item in enumerate(listed, 1):
            if isinstance(item, dict):
                objects.append((row, item))
            else:
                self._complain(row, f"the {what} is no JSON object; it is left out")
        return objects

    def _complain(self, row: int, problem: str) -> None:
        self.complaints.append(Complaint(self.file, None, row, problem))


def _id(fields: Mapping[str, object], name: str) -> int | None:
    """Return the whole number of that name; None where there is none."""
    value = fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
