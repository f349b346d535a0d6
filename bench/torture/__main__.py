"""Injects faults into sweeps and compares with one that nobody disturbed: ``make torture``.

Beside each figure stands that of version 0.1.0. Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.torture import databases, handlers, inputs, kills, stores
from bench.torture.first_release import FIRST_RELEASE
from bench.torture.rows import TortureRow, TortureSetup
from hallascope.cli.output.printing import TextColumn, table

KILLS, QUICK_KILLS = 100, 6
EMBEDDED_KILLS, QUICK_EMBEDDED_KILLS = 20, 1
IMAGES, QUICK_IMAGES = 40, 8
HANDLER_STEP, QUICK_HANDLER_STEP = 1, 20

Check = Callable[[TortureSetup], Iterator[TortureRow]]


class PrintedRow(NamedTuple):
    """Holds a row with the name of its check and the figure of 0.1.0, in the check's first row."""

    check: str
    before: str
    row: TortureRow

    @property
    def verdict(self) -> str:
        if self.row.holds is None:
            return "not run"
        return "yes" if self.row.holds else "NO"


COLUMNS = (
    TextColumn("check", lambda line: line.check),
    TextColumn("what", lambda line: line.row.what),
    TextColumn("0.1.0", lambda line: line.before),
    TextColumn("today", lambda line: line.row.measured),
    TextColumn("bar", lambda line: line.row.bar),
    TextColumn("holds", lambda line: line.verdict),
)


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parser().parse_args(arguments)
    lines: list[PrintedRow] = []
    for name in options.only or CHECKS:
        print(name, file=sys.stderr, flush=True)
        for place, row in enumerate(run_check(CHECKS[name], options)):
            before = FIRST_RELEASE[name] if place == 0 else ""
            lines.append(PrintedRow(name, before, row))
    print(markdown_table(lines) if options.markdown else table(COLUMNS, lines))
    sys.exit(1 if any(line.row.holds is False for line in lines) else 0)


def markdown_table(lines: Sequence[PrintedRow]) -> str:
    """Return the rows as the table of docs/benchmarks.md."""
    cells = [[column.name for column in COLUMNS], ["---"] * len(COLUMNS)]
    for line in lines:
        values = [column.of(line).replace("|", "\\|") for column in COLUMNS]
        cells.append([f"`{values[0]}`", *values[1:]])
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.torture", description=__doc__)
    parser.add_argument("--only", choices=tuple(CHECKS), nargs="+", help="run these checks")
    parser.add_argument("--quick", action="store_true", help="use small sizes")
    parser.add_argument("--markdown", action="store_true", help="print a table of Markdown")
    parser.add_argument("--kills", type=int, help="how often a sweep on a service is killed")
    parser.add_argument("--embedded-kills", type=int, help="and one on the models that ship")
    parser.add_argument("--images", type=int, help="of the sweeps of all other checks")
    return parser


def run_check(check: Check, options: argparse.Namespace) -> list[TortureRow]:
    """Run a check in an empty folder.

    One that ends in an error is a row that does not hold: the others go on.
    """
    with tempfile.TemporaryDirectory() as folder:
        setup = TortureSetup(
            Path(folder),
            kills=options.kills or (QUICK_KILLS if options.quick else KILLS),
            embedded_kills=options.embedded_kills
            or (QUICK_EMBEDDED_KILLS if options.quick else EMBEDDED_KILLS),
            images=options.images or (QUICK_IMAGES if options.quick else IMAGES),
            handler_step=QUICK_HANDLER_STEP if options.quick else HANDLER_STEP,
        )
        rows = []
        try:
            for row in check(setup):
                rows.append(row)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            rows.append(TortureRow("the check itself", problem, "", False))
        return rows


CHECKS: Mapping[str, Check] = {
    "kills": kills.check_kills,
    "embedded-kills": kills.check_embedded_kills,
    "processes": stores.check_two_processes,
    "faults": kills.check_faults,
    "postgres": databases.check_postgres,
    "sqlite": databases.check_sqlite,
    "migration": databases.check_migration,
    "full-disk": stores.check_full_disk,
    "read-only": stores.check_read_only,
    "clock": stores.check_clock,
    "replies": stores.check_cached_replies,
    "images": stores.check_images,
    "workbook": inputs.check_workbook,
    "long-texts": inputs.check_long_texts,
    "handlers": handlers.check_handlers,
}


if __name__ == "__main__":
    main()
