"""Checks the scores of a command, reports them, and chooses the exit code."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hallascope.cli.options import CheckOptions
from hallascope.cli.terminal import DONE, FAILURES, TOO_LOW, complain, write_file
from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.export.records import select_runs
from hallascope.engine.run_history.score_checks import (
    ScoreCheck,
    Threshold,
    check_not_worse,
    check_threshold,
    parse_threshold,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

_SUMMARY = "GITHUB_STEP_SUMMARY"


def require_checkable(options: CheckOptions, store: Store, metrics: Sequence[str]) -> None:
    """Raise BadRequest or UnknownRun for what cannot be checked or written, before a run."""
    _thresholds(options, metrics)
    if options.fail_on_worse:
        store.catalog.find(options.fail_on_worse)
    if options.junit and options.junit.suffix != ".xml":
        raise BadRequest(f"{str(options.junit)!r} is no JUnit file: let its name end in .xml.")


def run_checks(
    options: CheckOptions, services: Services, run: str, metrics: Sequence[str]
) -> list[ScoreCheck]:
    """Check the scores of a run or sweep by its metrics, and write the files that were asked for.

    Raises BadRequest where a file cannot be written.
    """
    checks: list[ScoreCheck] = []
    if options == CheckOptions():
        return checks
    store = services.store
    for threshold in _thresholds(options, metrics):
        checks += check_threshold(store, run, threshold)
    runs: list[str] = []
    with suppress(BadRequest, UnknownRun):  # no prompt was begun
        runs = select_runs(store, run)
    if runs and options.fail_on_worse:
        earlier = store.catalog.find(options.fail_on_worse)
        checks += check_not_worse(store, store.catalog.find(run, in_sweeps=True), earlier)
    source = ExportSource(services=services, runs=runs, people=False, checks=checks)
    if options.junit:
        export(source, "junit", options.junit, force=True)
    if options.github_summary:
        _add_summary(source)
    return checks


def checks_document(checks: Sequence[ScoreCheck]) -> dict[str, Any]:
    """Return the checks under one key; nothing where there are none."""
    return {"checks": list(map(vars, checks))} if checks else {}


def exit_code(failed: bool, checks: Sequence[ScoreCheck], as_json: bool) -> int:
    """Return how a command ends; what has no answer comes before what is too low.

    With `as_json`, what did not pass is said on standard error.
    """
    not_passed = [check for check in checks if not check.passed]
    if as_json:
        for check in not_passed:
            complain(check.sentence)
    if failed or any(check.passed is None for check in not_passed):
        return FAILURES
    return TOO_LOW if not_passed else DONE


def _thresholds(options: CheckOptions, metrics: Sequence[str]) -> list[Threshold]:
    return [
        parse_threshold(text, metrics, bool(of_bound))
        for of_bound, texts in enumerate((options.fail_under, options.fail_under_bound))
        for text in texts or ()
    ]


def _add_summary(source: ExportSource) -> None:
    """Add a summary to that of a job on GitHub. Raises BadRequest where it cannot be written."""
    name = os.environ.get(_SUMMARY)
    if not name:
        complain(f"{_SUMMARY} is not set: no summary is written. GitHub sets it in a job.")
        return
    with TemporaryDirectory(prefix="hallascope-") as folder:
        file = Path(folder) / "summary.md"
        export(source, "markdown", file)
        text = file.read_text("utf-8")
    before = Path(name).read_text("utf-8") if Path(name).is_file() else ""
    write_file(Path(name), before + text)
