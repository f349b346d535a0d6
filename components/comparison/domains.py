"""Shows scores by domain as bars, and the paper's table beside ours.

Published numbers of other models are hollow marks.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from hallascope.components.html.markup import (
    html_table,
    join,
    panel,
    scroll_region,
    soft_line,
    table_row,
    tag,
)
from hallascope.components.theme.model_colors import AXIS, HOLLOW, INK, distance, figure_layout
from hallascope.components.tiles.scores import counted_text
from hallascope.data.concepts import LEVEL_TITLES
from hallascope.data.nouns import count_noun
from hallascope.data.published.numbers import Delta
from hallascope.data.records import DOMAINS, Domain
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.factualbench.aggregate import CELLS, LevelScore

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

TITLES = {"concept": "concepts", "task": "task", "composition": "composition"}
_MEASURED = (
    "Filled bars: measured here. Hollow marks: published (figure 5), of other prompts and another"
    " judge."
)

ByDomain = Mapping[str, Mapping[Domain, Mean]]


def bars(
    ours: ByDomain,
    published: Mapping[str, Mapping[Domain, float | None]],
    colors: Mapping[str, str],
) -> "Figure":
    """Draw concept factuality of the first level by domain, in percent.

    It has 95 % intervals where there are several prompts.
    """
    from plotly import graph_objects as go

    figure = go.Figure()
    for model, values in ours.items():
        figure.add_bar(
            name=escape(model), x=list(DOMAINS), **_heights(values), marker_color=colors[model]
        )
    for mark, (model, percent) in zip(HOLLOW, published.items(), strict=False):
        heights = [percent.get(domain) for domain in DOMAINS]
        style = {"symbol": mark, "size": 9, "color": INK, "line": {"width": 1.4}}
        figure.add_scatter(
            name=f"{model} (published)", x=list(DOMAINS), y=heights, mode="markers", marker=style
        )
    return figure.update_layout(
        figure_layout(
            480,
            barmode="group",
            legend={"orientation": "h", "y": -0.3},
            xaxis=AXIS,
            yaxis={**AXIS, "title": {"text": "concept factuality, %"}, "range": [0, 104]},
        )
    )


def _heights(values: Mapping[Domain, Mean]) -> dict[str, object]:
    """Return the heights of a model's bars in percent, with their intervals."""
    means = [values.get(domain) for domain in DOMAINS]
    error = {
        "type": "data",
        "symmetric": False,
        "array": [100 * distance(mean.value, mean.high) if mean else 0 for mean in means],
        "arrayminus": [100 * distance(mean.low, mean.value) if mean else 0 for mean in means],
        "color": INK,
        "thickness": 1.2,
    }
    return {
        "y": [100 * mean.value if mean and mean.value is not None else None for mean in means],
        "error_y": error,
        "hovertext": [
            f"{mean.n} prompts, {mean.left_out} left out" if mean else "" for mean in means
        ],
    }


def figure_description(ours: ByDomain) -> Markup:
    """Say what the figure shows, for those who cannot see it, and how to read it."""
    models = "; ".join(
        f"{model}: {', '.join(_domain_summaries(values))}"
        for model, values in ours.items()
        if values
    )
    values = f"{models}." if models else "No image of the first level has been judged here yet."
    return soft_line(f"{_MEASURED} {values}")


def _domain_summaries(values: Mapping[Domain, Mean]) -> Iterator[str]:
    for domain, mean in values.items():
        value = "no answer" if mean.value is None else f"{100 * mean.value:.0f} %"
        yield f"{domain} {value} of {count_noun(mean.n, 'prompt')}"


# --- the paper's table ---


def published_table(
    ours: Mapping[str, Mapping[LevelScore, Mean]],
    published: Mapping[str, Mapping[LevelScore, float]],
    deltas: Sequence[Delta],
) -> Markup:
    """Return table 3 as published, our models before it.

    What it prints wrong is shown right and marked.
    """
    delta_of = {(delta.model, delta.level, delta.score): delta for delta in deltas}
    lines = [
        table_row(model, *(_own_cell(row[cell]) for cell in CELLS), class_="ours")
        for model, row in ours.items()
    ]
    lines += [
        table_row(
            model,
            *(_published_cell(percent.get(cell), delta_of.get((model, *cell))) for cell in CELLS),
        )
        for model, percent in published.items()
    ]
    heads = ("model", *(f"{level} {TITLES[score]}" for level, score in CELLS))
    titles = "; ".join(f"{level}: {title}" for level, title in LEVEL_TITLES.items())
    about = (
        f"Percent. {titles}. Models measured here come first: their prompts and their judge are"
        " others. * with definitions."
    )
    table = html_table(heads, lines)
    return panel(
        "Published results (Table 3)",
        soft_line(about),
        scroll_region(table, "Table 3 of the paper"),
        _misprints(deltas),
        class_="paper",
    )


def _own_cell(mean: Mean) -> str:
    if mean.value is None:
        return "–"
    about = tag("span", counted_text(mean.n, mean.left_out), class_="about")
    return join(f"{100 * mean.value:.1f} ", about)


def _published_cell(value: float | None, delta: Delta | None) -> str:
    if value is None:
        return "–"
    if delta is None:
        return f"{value:.1f}"
    about = tag(
        "span",
        f"{delta.derived:+.1f}{' (corrected)' if delta.misprinted else ''}",
        class_="about misprint" if delta.misprinted else "about",
    )
    return join(f"{value:.1f} ", about)


def _misprints(deltas: Sequence[Delta]) -> Markup:
    wrong = [
        f"{delta.model}, {delta.level} {delta.score}: {delta.printed:+.1f} is printed,"
        f" {delta.derived:+.1f} is right"
        for delta in deltas
        if delta.misprinted
    ]
    if not wrong:
        return Markup()
    sentence = f"The paper misprints {len(wrong)} of its differences. {'; '.join(wrong)}."
    return soft_line(sentence)
