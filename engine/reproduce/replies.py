"""Fills the tables that compare scores of free replies with people: HaloQuest's Auto-Eval.

In the paper's world a user brings replies with people's verdicts. In the Primer world the embedded
judge replies, and rules that know what each drawing shows stand in people's place.
"""

import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from hallascope.data.benchmarks.haloquest import read_haloquest
from hallascope.data.benchmarks.haloquest_replies import read_replies
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.judge_eval.haloquest import (
    HaloTrial,
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
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import STAND_INS, CellSource, CellSources
from hallascope.engine.reproduce.judge_trials import NO_HALOQUEST, unavailable_judge
from hallascope.engine.reproduce.results import OurCell
from hallascope.engine.reproduce.scores import NOTHING_STORED
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, ReproduceOptions
from hallascope.engine.services import Services
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


def run_graders(
    sources: CellSources,
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
    stop: threading.Event,
    go: bool,
    on_progress: ReportProgress,
) -> ReplyTrials:
    """Return the rated replies, graded by each grader of the table that can run.

    Without `go` nobody is asked, and nothing is graded but by rule. Each grader has an equal part
    of the cap of a run. Raises BadRequest where a file cannot be read.
    """
    if options.world == "primer":
        if not go:
            return ReplyTrials((), {}, reason=NOTHING_STORED)
        items = _primer_replies(services, options, terms, stop, on_progress)
        notes: tuple[str, ...] = ()
    elif "haloquest" not in options.data:
        return ReplyTrials((), {}, reason=NO_HALOQUEST)
    elif not options.ratings:
        return ReplyTrials((), {}, reason=NO_REPLIES)
    else:
        items, notes = _brought_replies(Path(options.data["haloquest"]), options.ratings)
    graders = _graders(sources, services, terms) if go else []
    share = replace(terms, run=terms.caps()[0] / max(1, len(graders)))
    graded = {
        grader: _grade(services, items, grader, share, stop, on_progress) for grader in graders
    }
    by_rule = _grade(services, items, BY_RULES, share, stop, on_progress)
    return ReplyTrials(by_rule, graded, notes)


def _graders(sources: CellSources, services: Services, terms: SpendingPolicy) -> list[Grader]:
    """Return the graders of all cells that can be filled, each once."""
    graders: dict[Grader, None] = {}
    for source in sources.values():
        grader = grader_of(source)
        if grader and not source.reason and not unavailable_judge(source, services, terms):
            graders[grader] = None
    return list(graders)


def grader_of(source: CellSource) -> Grader | None:
    """Return who grades the replies of a cell; None of a score that needs no grader."""
    name, _, auto_eval = source.score.partition(":")
    if name != AUTO_EVAL:
        return None
    if auto_eval not in AUTO_EVALS:
        raise ValueError(f"there is no Auto-Eval {auto_eval!r}: choose {', '.join(AUTO_EVALS)}")
    return source.roles.get("writer", ""), cast(AutoEvalName, auto_eval)


def _brought_replies(table: Path, ratings: Path) -> tuple[list[HaloTrialItem], tuple[str, ...]]:
    """Return the replies that a person rated, and sentences about rows that are left out."""
    try:
        benchmark = read_haloquest(table)
        replies, complaints = read_replies(ratings, benchmark.rows)
    except BadTable as error:
        raise BadRequest(sentence(error)) from error
    rated = [reply for reply in replies if reply.right is not None]
    return list(items_with_replies(rated)), tuple(map(str, complaints))


def _primer_replies(
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
    stop: threading.Event,
    on_progress: ReportProgress,
) -> list[HaloTrialItem]:
    """Return the embedded judge's replies with whether each is right."""
    judge = STAND_INS["judge"][0]
    replies: list[HaloTrialItem] = []
    with tempfile.TemporaryDirectory() as folder:
        asked = list(primer_items(options.sample or PRIMER_SAMPLE, options.seed, Path(folder)))
        by_source = {item.source: item for item in asked}
        for step in run_halo_trial(services, asked, judge, None, terms=terms, stop=stop):
            if not isinstance(step, HaloTrial):
                on_progress(step.done, step.of)
                continue
            replies += [
                by_source[each.source]._replace(reply=each.reply, right=each.auto_eval, model=judge)
                for each in score_replies(step)
                if each.auto_eval is not None
            ]
    return replies


def _grade(
    services: Services,
    items: Sequence[HaloTrialItem],
    grader: Grader,
    terms: SpendingPolicy,
    stop: threading.Event,
    on_progress: ReportProgress,
) -> Sequence[ScoredReply]:
    """Return the replies with the grader's verdicts; none where it was stopped before."""
    model, auto_eval = grader
    steps = run_halo_trial(
        services, items, None, model or None, auto_eval=auto_eval, terms=terms, stop=stop
    )
    for step in steps:
        if isinstance(step, HaloTrial):
            return score_replies(step)
        on_progress(step.done, step.of)
    return ()


# --- the cells ---


def reply_cells(
    table: PaperTable,
    sources: CellSources,
    trials: ReplyTrials,
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
) -> dict[tuple[int, int], OurCell]:
    """Return the statistic of each cell: a correlation, the share of equal verdicts, or kappa."""
    cells = {}
    for place, source in sources.items():
        grader = grader_of(source)
        reason = source.reason or trials.reason
        if grader and not reason:
            reason = _ungraded_reason(grader, source, trials, services, options, terms)
        if reason:
            cells[place] = OurCell(reason=reason)
        elif grader:
            cells[place] = _cell(table, source, trials.graded[grader], AUTO_EVAL)
        else:
            cells[place] = _cell(table, source, trials.ungraded, source.score)
    return cells


def _ungraded_reason(
    grader: Grader,
    source: CellSource,
    trials: ReplyTrials,
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
) -> str:
    """Return why there are no verdicts of a grader, "" where there are."""
    if options.world == "primer" and grader[1] == REASONED.name:
        return SAME_RULES
    if grader in trials.graded:
        return ""
    return unavailable_judge(source, services, terms) or NOT_GRADED


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
