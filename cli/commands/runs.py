"""Holds the commands about stored runs: show, edit and compare."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hallascope.cli.options import JsonOption, MetricOption, Natural, Positive, YesOption
from hallascope.cli.output import printing
from hallascope.cli.output.printing import signed
from hallascope.cli.terminal import DONE, TOO_LOW, delete_if_confirmed, say
from hallascope.data.nouns import count_noun
from hallascope.engine.errors import BadRequest
from hallascope.engine.run_history.comparison import (
    ALL_MODELS,
    MetricComparison,
    RunComparison,
    compare_runs,
    comparison_document,
)
from hallascope.engine.run_history.history import (
    PER_PAGE,
    RunHistory,
    RunList,
    list_document,
    removal_document,
    run_document,
)
from hallascope.engine.services import create_services
from hallascope.engine.storage.catalog import ListedRun
from hallascope.metrics.statistics.paired_difference import ModelDifference

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.slices.run_changes import RunChanges

_MOST_ROWS = 50  # prompts and models of a comparison that are printed one by one


def show(
    run: str = "",
    *,
    find: str = "",
    limit: Positive = PER_PAGE,
    offset: Natural = 0,
    as_json: JsonOption = False,
) -> int:
    """List runs and sweeps (pinned first, then newest), or show what one contains.

    Args:
        run: The id of a run or sweep, or how it begins.
        find: List only runs with this text in their name, prompts, models or judge.
        limit: How many runs to list.
        offset: How many runs to skip.
    """
    history = RunHistory(create_services())
    if run:
        found = history.find(run)
        printing.print_result(as_json, run_document(found), _run_lines(found))
    else:
        runs = history.list(find, limit, offset)
        printing.print_result(as_json, list_document(runs), _list_lines(runs, find))
    return DONE


def edit(
    run: str,
    *,
    name: str | None = None,
    pin: bool = False,
    unpin: bool = False,
    delete: bool = False,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> int:
    """Name a run or sweep, pin it, or delete it.

    Images that other runs show are not deleted. With --json and without --yes, --delete only says
    what would be deleted.

    Args:
        run: The id of a run or sweep, or how it begins.
        name: Its new name; empty: the prompt.
        pin: List it first.
        unpin: Remove the pin.
        delete: Delete it with its verdicts; you are asked first.
    """
    history = RunHistory(create_services())
    if delete:
        return _delete(history, run, yes, as_json)
    if (name is None and not pin and not unpin) or (pin and unpin):
        raise BadRequest("Say what to change: --name NAME, --pin, --unpin or --delete.")
    found = history.find(run)
    if name is not None:
        found = history.rename(run, name)
    if pin or unpin:
        found = history.pin(run, pin)
    printing.print_result(as_json, run_document(found), _run_lines(found))
    return DONE


def _delete(history: RunHistory, run: str, yes: bool, as_json: bool) -> int:
    planned = history.describe_removal(run)
    if as_json:
        removal = history.delete(run) if yes else planned
        say(printing.document(removal_document(removal, deleted=yes)))
        return DONE
    return delete_if_confirmed(planned.sentence, lambda: history.delete(run), yes)


def compare(
    run: str,
    other: str,
    *,
    metric: MetricOption = "",
    out: Path | None = None,
    fail_on_worse: bool = False,
    as_json: JsonOption = False,
) -> int:
    """Compare two runs or sweeps: by prompt, model and slice, and their configurations.

    A difference is the second run minus the first. By slice, images are paired by prompt, model
    and seed; runs with one model each by prompt and seed.

    Args:
        run: The id of a run or sweep, or how it begins.
        other: The run to compare it with, the newer one.
        metric: The metric for slices (default: ihalla).
        out: Write a report of the slices: Markdown (.md), or a page with thumbnails (.html).
        fail_on_worse: Exit with 3 if all images or a slice got worse.
    """
    from hallascope.engine.error_analysis.slices.change_report import (
        changes_document,
        write_changes,
    )
    from hallascope.engine.error_analysis.slices.run_changes import compare_run_errors

    services = create_services()
    history = RunHistory(services)
    one, second = history.find(run), history.find(other)
    changes, unpaired = None, ""
    try:
        changes = compare_run_errors(services.store, one, second, metric or "ihalla")
    except BadRequest as error:
        if metric or out or fail_on_worse:
            raise
        unpaired = str(error)
    comparison = compare_runs(services.store, one, second)
    if changes and out:
        write_changes(changes, out, services.store)
    record = comparison_document(comparison) | {"changes": changes and changes_document(changes)}
    lines = [
        *_comparison_parts(comparison),
        *(_change_parts(changes) if changes else [unpaired]),
        f"The report is in {out}." if out else "",
    ]
    printing.print_result(as_json, record, printing.join_parts(*lines))
    return TOO_LOW if fail_on_worse and changes and changes.is_worse else DONE


# --- for people ---


def _date(run: ListedRun) -> str:
    return f"{datetime.fromtimestamp(run.created, UTC):%Y-%m-%d %H:%M}"


def _list_lines(runs: RunList, text: str) -> str:
    if not runs.runs:
        return (
            f"No run contains {text!r}."
            if text
            else "No run is stored: make one with `hallascope evaluate`."
        )
    table = printing.table(
        {
            "id": run.id,
            "pinned": "yes" if run.is_pinned else " ",
            "date (UTC)": _date(run),
            "models": run.models[:3],
            "judge": run.judges,
            "images": run.images,
            "scores": [score.words for score in run.scores[:3]],
            "name": run.name,
        }
        for run in runs.runs
    )
    return f"{table}\n\n{len(runs.runs)} of {runs.total:,} runs"


def _run_lines(run: ListedRun) -> Iterator[str]:
    """Yield what a run contains, a line each."""
    yield f"{'sweep' if run.is_sweep else 'run'} {run.id}: {run.name}"
    yield f"date: {_date(run)} UTC, {run.state}{', pinned' if run.is_pinned else ''}"
    yield f"models: {', '.join(run.models) or 'none'}"
    yield f"judge: {', '.join(run.judges) or 'none'}"
    yield f"images: {run.images:,}"
    yield f"scores: {', '.join(score.words for score in run.scores) or 'none'}"
    yield f"prompts: {len(run.prompts):,}"
    yield from (f"  {prompt}" for prompt in run.prompts[:_MOST_ROWS])
    if len(run.prompts) > _MOST_ROWS:
        yield f"  and {len(run.prompts) - _MOST_ROWS:,} more"


def _comparison_parts(comparison: RunComparison) -> Iterator[str]:
    """Yield two runs beside each other."""
    one, other = comparison.one, comparison.other
    yield f"first run {one.id}: {one.name}\nsecond run {other.id}: {other.name}"
    settings = printing.table(
        {"setting": each.setting, "first run": each.one, "second run": each.other}
        for each in comparison.configuration
    )
    yield settings or "Both runs have the same configuration."
    for compared in comparison.metrics:
        yield from _metric_parts(compared)
    if not comparison.metrics:
        yield "No metric has scored images of both runs."


def _metric_parts(compared: MetricComparison) -> Iterator[str]:
    models = [model for model in compared.means if model != ALL_MODELS]
    means = printing.table(
        {
            "model": model or "all models",
            "first run": compared.means[model][0],
            "second run": compared.means[model][1],
            "difference": difference_text(compared.differences.get(model)),
        }
        for model in (*models, ALL_MODELS)
    )
    yield f"{compared.title} (difference: second run minus first)\n{means}"
    yield "\n".join(
        f"{name} run: n {mean.n:,}, {mean.left_out:,} left out; {judged}"
        for name, mean, judged in zip(
            ("first", "second"), compared.counted, compared.judges, strict=True
        )
    )
    yield printing.table(
        {
            "model": row.model,
            "first run": row.values[0],
            "second run": row.values[1],
            "difference": signed(row.difference),
            "prompt": row.prompt,
        }
        for row in compared.rows[:_MOST_ROWS]
    )
    if len(compared.rows) > _MOST_ROWS:
        yield f"and {len(compared.rows) - _MOST_ROWS:,} more rows: --json has all of them"


def difference_text(difference: ModelDifference | None) -> str:
    """Return a difference with its interval, and what it rests on."""
    if difference is None or difference.value is None:
        return "nothing to compare"
    prompts = count_noun(difference.n, "prompt")
    if difference.low is None or difference.high is None:
        return f"{difference.value:+.3f} ({prompts}; an interval needs two)"
    interval = f"95 % {difference.low:+.3f} to {difference.high:+.3f}"
    return f"{difference.value:+.3f} ({interval}; {prompts}; {difference.words})"


def _change_parts(changes: "RunChanges") -> Iterator[str]:
    """Yield what changed between two runs, by slice."""
    from hallascope.engine.error_analysis.slices.change_report import (
        HEADS,
        METHOD,
        MOST_SLICES,
        change_cells,
        unpaired_text,
    )

    yield changes.sentence
    yield printing.table(
        dict(zip(HEADS, change_cells(each), strict=True))
        for each in (changes.whole, *changes.slices[:MOST_SLICES])
    )
    yield unpaired_text(changes)
    yield METHOD
