"""Reads and writes sets of questions as JSON lines, one set a line.

What cannot be read is left out and named with its line.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hallascope.data.files import cells
from hallascope.data.files.csv_tables import CsvRow
from hallascope.data.files.sheets import Complaint
from hallascope.data.files.tidy import tidy, tidy_set
from hallascope.data.records import Provenance, Question, QuestionSet

# fields of a line that make it one of another benchmark
OTHER_FORMS = {"question", "question_natural_language", "include", "explanation", "criteria"}
LineFields = Mapping[str, Any]
_OPTIONAL = ("category", "domain", "field", "prompt_difficulty")
_PROVENANCE = ("judge", "writer", "reasoning", "made")
_MAPPINGS: Mapping[str, Callable[[str], Any]] = {
    "templates": cells.pairs,
    "difficulty": cells.levels,
}


def write(sets: Sequence[QuestionSet], path: Path) -> None:
    """Write the sets as they are, in UTF-8, with a line feed after each. Raises OSError."""
    lines = (
        json.dumps(set_fields(question_set), ensure_ascii=False, allow_nan=False)
        for question_set in sets
    )
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def read_json_lines(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    """Read the sets, tidy, and what was wrong; the row of a complaint is the line, from 1."""
    complaints: list[Complaint] = []
    sets: list[QuestionSet] = []
    for number, text in enumerate(cells.utf_8_lines(path, path.name, complaints), 1):
        if not text.strip():
            continue
        row = CsvRow(path.name, number, {})
        fields = cells.json_object(text)
        if fields is None:
            complaints.append(row.complaint("is no JSON object; the line is left out"))
            continue
        with cells.leave_out(row, complaints, "set"):
            sets.append(tidy_set(_set(row, fields, complaints)))
    if not sets and not complaints:
        complaints.append(Complaint(path.name, None, None, "holds no set of questions"))
    return sets, complaints


def is_ours(path: Path) -> bool:
    """Return whether the first line is a set as we write it, or cannot be read at all."""
    try:
        with path.open("rb") as file:
            fields = cells.json_object(file.readline(2**24))
    except OSError:
        return True
    if fields is None:
        return True
    match fields.get("questions"):
        case [str(), *_]:
            return False
        case [dict() as question, *_]:
            return "coi" in question or "answer" not in question
    return "questions" in fields or not OTHER_FORMS & {name.casefold() for name in fields}


def set_fields(question_set: QuestionSet) -> dict[str, Any]:
    """Return a set as a JSON object."""
    provenance = question_set.provenance
    return {
        "prompt": question_set.prompt,
        "category": question_set.category,
        "field": question_set.field,
        "prompt_difficulty": question_set.difficulty,
        "domain": question_set.domain,
        "source": question_set.source,
        "questions": [question_fields(question) for question in question_set.questions],
        "provenance": asdict(provenance) if provenance else None,
    }


def question_fields(question: Question) -> dict[str, Any]:
    """Return a question as a JSON object; `question_of` reads it."""
    return {
        "coi": question.coi,
        "question": question.text,
        "choices": question.choices,
        "answer": question.gold,
        "origin": question.origin,
        "regions": question.regions,
        **({"depends_on": question.parents} if question.parents else {}),
    }


def _set(row: CsvRow, fields: LineFields, complaints: list[Complaint]) -> QuestionSet:
    listed = fields.get("questions")
    if not isinstance(listed, list):
        raise cells.UnreadableCell("has no list 'questions'")
    provenance = fields.get("provenance", {})
    provenance = {} if provenance is None else provenance
    if not isinstance(provenance, dict):
        raise cells.UnreadableCell("its provenance is no JSON object")
    questions: list[Question] = []
    for place, own in enumerate(listed, 1):
        try:
            if not isinstance(own, dict):
                raise cells.UnreadableCell("is no JSON object")
            questions.append(tidy(question_of(own)))
        except cells.UnreadableCell as problem:
            complaints.append(
                row.complaint(f"question {place}: {problem}; the question is left out")
            )
    texts = {name: cells.field_text(fields, name) for name in ("prompt", "source", *_OPTIONAL)}
    texts |= {name: cells.field_text(provenance, name) for name in _PROVENANCE}
    texts |= {name: json.dumps(provenance.get(name) or {}) for name in _MAPPINGS}
    return set_of(texts, texts["prompt"], questions, lambda name, read: read(texts[name]))


def set_of(
    texts: Mapping[str, str],
    prompt: str,
    questions: Sequence[Question],
    read_text: Callable[[str, Callable[[str], Any]], Any],
) -> QuestionSet:
    """Return a set out of its texts by name; `read_text` reads the one of a name, not empty."""

    def read(name: str, reader: Callable[[str], Any]) -> Any:
        return read_text(name, reader) if texts.get(name) else None

    provenance: dict[str, Any] = {name: texts.get(name, "") for name in _PROVENANCE}
    provenance |= {name: read(name, reader) or {} for name, reader in _MAPPINGS.items()}
    return QuestionSet(
        prompt=prompt,
        questions=tuple(questions),
        source=texts.get("source") or "file",
        provenance=Provenance(**provenance),
        category=read("category", cells.category),
        domain=read("domain", cells.domain),
        field=read("field", cells.ihalla_field),
        difficulty=read("prompt_difficulty", cells.level),
    )


def question_of(fields: LineFields) -> Question:
    """Return a question out of a JSON object, as it stands.

    Raises UnreadableCell with what is wrong.
    """
    choices = cells.split_choices(_texts(fields, "choices"))
    gold = cells.answer(cells.field_text(fields, "answer").strip(), choices)
    coi = cells.coi(cells.field_text(fields, "coi"))
    parents = fields.get("depends_on") or ()
    return Question(
        text=cells.field_text(fields, "question"),
        choices=choices,
        gold=gold,
        coi=coi,
        regions=_texts(fields, "regions"),
        origin=cells.field_text(fields, "origin"),
        parents=tuple(number for number in parents if isinstance(number, int)),
    )


def _texts(fields: LineFields, name: str) -> tuple[str, ...]:
    texts = fields.get(name) or []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise cells.UnreadableCell(f"{name!r} is no list of texts")
    return tuple(texts)
