"""Writes runs as LaTeX tables: the scores of the models, and the verdicts one by one.

The tables need the packages ``booktabs`` and ``longtable`` and an engine that reads UTF-8.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from hallascope import metrics
from hallascope.engine.export.columns import ExportedVerdict, exported_evaluations
from hallascope.engine.export.folder import ExportFolder, ExportTextFile
from hallascope.engine.export.formats import ExportSource, ExportSummary, copy_images
from hallascope.engine.export.records import SharedEvaluation
from hallascope.engine.export.selection.selection import outcome
from hallascope.metrics import aggregate
from hallascope.metrics.aggregate import Mean, ReportRow
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS

FILE = "tables.tex"
HEAD = r"""% Made by HallaScope. In the preamble: \usepackage{booktabs,longtable}
"""
_SPECIAL: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"\textasciigrave{}",
    "-": "-{}",  # before another one, which would make a dash
    "'": "'{}",  # the same, which would make a quotation mark
}
_ANY_SPECIAL = re.compile(
    r"-(?=-)|'(?=')|" + "|".join(re.escape(sign) for sign in _SPECIAL if sign not in "-'")
)
_OPTION = re.compile(r"^[\[*]")  # at the beginning of a row it would belong to the end of the last
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_NO_VALUE = "--"


class MetricColumn(NamedTuple):
    """Names a way of judging: numbers of two are never averaged."""

    metric: str
    version: str
    judge: str


def escape_latex(text: str) -> str:
    """Return a text that LaTeX prints as it stands, in one paragraph."""
    plain = _CONTROL.sub(" ", text).strip()
    escaped = _ANY_SPECIAL.sub(lambda found: _SPECIAL[found.group()], plain)
    return _OPTION.sub(lambda found: f"{{{found.group()}}}", escaped)


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``tables.tex``: scores by model and metric with intervals, then all that is chosen.

    The scores are of all verdicts of the chosen images, since a mean over verdicts that were chosen
    by their outcome would say nothing.
    """
    with folder.open_text(FILE) as stream:
        stream.write(HEAD)
        stream.write(score_table(_read_evaluations(source, folder)))
        _write_items(source, folder, stream)


def _read_evaluations(source: ExportSource, folder: ExportFolder) -> Iterator[SharedEvaluation]:
    """Yield all evaluations of the chosen images; their names are searched before escapes."""
    everything = source.selection.without_verdicts()
    whole = replace(source, selection=everything, summary=ExportSummary(), people=False)
    for _, _, evaluations in whole.iterate_runs():
        for evaluation in evaluations:
            names = (evaluation.model, evaluation.judge or "", evaluation.report.version)
            folder.scan(FILE, "\n".join(names))
            yield evaluation


# --- scores ---


def score_table(evaluations: Iterator[SharedEvaluation]) -> str:
    """Return the table of models and metrics; every cell has mean, 95 % interval and n."""
    rows: dict[MetricColumn, dict[str, list[ReportRow]]] = defaultdict(lambda: defaultdict(list))
    for evaluation in evaluations:
        report = evaluation.report
        column = MetricColumn(evaluation.metric, report.version, evaluation.judge or "")
        row = ReportRow(report=report, model=evaluation.model, trial=evaluation.trial)
        rows[column][evaluation.model].append(row)
    columns = sorted(rows)
    if not columns:
        return "% There is no evaluation.\n"
    models = sorted({model for by_model in rows.values() for model in by_model})
    means = {
        column: {model: _mean(column.metric, rows[column][model]) for model in rows[column]}
        for column in columns
    }
    lines = [
        _cells([model, *(_mean_text(means[column].get(model)) for column in columns)])
        for model in models
    ]
    return _table(columns, lines, means)


def _mean(metric: str, rows: Sequence[ReportRow]) -> Mean:
    return aggregate.mean(rows, bounds=metrics.score(metric, "score").bounds)


def _table(
    columns: Sequence[MetricColumn],
    lines: Sequence[str],
    means: Mapping[MetricColumn, Mapping[str, Mean]],
) -> str:
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_score_caption(columns, means)}}}",
            rf"\begin{{tabular}}{{l{'l' * len(columns)}}}",
            r"\toprule",
            _cells(["Model", *column_titles(columns)]),
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def column_titles(columns: Sequence[MetricColumn]) -> list[str]:
    """Return the titles of the metrics, with a number where a metric has several columns."""
    titles = []
    for column in columns:
        title = metrics.title(column.metric)
        same = [other for other in columns if other.metric == column.metric]
        if len(same) > 1:
            title = f"{title} ({same.index(column) + 1})"
        titles.append(title)
    return titles


def _score_caption(
    columns: Sequence[MetricColumn], means: Mapping[MetricColumn, Mapping[str, Mean]]
) -> str:
    methods = {mean.interval_method for by_model in means.values() for mean in by_model.values()}
    intervals = "; ".join(INTERVAL_METHODS[method] for method in sorted(methods))
    ways = (
        f"{title}: version {column.version}" + (f", judge {column.judge}" if column.judge else "")
        for title, column in zip(column_titles(columns), columns, strict=True)
    )
    words = (
        f"Mean score over the n prompts that have an answer, with its 95 % interval by prompt"
        f" ({intervals}). {'; '.join(ways)}."
    )
    return escape_latex(words)


def _mean_text(mean: Mean | None) -> str:
    if mean is None or mean.value is None:
        return _NO_VALUE
    interval = "" if mean.low is None else f" [{mean.low:.2f}, {mean.high:.2f}]"
    return f"{mean.value:.2f}{interval} (n = {mean.n}, {mean.left_out} left out)"


# --- verdicts ---

_ITEM_COLUMNS = ("Model", "Seed", "Question or finding", "Expected", "Judged", "Truth", "Verdict")
_ITEM_WIDTHS = r"p{0.13\linewidth}rp{0.25\linewidth}*{3}{p{0.11\linewidth}}p{0.11\linewidth}"


def _write_items(source: ExportSource, folder: ExportFolder, stream: ExportTextFile) -> None:
    """Write the table of verdicts, prompt by prompt, which may be longer than a page."""
    head = (r"\toprule", _cells(_ITEM_COLUMNS), r"\midrule", r"\endhead", r"\bottomrule")
    caption = escape_latex("Questions and findings, with what was expected, judged and true.")
    begin = rf"\begin{{longtable}}{{{_ITEM_WIDTHS}}}"
    stream.write("\n".join(["", begin, rf"\caption{{{caption}}}\\", *head, r"\endfoot", ""]))
    for run, pictures, evaluations in source.iterate_runs():
        folder.scan(FILE, run.request.prompt)
        prompt = escape_latex(run.request.prompt)
        stream.write(rf"\multicolumn{{7}}{{l}}{{\emph{{{prompt}}}}}\\" + "\n")
        for row in exported_evaluations(run, pictures, evaluations):
            for verdict in source.iterate_verdicts(row):
                texts = item_texts(verdict)
                folder.scan(FILE, "\n".join(texts))  # before it is escaped, which hides keys
                stream.write(_cells(texts) + "\n")
        copy_images(source, folder, run, pictures)
    stream.write("\\end{longtable}\n")


def item_texts(verdict: ExportedVerdict) -> list[str]:
    """Return the cells of one question or finding, as plain texts."""
    question = verdict.question
    expected = question.choice(question.gold) if question else verdict.subject
    return [
        verdict.row.evaluation.model,
        str(verdict.row.picture.seed),
        question.text if question else verdict.kind,
        expected or _NO_VALUE,
        verdict.observed or _NO_VALUE,
        verdict.truth.text if verdict.truth else _NO_VALUE,
        outcome(verdict) or verdict.item.state,
    ]


def _cells(texts: Sequence[str]) -> str:
    return (
        " & ".join(_NO_VALUE if text == _NO_VALUE else escape_latex(text) for text in texts)
        + r" \\"
    )
