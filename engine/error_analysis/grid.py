"""Arranges judged images in a grid: prompts by models, models by seeds, or any two settings."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import pandas as pd

from hallascope.data.records import State
from hallascope.engine.error_analysis.gallery import GalleryImage
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.scores import FACETS

AXES = ("prompt", "model", "seed", "trial", "judge", "run", *FACETS)
_OUTCOMES: Mapping[State, str] = {
    "correct": "right",
    "incorrect": "wrong",
    "abstained": "wrong",
    "unreadable": "not answered",
    "failed": "not answered",
}


@dataclass(frozen=True)
class GridLine:
    """Holds a row or a column: its value, "" where an image has none, and its images.

    `error` is their mean error, 0 to 1; `left_out`: how many of their questions have no answer.
    """

    value: str
    images: int
    error: float
    left_out: int


@dataclass(frozen=True)
class ImageGrid:
    """Holds a grid.

    `cells` has by row and column (counted from 0) the ids of the evaluations of the images there; a
    place without an image is missing. They stand in one order in all cells, by prompt (that with
    the most errors first), seed and trial, so that the first ones can be compared.
    """

    row_axis: str
    column_axis: str
    rows: tuple[GridLine, ...]
    columns: tuple[GridLine, ...]
    cells: Mapping[tuple[int, int], tuple[int, ...]]

    def column(self, value: str) -> int:
        """Return the number of a column by its value. Raises BadRequest where there is none."""
        values = [line.value for line in self.columns]
        if value not in values:
            listed = ", ".join(values[:10])
            raise BadRequest(f"{value!r} is not a column of this grid: take one of {listed}.")
        return values.index(value)

    def first_rows(self, most: int) -> "ImageGrid":
        """Return the grid with its first rows alone."""
        cells = {place: ids for place, ids in self.cells.items() if place[0] < most}
        return ImageGrid(self.row_axis, self.column_axis, self.rows[:most], self.columns, cells)


class AnswerChanges(NamedTuple):
    """Holds the questions whose outcome differs from that of another image.

    `better` are right here and were not, `worse` were right and are not; the others changed between
    wrong and not answered.
    """

    better: tuple[str, ...]
    worse: tuple[str, ...]
    other: tuple[str, ...]


def list_axes(images: pd.DataFrame) -> dict[str, int]:
    """Return what rows and columns can be, with how many values each has.

    They are columns of the table and settings of the generators. `images` is a table of
    `read_judged_images`. What has no value in any image is left out.
    """
    settings = {name for text in images["settings"].unique() for name in json.loads(text or "{}")}
    names = (*AXES, *sorted(settings - set(AXES)))
    values = ((name, _axis_values(images, name)) for name in names)
    counts = {name: int(own[own != ""].nunique()) for name, own in values}
    return {name: number for name, number in counts.items() if number}


def build_grid(images: pd.DataFrame, rows: str = "prompt", columns: str = "model") -> ImageGrid:
    """Return the grid of the images of a table of `read_judged_images`.

    Prompts stand with the most errors first, numbers by size, all else by name. Raises BadRequest
    where there is no such axis, or rows and columns are the same.
    """
    known = list_axes(images)
    for name in (rows, columns):
        if len(images) and name not in known:
            listed = ", ".join(known)
            raise BadRequest(f"Images do not differ in {name!r}: take one of {listed}.")
    if rows == columns:
        raise BadRequest(f"Rows and columns are both {rows!r}: choose two that differ.")
    row_values = _axis_values(images, rows)
    column_values = _axis_values(images, columns)
    row_lines = _lines(rows, row_values, images)
    column_lines = _lines(columns, column_values, images)
    row_places = {line.value: place for place, line in enumerate(row_lines)}
    column_places = {line.value: place for place, line in enumerate(column_lines)}
    by_prompt = images["error"].groupby(images["prompt"]).transform("mean")
    ordered = images.assign(
        rank=-by_prompt, row=row_values.map(row_places), column=column_values.map(column_places)
    ).sort_values(["rank", "prompt", "seed", "trial", "evaluation"])
    cells: dict[Any, Any] = (
        ordered.groupby(["row", "column"], sort=True)["evaluation"].agg(tuple).to_dict()
    )
    return ImageGrid(
        row_axis=rows,
        column_axis=columns,
        rows=row_lines,
        columns=column_lines,
        cells=cells,
    )


def compare_answers(before: GalleryImage, after: GalleryImage) -> AnswerChanges:
    """Return which questions of `after` have another outcome than in `before`.

    Questions that only one of them has are left out; of two prompts none is the same.
    """
    changes: dict[str, list[str]] = {name: [] for name in AnswerChanges._fields}
    outcomes = {answer.subject: _OUTCOMES[answer.state] for answer in before.answers}
    for answer in after.answers if before.prompt == after.prompt else ():
        now = _OUTCOMES[answer.state]
        was = outcomes.get(answer.subject, now)
        if was != now:
            kind = "better" if now == "right" else "worse" if was == "right" else "other"
            changes[kind].append(answer.subject)
    return AnswerChanges(*map(tuple, changes.values()))


def grid_document(
    grid: ImageGrid, judged: pd.DataFrame, images: Iterable[GalleryImage], baseline: int | None
) -> dict[str, Any]:
    """Return the grid as a JSON object; `baseline` is the column that others are compared with.

    `judged` is the table of `read_judged_images`; `images` are those of the first evaluation of
    each cell, which say what changed.
    """
    by_id = {image.evaluation: image for image in images}
    counts = judged.set_index("evaluation")[["answered", "unanswered"]].T.to_dict("list")
    cells = []
    for (row, column), ids in grid.cells.items():
        cell: dict[str, Any] = {"row": row, "column": column, "evaluations": list(ids)}
        image = by_id.get(ids[0])
        if image:
            cell |= {
                "image": image.image,
                "value": image.value,
                "counted": counts[ids[0]][0],
                "left_out": counts[ids[0]][1],
                "answers": {answer.subject: answer.state for answer in image.answers},
                "tags": list(image.tags),
            }
        before = None
        if baseline is not None and baseline != column and (row, baseline) in grid.cells:
            before = by_id.get(grid.cells[row, baseline][0])
        if before and image:
            changes = compare_answers(before, image)._asdict()
            cell["changes"] = {name: list(own) for name, own in changes.items()}
        cells.append(cell)
    return {
        "rows": grid.row_axis,
        "columns": grid.column_axis,
        "row_values": [asdict(line) for line in grid.rows],
        "column_values": [asdict(line) for line in grid.columns],
        "baseline": None if baseline is None else grid.columns[baseline].value,
        "cells": cells,
    }


def _axis_values(images: pd.DataFrame, name: str) -> pd.Series:
    if name in AXES:
        return images[name].astype(str)
    values = {}
    for text in images["settings"].unique():
        value = json.loads(text or "{}").get(name, "")
        values[text] = value if isinstance(value, str) else json.dumps(value)
    return images["settings"].map(values).astype(str)


def _lines(axis: str, values: pd.Series, images: pd.DataFrame) -> tuple[GridLine, ...]:
    lines = [
        GridLine(str(value), len(own), float(own["error"].mean()), int(own["unanswered"].sum()))
        for value, own in images.groupby(values)
    ]
    if axis == "prompt":
        return tuple(sorted(lines, key=lambda line: (-line.error, line.value)))
    if axis == "model":  # the best first, as on the leaderboard
        return tuple(sorted(lines, key=lambda line: (line.error, line.value)))
    return tuple(sorted(lines, key=lambda line: _order(line.value)))


def _order(value: str) -> tuple[bool, float, str]:
    """Return what sorts numbers by size, before all else by name."""
    try:
        return False, float(value), value
    except ValueError:
        return True, 0.0, value
