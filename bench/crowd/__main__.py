"""Lets a crowd visit the public app: ``make crowd``.

Exit code 1 where a bar is missed. Visitors and app share the machine.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.crowd.checks import CHECKS, CrowdSetup
from bench.crowd.measures import CrowdRow
from bench.crowd.server import crowded_app
from hallascope.cli.output.printing import TextColumn, table
from hallascope.engine.deployment.hosting import QUEUE_LIMIT

VISITORS = 50
RUNS = 500

COLUMNS = (
    TextColumn("what", lambda row: row.what),
    TextColumn("measured", lambda row: row.measured),
    TextColumn("bar", lambda row: row.bar),
    TextColumn("holds", lambda row: ("yes" if row.holds else "NO") if row.bar else ""),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.crowd", description=__doc__)
    parser.add_argument("--visitors", type=int, default=VISITORS, help="who come at once")
    parser.add_argument("--runs", type=int, default=RUNS, help="over which memory is measured")
    parser.add_argument(
        "--places", type=int, default=QUEUE_LIMIT, help="of the queue, for events of one kind"
    )
    parser.add_argument("--only", choices=tuple(CHECKS), help="run one check")
    parser.add_argument(
        "--no-browser", action="store_true", help="ask for the page without its files"
    )
    options = parser.parse_args(arguments)
    rows: list[CrowdRow] = []
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        crowded_app(Path(folder), options.places, not options.no_browser) as app,
    ):
        setup = CrowdSetup(app, options.visitors, options.runs, options.places, itertools.count())
        for name, check in CHECKS.items():
            if options.only in (None, name):
                for row in check(setup):
                    print(f"{name}: {row.what}: {row.measured}", file=sys.stderr, flush=True)
                    rows.append(row)
    print(table(COLUMNS, rows))
    sys.exit(0 if all(row.holds for row in rows) else 1)


if __name__ == "__main__":
    main()
