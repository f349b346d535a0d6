"""Reads ratings and scores as the authors of a study publish them, under columns of their own.

Known are TIFA's annotations (an object an image, with ``human_scores`` and a field a metric), DSG's
(a row a worker: ``t2i_model, item_id, worker_id, answer``), and tables of such forms. Each value
becomes a row of the columns that `hallascope.data.files.ratings` has.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from hallascope.data.files.tables import (
    JSON_ENDINGS,
    Complaint,
    TableRow,
    read_rows,
    read_titles,
)

# the names of a column; the first one that is there is read
COLUMNS: Mapping[str, Sequence[str]] = {
    "item": (
        *("item", "item id", "image id", "image name", "image path", "image", "file name"),
        *("id", "key"),
    ),
    "rater": (
        *("rater", "rater id", "worker id", "worker", "annotator id", "annotator", "user id"),
        *("user", "participant", "labeler"),
    ),
    "metric": ("metric", "metric name", "method"),
    "value": ("value", "rating", "score", "answer", "likert"),
    "model": ("t2i model", "model", "generator"),
    "group": ("group", "text id", "prompt id", "source id"),
    "source": ("source id",),
    "dimension": ("dimension", "question"),
}
_PEOPLE = re.compile(r"\b(human|people|rater|annotator|worker|likert|mos)")
_MEANS = re.compile(r"\b(avg|average|mean|std|median)\b")
_NO_METRIC = re.compile(r"(.*\b)?(id|index|idx|seed|split|number|count)")
_NO_VALUE = ("", "n/a", "na", "nan", "null", "none", "-")


def is_published(path: Path) -> bool:
    """Return whether a table has the columns of its authors, not ours. Raises BadTable."""
    return path.suffix.casefold() in JSON_ENDINGS or "item" not in _titles(path)


def holds_ratings_and_scores(path: Path) -> bool:
    """Return whether one table has what people say and what metrics say. Raises BadTable."""
    if not is_published(path):
        return False
    _, columns, found = _open(path, [])
    numeric = _numeric_columns(found, columns.values())
    return len({bool(_PEOPLE.search(column)) for column in numeric}) == 2


def published_rows(
    path: Path, name: Literal["rater", "metric"], complaints: list[Complaint]
) -> Iterator[TableRow]:
    """Yield a row for each value of a rater or a metric. Raises BadTable without a column of items.

    An item that several models drew is named by both. A cell such as "N/A" is no value.
    """
    titles, columns, found = _open(path, complaints)
    if len({row.cells.get(columns["dimension"], "") for row in found}) < 2:
        columns["dimension"] = ""
    is_long = columns["value"] and (columns["metric"] or name == "rater")
    values = [columns["value"]] if is_long else _value_columns(found, name, columns.values())
    for row in found:
        cells = {own: row.cells[column] for own, column in columns.items() if column}
        item, model = cells["item"], cells.get("model", "")
        shared = {
            "item": f"{item}/{model}" if model else item,
            "model": model,
            "names": "\n".join(filter(None, (item, cells.get("source", "")))),
        }
        if model:
            shared["group"] = item
        elif "group" in cells:
            shared["group"] = cells["group"]
        kept: tuple[str, ...] = (name, "dimension") if is_long else ()
        shared |= {own: cells[own] for own in kept if own in cells}
        for column in values:
            several = _listed(row.cells[column])
            for value in several or [row.cells[column]]:
                if value.strip().casefold() not in _NO_VALUE:
                    by: dict[str, str] = {} if is_long or several else {name: titles[column]}
                    yield TableRow(row.file, row.line, {**shared, **by, "value": value})


def _titles(path: Path) -> dict[str, str]:
    return read_titles(path, [name for names in COLUMNS.values() for name in names])


def _open(
    path: Path, complaints: list[Complaint]
) -> tuple[dict[str, str], dict[str, str], list[TableRow]]:
    """Return the titles of all columns, the column of each kind, "" without one, and the rows."""
    titles = _titles(path)
    columns = {
        own: next((name for name in names if name in titles), "") for own, names in COLUMNS.items()
    }
    return titles, columns, read_rows(path, (columns["item"] or "item",), complaints)


def _numeric_columns(found: Sequence[TableRow], used: Iterable[str]) -> list[str]:
    return [
        column
        for column in (found[0].cells if found else ())
        if column not in used
        and not _NO_METRIC.fullmatch(column)
        and any(_listed(row.cells[column]) or _is_number(row.cells[column]) for row in found)
    ]


def _value_columns(found: Sequence[TableRow], name: str, used: Iterable[str]) -> list[str]:
    """Return the columns of a wide table that hold values of people, or of metrics."""
    numeric = _numeric_columns(found, used)
    people = [column for column in numeric if _PEOPLE.search(column)]
    if name == "metric":
        return [column for column in numeric if column not in people]
    lists = [column for column in people if any(_listed(row.cells[column]) for row in found)]
    single = [column for column in people if not _MEANS.search(column)]
    return lists or single or people or numeric


def _listed(cell: str) -> list[str]:
    """Return the values of a cell that holds a list of them, or of objects with one; else []."""
    if not cell.startswith("["):
        return []
    try:
        values = json.loads(cell)
    except (ValueError, RecursionError):
        return []
    named = [
        next((own[name] for name in COLUMNS["value"] if name in own), None)
        if isinstance(own, dict)
        else own
        for own in values
    ]
    return ["" if value is None else str(value) for value in named]


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return cell.strip().casefold() not in _NO_VALUE


# --- items under other names


def alias_key(name: str) -> str:
    """Return a name of an image as it is compared; "stable_diffusion_v1_5" is "sd1dot5"."""
    text = re.sub(r"stable[ _-]?diffusion[ _-]?v?", "sd", name.casefold()).replace("dot", ".")
    return re.sub(r"[\W_]+", "_", text).strip("_")


def row_aliases(row: TableRow) -> Iterator[str]:
    """Yield the keys under which a table of scores may have the item of a row."""
    model = row.cells.get("model", "")
    for name in row.cells.get("names", "").splitlines():
        yield from map(alias_key, (name, f"{name}_{model}", f"{model}_{name}"))
