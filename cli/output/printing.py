"""Formats what commands print: one JSON document for programs, or lines for people."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from tempfile import NamedTemporaryFile
from typing import Any

from hallascope.cli.terminal import say
from hallascope.data.files.problem_groups import group_problems
from hallascope.engine.events import jsonable
from hallascope.metrics.statistics.intervals import interval_text


def number(value: float | None) -> str:
    """Return a number with three decimals, "-" where there is none."""
    return "-" if value is None else f"{value:.3f}"


def signed(value: float | None) -> str:
    """Return a difference with its sign and three decimals, "-" where there is none."""
    return "-" if value is None else f"{value:+.3f}"


def interval(low: float | None, high: float | None) -> str:
    """Return an interval as words, "-" where there is none."""
    return "-" if low is None or high is None else interval_text(low, high)


def spread(figure: Any) -> str:
    """Return the value of a figure with its interval, "-" where it is not defined."""
    if figure is None or figure.value is None or figure.low is None:
        return number(figure and figure.value)
    return f"{figure.value:.3f} ({interval(figure.low, figure.high)})"


def cell(value: object) -> str:
    """Return a value as it stands in a table: three decimals, "-" where there is nothing."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.3f}"
        case None | "" | ():
            return "-"
        case str():
            return value
        case Sequence():
            return ", ".join(map(cell, value)) or "-"
        case _:
            return str(value)


def table(rows: Iterable[Mapping[str, object]]) -> str:
    """Return records as a plain table; "" where there are none.

    Columns are as wide as they need; the last is not padded.
    """
    records = list(rows)
    if not records:
        return ""
    lines = [list(records[0]), *([cell(value) for value in row.values()] for row in records)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    widths[-1] = 0
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def document(thing: object) -> str:
    """Return one JSON document."""
    return json.dumps(jsonable(thing), indent=2, ensure_ascii=False)


def join_parts(*parts: str) -> str:
    """Return the parts that say something, with an empty line between."""
    return "\n\n".join(filter(None, parts))


Lines = str | Iterable[str]


def print_result(
    as_json: bool,
    record: object | Callable[[], object],
    lines: Lines | Callable[[], Lines],
    next_step: str = "",
) -> None:
    """Print a record as one JSON document, or the lines that say the same to people.

    Both may be functions, where they take time or write a file; `next_step` is a command, which
    stands last, to go on with.
    """
    if as_json:
        return say(document(record() if callable(record) else record))
    made = lines() if callable(lines) else lines
    given = [made] if isinstance(made, str) else made
    last = f"Next: `{next_step}`" if next_step else ""
    return say("\n".join(filter(None, [*given, last])))


def problem_lines(problems: Iterable[object], what: str = "") -> str:
    """Return lines for people, "" where nothing is wrong; `what` stands before each problem.

    Where some are counted only, all of them are written to a file, whose path is the last line.
    """
    every = list(map(str, problems))
    lines = group_problems(every)
    if sorted(lines) != sorted(every):
        with NamedTemporaryFile(
            "w", prefix="hallascope-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write("".join(f"{line}\n" for line in every))
        lines.append(f"All {len(every):,} are listed in {file.name}")
    return "\n".join(f"{what}{line}" for line in lines)
