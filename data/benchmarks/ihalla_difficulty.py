"""Reads how difficult the images of I-HallA are, from a table that a person puts beside its files.

The authors' files hold no difficulty. The paper (table 1) grades each pair of a prompt and an
image, the factual one and the hallucinated one: five times GPT-4o says which of the two it is, and
0 or 1 right answers are hard, 2 or 3 medium, 4 or 5 easy.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from hallascope.data.files import cells
from hallascope.data.files.csv_tables import BadTable, rows
from hallascope.data.files.sheets import Complaint
from hallascope.data.records import Difficulty, IHallaField

DIFFICULTY_FILE = "difficulty.csv"
COLUMNS = ("field", "data index", "type", "difficulty")
ImageType = Literal["Factual", "Hallucinated"]
IMAGE_TYPES: tuple[ImageType, ...] = get_args(ImageType)
# of one prompt, by the type of its image
PromptDifficulty = Mapping[ImageType, Difficulty]


def read_difficulty(
    path: Path, complaints: list[Complaint]
) -> dict[tuple[IHallaField, int], PromptDifficulty]:
    """Return the difficulty by field and data_index, each by the type of image.

    Its columns are field, data_index, type and difficulty. A row that cannot be read is left out
    and named, and so is the second of two rows about one image. A file that is no such table is
    named as a whole.
    """
    try:
        lines = rows(path, COLUMNS, complaints)
    except BadTable as error:
        complaints.append(Complaint(path.name, None, None, str(error)))
        return {}
    levels: dict[tuple[IHallaField, int], dict[ImageType, Difficulty]] = {}
    for line in lines:
        with cells.leave_out(line, complaints):
            key = cells.ihalla_field(line.cells["field"]), cells.number(line.cells["data index"])
            image_type = cells.one_of(line.cells["type"], "type", IMAGE_TYPES)
            level = cells.level(line.cells["difficulty"])
            if image_type in levels.get(key, {}):
                raise cells.UnreadableCell("its image has a difficulty in a row above")
            levels.setdefault(key, {})[image_type] = level
    return dict(levels)
