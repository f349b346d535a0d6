"""Shows a site's leaderboard: a table with bars by model, then by composition or domain.

There is one for every metric.
"""

import math
from collections.abc import Collection, Mapping, Sequence

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.html.markup import html_table, join, table_row, tag
from hallascope.components.leaderboard.charts import CORRECTED
from hallascope.components.leaderboard.corrections import correction_notes
from hallascope.components.theme.model_colors import model_style
from hallascope.engine.leaderboard.board import Board, LeaderboardRow, board
from hallascope.engine.leaderboard.comparisons import ModelComparisons, compare_models
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.leaderboard.label_correction import CorrectedRow, correct_board
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.metrics.statistics.intervals import interval_text
from hallascope.pages.shared.known_models import known_models

_Corrections = Mapping[tuple[str, str], CorrectedRow]  # by model and group


def boards(
    services: Services, runs: Sequence[str], asked: Collection[str], people: bool = True
) -> Markup:
    """Return the leaderboards of metrics that scored anything in these runs.

    No runs named: all of them. It is empty where no metric scored anything. `people`: what people
    of this store answered corrects the scores.
    """
    store = services.store
    filters = Filters(runs=tuple(runs))
    known = known_models(services.registry, store)
    panels = []
    for name in metrics.METRICS:
        if name not in asked:
            continue
        shown = board(store, Query(name, "score", "model", filters))
        if all(row.value is None for row in shown.rows):
            continue
        asks_questions = metrics.presentation(name) == "questions"
        groupings: tuple[Grouping, ...] = ("coi", "field") if asks_questions else ("domain",)
        grouped = [board(store, Query(name, "score", by, filters)) for by in groupings]
        tables = (
            _model_table(
                name,
                shown,
                compare_models(store, shown),
                known,
                _corrections(services, shown) if people else {},
            ),
            *(
                _group_table(each, _corrections(services, each) if people else {})
                for each in grouped
            ),
        )
        panels.append(tag("div", *tables, class_="panel board"))
    if not panels:
        return Markup()
    heading = tag("h2", "Leaderboard")
    return tag("section", heading, tag("div", *panels, class_="boards"), class_="section")


def _corrections(services: Services, shown: Board) -> _Corrections:
    """Return the rows as people's labels correct them; none where no prompt of them is labeled."""
    if not services.store.ratings.all(IHALLA):
        return {}
    rows = correct_board(services.store, shown)
    if not any(row.labeled for row in rows):
        return {}
    return {(row.model, row.group): row for row in rows}


def _model_table(
    name: str,
    shown: Board,
    comparisons: ModelComparisons,
    known: Sequence[str],
    corrections: _Corrections,
) -> Markup:
    best_first = sorted(
        shown.rows, key=lambda row: -1.0 if row.value is None else row.value, reverse=True
    )
    lines = (
        _line(row, shown, comparisons, model_style(row.model, known).color, corrections)
        for row in best_first
    )
    corrected = [CORRECTED] if corrections else []
    ranked = ["rank"] if comparisons.ranks else []
    titles = ("model", "", "score", *corrected, *ranked, shown.unit, "left out")
    heads = (
        tag("th", title, scope="col", class_="share" if i == 1 else None)
        for i, title in enumerate(titles)
    )
    table = html_table(
        heads, lines, caption=_caption(name, shown, comparisons, corrections), class_="models"
    )
    return join(table, correction_notes([row.sentence for row in corrections.values()]))


def _caption(
    name: str, shown: Board, comparisons: ModelComparisons, corrections: _Corrections
) -> str:
    caption = metrics.title(name)
    if shown.instrument and shown.instrument.judge:
        caption += f", judged by {shown.instrument.judge}"
    if any(row.low is not None for row in shown.rows):
        caption += f"; with {shown.intervals}"
    if shown.corrections:
        caption += f". {shown.corrections.describe('people')}"
    sentences = [caption, *(text.rstrip(".") for text in comparisons.sentences)]
    if any(row.score for row in corrections.values()):
        sentences.append(f"The diamond below a bar is its score {CORRECTED}, with its interval")
    return ". ".join(sentences)


def _line(
    row: LeaderboardRow,
    shown: Board,
    comparisons: ModelComparisons,
    color: str,
    corrections: _Corrections,
) -> Markup:
    value = "–" if row.value is None else f"{row.value:.2f}"
    interval = Markup()
    if row.low is not None and row.high is not None:
        interval = tag("span", f" {interval_text(row.low, row.high, 2)}", class_="about")
    share = row.left_out_share
    corrected = corrections.get((row.model, row.group))
    return table_row(
        row.model,
        tag("td", _bar(row, shown, color), _diamond(corrected, shown), class_="share"),
        tag("td", value, interval, data_of="score"),
        tag("td", _corrected_text(corrected), data_of=CORRECTED) if corrections else "",
        _rank_cell(row, comparisons),
        tag("td", row.n, data_of=shown.unit),
        tag("td", "–" if share is None else f"{share:.0%}", data_of="left out"),
    )


def _corrected_text(row: CorrectedRow | None) -> Markup:
    """Return the corrected score with its interval, or how many labels it still needs."""
    if row is None:
        return Markup("–")
    if row.score is None:
        return tag("span", f"label {row.needed} more", class_="about")
    score = row.score
    interval = f" {interval_text(score.low, score.high, 2)}; {score.labeled} labeled"
    return join(f"{score.value:.2f}", tag("span", interval, class_="about"))


def _diamond(row: CorrectedRow | None, shown: Board) -> Markup:
    """Return the corrected score and its interval as a mark below the bar, on the same scale."""
    if row is None or row.score is None:
        return Markup()
    score = row.score
    left = _scale_position(score.value, shown)
    mark = tag("span", class_="diamond", style=f"left:{left:.1f}%")
    whisker = _whisker(score.low, score.high, shown)
    return tag("span", whisker, mark, class_="scale beside", aria_hidden="true")


def _rank_cell(row: LeaderboardRow, comparisons: ModelComparisons) -> Markup:
    """Return the ranks that a model may have, and its letters; "" where none were compared."""
    if not comparisons.ranks:
        return Markup()
    rank = comparisons.ranks.get((row.model, row.group))
    if rank is None:
        return tag("td", "–", data_of="rank")
    letters = tag("span", f" {rank.letters}", class_="about")
    return tag("td", rank.words, letters, data_of="rank")


def _bar(row: LeaderboardRow, shown: Board, color: str) -> Markup:
    """Return the value on its scale, and its interval; the numbers stand beside it."""
    if row.value is None:
        return Markup()
    style = f"width:{_scale_position(row.value, shown):.1f}%;background:{color}"
    whisker = Markup()
    if row.low is not None and row.high is not None:
        whisker = _whisker(row.low, row.high, shown)
    filled = tag("span", class_="value", style=style)
    return tag("span", filled, whisker, class_="scale", aria_hidden="true")


def _whisker(low: float, high: float, shown: Board) -> Markup:
    left = _scale_position(low, shown)
    width = max(_scale_position(high, shown) - left, 0.5)
    return tag("span", class_="whisker", style=f"left:{left:.1f}%;width:{width:.1f}%")


def _scale_position(value: float, shown: Board) -> float:
    """Return where a value lies on the scale of the board, in percent."""
    low, high = shown.bounds
    ends = [end for row in shown.rows for end in (row.low, row.high, row.value) if end is not None]
    low = low if math.isfinite(low) else min(ends, default=0.0)
    high = high if math.isfinite(high) else max(ends, default=low)
    high = high if high > low else low + 1.0
    return 100 * min(max((value - low) / (high - low), 0.0), 1.0)


def _group_table(shown: Board, corrections: _Corrections) -> Markup:
    """Return a table of models by groups; it is empty where there is but one group."""
    groups = list(dict.fromkeys(row.group for row in shown.rows))
    if len(groups) < 2:
        return Markup()
    models = dict.fromkeys(row.model for row in shown.rows)
    cells = {(row.model, row.group): row for row in shown.rows}
    lines = (
        table_row(
            model,
            *(
                _cell(cells.get((model, group)), corrections.get((model, group)))
                for group in groups
            ),
        )
        for model in models
    )
    by = shown.query.by
    title = {"coi": "By composition of interest", "domain": "By domain"}.get(by, f"By {by}")
    table = html_table(("model", *groups), lines, class_="heat")
    return tag("details", tag("summary", title), table)


def _cell(row: LeaderboardRow | None, corrected: CorrectedRow | None) -> Markup:
    if row is None or row.value is None:
        return tag("td", "–")
    cell = [f"{row.value:.2f}", tag("span", f" of {row.n}", class_="about")]
    if corrected and corrected.score:
        score = corrected.score
        words = f"corrected {score.value:.2f} ({interval_text(score.low, score.high, 2)})"
        cell.append(tag("span", words, class_="about corrected-cell"))
    return tag("td", *cell)
