"""Reads the specifications of the papers' tables: rows, columns, models, data, published numbers.

A file of this folder describes one paper. Its keys are the fields of `ReproducedPaper`, those of a
table the fields of `PaperTable`, those of a row or a column the fields of `PaperLine`. What a
column says of a cell overrides what its row says, and a row overrides the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal, NamedTuple

import yaml
from pydantic import ConfigDict, Field, TypeAdapter

from hallascope.data.benchmarks.ihalla_difficulty import ImageType
from hallascope.data.published.numbers import select_numbers
from hallascope.data.records import Difficulty
from hallascope.data.requests import Role

FOLDER = Path(__file__).parent

Fill = Literal["scores", "counts", "correlations", "error_types", "judges", "replies", "none"]
TableUnit = Literal["share", "percent", "count"]
Statistic = Literal["mean", "pearson", "spearman", "kendall", "agreement", "kappa"]
BenchmarkKind = Literal[
    "ihalla", "drawbench", "coco", "t2i-compbench", "factualbench", "haloquest", "none"
]
_CLOSED = ConfigDict(extra="forbid")


# names of tables and models may be numbers
LineText = Annotated[str, Field(coerce_numbers_to_str=True)]
# column of data/published/numbers.csv -> value; together they find one number
PublishedKeys = Mapping[str, LineText]


@dataclass(frozen=True, kw_only=True)
class PaperLine:
    """Holds a row or a column of a table, and what it says of its cells; "" says nothing.

    `group` is the head over several columns, or over several rows. `model` makes the images;
    `stored`: its images are brought by the user under this name, nobody draws them. `roles` names
    the other models by role. `categories`, `level`, `domain`, `coi`, `difficulty`,
    `image_type` and `part` narrow what is counted; `part` names one of the table's sets of prompts,
    or a slice of HaloQuest. `inject`: with this knowledge beside the prompt. `where` finds the
    published number of a cell. `not_because`: one sentence why these cells are not computed.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    name: LineText
    group: str = ""
    model: str = ""
    stored: bool = False
    metric: str = ""
    score: str = ""
    statistic: Statistic | Literal[""] = ""
    roles: Mapping[Role, str] = field(default_factory=dict)
    part: str = ""
    categories: tuple[str, ...] = ()
    level: str = ""
    domain: str = ""
    coi: str = ""
    difficulty: Difficulty | Literal[""] = ""
    image_type: ImageType | Literal[""] = ""
    inject: Literal["", "text", "visual"] = ""
    rating: str = ""
    split: str = ""
    where: PublishedKeys = field(default_factory=dict)
    not_because: str = ""


@dataclass(frozen=True, kw_only=True)
class NeededData:
    """Says which data a table needs and where its authors publish it."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    kind: BenchmarkKind
    title: str
    published_at: str


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    """Holds one table or figure of a paper.

    `fill` says how a cell is computed: from scores of images, by counting a benchmark, as a
    correlation with people, as F1 by type of error, from a judge's replies, or by comparing scores
    of replies with people ("replies"); "none" where none is. `models` draw the images of cells
    whose rows and columns name no model. `parts` are the names of sets of prompts, each with the
    kind of its benchmark. `trials`: how often each image is judged. `digits`: behind the point.
    `where` finds the published numbers of the table, none where it is empty. `ratings`: whether it
    needs what people say of the images or replies, and `scale` the lowest and the highest rating.
    `not_because`: one sentence why it cannot be computed at all. `notes` say
    what differs from the paper, and what is odd in the paper.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    name: LineText
    title: str
    section: str
    fill: Fill
    unit: TableUnit = "share"
    digits: Annotated[int, Field(ge=0, le=4)] = 3
    trials: Annotated[int, Field(ge=1, le=9)] = 1
    metric: str = ""
    score: str = "score"
    statistic: Statistic = "mean"
    models: tuple[str, ...] = ()
    roles: Mapping[Role, str] = field(default_factory=dict)
    parts: Mapping[str, BenchmarkKind] = field(default_factory=dict)
    data: tuple[NeededData, ...] = ()
    where: PublishedKeys = field(default_factory=dict)
    ratings: bool = False
    scale: tuple[float, float] = (0.0, 1.0)
    rows: tuple[PaperLine, ...] = ()
    columns: tuple[PaperLine, ...] = ()
    not_because: str = ""
    notes: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """Return what the paper calls it: "table 3" or "figure 4"."""
        if self.name.startswith("figure"):
            return self.name.replace("-", " ")
        return f"table {self.name}"

    @property
    def scale_factor(self) -> float:
        """Return what a share is multiplied by to stand in the table's unit."""
        return 100.0 if self.unit == "percent" else 1.0


@dataclass(frozen=True, kw_only=True)
class ReproducedPaper:
    """Holds a paper by the name that the command line uses, with its tables."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    name: str
    title: str
    citation: str
    tables: tuple[PaperTable, ...]


class PublishedCell(NamedTuple):
    """Holds a published number in the table's unit; None where the paper prints none."""

    value: float | None = None
    deviation: float | None = None


@cache
def read_papers() -> tuple[ReproducedPaper, ...]:
    """Return every paper of this folder, in the order of the files."""
    documents = [yaml.safe_load(path.read_bytes()) for path in sorted(FOLDER.glob("*.yaml"))]
    return TypeAdapter(tuple[ReproducedPaper, ...]).validate_python(documents)


def published_cell(table: PaperTable, row: PaperLine, column: PaperLine) -> PublishedCell:
    """Return the one published number of a cell.

    A number without a value is one that the paper does not print. Raises ValueError where there is
    none, or several.
    """
    if not table.where:
        return PublishedCell()
    (number,) = select_numbers(**{**table.where, **row.where, **column.where})
    return PublishedCell(number.value, number.deviation)
