"""Prints runs: the list, one of them, and two beside each other."""

from datetime import UTC, datetime

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.engine.run_history.comparison import ALL_MODELS, MetricComparison, RunComparison
from hallascope.engine.run_history.history import RunList
from hallascope.engine.storage.runs.catalog import ListedRun
from hallascope.metrics.statistics.paired_difference import ModelDifference

_MOST_ROWS = 50  # prompts and models of a comparison that are printed one by one


def _date(run: ListedRun) -> str:
    return f"{datetime.fromtimestamp(run.created, UTC):%Y-%m-%d %H:%M}"


def _scores(run: ListedRun) -> str:
    return ", ".join(score.words for score in run.scores[:3]) or "-"


RUN_COLUMNS = (
    TextColumn("id", lambda run: run.id),
    TextColumn("pinned", lambda run: "yes" if run.is_pinned else ""),
    TextColumn("date (UTC)", _date),
    TextColumn("models", lambda run: ", ".join(run.models[:3]) or "-"),
    TextColumn("judge", lambda run: ", ".join(run.judges) or "-"),
    TextColumn("images", lambda run: f"{run.images:,}"),
    TextColumn("scores", _scores),
    TextColumn("name", lambda run: run.name),
)


def runs_lines(runs: RunList, text: str = "") -> str:
    """Return the list of runs as a table."""
    if not runs.runs:
        return (
            f"No run contains {text!r}."
            if text
            else "No run is stored: make one with `hallascope evaluate`."
        )
    table = printing.table(RUN_COLUMNS, runs.runs)
    return f"{table}\n\n{len(runs.runs)} of {runs.total:,} runs"


def run_lines(run: ListedRun) -> str:
    """Return what a run contains, a line each."""
    contents = run
    scores = [score.words for score in contents.scores]
    lines = [
        f"{'sweep' if run.is_sweep else 'run'} {run.id}: {run.name}",
        f"date: {_date(run)} UTC, {run.state}{', pinned' if run.is_pinned else ''}",
        f"models: {', '.join(contents.models) or 'none'}",
        f"judge: {', '.join(contents.judges) or 'none'}",
        f"images: {contents.images:,}",
        f"scores: {', '.join(scores) or 'none'}",
        f"prompts: {len(run.prompts):,}",
        *(f"  {prompt}" for prompt in run.prompts[:_MOST_ROWS]),
    ]
    if len(run.prompts) > _MOST_ROWS:
        lines.append(f"  and {len(run.prompts) - _MOST_ROWS:,} more")
    return "\n".join(lines)


def comparison_lines(comparison: RunComparison) -> str:
    """Return two runs beside each other, for people."""
    one, other = comparison.one, comparison.other
    parts = [f"first run {one.id}: {one.name}\nsecond run {other.id}: {other.name}"]
    if comparison.configuration:
        columns = (
            TextColumn("setting", lambda each: each.setting),
            TextColumn("first run", lambda each: each.one),
            TextColumn("second run", lambda each: each.other),
        )
        parts.append(printing.table(columns, comparison.configuration))
    else:
        parts.append("Both runs have the same configuration.")
    parts += [_metric_lines(compared) for compared in comparison.metrics]
    if not comparison.metrics:
        parts.append("No metric has scored images of both runs.")
    return "\n\n".join(parts)


def _metric_lines(compared: MetricComparison) -> str:
    models = [model for model in compared.means if model != ALL_MODELS]
    columns = (
        TextColumn("model", lambda model: model or "all models"),
        TextColumn("first run", lambda model: printing.number(compared.means[model][0])),
        TextColumn("second run", lambda model: printing.number(compared.means[model][1])),
        TextColumn("difference", lambda model: difference_text(compared.differences.get(model))),
    )
    rows = (
        TextColumn("model", lambda row: row.model),
        TextColumn("first run", lambda row: printing.number(row.values[0])),
        TextColumn("second run", lambda row: printing.number(row.values[1])),
        TextColumn(
            "difference",
            lambda row: "-" if row.difference is None else f"{row.difference:+.3f}",
        ),
        TextColumn("prompt", lambda row: row.prompt),
    )
    shown = compared.rows[:_MOST_ROWS]
    more = len(compared.rows) - len(shown)
    parts = [
        f"{compared.title}\n{printing.table(columns, [*models, ALL_MODELS])}",
        "\n".join(
            f"{name} run: n {mean.n:,}, {mean.left_out:,} left out; {judged}"
            for name, mean, judged in zip(
                ("first", "second"), compared.counted, compared.judges, strict=True
            )
        ),
        printing.table(rows, shown),
    ]
    if more:
        parts.append(f"and {more:,} more rows: --json has all of them")
    return "\n\n".join(parts)


def difference_text(difference: ModelDifference | None) -> str:
    """Return a difference with its interval, and what it rests on."""
    if difference is None or difference.value is None:
        return "nothing to compare"
    prompts = f"{difference.n} prompt{'' if difference.n == 1 else 's'}"
    if difference.low is None or difference.high is None:
        return f"{difference.value:+.3f} ({prompts}; an interval needs two)"
    interval = f"95 % {difference.low:+.3f} to {difference.high:+.3f}"
    return f"{difference.value:+.3f} ({interval}; {prompts}; {difference.words})"
