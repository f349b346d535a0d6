"""Shows scores by domain as bars, with published ones, and the paper's table beside ours.

Published ones of other models are hollow marks.

It computes nothing of what it shows and imports plotly only to draw.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hallascope.components.html.markup import text
from hallascope.components.leaderboard.model_colors import COLOURS as COLOURS
from hallascope.components.leaderboard.model_colors import HOLLOW, INK, LINE
from hallascope.data.concepts import LEVEL_TITLES
from hallascope.data.published.factualbench import Delta, PublishedFactualScores
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
    colours: Mapping[str, str],
) -> "Figure":
    """Draw concept factuality of the first level by domain, in percent.

    It has 95 % intervals where there are several prompts.
    """
    from plotly import graph_objects as go

    figure = go.Figure()
    for model, values in ours.items():
        figure.add_bar(
            name=text(model), x=list(DOMAINS), **_heights(values), marker_color=colours[model]
        )
    for mark, (model, percent) in zip(HOLLOW, published.items(), strict=False):
        heights = [percent.get(domain) for domain in DOMAINS]
        style = {"symbol": mark, "size": 9, "color": INK, "line": {"width": 1.4}}
        figure.add_scatter(
            name=f"{model} (published)", x=list(DOMAINS), y=heights, mode="markers", marker=style
        )
    return figure.update_layout(**_layout())


def _heights(values: Mapping[Domain, Mean]) -> dict[str, object]:
    means = [values.get(domain) for domain in DOMAINS]
    heights = [100 * mean.value if mean and mean.value is not None else None for mean in means]
    up = [
        (
            100 * (mean.high - mean.value)
            if mean and mean.high is not None and mean.value is not None
            else 0
        )
        for mean in means
    ]
    down = [
        (
            100 * (mean.value - mean.low)
            if mean and mean.low is not None and mean.value is not None
            else 0
        )
        for mean in means
    ]
    about = [f"{mean.n} prompts, left out {mean.left_out}" if mean else "" for mean in means]
    error = {
        "type": "data",
        "symmetric": False,
        "array": up,
        "arrayminus": down,
        "color": INK,
        "thickness": 1.2,
    }
    return {"y": heights, "error_y": error, "hovertext": about}


def _layout() -> dict[str, object]:
    axis = {"gridcolor": LINE, "zerolinecolor": LINE, "linecolor": LINE}
    return {
        "barmode": "group",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": INK, "size": 13},
        "margin": {"l": 48, "r": 8, "t": 16, "b": 40},
        "height": 480,
        "legend": {"orientation": "h", "y": -0.3},
        "xaxis": axis,
        "yaxis": {**axis, "title": {"text": "concept factuality, %"}, "range": [0, 104]},
    }


def figure_description(ours: ByDomain) -> str:
    """What the figure shows, for those who cannot see it, and how to read it."""
    said = "; ".join(
        f"{model}: {', '.join(_domain_summaries(values))}"
        for model, values in ours.items()
        if values
    )
    values = f"{said}." if said else "No picture of the first level has been judged here yet."
    return f'<p class="soft">{_MEASURED} {text(values)}</p>'


def _domain_summaries(values: Mapping[Domain, Mean]) -> Iterator[str]:
    for domain, mean in values.items():
        value = "no answer" if mean.value is None else f"{100 * mean.value:.0f} %"
        yield f"{domain} {value} of {mean.n} {'prompt' if mean.n == 1 else 'prompts'}"


# --- the paper's table
# --------------------------------------------------------------------------------------------------


def published_table(
    ours: Mapping[str, Mapping[LevelScore, Mean]],
    published: Sequence[PublishedFactualScores],
    deltas: Sequence[Delta],
) -> str:
    """Table 3 as published, our models before it.

    What it prints wrong is shown right and marked.
    """
    of = {(delta.model, delta.level, delta.score): delta for delta in deltas}
    mine = "".join(
        _line(model, [_mean(row[cell]) for cell in CELLS], "ours") for model, row in ours.items()
    )
    theirs = "".join(
        _line(one.model, [_percent(one, cell, of.get((one.model, *cell))) for cell in CELLS])
        for one in published
    )
    heads = "".join(f'<th scope="col">{level} {TITLES[score]}</th>' for level, score in CELLS)
    titles = "; ".join(f"{level}: {title}" for level, title in LEVEL_TITLES.items())
    about = (
        f"Percent. {titles}. Models measured here come first: their prompts and their judge are"
        " others. * with definitions."
    )
    head = f'<thead><tr><th scope="col">model</th>{heads}</tr></thead>'
    table = f"<table>{head}<tbody>{mine}{theirs}</tbody></table>"
    return (
        '<section class="panel paper"><h2>Beside the numbers of the paper</h2><p'
        f' class="soft">{text(about)}</p><div class="scroll" tabindex="0" role="region"'
        f' aria-label="Table 3 of the paper">{table}</div>{_misprints(deltas)}</section>'
    )


def _line(model: str, cells: Sequence[str], kind: str = "") -> str:
    return (
        f'<tr class="{kind}"><th'
        f' scope="row">{text(model)}</th>{"".join(f"<td>{one}</td>" for one in cells)}</tr>'
    )


def _mean(mean: Mean) -> str:
    if mean.value is None:
        return "–"
    left_out = f", left out {mean.left_out}" if mean.left_out else ""
    return f'{100 * mean.value:.1f} <span class="about">of {mean.n}{left_out}</span>'


def _percent(one: PublishedFactualScores, cell: LevelScore, delta: Delta | None) -> str:
    level, score = cell
    value = next(
        (percent for (its, name), percent in one.percent.items() if (its, name) == (level, score)),
        None,
    )
    if value is None:
        return "–"
    if delta is None:
        return f"{value:.1f}"
    kind = " misprint" if delta.misprinted else ""
    note = " (corrected)" if delta.misprinted else ""
    return f'{value:.1f} <span class="about{kind}">{delta.derived:+.1f}{note}</span>'


def _misprints(deltas: Sequence[Delta]) -> str:
    wrong = [
        f"{one.model}, {one.level} {one.score}: {one.printed:+.1f} is printed, {one.derived:+.1f}"
        " is right"
        for one in deltas
        if one.misprinted
    ]
    return (
        f'<p class="soft">The paper misprints {len(wrong)} of its differences.'
        f" {text('; '.join(wrong))}.</p>"
        if wrong
        else ""
    )
