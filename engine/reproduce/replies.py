"""Fills the tables that compare scores of free replies with people: HaloQuest's Auto-Eval.

In the paper's world a user brings replies with people's verdicts. In the Primer world the embedded
judge replies, and rules that know what each drawing shows stand in people's place.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

from hallascope.data.benchmarks.haloquest import HaloQuest
from hallascope.data.benchmarks.haloquest_replies import read_replies
from hallascope.data.files.tables import BadTable
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.engine.errors import refuse
from hallascope.engine.judge_eval.haloquest import (
    HaloResult,
    HaloTrialItem,
    items_with_replies,
    primer_items,
    run_halo_trial,
)
from hallascope.engine.judge_eval.harness import ReportProgress
from hallascope.engine.judge_eval.reply_scores.scored_replies import (
    ScoredReply,
    model_pairs,
    rated_pairs,
    score_replies,
)
from hallascope.engine.reproduce.cells import STAND_INS, CellSource
from hallascope.engine.reproduce.judge_trials import NO_HALOQUEST, read_questions
from hallascope.engine.reproduce.results import OurCell, OurCells, fill_cells
from hallascope.engine.reproduce.scores import NOTHING_STORED
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, TableJob, unavailable
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS, REASONED, AutoEvalName
from hallascope.metrics.statistics.correlation import MIN_ITEMS, draw_statistics
from hallascope.metrics.statistics.response_statistics import cohens_kappa

NO_REPLIES = (
    "Replies with people's verdicts are missing: name a table `item, reply, value` with --ratings."
)
SAME_RULES = (
    "In the Primer world these rules stand in people's place, so there is nothing to compare."
)
NOT_GRADED = "The replies are not graded yet: run the command with --go."
OVER_MODELS = "models"
AUTO_EVAL = "auto_eval"
Grader = tuple[str, AutoEvalName]  # a model, "" for rules, and the implementation of Auto-Eval
BY_RULES: Grader = ("", REASONED.name)


@dataclass(frozen=True)
class ReplyTrials:
    """Holds the replies that people rated, as each grader of a table sees them.

    `ungraded` holds them for the scores that need no grader. `notes` are sentences about the data.
    `reason`: one sentence why there are none, "" where there are.
    """

    ungraded: Sequence[ScoredReply]
    graded: Mapping[Grader, Sequence[ScoredReply]]
    notes: tuple[str, ...] = ()
    reason: str = ""


def run_graders(job: TableJob, go: bool, on_progress: ReportProgress) -> ReplyTrials:
    """Return the rated replies, graded by each grader of the table that can run.

    Without `go` nobody is asked, and nothing is graded but by rule. Each grader has an equal part
    of the cap of a run. Raises BadRequest where a file cannot be read.
    """
    options = job.options
    if options.world == "primer":
        if not go:
            return ReplyTrials((), {}, reason=NOTHING_STORED)
        items = _primer_replies(job, on_progress)
        notes: tuple[str, ...] = ()
    elif "haloquest" not in options.data:
        return ReplyTrials((), {}, reason=NO_HALOQUEST)
    elif not options.ratings:
        return ReplyTrials((), {}, reason=NO_REPLIES)
    else:
        items, notes = _brought_replies(read_questions(options), options.ratings)
    graders = dict.fromkeys(
        grader
        for source in job.sources.values()
        if go and not (source.reason or unavailable(source, job)) and (grader := grader_of(source))
    )
    terms = replace(job.terms, run=job.terms.caps()[0] / max(1, len(graders)))
    share = replace(job, terms=terms)
    graded = {grader: _grade(share, items, grader, on_progress) for grader in graders}
    by_rule = _grade(share, items, BY_RULES, on_progress)
    return ReplyTrials(by_rule, graded, notes)


def grader_of(source: CellSource) -> Grader | None:
    """Return who grades the replies of a cell; None of a score that needs no grader."""
    name, _, auto_eval = source.score.partition(":")
    if name != AUTO_EVAL:
        return None
    if auto_eval not in AUTO_EVALS:
        raise ValueError(f"there is no Auto-Eval {auto_eval!r}: choose {', '.join(AUTO_EVALS)}")
    return source.roles.get("writer", ""), cast(AutoEvalName, auto_eval)


def _brought_replies(
    benchmark: HaloQuest, ratings: Path
) -> tuple[list[HaloTrialItem], tuple[str, ...]]:
    """Return the replies that a person rated, and sentences about rows that are left out."""
    with refuse(BadTable):
        replies, complaints = read_replies(ratings, benchmark.rows)
    rated = [reply for reply in replies if reply.right is not None]
    return list(items_with_replies(rated)), tuple(map(str, complaints))


def _primer_replies(job: TableJob, on_progress: ReportProgress) -> list[HaloTrialItem]:
    """Return the embedded judge's replies with whether each is right."""
    judge, options = STAND_INS["judge"][0], job.options
    replies: list[HaloTrialItem] = []
    with tempfile.TemporaryDirectory() as folder:
        asked = list(primer_items(options.sample or PRIMER_SAMPLE, options.seed, Path(folder)))
        by_source = {item.source: item for item in asked}
        steps = run_halo_trial(
            job.services,
            asked,
            judge,
            None,
            terms=job.terms,
            stop=job.stop,
            wording=options.wording,
        )
        for step in steps:
            if not isinstance(step, HaloResult):
                on_progress(step.done, step.of)
                continue
            replies += [
                by_source[each.source]._replace(reply=each.reply, right=each.auto_eval, model=judge)
                for each in score_replies(step)
                if each.auto_eval is not None
            ]
    return replies


def _grade(
    job: TableJob,
    items: Sequence[HaloTrialItem],
    grader: Grader,
    on_progress: ReportProgress,
) -> Sequence[ScoredReply]:
    """Return the replies with the grader's verdicts; none where it was stopped before."""
    model, auto_eval = grader
    steps = run_halo_trial(
        job.services,
        items,
        None,
        model or None,
        auto_eval=auto_eval,
        terms=job.terms,
        stop=job.stop,
        wording=job.options.wording,
    )
    for step in steps:
        if isinstance(step, HaloResult):
            return score_replies(step)
        on_progress(step.done, step.of)
    return ()


# --- the cells ---


def reply_cells(job: TableJob, trials: ReplyTrials) -> OurCells:
    """Return the statistic of each cell: a correlation, the share of equal verdicts, or kappa."""
    return fill_cells(job.sources, partial(_graded_cell, job, trials))


def _graded_cell(job: TableJob, trials: ReplyTrials, source: CellSource) -> OurCell:
    if trials.reason:
        return OurCell(reason=trials.reason)
    grader = grader_of(source)
    if not grader:
        return _cell(job.table, source, trials.ungraded, source.score)
    if job.options.world == "primer" and grader[1] == REASONED.name:
        return OurCell(reason=SAME_RULES)
    if grader not in trials.graded:
        return OurCell(reason=unavailable(source, job) or NOT_GRADED)
    return _cell(job.table, source, trials.graded[grader], AUTO_EVAL)


def _cell(
    table: PaperTable, source: CellSource, replies: Sequence[ScoredReply], score: str
) -> OurCell:
    rated = [each for each in replies if each.right is not None]
    if source.statistic in ("agreement", "kappa"):
        kappa = cohens_kappa([each.right for each in rated], [each.auto_eval for each in rated])
        value = kappa.agreement if source.statistic == "agreement" else kappa.value
        return _filled(table, value, kappa.n, kappa.left_out)
    if source.part == OVER_MODELS:
        pairs = model_pairs(rated, score)
        if len(pairs) < MIN_ITEMS:
            return OurCell(
                n=len(pairs),
                reason=f"Fewer than {MIN_ITEMS} models have rated replies (column `model`).",
            )
    else:
        pairs = [(value, right) for value, right, _ in rated_pairs(rated, score)]
        if len(pairs) < MIN_ITEMS:
            return OurCell(n=len(pairs), reason=f"Fewer than {MIN_ITEMS} replies are rated.")
    scores, verdicts = zip(*pairs, strict=True)
    value = draw_statistics(scores, verdicts, resamples=0).estimate(source.statistic).value
    return _filled(table, value, len(pairs), len(rated) - len(pairs))


def _filled(table: PaperTable, value: float | None, n: int, left_out: int) -> OurCell:
    if value is None:
        return OurCell(n=n, reason="All scores or all verdicts are equal, so nothing compares.")
    return OurCell(value=value * table.scale_factor, n=n, trials=1, left_out=left_out)
