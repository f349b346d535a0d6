"""Reads lists of concepts for new prompts of T2I-FactualBench, and writes what becomes of them.

That is the file in which a person reviews them, and the folder they end in. The folder is of the
authors' form, so that `hallascope.data.benchmarks.factualbench` reads it.
"""

import csv
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hallascope.data.benchmarks.factualbench import TYPES
from hallascope.data.benchmarks.images import ENDINGS
from hallascope.data.concept_mentions import inject, mentions
from hallascope.data.concepts import TASKS, ConceptRef, FactualPrompt, FactualTask
from hallascope.data.files.tables import (
    Complaint,
    TableRow,
    UnreadableCell,
    column_name,
    leave_out,
    read_rows,
)

CONCEPTS = ("concept", "domain")
REVIEW = ("accept", "task", "concepts", "prompt", "variations", "feasible", "reason", "problem")
_TAKEN = ("concepts", "task", "prompt", "accept", "variations")
_YES = ("yes", "y", "1", "true", "x")
_NO = ("no", "n", "0", "false", "")
_BETWEEN = "; "  # several concepts or variations in one cell


@dataclass(frozen=True, kw_only=True)
class ReviewedProposal:
    """A line of the review file: what came of a proposal. `prompt` is "" where nothing did."""

    task: FactualTask
    concepts: tuple[str, ...]
    prompt: str = ""
    variations: tuple[str, ...] = ()
    feasible: bool | None = None
    reason: str = ""
    problem: str = ""


def read_concepts(path: Path, complaints: list[Complaint]) -> list[ConceptRef]:
    """Read concepts of a table `concept, domain` with `definition` and `reference` where known.

    A reference is a path beside the table.

    A row that misses something is left out and named. Raises BadTable.
    """
    concepts: dict[str, ConceptRef] = {}
    for row in read_rows(path, CONCEPTS, complaints, ("definition", "reference")):
        with leave_out(row, complaints):
            concept = _concept(row)
            if column_name(concept.name) in concepts:
                raise UnreadableCell(f"the concept {concept.name!r} stands there twice")
            given = row.cells.get("reference", "").strip()
            file = path.parent / given if given else None
            if file and (not file.is_file() or file.suffix.casefold() not in ENDINGS):
                missing = f"the reference image {given!r} is not there; its concept has none"
                complaints.append(row.complaint(missing))
                file = None
            concepts[column_name(concept.name)] = replace(concept, file=file)
    return list(concepts.values())


def _concept(row: TableRow) -> ConceptRef:
    """Raises UnreadableCell."""
    name = row.cells["concept"].strip()
    domain = TYPES.get(column_name(row.cells["domain"]))
    if not name:
        raise UnreadableCell("it names no concept")
    if domain is None:
        raise UnreadableCell(f"the domain {row.cells['domain']!r} is unknown")
    definition = row.cells.get("definition", "").strip()
    return ConceptRef(name=name, domain=domain, definition=definition)


def write_review(path: Path, lines: Iterable[ReviewedProposal]) -> None:
    """Write the table in which a person says yes or no to each prompt, and may mend it.

    Raises OSError.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(REVIEW)
        for proposal in lines:
            writer.writerow(
                [
                    "",
                    proposal.task,
                    _BETWEEN.join(proposal.concepts),
                    proposal.prompt,
                    _BETWEEN.join(proposal.variations),
                    {None: "", True: "yes", False: "no"}[proposal.feasible],
                    proposal.reason,
                    proposal.problem,
                ]
            )


def read_accepted(
    path: Path, concepts: Sequence[ConceptRef], complaints: list[Complaint]
) -> list[FactualPrompt]:
    """Return the prompts that a person accepted; what cannot stand is named.

    Raises BadTable.
    """
    known = {column_name(concept.name): concept for concept in concepts}
    prompts: list[FactualPrompt] = []
    for row in read_rows(path, _TAKEN, complaints):
        with leave_out(row, complaints):
            accept = column_name(row.cells["accept"])
            if accept in _YES:
                prompts.append(_prompt(row, known))
            elif accept not in _NO:
                raise UnreadableCell(f"accept is {row.cells['accept']!r} and neither yes nor no")
    return prompts


def _prompt(row: TableRow, known: Mapping[str, ConceptRef]) -> FactualPrompt:
    """Raises UnreadableCell."""
    prompt = row.cells["prompt"].strip()
    names = _several(row.cells["concepts"])
    task = next((task for task in TASKS if task == row.cells["task"]), None)
    if task is None:
        raise UnreadableCell(f"the task {row.cells['task']!r} is none of {', '.join(TASKS)}")
    if not names:
        raise UnreadableCell("it names no concept")
    if missing := [name for name in names if column_name(name) not in known]:
        raise UnreadableCell(f"the concept {missing[0]!r} is not in the list of concepts")
    concepts = tuple(known[column_name(name)] for name in names)
    spans = mentions(prompt, concepts)
    if unnamed := [name for name, span in zip(names, spans, strict=True) if not span]:
        raise UnreadableCell(f"the prompt does not name {' and '.join(unnamed)}")
    return FactualPrompt(
        prompt=prompt,
        concepts=concepts,
        task=task,
        variations=tuple(_several(row.cells["variations"])),
        source=f"row {row.line}",
    )


def write_benchmark(folder: Path, prompts: Sequence[FactualPrompt]) -> None:
    """Write `prompt.jsonl` and the reference pictures under `image/DOMAIN`. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    places = {
        concept.name: _placed(concept, folder) for prompt in prompts for concept in prompt.concepts
    }
    lines = [json.dumps(_fields(prompt, places), ensure_ascii=False) for prompt in prompts]
    (folder / "prompt.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _placed(concept: ConceptRef, folder: Path) -> str:
    """Copy the picture of a concept into the folder, and return where it lies there.

    A concept without a picture gets the name all the same.
    """
    ending = concept.file.suffix if concept.file else ".jpg"
    place = (
        Path("image")
        / str(concept.domain)
        / f"{'_'.join(concept.name.replace('/', ' ').split())}{ending}"
    )
    if concept.file:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(concept.file, folder / place)
    return place.as_posix()


def _fields(prompt: FactualPrompt, places: Mapping[str, str]) -> dict[str, object]:
    """Return a line as the authors write it, with definitions where there are any."""
    injected = inject(prompt.prompt, prompt.concepts).prompt
    return {
        "concept": [concept.name for concept in prompt.concepts],
        "type": [concept.domain for concept in prompt.concepts],
        "sentence": prompt.prompt,
        "reference_image": [places[concept.name] for concept in prompt.concepts],
        "addition": list(prompt.variations),
        "task": prompt.task,
        **({"sentence_text_knowledge": injected} if injected != prompt.prompt else {}),
    }


def _several(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(_BETWEEN.strip()) if part.strip()]
