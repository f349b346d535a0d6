"""Reads COCO captions as prompts: annotations, the Karpathy split, and plain lists.

The source is Chen et al., arXiv:1504.00325.

The ids of pictures and captions are kept; licences, addresses and sizes are not read.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hallascope.data.benchmarks.prompt_files import (
    NotABenchmark,
    PromptEntry,
    list_entries,
    read_entries,
    read_json,
)
from hallascope.data.benchmarks.prompt_lists import FoundEntry, PromptList, list_prompts
from hallascope.data.files.tables import Complaint
from hallascope.data.files.tidy import line

NAME = "coco"


def read_coco(path: Path | str, split: str | None = None) -> PromptList:
    """Read captions of COCO's ``captions_val2017.json``, ``dataset_coco.json``, or a list.

    The second is Karpathy's; a list is .json, .txt and so on.

    The row of a complaint is the place in `annotations` or `images`. `source` is the image's id
    and the caption's: "391895/770337". `split`: only this part, where the file names parts. Raises
    NotABenchmark.
    """
    path = Path(path)
    complaints: list[Complaint] = []
    found = list_prompts(NAME, path.name, _found(path, complaints), complaints, unique=False)
    if split is None:
        return found
    prompts = tuple(prompt for prompt in found.prompts if prompt.split == split)
    if not prompts:
        known = sorted({prompt.split for prompt in found.prompts if prompt.split})
        raise NotABenchmark(
            f"the file {path.name!r} has no split {split!r}: its splits are {', '.join(known)}"
            if known
            else f"the file {path.name!r} names no splits: ask for all of it"
        )
    return replace(found, prompts=prompts)


def _found(path: Path, complaints: list[Complaint]) -> Iterator[FoundEntry]:
    content = read_json(path) if path.suffix.casefold() == ".json" else None
    match content:
        case {"annotations": list(annotations), **rest}:
            yield from _official(path.name, annotations, rest.get("images"), complaints)
        case {"images": list(images)}:
            yield from _karpathy(path.name, images, complaints)
        case None:
            yield from map(FoundEntry, read_entries(path, complaints))
        case _:
            yield from map(FoundEntry, list_entries(content, path.name, complaints))


def _official(
    file: str, annotations: list[object], images: object, complaints: list[Complaint]
) -> Iterator[FoundEntry]:
    """A caption whose image is not listed is left out, where images are listed.

    So is the second of an id.
    """
    known = (
        {_id(entry, "id") for entry in _objects(file, images, "image", complaints)}
        if isinstance(images, list)
        else None
    )
    met: set[int] = set()
    for entry in _objects(file, annotations, "annotation", complaints):
        image, number = _id(entry, "image_id"), _id(entry, "id")
        if image is None or number is None:
            problem = "'image_id' or 'id' is no whole number; the caption"
        elif known is not None and image not in known:
            problem = f"its image {image} is not among the images; the caption"
        elif number in met:
            problem = f"the caption {number} stands there twice; the second"
        else:
            met.add(number)
            yield FoundEntry(entry, f"{image}/{number}", field="caption")
            continue
        complaints.append(Complaint(file, None, entry.row, f"{problem} is left out"))


def _karpathy(file: str, images: list[object], complaints: list[Complaint]) -> Iterator[FoundEntry]:
    """Five sentences an image or so; the image's id is COCO's where it is given."""
    for entry in _objects(file, images, "image", complaints):
        sentences, split = entry.fields.get("sentences"), entry.fields.get("split")
        given = (_id(entry, name) for name in ("cocoid", "imgid"))
        image = next((number for number in given if number is not None), f"row {entry.row}")
        if not isinstance(sentences, list):
            problem = "the image has no list 'sentences'; it is left out"
            complaints.append(Complaint(file, None, entry.row, problem))
            continue
        part = (line(split) if isinstance(split, str) else "") or None
        for place, sentence in enumerate(sentences, 1):
            own = PromptEntry(entry.row, sentence if isinstance(sentence, dict) else {})
            number = _id(own, "sentid")
            source = f"{image}/{place if number is None else number}"
            yield FoundEntry(own, source, split=part, field="raw")


def _objects(
    file: str, listed: list[object], what: str, complaints: list[Complaint]
) -> Iterator[PromptEntry]:
    for row, item in enumerate(listed, 1):
        if isinstance(item, dict):
            yield PromptEntry(row, item)
        else:
            problem = f"the {what} is no JSON object; it is left out"
            complaints.append(Complaint(file, None, row, problem))


def _id(entry: PromptEntry, name: str) -> int | None:
    """Return the whole number of that name; None where there is none."""
    value = entry.fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
