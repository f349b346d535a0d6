"""Makes clean questions and sets of them out of cells of a table or fields of a JSON object.

Every function raises `UnreadableCell` with a problem that can follow "row 7: "; nothing is guessed
and nothing moved from one field to another.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, get_args

from hallascope.data.files.tables import (
    Complaint,
    TableRow,
    UnreadableCell,
    is_excel_error,
    json_object,
    leave_out,
)
from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.lexicon import shorten
from hallascope.data.records import (
    COIS,
    DIFFICULTIES,
    DOMAINS,
    FIELDS,
    LETTERS,
    NONE_OF_THE_ABOVE,
    Category,
    CoI,
    Difficulty,
    Domain,
    IHallaField,
    Letter,
    Provenance,
    Question,
    QuestionSet,
)

QUESTION_COLUMNS = ("data index", "cois", "question", "choices", "answer")
CAPTION_COLUMNS = ("data index", "caption")
QUESTIONS_A_PROMPT = 5
_CHOICE = re.compile(r"\(?([A-Ea-e])\s*[).:]\s*(.*)", re.DOTALL)
# before a choice, where each has a line of its own, and where all stand on one
_LINE_MARK = re.compile(r"^\s*\(?([A-Ea-e])\s*[).:]\s*", re.MULTILINE)
_MARK = re.compile(r"(?:^\(?(?=A)|\s+\(?(?=[B-E]))([A-E])\s*[).:]\s+")
_ANSWER = re.compile(r"\(?([A-Ea-e])(?:\s*[).:]+\s*(.*))?", re.DOTALL)
_COI_SPELLINGS: dict[str, CoI] = {
    **{coi: coi for coi in COIS},
    **{f"{coi}s": coi for coi in COIS},
    "colour": "color",
    "colours": "color",
    "count": "counting",
    "counts": "counting",
    "other": "others",
}
Fields = Mapping[str, Any]
StrT = TypeVar("StrT", bound=str)
T = TypeVar("T")


# --- closed sets and numbers


def one_of(
    cell: str, what: str, known: Iterable[StrT], key: Callable[[str], object] | None = None
) -> StrT:
    """Return which of the known texts a cell holds, whatever its case; `key` compares otherwise."""
    compared = key or _folded
    for own in known:
        if compared(own) == compared(cell):
            return own
    raise UnreadableCell(f"the {what} {cell!r} is none of {', '.join(known)}")


def _place_and_time(text: str) -> list[str]:
    words = re.findall(r"[a-z]+", text.casefold())
    return ["african" if word == "africa" else word for word in words if word != "and"]


def _folded(text: str) -> str:
    return " ".join(text.replace("_", " ").split()).casefold()


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")


read_domain: Callable[[str], Domain] = partial(one_of, what="domain", known=DOMAINS)
read_field: Callable[[str], IHallaField] = partial(one_of, what="field", known=FIELDS)
read_difficulty: Callable[[str], Difficulty] = partial(
    one_of, what="difficulty", known=DIFFICULTIES
)
# whatever the signs between its words: "Western & Africa/Ancient"
read_category: Callable[[str], Category] = partial(
    one_of, what="category", known=tuple(Category), key=_place_and_time
)


def read_index(cell: str) -> int:
    """Return a data_index: a whole number from 0."""
    if not re.fullmatch(r"[0-9]{1,9}", cell):
        raise UnreadableCell(f"the data_index {cell!r} is not a whole number")
    return int(cell)


def read_coi(cell: str) -> CoI:
    """Return a composition of interest, whatever its case, plural or spelling of "colour"."""
    known = _COI_SPELLINGS.get(cell.strip(" .").casefold())
    if not known:
        raise UnreadableCell(
            f"the composition of interest {cell!r} is none of {', '.join(COIS)}"
            if cell
            else "the composition of interest is missing"
        )
    return known


# --- choices and their answer


def read_choices(cell: str) -> tuple[str, ...]:
    """Return five choices out of one cell with a line each, "A) ..." to "E) ...".

    E is added where it is missing. A line without a letter goes on the choice before it. One line
    may hold them all, in their order.
    """
    text = cell.strip()
    begin, *parts = (_LINE_MARK if "\n" in text else _MARK).split(text)
    if begin:
        raise UnreadableCell(
            f"the choices begin with {begin.splitlines()[0]!r} and not with 'A) ...'"
        )
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return _complete_choices([(letter.upper(), line(own)) for letter, own in pairs])


def split_choices(texts: Sequence[str]) -> tuple[str, ...]:
    """Return five choices out of a list of four or five.

    Letters before all of the first four are taken off, E is added where it is missing.
    """
    texts = [line(text) for text in texts]
    if len(texts) not in (4, 5) and not (texts and is_none_of_the_above(texts[-1])):
        raise UnreadableCell(
            f"there are {len(texts)} choices: give five, the last of them {NONE_OF_THE_ABOVE!r}"
        )
    while all(_own(letter, text) is not None for letter, text in zip("ABCD", texts, strict=False)):
        texts = [
            text if (own := _own(letter, text)) is None else own
            for letter, text in zip("ABCDE", texts, strict=False)
        ]
    return _complete_choices(list(zip("ABCDE", texts, strict=False)))


def _own(letter: str, text: str) -> str | None:
    """Return the text without the letter of its own place before it, None where it has none."""
    match = _CHOICE.fullmatch(text)
    return match[2].strip() if match and match[1].upper() == letter else None


def _complete_choices(lettered: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    letters = "".join(letter for letter, _ in lettered)
    texts = [text for _, text in lettered]
    ends = bool(texts) and is_none_of_the_above(texts[-1])
    if letters not in ("ABCD", "ABCDE") and not (ends and letters in ("ABC", "AB")):
        raise UnreadableCell(
            f"the choices are {', '.join(letters)} and not A to D or A to E, one a line"
            if letters
            else "the choices are missing"
        )
    if "" in texts:
        raise UnreadableCell(f"choice {letters[texts.index('')]} is empty")
    if len(texts) == len(LETTERS) and not ends:
        raise UnreadableCell(f"choice E is {texts[-1]!r} and not {NONE_OF_THE_ABOVE!r}")
    if len({_words(text) for text in texts}) < len(texts):
        raise UnreadableCell("two choices are the same")
    return (*(texts[:-1] if ends else texts), NONE_OF_THE_ABOVE)


def is_none_of_the_above(choice: str) -> bool:
    """Return whether a choice is "None of the above", in any case and with a full stop or not."""
    return _words(choice) == _words(NONE_OF_THE_ABOVE)


def read_answer(cell: str, texts: Sequence[str]) -> Letter:
    """Return the gold letter from "B", "B)", "B) Red" or the full text of one choice."""
    if not cell.strip():
        raise UnreadableCell("the right answer is missing: choose a letter A to E")
    choices = dict(zip(LETTERS, texts, strict=False))
    same = [letter for letter, text in choices.items() if _words(text) == _words(cell)]
    match = _ANSWER.fullmatch(cell)
    if match and (not same or not match[2]):
        named = next((letter for letter in choices if letter == match[1].upper()), None)
        if named and match[2] and _words(match[2]) != _words(choices[named]):
            raise UnreadableCell(
                f"the answer {cell!r} contradicts choice {named}, {choices[named]!r}"
            )
        same = [named] if named else []
    if len(same) != 1:
        raise UnreadableCell(
            f"the answer {cell!r} is neither a letter A to E nor the text of a choice"
        )
    return same[0]


# --- questions


def parse_question(fields: Fields) -> Question:
    """Return a question as it is saved: texts on one line, choices without letters.

    `choices` are one text with a line each, or a list; `regions` likewise. Raises UnreadableCell.
    """
    text = line(_text(fields, "question"))
    if not text:
        raise UnreadableCell("the question is empty: write it, or drop the question")
    if is_excel_error(text):
        raise UnreadableCell(f"the question is the Excel error {text}: write it again")
    given = fields.get("choices") or []
    if isinstance(given, str) and is_excel_error(given):
        raise UnreadableCell(f"the cell 'choices' holds the Excel error {given}")
    choices = read_choices(given) if isinstance(given, str) else split_choices(_texts(given))
    regions = fields.get("regions") or []
    return Question(
        text=text,
        choices=tuple(map(line, choices)),
        gold=read_answer(_text(fields, "answer").strip(), choices),
        coi=read_coi(_text(fields, "coi")),
        regions=tuple(
            filter(
                None,
                map(line, regions.splitlines() if isinstance(regions, str) else _texts(regions)),
            )
        ),
        origin=line(_text(fields, "origin")),
        parents=_parents(fields.get("depends_on") or ()),
    )


def _parents(given: object) -> tuple[int, ...]:
    if isinstance(given, str):
        return tuple(map(int, re.findall(r"\d+", given)))
    if not isinstance(given, list | tuple) or not all(type(own) is int for own in given):
        raise UnreadableCell(f"'depends_on' is {given!r:.60} and not a list of numbers, like [2]")
    return tuple(given)


def renumber(questions: Iterable[Question], places: Mapping[int, int]) -> tuple[Question, ...]:
    """Return questions that depend on others by where these stand now.

    `places` are theirs, from 1, by their number before; one that is left out is no parent any more.
    """
    return tuple(
        replace(own, parents=tuple(places[parent] for parent in own.parents if parent in places))
        for own in questions
    )


def tidy_question(question: Question) -> Question:
    """Return the question as it is saved. Raises UnreadableCell where it cannot stand."""
    return parse_question(question_fields(question))


def question_fields(question: Question) -> dict[str, Any]:
    """Return a question as a JSON object; `parse_question` reads it."""
    return {
        "coi": question.coi,
        "question": question.text,
        "choices": question.choices,
        "answer": question.gold,
        "origin": question.origin,
        "regions": question.regions,
        **({"depends_on": question.parents} if question.parents else {}),
    }


def _text(fields: Fields, name: str) -> str:
    text = fields.get(name)
    if not isinstance(text, str | None):
        raise UnreadableCell(f"{name!r} is no text")
    return text or ""


def _texts(given: object) -> Sequence[str]:
    if not isinstance(given, list | tuple) or not all(isinstance(text, str) for text in given):
        raise UnreadableCell(f"{given!r:.60} is no list of texts")
    return given


# --- sets of questions


def tidy_set(question_set: QuestionSet) -> QuestionSet:
    """Return the set as saved: tidy questions, none twice, and clean paragraphs of reasoning.

    Raises UnreadableCell with one sentence that names the question where it cannot stand.
    """
    prompt = line(question_set.prompt)
    if not prompt or is_excel_error(prompt):
        raise UnreadableCell("the questions have no prompt: say what the image should show")
    if not question_set.questions:
        raise UnreadableCell(f"there is no question for the prompt {prompt!r}: write at least one")
    if question_set.domain is not None:
        read_domain(question_set.domain)
    category = question_set.category
    if category and question_set.field not in (None, category.field):
        raise UnreadableCell(
            f"the category {category.value!r} is of {category.field} and not of"
            f" {question_set.field}: change one of them"
        )
    questions: list[Question] = []
    for number, question in enumerate(question_set.questions, 1):
        try:
            questions.append(tidy_question(question))
        except UnreadableCell as problem:
            raise UnreadableCell(f"question {number}: {problem}") from None
        if questions[-1].text in (earlier.text for earlier in questions[:-1]):
            raise UnreadableCell(f"question {number} appears twice: drop or change one")
    return replace(
        question_set,
        prompt=prompt,
        questions=tuple(questions),
        source=line(question_set.source),
        provenance=_tidy_provenance(question_set.provenance),
    )


def _tidy_provenance(provenance: Provenance | None) -> Provenance | None:
    """Return the clean provenance, None where nothing is said."""
    if provenance is None:
        return None
    clean = Provenance(
        judge=line(provenance.judge),
        writer=line(provenance.writer),
        reasoning=paragraphs(provenance.reasoning),
        templates={
            line(name): line(text)
            for name, text in provenance.templates.items()
            if line(name) and line(text)
        },
        difficulty={
            line(name): level
            for name, level in provenance.difficulty.items()
            if line(name) and level in get_args(Difficulty)
        },
        made=line(provenance.made),
    )
    return None if clean == Provenance() else clean


def set_fields(question_set: QuestionSet) -> dict[str, Any]:
    """Return what a set is besides its questions and provenance, by field, for `parse_set`."""
    return {
        "prompt": question_set.prompt,
        "category": question_set.category,
        "field": question_set.field,
        "prompt_difficulty": question_set.difficulty,
        "domain": question_set.domain,
        "source": question_set.source,
    }


def parse_set(
    row: TableRow, fields: Fields, questions: Sequence[Question], complaints: list[Complaint]
) -> QuestionSet:
    """Return the tidy set of a row's fields; one that cannot be read is left out and named.

    Raises UnreadableCell where the set cannot stand without it.
    """

    def read(name: str, parse: Callable[[str], T]) -> T | None:
        text = fields.get(name)
        if text:
            with leave_out(row, complaints, name):
                return parse(text if isinstance(text, str) else json.dumps(text))
        return None

    return tidy_set(
        QuestionSet(
            prompt=_text(fields, "prompt"),
            questions=tuple(questions),
            source=_text(fields, "source") or "file",
            provenance=Provenance(
                judge=_text(fields, "judge"),
                writer=_text(fields, "writer"),
                reasoning=_text(fields, "reasoning"),
                made=_text(fields, "made"),
                templates=read("templates", _read_pairs) or {},
                difficulty=read("difficulty", _read_levels) or {},
            ),
            category=read("category", read_category),
            domain=read("domain", read_domain),
            field=read("field", read_field),
            difficulty=read("prompt_difficulty", read_difficulty),
        )
    )


def _read_pairs(cell: str) -> dict[str, str]:
    """Return texts by name out of one JSON object."""
    texts = json_object(cell)
    if texts is None or not all(isinstance(text, str) for text in texts.values()):
        raise UnreadableCell(f"{shorten(cell)!r} is no JSON object of texts")
    return texts


def _read_levels(cell: str) -> dict[str, Difficulty]:
    return {image: read_difficulty(text) for image, text in _read_pairs(cell).items()}


# --- questions by prompt, a row each


def read_questions(
    rows: Iterable[TableRow], complaints: list[Complaint], expected: int | None = None
) -> dict[int, tuple[Question, ...]]:
    """Return the questions by data_index.

    A row that cannot be read whole is left out, and a prompt is named that has not as many
    questions as `expected` (None: any number will do).
    """
    questions: dict[int, dict[str, Question]] = {}
    places: dict[int, dict[int, int]] = {}
    found: dict[int, list[TableRow]] = {}
    for row in rows:
        with leave_out(row, complaints, "question"):
            index = read_index(row.cells["data index"])
            found.setdefault(index, []).append(row)
            fields = {**row.cells, "depends_on": row.cells.get("depends on", "")}
            question = parse_question({**fields, "coi": row.cells["cois"]})
            own = questions.setdefault(index, {})
            if question.text in own:
                twice = f"the question of prompt {index} appears twice; the second is left out"
                complaints.append(row.complaint(twice))
            own.setdefault(question.text, question)
            place = list(own).index(question.text) + 1
            places.setdefault(index, {})[len(found[index])] = place
    for index, own_rows in found.items():
        if expected is not None and len(own_rows) != expected:
            problem = f"prompt {index} has {len(own_rows)} questions and not {expected}"
            complaints.append(own_rows[-1].complaint(f"{problem}; this is its last"))
    return {index: renumber(own.values(), places[index]) for index, own in questions.items()}


def read_by_index(
    rows: Iterable[TableRow], read: Callable[[TableRow], T], complaints: list[Complaint]
) -> dict[int, T]:
    """Return what `read` makes of the row of each data_index; the first stays of two."""
    values: dict[int, T] = {}
    for row in rows:
        with leave_out(row, complaints):
            index = read_index(row.cells["data index"])
            value = read(row)
            if index in values:
                raise UnreadableCell(f"the data_index {index} appears twice")
            values[index] = value
    return values


def required_cell(row: TableRow, column: str) -> str:
    """Return the cell's text. Raises UnreadableCell where it is empty or an Excel error."""
    cell = row.cells[column]
    if not cell:
        raise UnreadableCell(f"the cell {column!r} is empty")
    if is_excel_error(cell):
        raise UnreadableCell(f"the cell {column!r} holds the Excel error {cell}")
    return cell
