"""Fills the tables of trials and of sizes of benchmarks, with the paper's models or with Primer's.

They say how many of HaloQuest's questions a judge answers rightly, how far scores of free replies
agree with people, how well a metric finds known errors, and how large I-HallA and HaloQuest are.
Replies are graded as by HaloQuest's Auto-Eval; without a writer, as in the Primer world, they are
graded by rules. Replies are kept in the store, so that the same command asks nothing again.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

import pandas as pd

from hallascope.data.benchmarks.haloquest import HaloQuest, HaloQuestion, read_haloquest
from hallascope.data.benchmarks.haloquest_replies import read_replies
from hallascope.data.benchmarks.ihalla import IHallaPrompt, read_ihalla
from hallascope.data.benchmarks.ihalla_difficulty import IMAGE_TYPES
from hallascope.data.files.tables import BadTable
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.data.requests import Role
from hallascope.engine.errors import refuse
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import (
    HaloResult,
    HaloTrialItem,
    haloquest_items,
    items_with_replies,
    primer_items,
    run_halo_trial,
    sample_rows,
    score_replies,
)
from hallascope.engine.judge_eval.harness import ReportProgress
from hallascope.engine.judge_eval.metrics import ErrorRowKind, MetricTrial, try_metric
from hallascope.engine.reproduce.sweeps import (
    PRIMER_SAMPLE,
    ReproduceOptions,
    TableJob,
    unavailable,
)
from hallascope.engine.reproduce.tables import (
    NOTHING_STORED,
    STAND_INS,
    CellSource,
    OurCell,
    OurCells,
    fill_cells,
    whole_field,
)
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS, REASONED, AutoEvalName
from hallascope.metrics.statistics.correlation import MIN_ITEMS, draw_statistics
from hallascope.metrics.statistics.response_statistics import cohens_kappa
from hallascope.primer import scenes
from hallascope.primer.benchmark import haloquest as primer_haloquest
from hallascope.primer.benchmark.composition_sampler import compositions

NO_HALOQUEST = "Name HaloQuest's file or folder with --data haloquest=PATH."
NO_REPLIES = (
    "Replies with people's verdicts are missing: name a table `item, reply, value` with --ratings."
)
SAME_RULES = (
    "In the Primer world these rules stand in people's place, so there is nothing to compare."
)
NOT_GRADED = "The replies are not graded yet: run the command with --go."
OVERALL = "overall"
OVER_MODELS = "models"
AUTO_EVAL = "auto_eval"
Grader = tuple[str, AutoEvalName]  # a model, "" for rules, and the implementation of Auto-Eval
BY_RULES: Grader = ("", REASONED.name)
# our kind of error by the paper's name of it
ERROR_KINDS: Mapping[str, ErrorRowKind] = {
    "attribute": "color",
    "omission": "object",
    "relation": "position",
    "extraneous": "extraneous",
}
Lineup = tuple[tuple[Role, str], ...]


def read_questions(options: ReproduceOptions) -> HaloQuest:
    """Return HaloQuest's questions from the data that is named. Raises BadRequest."""
    with refuse(BadTable):
        return read_haloquest(Path(options.data["haloquest"]))


def _primer_questions(options: ReproduceOptions, folder: Path) -> list[HaloTrialItem]:
    return list(primer_items(options.sample or PRIMER_SAMPLE, options.seed, folder))


def _run_trial(
    job: TableJob,
    on_progress: ReportProgress,
    items: Sequence[HaloTrialItem],
    judge: str | None,
    grader: str | None = None,
    auto_eval: AutoEvalName = REASONED.name,
) -> HaloResult | None:
    """Return what came of a trial; None where it was stopped before."""
    for step in run_halo_trial(
        job.services,
        items,
        judge,
        grader,
        auto_eval=auto_eval,
        terms=job.terms,
        stop=job.stop,
        wording=job.options.wording,
    ):
        if isinstance(step, HaloResult):
            return step
        on_progress(step.done, step.of)
    return None


def _share_cap(job: TableJob, parts: int) -> TableJob:
    """Return the job with an equal part of the cap of a run for each of several trials."""
    return replace(job, terms=replace(job.terms, run=job.terms.caps()[0] / max(1, parts)))


# --- how many questions a judge answers rightly ---


def run_judges(job: TableJob, on_progress: ReportProgress) -> dict[str, HaloResult]:
    """Ask every judge of a table that can run, and return what came of it by the judge's name.

    Each judge has an equal part of the cap of a run. Raises BadRequest where the questions cannot
    be read.
    """
    judges = {
        source.roles["judge"]: source.roles.get("writer")
        for source in job.sources.values()
        if not (source.not_because or _reason(source, job))
    }
    if not judges:
        return {}
    share = _share_cap(job, len(judges))
    with tempfile.TemporaryDirectory() as folder:
        items = _items(job, Path(folder))
        trials = {
            judge: _run_trial(share, on_progress, items, judge, grader)
            for judge, grader in judges.items()
        }
    return {judge: trial for judge, trial in trials.items() if trial}


def _reason(source: CellSource, job: TableJob) -> str:
    """Return why nothing can be asked for a cell, "" where it can."""
    if job.options.world == "paper" and "haloquest" not in job.options.data:
        return NO_HALOQUEST
    return unavailable(source, job)


def _items(job: TableJob, folder: Path) -> list[HaloTrialItem]:
    """Return the questions with their images, which are downloaded in the paper's world."""
    services, options = job.services, job.options
    if options.world == "primer":
        return _primer_questions(options, folder)
    rows = sample_rows(read_questions(options), options.sample or 0, options.seed)
    downloads = Downloads(services.store.folder / "downloads")
    return list(haloquest_items(rows, None, downloads, services.import_picture))


def judge_cells(job: TableJob, trials: Mapping[str, HaloResult]) -> OurCells:
    """Return the share of right replies in the slice of each cell, in the table's unit."""
    return fill_cells(job.sources, partial(_judge_cell, job, trials))


def _judge_cell(job: TableJob, trials: Mapping[str, HaloResult], source: CellSource) -> OurCell:
    if reason := _reason(source, job):
        return OurCell(reason=reason)
    trial = trials.get(source.roles["judge"])
    if trial is None:
        return OurCell(reason=NOTHING_STORED)
    answered = trial.answered
    slices: dict[Any, Mean] = {
        OVERALL: answered.overall,
        **answered.by_image_type,
        **answered.by_hallucination_type,
    }
    mean = slices.get(source.part)
    if mean is None or mean.value is None:
        return OurCell(reason=f"No question of the slice {source.part!r} was answered.")
    value = mean.value * job.table.scale_factor
    return OurCell(value=value, n=mean.n, trials=1, left_out=mean.unanswered)


# --- how far scores of replies agree with people ---


@dataclass(frozen=True)
class ReplyTrials:
    """Holds the replies that people rated, as each grader of a table sees them.

    They are as `score_replies` returns them, always also graded by rules. `notes` are sentences
    about the data. `reason`: one sentence why there are none, "" where there are.
    """

    graded: Mapping[Grader, pd.DataFrame] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reason: str = ""


def run_graders(job: TableJob, go: bool, on_progress: ReportProgress) -> ReplyTrials:
    """Return the rated replies, graded by each grader of the table that can run.

    In the paper's world a user brings replies with people's verdicts. In the Primer world the
    embedded judge replies, and rules that know what each drawing shows stand in people's place.
    Without `go` nobody is asked, and nothing is graded but by rule. Each grader has an equal part
    of the cap of a run. Raises BadRequest where a file cannot be read.
    """
    options = job.options
    notes: tuple[str, ...] = ()
    if options.world == "primer":
        if not go:
            return ReplyTrials(reason=NOTHING_STORED)
        items = _primer_replies(job, on_progress)
    elif "haloquest" not in options.data:
        return ReplyTrials(reason=NO_HALOQUEST)
    elif not options.ratings:
        return ReplyTrials(reason=NO_REPLIES)
    else:
        with refuse(BadTable):
            replies, complaints = read_replies(options.ratings, read_questions(options).rows)
        items = list(items_with_replies(reply for reply in replies if reply.right is not None))
        notes = tuple(map(str, complaints))
    graders = dict.fromkeys(
        grader
        for source in job.sources.values()
        if go
        and not (source.not_because or unavailable(source, job))
        and (grader := grader_of(source))
    )
    share = _share_cap(job, len(graders))
    graded = {}
    for grader in [*graders, BY_RULES]:
        model, auto_eval = grader
        trial = _run_trial(share, on_progress, items, None, model or None, auto_eval)
        if trial:
            graded[grader] = score_replies(trial)
    return ReplyTrials(graded, notes, reason="" if BY_RULES in graded else NOT_GRADED)


def grader_of(source: CellSource) -> Grader | None:
    """Return who grades the replies of a cell; None of a score that needs no grader."""
    name, _, auto_eval = source.score.partition(":")
    if name != AUTO_EVAL:
        return None
    if auto_eval not in AUTO_EVALS:
        raise ValueError(f"there is no Auto-Eval {auto_eval!r}: choose {', '.join(AUTO_EVALS)}")
    return source.roles.get("writer", ""), cast(AutoEvalName, auto_eval)


def _primer_replies(job: TableJob, on_progress: ReportProgress) -> list[HaloTrialItem]:
    """Return the embedded judge's replies with whether each is right."""
    judge = STAND_INS["judge"][0]
    with tempfile.TemporaryDirectory() as folder:
        asked = _primer_questions(job.options, Path(folder))
        trial = _run_trial(job, on_progress, asked, judge)
        if trial is None:
            return []
        graded = score_replies(trial).dropna(subset=AUTO_EVAL).set_index("source")
    return [
        item._replace(
            reply=str(graded.at[item.source, "reply"]),
            right=bool(graded.at[item.source, AUTO_EVAL]),
            model=judge,
        )
        for item in asked
        if item.source in graded.index
    ]


def reply_cells(job: TableJob, trials: ReplyTrials) -> OurCells:
    """Return the statistic of each cell: a correlation, the share of equal verdicts, or kappa."""
    return fill_cells(job.sources, partial(_reply_cell, job, trials))


def _reply_cell(job: TableJob, trials: ReplyTrials, source: CellSource) -> OurCell:
    if trials.reason:
        return OurCell(reason=trials.reason)
    grader = grader_of(source)
    if not grader:
        return _compared_cell(job.table, source, trials.graded[BY_RULES], source.score)
    if job.options.world == "primer" and grader[1] == REASONED.name:
        return OurCell(reason=SAME_RULES)
    if grader not in trials.graded:
        return OurCell(reason=unavailable(source, job) or NOT_GRADED)
    return _compared_cell(job.table, source, trials.graded[grader], AUTO_EVAL)


def _compared_cell(
    table: PaperTable, source: CellSource, replies: pd.DataFrame, score: str
) -> OurCell:
    rated = replies.dropna(subset="right")
    pairs = rated.dropna(subset=score)
    left_out = len(rated) - len(pairs)
    if source.statistic in ("agreement", "kappa"):
        kappa = cohens_kappa(pairs["right"].tolist(), pairs[score].tolist())
        value = kappa.agreement if source.statistic == "agreement" else kappa.value
        return _filled(table, value, kappa.n, left_out)
    few = f"Fewer than {MIN_ITEMS} replies are rated."
    if source.part == OVER_MODELS:
        left_out = len(rated)
        pairs = pairs[pairs["model"] != ""].groupby("model", sort=False)[[score, "right"]].mean()
        left_out -= len(pairs)
        few = f"Fewer than {MIN_ITEMS} models have rated replies (column `model`)."
    if len(pairs) < MIN_ITEMS:
        return OurCell(n=len(pairs), reason=few)
    draws = draw_statistics(pairs[score], pairs["right"], resamples=0)
    return _filled(table, draws.estimate(source.statistic).value, len(pairs), left_out)


def _filled(table: PaperTable, value: float | None, n: int, left_out: int) -> OurCell:
    if value is None:
        return OurCell(n=n, reason="All scores or all verdicts are equal, so nothing compares.")
    return OurCell(value=value * table.scale_factor, n=n, trials=1, left_out=left_out)


# --- how well a metric finds errors, in the Primer world alone, where every error is known ---


def error_type_cells(job: TableJob, on_progress: ReportProgress) -> OurCells:
    """Return F1 in [0, 1] of each type of error, on Primer images in which every error is known."""

    @cache
    def try_lineup(metric: str, lineup: Lineup) -> MetricTrial:
        services, options = job.services, job.options
        models = {role: services.registry.bind(name) for role, name in lineup}
        drawn = list(compositions(options.sample or PRIMER_SAMPLE, options.seed))
        return try_metric(services.metric(metric, options.wording), models, drawn, on_progress)

    def measure(source: CellSource) -> OurCell:
        trial = try_lineup(source.metric, tuple(sorted(source.roles.items())))
        kind = ERROR_KINDS[source.part]
        outcome = next(each for each in trial.outcomes if each.aim.kind == kind)
        f1, left_out = outcome.tally.value("f1"), outcome.tally.left_out
        if f1 is None:
            return OurCell(n=trial.pictures, reason="No error of this type is in the images.")
        return OurCell(value=f1, n=trial.pictures, trials=1, left_out=left_out)

    return fill_cells(job.sources, measure)


NO_CATEGORY = "The benchmark's files name no category of their prompts."
NO_DIFFICULTY = (
    "No difficulty of these images is known: put difficulty.csv beside the benchmark's files."
)
NO_BENCHMARK = "Name the benchmark with --data ihalla=PATH."
ALL = "all"  # every split, or every entry of one
EVALUATION = "eval"  # the split of Primer's questions


def benchmark_prompts(options: ReproduceOptions) -> Sequence[IHallaPrompt]:
    """Return the prompts of I-HallA, or of Primer; () where no path is given. Raises BadRequest."""
    if options.world == "primer":
        prompts = scenes.benchmark(options.sample or PRIMER_SAMPLE)
        sets = [scenes.parse(prompt).questions() for prompt in prompts]
        return [
            IHallaPrompt(
                index=number,
                prompt=own.prompt,
                field=own.category.field,
                questions=own.questions,
                category=own.category,
            )
            for number, own in enumerate(sets)
            if own.category
        ]
    path = options.data.get("ihalla")
    if path is None:
        return ()
    with refuse(ValueError, OSError):
        return read_ihalla(Path(path)).prompts


def count_cells(job: TableJob) -> OurCells:
    """Return how many prompts, questions or entries of a benchmark each cell has.

    Raises BadRequest where the benchmark cannot be read.
    """
    options = job.options
    if "haloquest" not in job.table.parts.values():
        return fill_cells(job.sources, partial(_count, prompts=benchmark_prompts(options)))
    if options.world == "primer":
        items = primer_haloquest.items(options.sample or PRIMER_SAMPLE, options.seed)
        entries = [(EVALUATION, item.question) for item in items]
    elif "haloquest" not in options.data:
        return dict.fromkeys(job.sources, OurCell(reason=NO_HALOQUEST))
    else:
        entries = [
            (row.split, row.question)
            for row in read_questions(options).rows
            for _ in range(1 + len(row.repeated))  # an entry that stands twice counts twice
        ]
    return fill_cells(job.sources, partial(_count_entries, entries=entries))


def _count(source: CellSource, prompts: Sequence[IHallaPrompt]) -> OurCell:
    if not prompts:
        return OurCell(reason=NO_BENCHMARK)
    own = prompts_of(source, prompts)
    if own is None:
        return OurCell(reason=NO_CATEGORY)
    types = (source.image_type,) if source.image_type else IMAGE_TYPES
    if source.difficulty:
        known = [prompt.difficulty.get(image_type) for prompt in own for image_type in types]
        levels = [level for level in known if level]
        if not levels:
            return OurCell(reason=NO_DIFFICULTY)
        value, left_out = float(levels.count(source.difficulty)), len(known) - len(levels)
        return OurCell(value=value, n=len(levels), left_out=left_out)
    if not source.coi:
        return OurCell(value=float(len(own) * len(types)), n=len(own) * len(types))
    cois = [question.coi for prompt in own for question in prompt.questions]
    return OurCell(value=float(sum(coi == source.coi for coi in cois)), n=len(own))


def prompts_of(source: CellSource, prompts: Sequence[IHallaPrompt]) -> list[IHallaPrompt] | None:
    """Return the prompts of the categories of a cell; None where no category is known.

    All categories of a domain are the domain, which is known by the file that a prompt stands in.
    """
    field = whole_field(source.categories)
    if field:
        return [prompt for prompt in prompts if prompt.field == field]
    if not source.categories:
        return list(prompts)
    if not any(prompt.category for prompt in prompts):
        return None
    return [prompt for prompt in prompts if prompt.category in source.categories]


def _count_entries(source: CellSource, entries: Sequence[tuple[str, HaloQuestion]]) -> OurCell:
    splits = {split for split, _ in entries}
    missing = {"train", EVALUATION} - splits if source.split == ALL else {source.split} - splits
    if missing:
        return OurCell(reason=f"The files hold no entry of the split {sorted(missing)[0]!r}.")
    own = [question for split, question in entries if source.split in (ALL, split)]
    counted = sum(source.part in (ALL, each.image_type, each.hallucination) for each in own)
    return OurCell(value=float(counted), n=len(own))
