"""Reads T2I-FactualBench as it is given away: JSON lines and a folder of references.

It says what it read and what was wrong, with file and row, and changes nothing silently.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import Field

from hallascope.data.benchmarks.images import ENDINGS
from hallascope.data.benchmarks.prompt_lists import NOT_GIVEN, count_values
from hallascope.data.benchmarks.spellings import spellings
from hallascope.data.concept_mentions import definitions, spoken_name
from hallascope.data.concepts import LEVELS, PAIRED, TASKS, ConceptRef, FactualPrompt, FactualTask
from hallascope.data.files.row_records import CleanText, FilledText, parse_record
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    TableRow,
    UnreadableCell,
    column_name,
    leave_out,
    read_json_lines,
)
from hallascope.data.records import DOMAINS, Domain

NAME = "factualbench"
TYPES = spellings("domain", DOMAINS)
_TASKS = spellings("task", TASKS)  # "variation" of several concepts becomes "background" (`_task`)
_SPENT = ("suitable",)  # the maker's model answered so instead of naming a variation
Key = tuple[str, tuple[str, ...]]
_Texts = Annotated[tuple[CleanText, ...], Field(description="a list of texts")]


@dataclass(frozen=True)
class FactualBenchmark:
    """The prompts as read from a file or a folder. `files` are those that hold prompts."""

    folder: Path
    prompts: tuple[FactualPrompt, ...]
    complaints: tuple[Complaint, ...]
    files: tuple[str, ...]

    def summary(self) -> dict[str, object]:
        """Return what was read as JSON-able counts: prompts, concepts, reference pictures.

        Prompts are counted by level, task and domain.
        """
        concepts = {
            (spoken_name(c.name).casefold(), c.domain): c for p in self.prompts for c in p.concepts
        }
        files = {
            concept.file for prompt in self.prompts for concept in prompt.concepts if concept.file
        }
        return {
            "benchmark": NAME,
            "folder": str(self.folder),
            "files": list(self.files),
            "prompts": len(self.prompts),
            "by_level": count_values((prompt.level for prompt in self.prompts), LEVELS),
            "by_task": count_values((prompt.task for prompt in self.prompts), TASKS),
            "concepts": len(concepts),
            "by_domain": count_values(
                (concept.domain or NOT_GIVEN for concept in concepts.values()), DOMAINS
            ),
            "references": len(files),
            "without_reference": sum(
                not concept.file for prompt in self.prompts for concept in prompt.concepts
            ),
            "injected": sum(bool(prompt.injected) for prompt in self.prompts),
            "complaints": len(self.complaints),
        }


def read_factualbench(path: Path) -> FactualBenchmark:
    """Read the authors' folder (or one within it), or one of its files.

    Raises BadTable where nothing of it is there.

    The prompts with definitions stand in files of their own and are joined to the plain ones. A row
    that misses something is left out whole and named. Of a reference picture's path the last two
    parts matter; it is looked for below the folder, whatever its ending, case, and `_` or space in
    its name.
    """
    path = Path(path)
    files = (
        sorted(path.rglob("*.jsonl"), key=lambda file: ("injection" in str(file), str(file)))
        if path.is_dir()
        else [path]
    )
    if not path.exists() or not files:
        raise BadTable(
            f"there are no prompts of T2I-FactualBench at {str(path)!r}: give the folder that holds"
            " 'prompt.jsonl' files"
        )
    reader = _FactualReader(path if path.is_dir() else path.parent)
    for file in files:
        reader.read_file(file)
    if not reader.prompts:
        first = str(reader.complaints[0]) if reader.complaints else f"{files[0].name} is empty"
        raise BadTable(f"no prompt of T2I-FactualBench was read at {str(path)!r}: {first}")
    reader.count_missing()
    return FactualBenchmark(
        path, tuple(reader.prompts.values()), tuple(reader.complaints), tuple(reader.files)
    )


@dataclass(frozen=True, kw_only=True)
class _FactualFields:
    """The fields of a line."""

    sentence: FilledText
    concept: Annotated[tuple[FilledText, ...], Field(min_length=1, description="a list of names")]
    task: CleanText
    type: _Texts = ()
    reference_image: _Texts = ()
    addition: _Texts = ()
    sentence_text_knowledge: CleanText = ""


class _FactualReader:
    """Reads files of one folder and gathers what was wrong in them, in the order it was met."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.complaints: list[Complaint] = []
        self.prompts: dict[Key, FactualPrompt] = {}
        self.files: list[str] = []
        self._images = references(root)
        self._missing: list[tuple[TableRow, str]] = []
        self._plain = False

    def read_file(self, file: Path) -> None:
        name = file.relative_to(self.root).as_posix()
        is_read = False
        try:
            for row, fields in read_json_lines(file, self.complaints, name):
                with leave_out(row, self.complaints):
                    self._add(row, self._prompt(row, fields))
                    is_read = True
        except BadTable as error:
            problem = str(error).removeprefix(f"the file {file.name!r} ")
            self.complaints.append(Complaint(name, None, None, problem))
        if is_read:
            self.files.append(name)

    def _add(self, row: TableRow, prompt: FactualPrompt) -> None:
        key = (
            prompt.prompt.casefold(),
            tuple(concept.name.casefold() for concept in prompt.concepts),
        )
        if prompt.injected and self._plain and key not in self.prompts:
            oddity = "its sentence is that of no plain prompt; it is read as a prompt of its own"
            self.complaints.append(row.complaint(oddity))
        self._plain = self._plain or not prompt.injected
        known = self.prompts.setdefault(key, prompt)
        if known is not prompt:
            self._join(row, key, known, prompt)

    def _join(self, row: TableRow, key: Key, known: FactualPrompt, prompt: FactualPrompt) -> None:
        """A prompt that stands in another file with its definitions goes to the one that is there.

        Else it appears twice.
        """
        if not prompt.injected or known.injected:
            twice = f"the prompt appears twice (first in {known.source})"
            self.complaints.append(row.complaint(f"{twice}; the second is left out"))
            return
        pairs = zip(known.concepts, prompt.concepts, strict=True)
        concepts = tuple(
            replace(plain, definition=plain.definition or other.definition)
            for plain, other in pairs
        )
        self.prompts[key] = replace(known, concepts=concepts, injected=prompt.injected)

    def _prompt(self, row: TableRow, values: Mapping[str, Any]) -> FactualPrompt:
        """Raises UnreadableCell."""
        given = {name: value for name, value in values.items() if value is not None}
        fields = parse_record(_FactualFields, given)
        names = [spoken_name(name) for name in fields.concept]
        for field, listed in (("type", fields.type), ("reference_image", fields.reference_image)):
            if len(listed) != len(names):
                raise UnreadableCell(
                    f"it names {len(names)} concepts, but its {field!r} has {len(listed)}"
                )
        task = _task(fields.task, len(names))
        concepts = [
            ConceptRef(
                name=name, domain=self._domain(row, kind, path), file=self._reference(row, path)
            )
            for name, kind, path in zip(names, fields.type, fields.reference_image, strict=True)
        ]
        injected = fields.sentence_text_knowledge
        if injected and (added := definitions(fields.sentence, injected, concepts)):
            concepts = [
                replace(concept, definition=definition)
                for concept, definition in zip(concepts, added, strict=True)
            ]
        return FactualPrompt(
            prompt=fields.sentence,
            concepts=tuple(concepts),
            task=task,
            variations=tuple(self._variations(row, fields.addition)),
            injected=injected,
            source=f"{row.file} row {row.line}",
        )

    def _domain(self, row: TableRow, kind: str, path: str) -> Domain | None:
        """By the type; where that is unknown, by the folder of the reference image."""
        if domain := TYPES.get(column_name(kind)):
            return domain
        domain = TYPES.get(_two(path)[0])
        why = (
            f"it is taken as {domain!r}, the folder of its reference image"
            if domain
            else "its domain is not given"
        )
        self.complaints.append(row.complaint(f"the type {kind!r} is unknown; {why}"))
        return domain

    def _reference(self, row: TableRow, path: str) -> Path | None:
        image = self._images.get(_two(path))
        if not image:
            name = "/".join(PurePosixPath(path.replace("\\", "/")).parts[-2:])
            self._missing.append((row, name))
        return image

    def _variations(self, row: TableRow, additions: Sequence[str]) -> Iterator[str]:
        for text in additions:
            if text.casefold() in _SPENT:
                oddity = "names no variation; the task is judged by the sentence"
                self.complaints.append(row.complaint(f"the addition {text!r} {oddity}"))
            elif text:
                yield text

    def count_missing(self) -> None:
        """Name each reference image that is not there; once for all where none is."""
        if self._missing and not self._images:
            several = (
                f"no reference image was found below {str(self.root)!r}: put the folder"
                " 'concept_image' there"
            )
            self.complaints.append(Complaint(self.root.name or str(self.root), None, None, several))
            return
        for row, name in self._missing:
            problem = f"the reference image {name!r} is not there; its concept is left out"
            self.complaints.append(row.complaint(problem))


def references(root: Path) -> dict[tuple[str, str], Path]:
    """Return the pictures below a folder by the name of their folder and their own, normalized.

    Of two alike the first in the alphabet.
    """
    pictures: dict[tuple[str, str], Path] = {}
    for file in sorted(root.rglob("*")):
        if file.suffix.casefold() in ENDINGS and file.is_file() and file.stat().st_size:
            pictures.setdefault(_two(file.as_posix()), file)
    return pictures


def _two(path: str) -> tuple[str, str]:
    """Return what matters of a path: its folder and its name without ending.

    Case does not matter, and `_` is a space.
    """
    parts = PurePosixPath(path.replace("\\", "/")).parts[-2:]
    if not parts:
        return "", ""
    folder = parts[0] if len(parts) > 1 else ""
    name = PurePosixPath(parts[-1])
    stem = name.stem if name.suffix.casefold() in ENDINGS else name.name
    return column_name(folder), column_name(stem)


def _task(name: str, concepts: int) -> FactualTask:
    task = _TASKS.get(column_name(name))
    if not task:
        raise UnreadableCell(
            f"the task {name!r} is none of {', '.join(TASKS)}" if name else "it has no 'task'"
        )
    if task == "scene" and concepts > 1:
        return "background"
    if (task == "memorization") != (concepts == 1) and task in ("memorization", *PAIRED):
        wanted = "one concept" if task == "memorization" else "several concepts"
        raise UnreadableCell(f"the task {name!r} is of {wanted}, and it names {concepts}")
    return task
