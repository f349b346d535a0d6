"""Holds what the library returns: scores and leaderboards as frozen records, tables and pages."""

import webbrowser
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, ClassVar, overload

from markupsafe import Markup

from hallascope.components.html.markup import join, tag
from hallascope.data.records import Report

if TYPE_CHECKING:
    import pandas as pd

    from hallascope.engine.leaderboard.label_correction import LabelCorrection
    from hallascope.engine.services import Services

ROWS_SHOWN = 50
THUMBNAIL_WIDTH = 96  # pixels


@dataclass(frozen=True, kw_only=True)
class ImageScore:
    """Holds one score of one metric for one image.

    `value` is None where nothing could be counted: a model that failed is no hallucination.
    `counted` and `left_out` are questions, findings or images, as the metric counts them. `failure`
    says in one sentence why there is no score. `image` is the file of the image, None where it was
    not drawn; `given` is the name of the file that was brought. `report` has the evidence, None
    where the metric did not run.
    """

    prompt: str
    model: str
    seed: int
    metric: str
    score: str
    value: float | None
    counted: int = 0
    left_out: int = 0
    judge: str | None = None
    trial: int = 0
    run: str = ""
    image: Path | None = None
    given: str | None = None
    failure: str | None = None
    report: Report | None = field(default=None, repr=False, compare=False)


COLUMNS = tuple(column.name for column in fields(ImageScore) if column.name != "report")


@dataclass(frozen=True)
class Results(Sequence[ImageScore]):
    """Holds what `evaluate` and `judge_images` found: `ImageScore`s in the order of the prompts.

    `notices` are sentences about what was asked for and could not be done.
    """

    scores: tuple[ImageScore, ...]
    notices: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    services: "Services | None" = field(default=None, repr=False, compare=False)

    @overload
    def __getitem__(self, index: int) -> ImageScore: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[ImageScore, ...]: ...
    def __getitem__(self, index: int | slice) -> ImageScore | tuple[ImageScore, ...]:
        return self.scores[index]

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        metrics = ", ".join(dict.fromkeys(score.metric for score in self.scores)) or "no metric"
        return f"<Results: {len(self)} scores by {metrics}, {len(self.failures)} without a value>"

    @property
    def failures(self) -> tuple[ImageScore, ...]:
        """Return the scores that are missing because a model failed."""
        return tuple(score for score in self.scores if score.failure)

    def to_pandas(self) -> "pd.DataFrame":
        """Return a table with a row a score and the columns of `ImageScore` but the report."""
        import pandas as pd

        rows = [[getattr(score, column) for column in COLUMNS] for score in self.scores]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def show(self, folder: str | Path | None = None, *, open_browser: bool = True) -> Path:
        """Write the results as static pages with all evidence, and return the first page.

        `folder` must be empty or missing; None: a new temporary folder. The pages need no server.
        Raises BadRequest where the folder holds something already or nothing was evaluated.
        """
        from hallascope.engine.errors import BadRequest
        from hallascope.engine.export import formats

        if self.services is None or not self.runs:
            raise BadRequest("There is nothing to show: evaluate at least one image first.")
        out = Path(folder) if folder is not None else Path(mkdtemp(prefix="hallascope-")) / "site"
        source = formats.ExportSource(services=self.services, runs=self.runs, images=True)
        formats.export(source, "site", out)
        return _opened(out / "index.html", open_browser)

    def _repr_html_(self) -> Markup:
        """Return the scores as an HTML table with thumbnails, for notebooks."""
        heads = ("prompt", "model", "seed", "metric", "score", "value", "failure")
        rows = [
            [self._thumbnail(score), *(_cell(getattr(score, head)) for head in heads)]
            for score in self.scores[:ROWS_SHOWN]
        ]
        table = _table(("image", *heads), rows, len(self))
        return join(table, *(tag("p", notice) for notice in self.notices))

    def _thumbnail(self, score: ImageScore) -> str:
        images = self.services.store.images if self.services else None
        picture = images.find(score.image) if images and score.image else None
        file = images.render_thumbnail(picture.sha256) if images and picture else None
        if file is None:
            return _cell(None)
        source = f"data:image/webp;base64,{b64encode(file.read_bytes()).decode()}"
        return tag("img", src=source, alt=f"{score.prompt}, {score.model}", width=THUMBNAIL_WIDTH)


class _Rows:
    """Gives the rows of a result one after the other, and as a table of pandas."""

    heads: ClassVar[tuple[str, ...]]  # of a table without rows
    rows: tuple[Mapping[str, Any], ...]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} rows>"

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> Markup:
        """Return the rows as an HTML table, for notebooks."""
        heads = tuple(self.rows[0]) if self.rows else self.heads
        return _table(heads, [[_cell(value) for value in row.values()] for row in self.rows])

    def to_pandas(self) -> "pd.DataFrame":
        """Return a table with a row for each of these."""
        import pandas as pd

        return pd.DataFrame(list(self.rows))


@dataclass(frozen=True, kw_only=True, repr=False)
class LeaderboardResult(_Rows):
    """Ranks models by the mean of one score over all stored prompts, as the Leaderboard tab does.

    `rows` are dictionaries with the keys model, group, value, n, low and high (the ends of the 95 %
    interval, computed by `interval_method`), left_out, best_rank and worst_rank (the ranks that
    are not excluded) and letters (models of a group that share one cannot be told apart); these
    three are None where models were not compared. `sentences` say what the comparison rests on, and
    how many prompts would tell two models apart. `shipped`: these are the numbers that come with
    the program, none of yours.

    Where people's labels correct the scores, rows have these keys, too, all None where too few
    prompts are labeled: corrected, corrected_low, corrected_high (the score that people would give,
    with its 95 % interval), corrected_lowest and corrected_highest (if all that people could not
    tell were wrong, or right), bias, bias_low and bias_high (by how much the judge is above
    people), weight (how far the judge counts), labeled and judged (prompts), and
    correction_method. `value` stays
    the judge's. `correction` has all of it, with the pairs of models and what the labels are.
    """

    heads = ("model", "value")
    metric: str
    score: str
    by: str
    unit: str
    rows: tuple[Mapping[str, Any], ...]
    shipped: bool = False
    interval_method: str = ""
    sentences: tuple[str, ...] = ()
    correction: "LabelCorrection | None" = None

    def show(self, file: str | Path | None = None, *, open_browser: bool = True) -> Path:
        """Write the leaderboard as one static page and return it; None: in a temporary folder."""
        from hallascope.pages.site import frame

        title = f"Leaderboard: {self.metric}"
        out = Path(file) if file is not None else Path(mkdtemp(prefix="hallascope-")) / "board.html"
        out.parent.mkdir(parents=True, exist_ok=True)
        body = tag("h1", title) + self._repr_html_()
        out.write_text(frame.page(title, body), "utf-8")
        return _opened(out, open_browser)

    def _repr_html_(self) -> Markup:
        """Return the rows as an HTML table, for notebooks."""
        table = super()._repr_html_()
        return table + tag("p", "These numbers come with the program.") if self.shipped else table


@dataclass(frozen=True, repr=False)
class AgreementResult(_Rows):
    """Holds how well metrics agree with people.

    `rows` are dictionaries with the keys part ("ratings", "preferences", "questions" or "items"),
    dimension ("" where none is named), metric, statistic, value, low and high (the ends of the 95 %
    interval, computed by `method`), and n: items, groups, choices or questions. What is not defined
    is None. `left_out` names every row that could not be used, with its file and line. `document`
    has all numbers, also the differences of metrics and how far people agree, as `hallascope
    agreement --json` prints them.
    """

    heads = ("metric", "statistic", "value")
    rows: tuple[Mapping[str, Any], ...]
    left_out: tuple[str, ...]
    document: Mapping[str, Any]


def agreement_rows(
    metrics: Mapping[str, Mapping[str, Any]], part: str, dimension: str = ""
) -> list[dict[str, Any]]:
    """Return a row for each statistic of each metric of a document of `hallascope agreement`."""
    rows = []
    for metric, values in metrics.items():
        within = values.get("within_groups", {})
        statistics = [(name, value, values["n"]) for name, value in values.items()]
        statistics += [
            (f"{name} within groups", value, within["groups"]) for name, value in within.items()
        ]
        rows += [
            {
                "part": part,
                "dimension": dimension,
                "metric": metric,
                "statistic": statistic,
                "value": estimate["value"],
                "low": estimate["low"],
                "high": estimate["high"],
                "method": estimate["method"],
                "n": n,
            }
            for statistic, estimate, n in statistics
            if isinstance(estimate, Mapping) and "value" in estimate
        ]
    return rows


def _opened(page: Path, open_browser: bool) -> Path:
    if open_browser:
        webbrowser.open(page.absolute().as_uri())
    return page


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], total: int | None = None) -> Markup:
    """Return rows of `total` as an HTML table, the first `ROWS_SHOWN` of them."""
    head = tag("tr", *(tag("th", title) for title in heads))
    lines = (tag("tr", *(tag("td", cell) for cell in row)) for row in rows[:ROWS_SHOWN])
    table = tag("table", tag("thead", head), tag("tbody", *lines))
    more = (total or len(rows)) - ROWS_SHOWN
    return table + tag("p", f"and {more:,} more rows") if more > 0 else table
