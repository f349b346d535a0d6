"""Turns stored runs into what the panel of runs shows."""

from datetime import UTC, datetime

from hallascope import metrics
from hallascope.components.runs.run_comparison import (
    ComparedCell,
    ComparedLine,
    ComparisonView,
    MetricTable,
)
from hallascope.components.runs.run_list import RunCard
from hallascope.components.tiles.scores import number_text
from hallascope.engine.events import UPLOADED
from hallascope.engine.run_history.comparison import (
    ALL_MODELS,
    ComparedImage,
    ComparedRow,
    MetricComparison,
    RunComparison,
)
from hallascope.engine.storage.images import ImageStore
from hallascope.engine.storage.runs.catalog import ListedRun
from hallascope.metrics.statistics.paired_difference import ModelDifference

MOST_SCORES = 4  # metrics of a run that the list shows
MOST_LINES = 100  # prompts and models of a comparison


def run_card(run: ListedRun, images: ImageStore) -> RunCard:
    """Return a run or sweep as the list shows it."""
    contents = run
    return RunCard(
        id=run.id,
        name=run.name,
        is_sweep=run.is_sweep,
        is_pinned=run.is_pinned,
        date=_date(run),
        state=run.state,
        prompts=contents.runs,
        models=[_model(model) for model in contents.models],
        judges=contents.judges,
        images=contents.images,
        thumbnail=images.thumbnail(contents.image) if contents.image else None,
        scores=[
            f"{_title(score.metric)} {number_text(score.value)}"
            f" (n {score.n:,}, {score.left_out:,} left out)"
            for score in contents.scores[:MOST_SCORES]
        ],
    )


def comparison_view(comparison: RunComparison) -> ComparisonView:
    """Return two runs beside each other, in words."""
    return ComparisonView(
        one=f"{comparison.one.name} ({_date(comparison.one)})",
        other=f"{comparison.other.name} ({_date(comparison.other)})",
        configuration=[(each.setting, each.one, each.other) for each in comparison.configuration],
        metrics=[_metric_table(compared) for compared in comparison.metrics],
    )


def _metric_table(compared: MetricComparison) -> MetricTable:
    models = [model for model in compared.means if model != ALL_MODELS]
    return MetricTable(
        title="{}: n {:,} ({:,} left out), then n {:,} ({:,} left out)".format(
            compared.title,
            *(number for mean in compared.counted for number in (mean.n, mean.left_out)),
        ),
        models=[
            (
                _model(model) if model else "All models",
                *map(number_text, compared.means[model]),
                difference_text(compared.differences.get(model)),
            )
            for model in (*models, ALL_MODELS)
        ],
        lines=[_line(row) for row in compared.rows[:MOST_LINES]],
        more=max(0, len(compared.rows) - MOST_LINES),
    )


def _line(row: ComparedRow) -> ComparedLine:
    return ComparedLine(
        prompt=row.prompt,
        model=_model(row.model),
        one=_cell(row.values[0], row.images[0]),
        other=_cell(row.values[1], row.images[1]),
        difference="–" if row.difference is None else f"{row.difference:+.2f}",
    )


def _cell(value: float | None, image: ComparedImage | None) -> ComparedCell:
    where = image._asdict() if image else {}
    return ComparedCell(score=number_text(value), **where)


def difference_text(difference: ModelDifference | None) -> str:
    """Return a difference with its interval and what it says, in words."""
    if difference is None or difference.value is None:
        return "no prompt in common"
    prompts = "1 prompt" if difference.n == 1 else f"{difference.n:,} prompts"
    if difference.low is None or difference.high is None:
        return f"{difference.value:+.2f} ({prompts}, too few for an interval)"
    interval = f"{difference.low:+.2f} to {difference.high:+.2f}"
    return f"{difference.value:+.2f} ({interval}; {prompts}; {difference.words})"


def _date(run: ListedRun) -> str:
    return f"{datetime.fromtimestamp(run.created, UTC):%Y-%m-%d %H:%M} UTC"


def _model(model: str) -> str:
    return "your own image" if model == UPLOADED else model


def _title(metric: str) -> str:
    found = metrics.find(metric)
    return found.title if found else metric
