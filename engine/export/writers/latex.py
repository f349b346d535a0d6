"""Writes runs as LaTeX tables: the scores of the models, and the verdicts one by one.

The tables need the packages ``booktabs`` and ``longtable`` and an engine that reads UTF-8.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from hallascope import metrics
from hallascope.engine.export.columns import QUESTION, EvaluationMethod, Row, group_by_method
from hallascope.engine.export.folder import ExportFolder, ExportTextFile
from hallascope.engine.export.formats import ExportSource, ExportSummary, copy_images
from hallascope.engine.storage.scores import ranked_model
from hallascope.metrics import aggregate
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS, IntervalMethod

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
    everything = source.selection.without_verdicts()
    whole = replace(source, selection=everything, summary=ExportSummary(), people=False)
    rows = [row for content in whole.iterate_runs() for row in content.rows]
    for row in rows:  # before escapes, which hide keys
        folder.scan(FILE, "\n".join([row["model"], row["judge"] or "", row["version"]]))
    with folder.open_text(FILE) as stream:
        stream.write(HEAD)
        stream.write(score_table(rows))
        _write_items(source, folder, stream)


# --- scores ---


def score_table(rows: Sequence[Row]) -> str:
    """Return the table of models and metrics; every cell has mean, 95 % interval and n."""
    if not rows:
        return "% There is no evaluation.\n"
    by_model: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_model[_ranked_name(row)].append(row)
    means = {
        model: {method: _mean(method, own) for method, own in group_by_method(of_model).items()}
        for model, of_model in sorted(by_model.items())
    }
    ways = sorted({method for of_model in means.values() for method in of_model})
    shown = pd.DataFrame(
        [[_mean_text(of_model.get(way)) for way in ways] for of_model in means.values()],
        index=list(map(escape_latex, means)),
        columns=list(map(escape_latex, _titles(ways))),
    )
    intervals = {mean.interval_method for of_model in means.values() for mean in of_model.values()}
    text: str = shown.to_latex(
        escape=False, caption=_caption(ways, intervals), column_format="l" * (1 + len(ways))
    )
    body = text.replace("\\begin{table}\n", "\\begin{table}\n\\centering\n")
    return body.replace("\\toprule\n", "\\toprule\nModel", 1)


def _ranked_name(row: Row) -> str:
    return ranked_model(row["model"], row["injected"])


def _mean(method: EvaluationMethod, rows: Sequence[Row]) -> Mean:
    bounds = metrics.score(method.metric, "score").bounds
    return aggregate.mean([row["report"] for row in rows], bounds=bounds)


def _titles(ways: Sequence[EvaluationMethod]) -> list[str]:
    """Return the titles of the metrics, with a number where a metric has several columns."""
    by_metric: dict[str, list[EvaluationMethod]] = defaultdict(list)
    for way in ways:
        by_metric[way.metric].append(way)
    return [
        metrics.title(way.metric) + (f" ({same.index(way) + 1})" if len(same) > 1 else "")
        for way in ways
        if (same := by_metric[way.metric])
    ]


def _caption(ways: Sequence[EvaluationMethod], intervals: Collection[IntervalMethod]) -> str:
    judged = []
    for title, (metric, version, judge, lineup) in zip(_titles(ways), ways, strict=True):
        parts = [f"{title}: version {version}", *([f"judge {judge}"] if judge else [])]
        if title != metrics.title(metric):  # one of several columns
            models = json.loads(lineup).items()
            parts += [f"{role} {model}" for role, model in models if role != "judge"]
        judged.append(", ".join(parts))
    how = "; ".join(INTERVAL_METHODS[method] for method in sorted(intervals))
    return escape_latex(
        "Mean score over the n prompts that have an answer, with its 95 % interval by prompt"
        f" ({how}). {'; '.join(judged)}."
    )


def _mean_text(mean: Mean | None) -> str:
    if mean is None or mean.value is None:
        return _NO_VALUE
    interval = "" if mean.low is None else f" [{mean.low:.2f}, {mean.high:.2f}]"
    return escape_latex(f"{mean.value:.2f}{interval} (n = {mean.n}, {mean.left_out} left out)")


# --- verdicts ---

_ITEM_COLUMNS = ("Model", "Seed", "Question or finding", "Expected", "Judged", "Truth", "Verdict")
_ITEM_WIDTHS = r"p{0.13\linewidth}rp{0.25\linewidth}*{3}{p{0.11\linewidth}}p{0.11\linewidth}"


def _write_items(source: ExportSource, folder: ExportFolder, stream: ExportTextFile) -> None:
    """Write the table of verdicts, prompt by prompt, which may be longer than a page."""
    head = (r"\toprule", _cells(_ITEM_COLUMNS), r"\midrule", r"\endhead", r"\bottomrule")
    caption = escape_latex("Questions and findings, with what was expected, judged and true.")
    begin = rf"\begin{{longtable}}{{{_ITEM_WIDTHS}}}"
    stream.write("\n".join(["", begin, rf"\caption{{{caption}}}\\", *head, r"\endfoot", ""]))
    for content in source.iterate_runs():
        prompt = content.run.request.prompt
        folder.scan(FILE, prompt)
        stream.write(rf"\multicolumn{{7}}{{l}}{{\emph{{{escape_latex(prompt)}}}}}\\" + "\n")
        for row in content.verdicts:
            texts = _item_texts(row)
            folder.scan(FILE, "\n".join(texts))  # before it is escaped, which hides keys
            stream.write(_cells(texts) + "\n")
        copy_images(source, folder, content)
    stream.write("\\end{longtable}\n")


def _item_texts(row: Row) -> list[str]:
    """Return the cells of one question or finding, as plain texts."""
    is_question = row["kind"] == QUESTION
    return [
        _ranked_name(row),
        str(row["seed"]),
        row["asked"] if is_question else row["kind"],
        row["wanted" if is_question else "asked"] or _NO_VALUE,
        row["seen"] or _NO_VALUE,
        row.get("truth") or _NO_VALUE,
        row.get("outcome") or row["state"],
    ]


def _cells(texts: Sequence[str]) -> str:
    cells = (text if text == _NO_VALUE else escape_latex(text) for text in texts)
    return " & ".join(cells) + r" \\"
