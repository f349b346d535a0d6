"""Reads questions as the authors of other benchmarks publish them, as sets by prompt.

Known are TIFA (``caption, question, choices, answer, element_type``), DSG
(``question_natural_language`` with ``proposition_id`` and ``dependency``), GenEval's metadata
(``include`` and ``exclude``), explanations as WISE gives them (``Prompt, Explanation``), and lists
of ``questions`` or ``criteria`` by prompt; as .json, .jsonl, .csv, .tsv or .xlsx.
"""

import json
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.data.files.questions import is_none_of_the_above, parse_question, tidy_set
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    TableRow,
    UnreadableCell,
    column_name,
    flatten,
    leave_out,
    read_rows,
    read_titles,
)
from hallascope.data.files.tidy import line
from hallascope.data.records import (
    COIS,
    LETTERS,
    NONE_OF_THE_ABOVE,
    CoI,
    Provenance,
    Question,
    QuestionSet,
)

_PROMPT = ("caption", "prompt", "prompts", "text")
_QUESTION = ("question natural language", "question", "criterion", "text")
_ANSWER = ("answer", "gold", "correct answer", "expected")
_KIND = ("cois", "coi", "category detailed", "element type", "category broad")
_LISTS = ("questions", "criteria", "question answers", "qa")
_KINDS: Mapping[str, CoI] = {
    **{coi: coi for coi in COIS},
    **dict.fromkeys(("animal/human", "animal", "human", "object", "food"), "existence"),
    **dict.fromkeys(("entity", "whole", "part"), "existence"),
    **dict.fromkeys(("spatial", "action", "activity"), "relation"),
    **dict.fromkeys(("location", "global", "style"), "scene"),
    "count": "counting",
    "pose": "posture",
}
_YES_NO = ("yes", "no")
# fields of a JSON line that make it one of another benchmark
OTHER_FORMS = {"question", "question_natural_language", "include", "explanation", "criteria"}
Fields = Mapping[str, str]


def read_published_questions(path: Path) -> tuple[list[QuestionSet], list[Complaint]]:
    """Read all questions by prompt, tidy, and what was wrong; what cannot be read is named.

    Raises BadTable where the file is none of these forms.
    """
    complaints: list[Complaint] = []
    titles = read_titles(path, (*_PROMPT, *_QUESTION))
    if "groundtruth responses" in titles:
        raise BadTable(
            f"the file {path.name!r} holds HaloQuest's questions about images, not about prompts:"
            " read it with `hallascope benchmark load haloquest`"
        )
    column = next((name for name in _PROMPT if name in titles), "prompt")
    by_prompt: dict[str, list[TableRow]] = {}
    for row in read_rows(path, (column,), complaints):
        try:
            asked = [replace(row, cells=own) for own in _question_fields(row.cells, column)]
            by_prompt.setdefault(line(row.cells[column]), []).extend(asked or [row])
        except (LookupError, TypeError, ValueError) as problem:
            complaints.append(
                row.complaint(f"its questions cannot be read ({problem}); the row is left out")
            )
    sets: list[QuestionSet] = []
    for prompt, listed in by_prompt.items():
        with leave_out(listed[0], complaints, "set"):
            sets.append(tidy_set(_set(prompt, listed, complaints)))
    return sets, complaints


def _set(prompt: str, listed: Sequence[TableRow], complaints: list[Complaint]) -> QuestionSet:
    """Return the questions of a prompt, each once, with those that they depend on."""
    questions: dict[str, Question] = {}
    places: dict[str, int] = {}  # by the id in the file
    parents: list[list[str]] = []
    for number, row in enumerate(listed, 1):
        fields = row.cells
        try:
            question = _question(fields)
        except ValueError as problem:
            complaints.append(row.complaint(f"{problem}; the question is left out"))
            continue
        if question.text not in questions:
            questions[question.text] = question
            parents.append(re.findall(r"\w+", fields.get("dependency", "")))
        places[fields.get("proposition id") or str(number)] = list(questions).index(question.text)
    if any("weight" in row.cells for row in listed):
        unread = "the weights are not read: every question counts the same"
        complaints.append(listed[0].complaint(unread))
    explanation = next((cell for row in listed if (cell := row.cells.get("explanation"))), "")
    return QuestionSet(
        prompt=prompt,
        questions=tuple(
            replace(question, parents=tuple(places[own] + 1 for own in named if own in places))
            for question, named in zip(questions.values(), parents, strict=True)
        ),
        source="file",
        provenance=Provenance(reasoning=explanation),
    )


def _question_fields(row: Fields, prompt: str) -> Iterator[Fields]:
    """Yield the fields of each question of a row. Raises ValueError where it holds none."""
    if "include" in row:
        yield from _geneval_fields(row)
        return
    for name in _LISTS:
        for own in _listed(row.get(name, "")):
            given = own if isinstance(own, dict) else {"question": own}
            yield {column_name(name): cell for name, cell in flatten(given).items()}
        if row.get(name):
            return
    if row.get("explanation"):
        text = f"Does the image fit this description: {row['explanation']}"
        yield {"question": text, "explanation": row["explanation"]}
        return
    yield {name: cell for name, cell in row.items() if name != prompt}


def _geneval_fields(row: Fields) -> Iterator[Fields]:
    """Yield a question for each object of GenEval's metadata, its color, number and place.

    Ghosh et al., NeurIPS 2023: the named objects, at least so many where none is excluded.
    """
    include = _listed(row["include"])
    excluded = {own["class"]: own["count"] for own in _listed(row.get("exclude", ""))}
    for place, own in enumerate(include):
        name, count = own["class"], own.get("count", 1)
        article = "an" if name[0] in "aeiou" else "a"
        text = f"Is there {article} {name} in the image?"
        if count > 1:
            much = "exactly" if name in excluded else "at least"
            text = f"Does the image show the object “{name}” {much} {count} times?"
        kind = "counting" if count > 1 else "existence"
        yield {"question": text, "proposition id": f"o{place}", "coi": kind}
        if color := own.get("color"):
            yield {"question": f"Is the {name} {color}?", "dependency": f"o{place}", "coi": "color"}
        if position := own.get("position"):
            relation, other = position
            yield {
                "question": f"Is the {name} {relation} the {include[other]['class']}?",
                "dependency": f"o{place},o{other}",
                "coi": "relation",
            }


def _question(fields: Fields) -> Question:
    """Return a question with its choices, yes and no where it has none. Raises ValueError."""
    text, answer = (
        next((fields[name] for name in names if fields.get(name)), default).strip()
        for names, default in ((_QUESTION, ""), (_ANSWER, _YES_NO[0]))
    )
    choices = list(
        dict.fromkeys(
            line(own if isinstance(own, str) else json.dumps(own))
            for own in _listed(fields.get("choices", ""))
        )
    )
    if not choices:
        if answer.casefold() not in _YES_NO:
            text, answer = f"{text} {answer}?", _YES_NO[0]
        choices = list(_YES_NO)
    if not any(map(is_none_of_the_above, choices)):
        choices.append(NONE_OF_THE_ABOVE)
    if len(choices) > len(LETTERS):
        raise UnreadableCell(f"it has {len(choices) - 1} choices: at most four are asked")
    kinds = (_KINDS.get(fields.get(name, "").casefold()) for name in _KIND)
    coi = next(filter(None, kinds), "others")
    return parse_question({"question": text, "choices": choices, "answer": answer, "coi": coi})


def _listed(cell: str) -> list[Any]:
    """Return the items of a cell that holds a list, as JSON, as Python writes it, or a line each.

    Raises ValueError where it is none.
    """
    text = cell.strip()
    if not text.startswith("["):
        return [part for part in map(str.strip, re.split(r"[\n|;]", text)) if part]
    try:
        items = literal_eval(text) if "'" in text[:2] else json.loads(text)
    except (ValueError, SyntaxError, RecursionError) as error:
        raise UnreadableCell(f"{text[:40]!r} is no list") from error
    return list(items)
