"""Reads and writes sets of questions as JSON lines, one set a line.

What cannot be read is left out and named with its line.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hallascope.data.files import cells
from hallascope.data.files.sheets import Complaint
from hallascope.data.files.tidy import tidy, tidy_set
from hallascope.data.records import Provenance, Question, QuestionSet

LineFields = Mapping[str, Any]


def write(sets: Sequence[QuestionSet], path: Path) -> None:
    """Write the sets as they are, in UTF-8, with a line feed after each. Raises OSError."""
    lines = (
        json.dumps(_set_fields(question_set), ensure_ascii=False, allow_nan=False)
        for question_set in sets
    )
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def read_json_lines(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    """Read the sets, tidy, and what was wrong; the row of a complaint is the line, from 1."""
    reader = _JsonLinesReader(path.name)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reader.complain(
            None,
            f"cannot be opened ({error.strerror or error}); check that it is there and may be read",
        )
    except UnicodeDecodeError:
        reader.complain(None, "is no UTF-8 text; save it as UTF-8")
    else:
        sets = [
            reader.line(number, line)
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip()
        ]
        if not sets:
            reader.complain(None, "holds no set of questions")
        return [question_set for question_set in sets if question_set], reader.complaints
    return [], reader.complaints


def _set_fields(question_set: QuestionSet) -> dict[str, object]:
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


def question_fields(question: Question) -> dict[str, object]:
    """Return a question as a JSON object; `question_of` reads it."""
    return {
        "coi": question.coi,
        "question": question.text,
        "choices": question.choices,
        "answer": question.gold,
        "origin": question.origin,
        "regions": question.regions,
    }


class _JsonLinesReader:
    """Reads lines and gathers what was wrong in them."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.complaints: list[Complaint] = []

    def complain(self, line: int | None, problem: str) -> None:
        self.complaints.append(Complaint(self.file, None, line, problem))

    def line(self, number: int, text: str) -> QuestionSet | None:
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            self.complain(number, "is no JSON object; the line is left out")
            return None
        try:
            return tidy_set(self._set(number, fields))
        except ValueError as problem:
            self.complain(number, f"{problem}; the set is left out")
            return None

    def _set(self, number: int, fields: LineFields) -> QuestionSet:
        listed = fields.get("questions")
        if not isinstance(listed, list):
            raise cells.UnreadableCell("has no list 'questions'")
        questions = [self._question(number, place, each) for place, each in enumerate(listed, 1)]
        category = _text(fields, "category")
        domain = _text(fields, "domain")
        field = _text(fields, "field")
        difficulty = _text(fields, "prompt_difficulty")
        return QuestionSet(
            prompt=_text(fields, "prompt"),
            questions=tuple(question for question in questions if question),
            category=cells.category(category) if category else None,
            domain=cells.domain(domain) if domain else None,
            source=_text(fields, "source") or "file",
            provenance=_provenance(fields.get("provenance")),
            field=cells.ihalla_field(field) if field else None,
            difficulty=cells.level(difficulty) if difficulty else None,
        )

    def _question(self, number: int, place: int, fields: object) -> Question | None:
        try:
            if not isinstance(fields, dict):
                raise cells.UnreadableCell("is no JSON object")
            return tidy(question_of(fields))
        except ValueError as problem:
            self.complain(number, f"question {place}: {problem}; the question is left out")
            return None


def question_of(fields: LineFields) -> Question:
    """Return a question out of a JSON object, as it stands.

    Raises UnreadableCell with what is wrong.
    """
    choices = cells.split_choices(_texts(fields, "choices"))
    gold = cells.answer(_text(fields, "answer").strip(), choices)
    coi = cells.coi(_text(fields, "coi"))
    return Question(
        text=_text(fields, "question"),
        choices=choices,
        gold=gold,
        coi=coi,
        regions=_texts(fields, "regions"),
        origin=_text(fields, "origin"),
    )


def _provenance(fields: object) -> Provenance | None:
    if fields is None:
        return None
    if not isinstance(fields, dict):
        raise cells.UnreadableCell("its provenance is no JSON object")
    return Provenance(
        **{name: _text(fields, name) for name in ("judge", "writer", "reasoning", "made")},
        templates=cells.pairs(json.dumps(fields.get("templates") or {})),
        difficulty=cells.levels(json.dumps(fields.get("difficulty") or {})),
    )


def _text(fields: LineFields, name: str) -> str:
    """Return the text of that name, "" where there is none.

    Raises UnreadableCell where it is something else.
    """
    text = fields.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise cells.UnreadableCell(f"{name!r} is no text")
    return text


def _texts(fields: LineFields, name: str) -> tuple[str, ...]:
    texts = fields.get(name) or []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise cells.UnreadableCell(f"{name!r} is no list of texts")
    return tuple(texts)
