"""Names the tests that hold a promise, runs them, and counts their cases.

What a test holds already is not measured a second time: `make torture` runs that test.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from bench.torture.rows import TortureRow, TortureSetup

ROOT = Path(__file__).parents[2]
BAR = "all pass"


@dataclass(frozen=True)
class TestedPromise:
    """Names the tests, by file or node id, that hold what is promised."""

    __test__ = False  # no class of tests

    what: str
    tests: tuple[str, ...]


class CaseCounts(NamedTuple):
    """Holds how many cases of some tests passed, failed and were skipped."""

    passed: int
    failed: int
    skipped: int


def missing_tests(promise: TestedPromise) -> list[str]:
    """Return the tests that a promise names and that are not in their files."""
    return [test for test in promise.tests if not _is_there(test)]


def _is_there(test: str) -> bool:
    file, _, name = test.partition("::")
    path = ROOT / file
    if not name:
        return path.is_file()
    return path.is_file() and f"def {name}(" in path.read_text(encoding="utf-8")


def check_promise(promise: TestedPromise, setup: TortureSetup) -> Iterator[TortureRow]:
    """Run the tests of a promise in a process of their own."""
    if missing := missing_tests(promise):
        yield TortureRow(promise.what, f"not there: {', '.join(missing)}", BAR, False)
        return
    counts, output = run_tests(promise.tests, setup.folder / "tests.xml")
    if counts is None:
        yield TortureRow(promise.what, f"pytest did not run: {output[-200:]}", BAR, False)
        return
    parts = [f"{counts.passed} passed"]
    if counts.failed:
        parts.append(f"{counts.failed} FAILED")
    if counts.skipped:
        parts.append(f"{counts.skipped} skipped")
    is_measured = counts.passed or counts.failed
    holds = counts.failed == 0 if is_measured else None
    yield TortureRow(promise.what, ", ".join(parts), BAR, holds)


def run_tests(tests: tuple[str, ...], report: Path) -> tuple[CaseCounts | None, str]:
    """Return how the cases of some tests ended, and what pytest said.

    The counts are None where pytest could not begin.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header"]
    ended = subprocess.run(
        [*command, f"--junitxml={report}", *tests],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = ended.stdout + ended.stderr
    return (read_report(report) if report.exists() else None), said


def read_report(report: Path) -> CaseCounts | None:
    """Return the counts of a report in JUnit's XML; None where it holds no case."""
    suite = ElementTree.parse(report).getroot().find("testsuite")
    if suite is None or int(suite.get("tests", 0)) == 0:
        return None
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    skipped = int(suite.get("skipped", 0))
    return CaseCounts(int(suite.get("tests", 0)) - failed - skipped, failed, skipped)
