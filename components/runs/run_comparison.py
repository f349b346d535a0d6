"""Shows two runs beside each other: what differs in their configuration, scores and images."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from hallascope.components.html.markup import column_heads, join, scroll_region, tag
from hallascope.components.runs.thumbnail import thumbnail_image

SAME = "Both runs have the same configuration."
NO_METRIC = "No metric has scored images of both runs."
PAIRED = (
    "Differences are the first run less the second, paired over the prompts that both have, with"
    " 95 % intervals as on the leaderboard."
)


@dataclass(frozen=True, kw_only=True)
class ComparedCell:
    """Holds one run's score in words, with the image that it is of and the run that has it.

    `run` and `image` are "" where the run has no such image.
    """

    score: str
    run: str = ""
    image: str = ""
    thumbnail: Path | None = None


@dataclass(frozen=True, kw_only=True)
class ComparedLine:
    """Holds a prompt and a model in both runs, and the difference of the scores in words."""

    prompt: str
    model: str
    one: ComparedCell
    other: ComparedCell
    difference: str


@dataclass(frozen=True, kw_only=True)
class MetricTable:
    """Holds two runs by one metric.

    `models` are rows of words: model, first run, second run, difference. `more` is how many lines
    are left out.
    """

    title: str
    models: Sequence[Sequence[str]]
    lines: Sequence[ComparedLine]
    more: int = 0


@dataclass(frozen=True, kw_only=True)
class ComparisonView:
    """Holds two runs beside each other, in words.

    `configuration` are rows: setting, first run, second run.
    """

    one: str
    other: str
    configuration: Sequence[Sequence[str]]
    metrics: Sequence[MetricTable]


def comparison_html(view: ComparisonView) -> Markup:
    """Return two runs beside each other."""
    names = tag(
        "dl",
        tag("dt", "First run"),
        tag("dd", view.one),
        tag("dt", "Second run"),
        tag("dd", view.other),
        class_="compared-runs",
    )
    metrics = (
        join(tag("p", PAIRED, class_="soft"), *map(_metric, view.metrics))
        if view.metrics
        else tag("p", NO_METRIC)
    )
    return tag(
        "div", names, tag("h3", "Configuration"), _configuration(view), metrics, class_="compared"
    )


def _configuration(view: ComparisonView) -> Markup:
    if not view.configuration:
        return tag("p", SAME)
    rows = (
        tag("tr", tag("th", setting, scope="row"), tag("td", one), tag("td", other))
        for setting, one, other in view.configuration
    )
    heads = column_heads(("Setting", "First run", "Second run"))
    return _table(heads, rows, "Configuration", "compared-configuration")


def _metric(table: MetricTable) -> Markup:
    means = (
        tag("tr", tag("th", model, scope="row"), *(tag("td", words) for words in others))
        for model, *others in table.models
    )
    heads = column_heads(("Model", "First run", "Second run", "Difference"))
    lines = map(_line, table.lines)
    line_heads = column_heads(("Prompt and model", "First run", "Second run", "Difference"))
    more = tag("p", f"and {table.more:,} more rows", class_="soft") if table.more else Markup()
    return join(
        tag("h3", table.title),
        _table(heads, means, f"{table.title} by model", "compared-models"),
        _table(line_heads, lines, f"{table.title} by prompt", "compared-prompts"),
        more,
    )


def _line(line: ComparedLine) -> Markup:
    head = tag("th", line.prompt, tag("span", line.model, class_="about"), scope="row")
    cells = (
        tag("td", _image(cell, f"{line.prompt}, {line.model}, {place}"), tag("span", cell.score))
        for cell, place in ((line.one, "first run"), (line.other, "second run"))
    )
    return tag("tr", head, *cells, tag("td", line.difference))


def _image(cell: ComparedCell, words: str) -> Markup:
    if not cell.run:
        return Markup()
    return tag(
        "button",
        thumbnail_image(cell.thumbnail, size=64),
        type="button",
        class_="compared-open",
        data_open=cell.run,
        data_image=cell.image,
        aria_label=f"Open the evidence: {words}",
    )


def _table(heads: Markup, rows: Iterable[Markup], label: str, kind: str) -> Markup:
    table = tag(
        "table",
        tag("thead", tag("tr", heads)),
        tag("tbody", *rows),
        class_=kind,
    )
    return scroll_region(table, label)
