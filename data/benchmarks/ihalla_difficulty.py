"""Reads how difficult the images of I-HallA are, from a table that a person puts beside its files.

The authors' files hold no difficulty. The paper (table 1) grades each pair of a prompt and an
image, the factual one and the hallucinated one: five times GPT-4o says which of the two it is, and
0 or 1 right answers are hard, 2 or 3 medium, 4 or 5 easy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from hallascope.data.files.questions import one_of, read_difficulty, read_field
from hallascope.data.files.row_records import parse_row
from hallascope.data.files.tables import BadTable, Complaint, UnreadableCell, leave_out, read_rows
from hallascope.data.records import Difficulty, IHallaField

DIFFICULTY_FILE = "difficulty.csv"
COLUMNS = ("field", "data index", "type", "difficulty")
ImageType = Literal["Factual", "Hallucinated"]
IMAGE_TYPES: tuple[ImageType, ...] = get_args(ImageType)
# of one prompt, by the type of its image
PromptDifficulty = Mapping[ImageType, Difficulty]


@dataclass(frozen=True)
class _GradedImage:
    """One row of the table."""

    field: Annotated[IHallaField, BeforeValidator(read_field)]
    data_index: Annotated[int, Field(ge=0, description="a whole number from 0")]
    type: Annotated[ImageType, BeforeValidator(lambda cell: one_of(cell, "type", IMAGE_TYPES))]
    difficulty: Annotated[Difficulty, BeforeValidator(read_difficulty)]


def read_difficulties(
    path: Path, complaints: list[Complaint]
) -> dict[tuple[IHallaField, int], PromptDifficulty]:
    """Return the difficulty by field and data_index, each by the type of image.

    Its columns are field, data_index, type and difficulty. A row that cannot be read is left out
    and named, and so is the second of two rows about one image. A file that is no such table is
    named as a whole.
    """
    try:
        rows = read_rows(path, COLUMNS, complaints)
    except BadTable as error:
        complaints.append(Complaint(path.name, None, None, str(error)))
        return {}
    levels: dict[tuple[IHallaField, int], dict[ImageType, Difficulty]] = {}
    for row in rows:
        with leave_out(row, complaints):
            graded = parse_row(_GradedImage, row)
            of_prompt = levels.setdefault((graded.field, graded.data_index), {})
            if graded.type in of_prompt:
                raise UnreadableCell("its image has a difficulty in a row above")
            of_prompt[graded.type] = graded.difficulty
    return dict(levels)
