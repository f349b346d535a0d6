"""Runs and prints `judge-trial` on HaloQuest's questions, released ones or Primer's.

Exit codes as in `hallascope.cli.main`.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.output.problems import problem_lines
from hallascope.cli.terminal import DONE, FAILURES, progress, say
from hallascope.data.benchmarks.haloquest import HaloRow, read_haloquest
from hallascope.data.benchmarks.haloquest_replies import read_replies
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import (
    BY_RULE,
    HaloResult,
    HaloTrialItem,
    as_json,
    haloquest_items,
    items_with_replies,
    primer_items,
    sample_rows,
    try_halo,
)
from hallascope.engine.judge_eval.reply_scores.scored_replies import (
    OverlapSummary,
    score_replies,
    summarize_overlaps,
)
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.trials.store import TrialStore
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.haloquest.aggregate import Shares
from hallascope.metrics.haloquest.auto_eval import AutoEvalName
from hallascope.metrics.statistics.intervals import IntervalEstimate
from hallascope.metrics.statistics.response_statistics import Kappa

PRIMER = "primer-halo"
BENCHMARKS = ("haloquest", PRIMER)
# how many of Primer's questions are asked by default
PRIMER_SAMPLE = 300


@dataclass(frozen=True, kw_only=True)
class HaloTrialOptions:
    """Holds what a person asked for.

    `table` is HaloQuest's file or folder, `pictures` the folder of its pictures.

    `replies`: a table of replies to be graded, in place of asking a judge. `sample`: so many
    questions only, 0 for all. `auto_eval`: the implementation of Auto-Eval that grades.
    """

    benchmark: str
    judge: str
    grader: str | None
    table: Path | None
    pictures: Path | None
    download: bool
    replies: Path | None
    sample: int
    seed: int
    terms: SpendingPolicy
    auto_eval: AutoEvalName = "reasoned"
    wording: str = OURS


def halo_trial(services: Services, options: HaloTrialOptions, in_json: bool) -> int:
    """Count how often a judge replies rightly to a question that tempts it to invent."""
    judge = None if options.replies else options.judge
    # a model that cannot run here is refused before anything is read or drawn
    models: list[tuple[str | None, Role]] = [(judge, "judge"), (options.grader, "writer")]
    for name, role in models:
        if name:
            services.registry.require(name, role, options.terms.keys)
    complaints: list[Complaint] = []
    notes: list[Complaint] = []
    with tempfile.TemporaryDirectory() as folder:
        items = _items(services, options, Path(folder), complaints, notes)
        trial = try_halo(
            services=services,
            items=items,
            judge=judge,
            grader=options.grader,
            benchmark=options.benchmark,
            auto_eval=options.auto_eval,
            terms=options.terms,
            wording=options.wording,
            on_progress=partial(progress, what="questions"),
        )
    if judge:
        TrialStore(services.store.folder).keep(trial)
    overlaps = summarize_overlaps(score_replies(trial))
    if in_json:
        document = {
            **as_json(trial),
            "text_overlap": {each.spec.name: _overlap_document(each) for each in overlaps},
            "complaints": complaints,
            "notes": notes,
        }
        say(printing.document(document))
    else:
        say(_lines(trial, overlaps, complaints, notes))
    return FAILURES if trial.left_out or complaints else DONE


def _items(
    services: Services,
    options: HaloTrialOptions,
    folder: Path,
    complaints: list[Complaint],
    notes: list[Complaint],
) -> list[HaloTrialItem]:
    """Return the questions with their pictures or replies, and add what was wrong or odd.

    Raises BadRequest where what was named cannot be read.
    """
    if options.benchmark == PRIMER:
        return list(primer_items(options.sample or PRIMER_SAMPLE, options.seed, folder))
    if options.table is None:
        raise BadRequest("HaloQuest's questions are not here: name its file or folder with --path.")
    if options.pictures and not options.pictures.is_dir():
        raise BadRequest(
            f"There is no folder {str(options.pictures)!r}: name one that holds images with"
            " --pictures."
        )
    with refuse(BadTable):
        benchmark = read_haloquest(options.table)
        complaints += benchmark.complaints
        notes += benchmark.notes
        rows = sample_rows(benchmark, options.sample, options.seed)
        if not options.replies:
            return _items_with_pictures(services, options, rows)
        replies, wrong = read_replies(options.replies, rows)
    complaints += wrong
    return list(items_with_replies(replies))


def _items_with_pictures(
    services: Services, options: HaloTrialOptions, rows: Sequence[HaloRow]
) -> list[HaloTrialItem]:
    downloads = Downloads(services.store.folder / "downloads") if options.download else None
    items = []
    for item in haloquest_items(rows, options.pictures, downloads, services.import_picture):
        items.append(item)
        progress(len(items), len(rows), "pictures")
    return items


# --- for people ---


class _SliceRow(NamedTuple):
    """Holds the share of right replies in a slice of the questions.

    `answered` counts those that were answered, `published` what is left out as wrong.
    """

    name: str
    answered: Mean
    published: Mean


_COLUMNS = (
    TextColumn("slice", lambda row: row.name),
    TextColumn("right", lambda row: printing.number(row.answered.value)),
    TextColumn("95 % interval", lambda row: printing.interval(row.answered.low, row.answered.high)),
    TextColumn("questions", lambda row: str(row.answered.n)),
    TextColumn("left out", lambda row: str(row.answered.left_out)),
    TextColumn("left out as wrong", lambda row: printing.number(row.published.value)),
)


_OVERLAP_COLUMNS = (
    TextColumn("words shared with the references", lambda each: each.spec.title),
    TextColumn("mean", lambda each: printing.number(each.mean)),
    TextColumn("replies", lambda each: str(each.n)),
)
_RATED_COLUMNS = (
    *_OVERLAP_COLUMNS,
    TextColumn("Pearson's r with people", lambda each: _correlation(each.pearson)),
    TextColumn("Spearman's rho", lambda each: _correlation(each.spearman)),
    TextColumn("Kendall's tau-b", lambda each: _correlation(each.kendall)),
    TextColumn("rated", lambda each: str(each.rated)),
)


def _overlap_document(summary: OverlapSummary) -> dict[str, Any]:
    """Return a score's mean and its correlations with people as JSON-able values."""
    correlations = {
        "pearson": summary.pearson,
        "spearman": summary.spearman,
        "kendall": summary.kendall,
    }
    return {
        "title": summary.spec.title,
        "mean": summary.mean,
        "n": summary.n,
        "rated": summary.rated,
        **{name: each and each._asdict() for name, each in correlations.items()},
    }


def _correlation(estimate: IntervalEstimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "-"
    return f"{estimate.value:.3f} ({printing.interval(estimate.low, estimate.high)})"


def _lines(
    trial: HaloResult,
    overlaps: Sequence[OverlapSummary],
    complaints: Sequence[Complaint],
    notes: Sequence[Complaint],
) -> str:
    overlap_columns = _RATED_COLUMNS if trial.people else _OVERLAP_COLUMNS
    by = (
        "graded by rule, as no grader was named"
        if trial.grader == BY_RULE
        else f"graded by {trial.grader}"
    )
    people = f"; with people: {_people(trial.people)}" if trial.people else ""
    return "\n".join(
        [
            printing.table(_COLUMNS, list(_slice_rows(trial.answered, trial.published))),
            f"{trial.judge or 'replies from a table'}, {by}{people}",
            printing.table(overlap_columns, list(overlaps)),
            *(f"{source}: {why}" for source, why in trial.reasons.items()),
            *filter(None, [problem_lines(notes, "note: "), problem_lines(complaints)]),
        ]
    )


def _slice_rows(answered: Shares, published: Shares) -> Iterator[_SliceRow]:
    yield _SliceRow("overall", answered.overall, published.overall)
    for image_type, mean in answered.by_image_type.items():
        yield _SliceRow(image_type, mean, published.by_image_type[image_type])
    for hallucination_type, mean in answered.by_hallucination_type.items():
        yield _SliceRow(
            hallucination_type, mean, published.by_hallucination_type[hallucination_type]
        )


def _people(kappa: Kappa) -> str:
    if kappa.agreement is None:
        return "no reply graded by both"
    value = "-" if kappa.value is None else f"{kappa.value:.3f}"
    return f"the same verdict on {kappa.agreement:.3f} of {kappa.n} replies, Cohen's kappa {value}"
