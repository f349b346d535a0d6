"""Reads the papers' numbers from ``numbers.csv``: facts, none of them a measurement of ours.

One row is one number as it is printed; ``README.md`` says where each table comes from.
"""

import csv
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, TypeAdapter

from hallascope.data.concepts import LEVELS, FactualLevel
from hallascope.data.graphs import ERROR_TYPES, ErrorType
from hallascope.data.records import DOMAINS, Domain

FILE = Path(__file__).with_name("numbers.csv")
BOARDS = Path(__file__).with_name("boards.toml")
PUBLISHED_HALLUCINATIONS = ("false premise", "visually challenging", "insufficient context")
# the best row of scene-graph QA, measured on about a tenth of the images
BEST_SCENE_GRAPH = "Scene-graph QA (GPT-4)"


# an empty cell is none
Amount = Annotated[float | None, BeforeValidator(lambda cell: cell or None)]
Count = Annotated[int, BeforeValidator(lambda cell: cell or 0)]


@dataclass(frozen=True, kw_only=True)
class PublishedNumber:
    """Holds a number of a paper, in `unit`; `value` is None where the paper prints none.

    The texts say what it is of, "" where a table does not distinguish that. `n` prompts, questions
    or images lie under it, 0 where the paper does not say; `raters` rated them. `note` is what is
    known to be doubtful about it.
    """

    paper: str
    table: str
    model: str
    metric: str
    judge: str
    base: str
    part: str
    domain: str
    slice: str
    group: str
    statistic: str
    value: Amount
    deviation: Amount
    unit: str
    n: Count
    raters: Count
    note: str

    @property
    def share(self) -> float | None:
        """Return the value as a share, where it is printed in percent."""
        if self.value is None or self.unit != "percent":
            return self.value
        return self.value / 100


@cache
def published_numbers() -> tuple[PublishedNumber, ...]:
    """Return every number, in the order of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return TypeAdapter(tuple[PublishedNumber, ...]).validate_python(rows)


def select_numbers(**where: str) -> list[PublishedNumber]:
    """Return the numbers whose columns have these values. Raises AttributeError: no such column."""
    return [
        number
        for number in published_numbers()
        if all(getattr(number, column) == wanted for column, wanted in where.items())
    ]


# --- scores of models beside our own


@dataclass(frozen=True, kw_only=True)
class PublishedScore:
    """Holds a published score of a model, in [0, 1], under the name of our metric and score.

    The slice "model" is of all, or of a part that has a name, which is the `group`. `n` and `note`
    are as in `PublishedNumber`.
    """

    metric: str
    score: str
    slice: str
    model: str
    group: str
    value: float
    source: str
    n: int = 0
    note: str = ""


@cache
def _boards() -> dict[str, Any]:
    boards: dict[str, Any] = tomllib.loads(BOARDS.read_text(encoding="utf-8"))
    return boards


@cache
def published_scores() -> tuple[PublishedScore, ...]:
    """Return every published score of a model that makes images."""
    return tuple(score for board in _boards()["boards"] for score in _board_scores(board))


def _board_scores(board: Mapping[str, str]) -> Iterator[PublishedScore]:
    names = _boards()["names"][board["paper"]]
    for number in select_numbers(paper=board["paper"], table=board["table"]):
        is_other = number.slice in ("category", "coi") and number.slice != board["slice"]
        # without a share, every prompt was refused
        if number.metric not in names or number.share is None or number.statistic or is_other:
            continue
        for score in names[number.metric]["scores"]:
            yield PublishedScore(
                metric=names[number.metric]["metric"],
                score=score,
                slice=board["slice"],
                model=board.get("model", "{model}").format(**vars(number)),
                group=board["group"].format(**vars(number)),
                value=number.share,
                source=board["source"].format(**vars(number)),
                n=number.n,
                note=number.note,
            )


# --- T2I-FactualBench


class Delta(NamedTuple):
    """Holds a difference of table 3 above the base model in percent points.

    `printed` stands in the paper, `derived` is what the two numbers give.
    """

    model: str
    base: str
    level: FactualLevel
    score: str
    printed: float
    derived: float

    @property
    def misprinted(self) -> bool:
        return abs(self.printed - self.derived) > 0.05


@cache
def factualbench_levels() -> dict[str, dict[tuple[FactualLevel, str], float]]:
    """Return table 3: percent by model, level and score ("concept", "task" or "composition").

    DALLE-3 is incomplete, as its service makes no images of persons.
    """
    levels: dict[str, dict[tuple[FactualLevel, str], float]] = {}
    for number in select_numbers(paper="factualbench", table="3"):
        if number.value is not None:
            levels.setdefault(number.model, {})[_level(number), number.metric] = number.value
    return levels


@cache
def factualbench_deltas() -> tuple[Delta, ...]:
    """Return the differences of table 3; two of them are misprinted."""
    levels = factualbench_levels()
    deltas: list[Delta] = []
    for number in select_numbers(paper="factualbench", table="3 differences"):
        place = _level(number), number.metric
        derived = round(levels[number.model][place] - levels[number.base][place], 1)
        deltas.append(Delta(number.model, number.base, *place, number.value or 0.0, derived))
    return tuple(deltas)


def factualbench_domains() -> dict[str, dict[Domain, float | None]]:
    """Return figure 5: the concept score of the first level in percent, by model and domain.

    None where every prompt was refused.
    """
    domains: dict[str, dict[Domain, float | None]] = {}
    for number in select_numbers(paper="factualbench", table="figure 5"):
        domains.setdefault(number.model, {})[_domain(number)] = number.value
    return domains


def _level(number: PublishedNumber) -> FactualLevel:
    return next(level for level in LEVELS if level == number.group)


def _domain(number: PublishedNumber) -> Domain:
    return next(domain for domain in DOMAINS if domain == number.group)


# --- HaloQuest, I-HallA and scene-graph QA


@dataclass(frozen=True)
class PublishedHaloScores:
    """Holds a model's row of HaloQuest's leaderboard: percent by slice, by people and Auto-Eval.

    Slices are "overall", the types of images and `PUBLISHED_HALLUCINATIONS`. `sizes`: how many
    questions of each slice it was measured on; every percentage of the models of May 2024 is a
    fraction of a part of the questions. `note`: what is wrong in the row, "" where nothing is known
    to be.
    """

    model: str
    human: Mapping[str, float]
    auto: Mapping[str, float]
    sizes: Mapping[str, int]
    note: str = ""


def haloquest_leaderboard() -> tuple[PublishedHaloScores, ...]:
    """Return every model, in the order of the leaderboard."""
    numbers = select_numbers(paper="haloquest", table="leaderboard")
    return tuple(
        _halo_scores(model, [number for number in numbers if number.model == model])
        for model in dict.fromkeys(number.model for number in numbers)
    )


def _halo_scores(model: str, numbers: list[PublishedNumber]) -> PublishedHaloScores:
    human, auto = (
        {number.slice: number.value or 0.0 for number in numbers if number.judge == judge}
        for judge in ("human", "auto")
    )
    sizes = {number.slice: number.n for number in numbers if number.n}
    return PublishedHaloScores(model, human, auto, sizes, numbers[0].note)


def human_agreement() -> list[PublishedNumber]:
    """Return Pearson, Spearman and Kendall of I-HallA with people (Lim, Choi and Shim 2025).

    They rest on 10 images, rated by 53 people.
    """
    return select_numbers(paper="ihalla", table="human agreement")


def scene_graph_f1(metric: str = BEST_SCENE_GRAPH) -> Mapping[ErrorType, float]:
    """Return the F1 in [0, 1] of scene-graph QA, table 2, by the types of error that it tells."""
    return {
        kind: number.value
        for number in select_numbers(paper="scene-graph", table="2", metric=metric)
        for kind in ERROR_TYPES
        if kind == number.group and number.value is not None
    }


# --- tables that rank no image model


TableRows = Mapping[tuple[str, str], Mapping[str, PublishedNumber]]


@dataclass(frozen=True, kw_only=True)
class PublishedTable:
    """Holds a table of the paper of a metric, as `boards.toml` declares it.

    `unit` is that of its numbers, `rows_are` what its rows name, and `columns` are their titles by
    key. `rows` are the numbers by the row's name and its part of the benchmark, then by column.
    """

    table: str
    title: str
    source: str
    unit: str
    rows_are: str
    columns: Mapping[str, str]
    rows: TableRows
    digits: int


def tables_of_metric(metric: str) -> list[PublishedTable]:
    """Return the tables that belong to a metric, in the order of its paper."""
    return [
        PublishedTable(**{**fields, "rows": _table_rows(metric, fields["table"])})
        for fields in _boards()["tables"].get(metric, ())
    ]


def _table_rows(paper: str, table: str) -> TableRows:
    rows: dict[tuple[str, str], dict[str, PublishedNumber]] = {}
    for number in select_numbers(paper=paper, table=table):
        row = number.model or number.metric
        rows.setdefault((row, number.part), {})[number.statistic or number.metric] = number
    return rows
