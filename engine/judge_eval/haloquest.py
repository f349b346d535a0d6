"""Puts a judge on trial by HaloQuest's questions, of the released set or of the Primer world.

Replies are also scored by their words, beside people's and Auto-Eval's verdicts.
"""

import random
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from hallascope.data.benchmarks.haloquest import HaloQuest, HaloQuestion, HaloRow, pictures
from hallascope.data.benchmarks.haloquest_replies import GivenReply
from hallascope.data.records import Picture, Report
from hallascope.data.requests import Failure, Role
from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.packs import wording_mark
from hallascope.data.wordings.templates import template
from hallascope.engine.errors import BadImage
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.harness import (
    ReportProgress,
    TrialProgress,
    plan_results,
    save_picture,
)
from hallascope.engine.models.roles import ignore_progress
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.trials.records import HaloTrial
from hallascope.metrics.base import Case
from hallascope.metrics.haloquest import plan as haloquest
from hallascope.metrics.haloquest.aggregate import HaloReportRow, shares
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS, REASONED, AutoEvalName
from hallascope.metrics.haloquest.text_overlap import (
    OVERLAPS,
    OverlapSpec,
    ReferencedReply,
    score_overlaps,
)
from hallascope.metrics.statistics.correlation import MIN_ITEMS, draw_statistics
from hallascope.metrics.statistics.intervals import IntervalEstimate
from hallascope.metrics.statistics.response_statistics import cohens_kappa
from hallascope.metrics.wording import mark_plan, mark_report
from hallascope.primer.benchmark import haloquest as primer_haloquest

BY_RULE = "rules"
"""Stands where a grader's name would, where no language model grades."""

NO_PICTURE = Picture("", Path())
VERDICTS: Mapping[str, bool] = {"correct": True, "incorrect": False}  # by the state of a reply


class HaloTrialItem(NamedTuple):
    """Holds one question with its picture, or with the sentence `why` there is none.

    `source` names it, `image` the picture by which questions go together. `reply` and `right`
    stand where they are there already; `model` is who gave that reply, "" where nobody says.
    """

    source: str
    question: HaloQuestion
    image: str
    picture: Picture | None = None
    why: str = ""
    reply: str | None = None
    right: bool | None = None
    model: str = ""


@dataclass(frozen=True, kw_only=True)
class HaloResult(HaloTrial):
    """Holds a trial with the questions it asked and their reports, by source in their order."""

    reports: Mapping[str, Report]
    items: tuple[HaloTrialItem, ...]

    @property
    def reasons(self) -> dict[str, str]:
        """Return why, by source, of everything that is in no share."""
        return _left_out(self.reports)


def _left_out(reports: Mapping[str, Report]) -> dict[str, str]:
    documents = {source: haloquest.as_json(report) for source, report in reports.items()}
    return {
        source: str(document["note"])
        for source, document in documents.items()
        if document["state"] in ("failed", "unreadable")
    }


# --- questions


def primer_items(count: int, seed: int, folder: Path, size: int = 512) -> Iterator[HaloTrialItem]:
    """Yield questions on Primer drawings, which are written to the folder."""
    for number, sample in enumerate(primer_haloquest.items(count, seed)):
        picture = save_picture(sample.image(size), folder / f"{number}.png")
        yield HaloTrialItem(
            source=f"primer {seed}:{number}",
            question=sample.question,
            image=picture.sha256,
            picture=picture,
        )


def sample_rows(table: HaloQuest, sample: int, seed: int) -> list[HaloRow]:
    """Return so many rows by chance, in their order; all of them where `sample` is 0."""
    if not sample or sample >= len(table.rows):
        return list(table.rows)
    places = random.Random(f"haloquest {seed}").sample(range(len(table.rows)), sample)
    return [table.rows[place] for place in sorted(places)]


def haloquest_items(
    rows: Sequence[HaloRow],
    folder: Path | None,
    downloads: Downloads | None,
    keep: Callable[[Path], Picture],
) -> Iterator[HaloTrialItem]:
    """Yield the rows with their pictures, from the folder, else from the web if allowed.

    `keep` checks a file and keeps it; raises BadImage.
    """
    files = pictures(folder, rows) if folder else {}
    for row in rows:
        picture = _find_picture(row, files.get(row.image), downloads, keep)
        item = HaloTrialItem(source=row.source, question=row.question, image=row.image)
        if isinstance(picture, Picture):
            yield item._replace(picture=picture)
        else:
            yield item._replace(why=picture)


def _find_picture(
    row: HaloRow, file: Path | None, downloads: Downloads | None, keep: Callable[[Path], Picture]
) -> Picture | str:
    """Return the picture, or one sentence why there is none."""
    if file:
        try:
            return keep(file)
        except BadImage as error:
            return str(error)
    if downloads and row.url:
        picture = downloads.picture(row.url)
        return picture.message if isinstance(picture, Failure) else picture
    remedy = ", or allow downloads." if row.url else "."
    return f"The image {row.image!r} is missing: put it into the folder of images{remedy}"


def items_with_replies(replies: Iterable[GivenReply]) -> Iterator[HaloTrialItem]:
    """Yield replies that are there already; they need no picture."""
    for reply in replies:
        model = f" ({reply.model})" if reply.model else ""
        yield HaloTrialItem(
            source=f"{reply.row.source}{model}",
            question=reply.row.question,
            image=reply.row.image,
            reply=reply.reply,
            right=reply.right,
            model=reply.model,
        )


# --- the trial


def try_halo(
    services: Services,
    items: Sequence[HaloTrialItem],
    judge: str | None,
    grader: str | None,
    benchmark: str = haloquest.NAME,
    *,
    on_progress: ReportProgress = ignore_progress,
    **options: Any,
) -> HaloResult:
    """Run `run_halo_trial` to its end; `on_progress` is told the questions done, of how many."""
    for step in run_halo_trial(services, items, judge, grader, benchmark, **options):
        if isinstance(step, HaloResult):
            return step
        on_progress(step.done, step.of)
    raise AssertionError("a trial that nobody stops comes to its end")


def run_halo_trial(
    services: Services,
    items: Sequence[HaloTrialItem],
    judge: str | None,
    grader: str | None,
    benchmark: str = haloquest.NAME,
    *,
    auto_eval: AutoEvalName = "reasoned",
    terms: SpendingPolicy | None = None,
    stop: threading.Event | None = None,
    wording: str = OURS,
    seed: int = 0,
) -> Iterator[TrialProgress | HaloResult]:
    """Ask the judge every question and have the replies graded, step by step.

    A judge is not needed where all replies are there. What the store holds is not asked again. The
    trial comes last, and not at all where it was stopped before.

    `wording` is the pack of texts that judge and grader are sent, or its folder. `seed` is that
    which drew the items. Raises what `Services.evaluate` raises.
    """
    named: list[tuple[str, Role]] = [(judge, "judge")] if judge else []
    named += [(grader, "writer")] if grader else []
    terms = terms or SpendingPolicy()
    lineup, driver, _ = services.bind(named, terms, stop)
    services.charge_quota(terms, lambda: len(items))
    pack = services.wording_pack(wording)
    texts = pack.folder if pack else None
    grading = AUTO_EVALS[auto_eval]
    mark = pack.mark_of(("haloquest_ask", grading.template)) if pack else ""
    metric = haloquest.metric(texts, auto_eval)
    grade = template(grading.template, texts)
    reports: dict[str, Report] = {}
    for item in items:
        case = Case(
            prompt=item.question.text,
            image=item.picture or NO_PICTURE,
            roles=frozenset(lineup),
            haloquest=item.question,
        )
        if item.reply is None and item.picture is None:
            report = haloquest.missing_picture_report(case, item.question, item.why, texts, grading)
            reports[item.source] = mark_report(report, mark)
            continue
        if item.reply is None:
            plan = metric.plan(case)
        else:
            plan = haloquest.regrade(case, item.reply, grade, grading)
        driver.add(item.source, mark_plan(plan, mark), lineup, readable=metric.readable)
    for result in plan_results(driver):
        reports[str(result.key)] = result.result
        yield TrialProgress(judge or "", len(reports), len(items))
    if stop is not None and stop.is_set():
        return
    in_order = {item.source: reports[item.source] for item in items}
    rows = [HaloReportRow(in_order[item.source], item.question, item.image) for item in items]
    people = None
    if any(item.right is not None for item in items):
        graded = [VERDICTS.get(row.state) for row in rows]
        people = cohens_kappa([item.right for item in items], graded)
    name = grader or BY_RULE
    yield HaloResult(
        judge=judge or "",
        grader=name if grading == REASONED else f"{name} ({grading.title})",
        benchmark=benchmark,
        answered=shares(rows),
        published=shares(rows, "published"),
        questions=len(rows),
        left_out=len(_left_out(in_order)),
        people=people,
        wording=str(wording_mark(mark)),
        seed=seed,
        reports=in_order,
        items=tuple(items),
    )


def as_json(trial: HaloResult) -> dict[str, Any]:
    """Return the trial by names, with every question."""
    return {
        "judge": trial.judge,
        "grader": trial.grader,
        "benchmark": trial.benchmark,
        "wording": trial.wording,
        "answered": trial.answered,
        "published": trial.published,
        "agreement_with_people": trial.people,
        "left_out": trial.reasons,
        "questions": [
            {"source": source, **haloquest.as_json(report)}
            for source, report in trial.reports.items()
        ],
    }


@dataclass(frozen=True, kw_only=True)
class OverlapSummary:
    """Holds a text overlap score over `n` replies: its mean, and how it correlates with people.

    `mean` is None where no reply has the score. The correlations are over the `rated` replies, with
    a 95 % interval by image; None under three of them.
    """

    spec: OverlapSpec
    mean: float | None
    n: int
    rated: int
    pearson: IntervalEstimate | None = None
    spearman: IntervalEstimate | None = None
    kendall: IntervalEstimate | None = None


def score_replies(trial: HaloResult) -> pd.DataFrame:
    """Return a row for every reply of a trial; questions without a reply are left out.

    `source` names the question, `model` who gave the `reply` ("" where nobody says), `image` what
    it is about. There is a column for each text overlap score, missing where the question has no
    reference. `auto_eval` is what the grader says and `right` what people say: 1, 0, or missing
    without a verdict.
    """
    replied = []
    references = []
    for item in trial.items:
        evidence = trial.reports[item.source].evidence
        finding = evidence.findings[0] if evidence and evidence.findings else None
        reply = item.reply or (finding.observed if finding else "")
        if finding and reply:
            model, auto_eval = item.model or trial.judge, VERDICTS.get(finding.state)
            replied.append((item.source, model, item.image, reply, auto_eval, item.right))
            references.append(ReferencedReply(reply, item.question.references))
    columns = ["source", "model", "image", "reply", "auto_eval", "right"]
    frame = pd.DataFrame(replied, columns=columns).astype({"auto_eval": float, "right": float})
    overlaps = score_overlaps(references)
    for spec in OVERLAPS:
        scores = [None if each is None else getattr(each, spec.name) for each in overlaps]
        frame[spec.name] = pd.Series(scores, dtype=float)
    return frame


def summarize_overlaps(replies: pd.DataFrame) -> list[OverlapSummary]:
    """Return each text overlap score over the replies, in the order of `OVERLAPS`."""
    return [_summary(spec, replies) for spec in OVERLAPS]


def _summary(spec: OverlapSpec, replies: pd.DataFrame) -> OverlapSummary:
    values = replies[spec.name].dropna().tolist()
    rated = replies[[spec.name, "right", "image"]].dropna()
    correlations = {}
    if len(rated) >= MIN_ITEMS:
        draws = draw_statistics(rated[spec.name], rated["right"], groups=rated["image"].tolist())
        correlations = {name: draws.estimate(name) for name in ("pearson", "spearman", "kendall")}
    return OverlapSummary(
        spec=spec,
        mean=sum(values) / len(values) if values else None,
        n=len(values),
        rated=len(rated),
        **correlations,
    )
