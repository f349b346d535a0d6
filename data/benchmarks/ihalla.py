"""Reads the I-HallA benchmark as its authors give it away.

It says what it read and what was wrong, and changes nothing silently.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.benchmarks.ihalla_difficulty import (
    DIFFICULTY_FILE,
    PromptDifficulty,
    read_difficulties,
)
from hallascope.data.benchmarks.images import image_folders
from hallascope.data.benchmarks.prompt_lists import NOT_GIVEN, count_values
from hallascope.data.files.questions import (
    CAPTION_COLUMNS,
    QUESTION_COLUMNS,
    QUESTIONS_A_PROMPT,
    read_by_index,
    read_category,
    read_index,
    read_questions,
    required_cell,
)
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    Sheet,
    TableRow,
    leave_out,
    read_sheets,
)
from hallascope.data.records import (
    COIS,
    DIFFICULTIES,
    FIELDS,
    Category,
    IHallaField,
    Question,
    QuestionSet,
    hardest,
)

CAPTIONS = "captions.xlsx"
_REASONING = 4  # the column of the reasoning, counted from 0, where none is called so


@dataclass(frozen=True, kw_only=True)
class IHallaPrompt:
    """One prompt of I-HallA. `images` by model; the textbook's own image is called "factual".

    `difficulty` is by the type of image, empty where no file says it.
    """

    index: int
    prompt: str
    field: IHallaField
    questions: tuple[Question, ...]
    category: Category | None = None
    reasoning: str | None = None
    images: Mapping[str, Path] | None = None
    difficulty: PromptDifficulty = dataclasses.field(default_factory=dict)

    @property
    def question_set(self) -> QuestionSet:
        return QuestionSet(
            prompt=self.prompt,
            questions=self.questions,
            category=self.category,
            field=self.field,
            difficulty=hardest(self.difficulty.values()),
            source="ihalla-v1.0",
        )


@dataclass(frozen=True)
class IHallaBenchmark:
    """Holds an I-HallA folder as read.

    `files` says which file was read as what: "Science questions" -> name.
    """

    folder: Path
    prompts: tuple[IHallaPrompt, ...]
    complaints: tuple[Complaint, ...]
    files: Mapping[str, str]

    def summary(self) -> dict[str, object]:
        """Return what was read as JSON-able counts: prompts, questions, images by model.

        Questions are counted by field, category and composition of interest.
        """
        questions = [question for prompt in self.prompts for question in prompt.questions]
        return {
            "benchmark": "ihalla",
            "folder": str(self.folder),
            "files": dict(self.files),
            "prompts": len(self.prompts),
            "questions": len(questions),
            "by_field": count_values((prompt.field for prompt in self.prompts), FIELDS),
            "by_category": count_values(
                (prompt.category or NOT_GIVEN for prompt in self.prompts), Category
            ),
            "by_difficulty": count_values(
                (prompt.question_set.difficulty or NOT_GIVEN for prompt in self.prompts),
                DIFFICULTIES,
            ),
            "by_coi": count_values((question.coi for question in questions), COIS),
            "images": count_values(
                model for prompt in self.prompts for model in prompt.images or ()
            ),
            "complaints": len(self.complaints),
        }


def read_ihalla(folder: Path) -> IHallaBenchmark:
    """Read the authors' folder (or the one that holds it as ``data/``) as it is.

    Their README calls the questions reasoning and the other way round; which file is which is told
    by its columns. A row that misses a field is left out whole and named. Images are optional.

    Raises BadTable where the folder holds none of the question files.
    """
    reader = _IHallaReader(_root(Path(folder)))
    prompts = tuple(prompt for field in FIELDS for prompt in reader.prompts(field))
    return IHallaBenchmark(Path(folder), prompts, tuple(reader.complaints), reader.files)


def _root(folder: Path) -> Path:
    if not folder.is_dir():
        raise BadTable(
            f"there is no folder {str(folder)!r}: give the folder that holds"
            f" {_names('Science')[0]!r}"
        )
    for root in (folder, folder / "data"):
        if any((root / name).is_file() for field in FIELDS for name in _names(field)):
            return root
    raise BadTable(
        f"the folder {str(folder)!r} holds no question file of I-HallA: put"
        f" {_names('Science')[0]!r} and its like there"
    )


def _names(field: IHallaField) -> tuple[str, str]:
    """Return the files of questions and of reasonings, as they are meant."""
    return f"GPT4o_QA_{field.lower()}_mod_cois.xlsx", f"LV_reasoning_{field.lower()}.xlsx"


class _IHallaReader:
    """Reads one folder and gathers what was wrong in it, in the order in which it was met."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.complaints: list[Complaint] = []
        self.files: dict[str, str] = {"captions": CAPTIONS} if (root / CAPTIONS).is_file() else {}
        self._captions = self._sheets(CAPTIONS)
        self._images = image_folders(root / "models")
        self._difficulty = self._read_difficulty()
        if not (root / CAPTIONS).is_file():
            self._complain(
                CAPTIONS,
                "is missing, so no question has a prompt; put it beside the question files",
            )

    def prompts(self, field: IHallaField) -> list[IHallaPrompt]:
        lines, reasonings = self._tables(field)
        questions = read_questions(lines, self.complaints, QUESTIONS_A_PROMPT)
        captions = self._caption_lines(field)
        texts = self._texts(captions, "caption")
        categories = self._categories([*captions, *lines])
        images = [folder for folder in self._images if folder.field == field.lower()]
        if captions and lines:
            self._compare(field, set(questions), set(texts))
        both = sorted(set(questions) & set(texts))
        for folder in images:
            self.complaints += folder.complaints(both)
        return [
            IHallaPrompt(
                index=index,
                prompt=texts[index],
                field=field,
                questions=questions[index],
                category=categories.get(index),
                reasoning=reasonings.get(index),
                images={
                    folder.model: folder.files[index] for folder in images if index in folder.files
                },
                difficulty=self._difficulty.get((field, index), {}),
            )
            for index in both
        ]

    def _read_difficulty(self) -> Mapping[tuple[IHallaField, int], PromptDifficulty]:
        """Return the difficulty that a person's table gives, empty where there is no table."""
        path = self.root / DIFFICULTY_FILE
        if not path.is_file():
            return {}
        self.files["difficulty"] = DIFFICULTY_FILE
        return read_difficulties(path, self.complaints)

    def _caption_lines(self, field: IHallaField) -> list[TableRow]:
        for sheet in self._captions:
            if sheet.name.strip().casefold() == field.casefold():
                return sheet.read_rows(CAPTION_COLUMNS, self.complaints)
        if self._captions:
            names = ", ".join(repr(sheet.name) for sheet in self._captions)
            self._complain(CAPTIONS, f"has no sheet {field.lower()!r}; its sheets are {names}")
        return []

    def _tables(self, field: IHallaField) -> tuple[list[TableRow], dict[int, str]]:
        """Return the rows of questions, and the reasonings by data_index."""
        names = _names(field)
        read = [sheet for name in names for sheet in self._main_sheet(name)]

        # the file that names more of the question columns holds the questions, whatever it is
        # called
        read.sort(key=lambda sheet: -sheet.count_columns(QUESTION_COLUMNS))
        lines: list[TableRow] = []
        if read and (read[0].count_columns(QUESTION_COLUMNS) > 2 or read[0].file == names[0]):
            questions = read.pop(0)
            self.files[f"{field} questions"] = questions.file
            lines = questions.read_rows(QUESTION_COLUMNS, self.complaints)
        elif not (self.root / names[0]).is_file():
            self._complain(names[0], f"is missing, so no question of {field} was read")
        reasonings: dict[int, str] = {}
        for sheet in read:
            self.files[f"{field} reasonings"] = sheet.file
            reasonings |= self._reasonings(sheet)
        return lines, reasonings

    def _reasonings(self, sheet: Sheet) -> dict[int, str]:
        """Return reasonings by data_index, from the column called so, else from the fifth.

        The authors' code reads it by place.
        """
        lines = sheet.read_rows(("data index",), self.complaints)
        columns = list(lines[0].cells) if lines else []
        column = "reasoning" if "reasoning" in columns else next(iter(columns[_REASONING:]), None)
        if lines and not column:
            self.complaints.append(
                sheet.complaint(
                    "has neither a column 'reasoning' nor a fifth column; the reasonings are"
                    " left out"
                )
            )
        return self._texts(lines, column) if column else {}

    def _main_sheet(self, name: str) -> list[Sheet]:
        """Return the sheet called Sheet1, or the only one."""
        book = self._sheets(name)
        named = [sheet for sheet in book if sheet.name.casefold() == "sheet1"]
        if named or len(book) < 2:
            return named or book
        names = ", ".join(repr(sheet.name) for sheet in book)
        self._complain(name, f"has no sheet 'Sheet1'; its sheets are {names}")
        return []

    def _sheets(self, name: str) -> list[Sheet]:
        if not (self.root / name).is_file():
            return []
        try:
            return read_sheets(self.root / name)
        except BadTable as error:
            self._complain(name, str(error).removeprefix(f"the file {name!r} "))
            return []

    def _texts(self, rows: list[TableRow], column: str) -> dict[int, str]:
        return read_by_index(rows, lambda row: required_cell(row, column), self.complaints)

    def _categories(self, rows: list[TableRow]) -> dict[int, Category]:
        """Return categories by data_index where a person added such a column."""
        by_prompt: dict[int, Category] = {}
        for row in rows:
            if cell := row.cells.get("category", ""):
                with leave_out(row, self.complaints, "category"):
                    by_prompt.setdefault(read_index(row.cells["data index"]), read_category(cell))
        return by_prompt

    def _compare(self, field: IHallaField, asked: set[int], captioned: set[int]) -> None:
        """Complain of what stands on one side only."""
        for lone, problem in (
            (asked - captioned, "has no caption for data_index {}; its questions are left out"),
            (captioned - asked, "no question was read for data_index {}; the prompt is left out"),
        ):
            for index in sorted(lone):
                self._complain(CAPTIONS, problem.format(index), field.lower())

    def _complain(self, file: str, problem: str, sheet: str | None = None) -> None:
        self.complaints.append(Complaint(file, sheet, None, problem))
