"""Puts a judge on trial by HaloQuest's questions, of the released set or of the Primer world.

It prints nothing.
"""

import random
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.data.benchmarks.haloquest import HaloQuest, HaloQuestion, HaloRow, pictures
from hallascope.data.benchmarks.haloquest_replies import GivenReply
from hallascope.data.records import Picture, Report
from hallascope.data.requests import Failure, Role
from hallascope.engine.errors import BadImage
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run.driver import PlanResult
from hallascope.engine.services import Services
from hallascope.metrics.base import Case, Plan
from hallascope.metrics.haloquest import plan as haloquest
from hallascope.metrics.haloquest.aggregate import HaloReportRow, Shares, shares
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa
from hallascope.primer.benchmark import haloquest as halo

BY_RULE = "rules"  # stands where a grader's name would, where no language model grades
NO_PICTURE = Picture("", Path())


class HaloTrialItem(NamedTuple):
    """One question with its picture, or with the sentence why there is none.

    `reply` and `right` where they are there already.

    `source` names it, `image` the picture by which questions go together.
    """

    source: str
    question: HaloQuestion
    image: str
    picture: Picture | None = None
    why: str = ""
    reply: str | None = None
    right: bool | None = None


@dataclass(frozen=True, kw_only=True)
class HaloTrial:
    """What came of a judge's questions.

    `judge` is "" where the replies were given; `grader` is `BY_RULE` without a language model.

    `people` says how far the grader agrees with them, where they graded replies too. `reports` are
    by source, in their order.
    """

    judge: str
    grader: str
    benchmark: str
    answered: Shares
    published: Shares
    reports: Mapping[str, Report]
    people: Kappa | None = None

    @property
    def left_out(self) -> dict[str, str]:
        """Why, by source, of everything that is in no share."""
        found = {source: haloquest.as_json(report) for source, report in self.reports.items()}
        return {
            source: str(said["note"])
            for source, said in found.items()
            if said["state"] in ("failed", "unreadable")
        }


# --- questions
# --------------------------------------------------------------------------------------------------


def primer_items(count: int, seed: int, folder: Path, size: int = 512) -> Iterator[HaloTrialItem]:
    """Questions on Primer drawings, written to the folder."""
    for n, made in enumerate(halo.items(count, seed)):
        path = folder / f"{n}.png"
        made.image(size).save(path)
        found = Picture(sha256(path.read_bytes()).hexdigest(), path)
        yield HaloTrialItem(
            source=f"primer {seed}:{n}", question=made.question, image=found.sha256, picture=found
        )


def sample_rows(found: HaloQuest, sample: int, seed: int) -> list[HaloRow]:
    """So many rows by chance, in their order; all of them where `sample` is 0."""
    if not sample or sample >= len(found.rows):
        return list(found.rows)
    places = random.Random(f"haloquest {seed}").sample(range(len(found.rows)), sample)
    return [found.rows[place] for place in sorted(places)]


def haloquest_items(
    rows: Sequence[HaloRow],
    folder: Path | None,
    downloads: Downloads | None,
    keep: Callable[[Path], Picture],
) -> Iterator[HaloTrialItem]:
    """Return the rows with their pictures, from the folder, else from the web if allowed.

    `keep` checks a file and keeps it; raises BadImage.
    """
    files = pictures(folder, rows) if folder else {}
    for row in rows:
        got = _picture(row, files.get(row.image), downloads, keep)
        if isinstance(got, Picture):
            yield HaloTrialItem(
                source=row.source, question=row.question, image=row.image, picture=got
            )
        else:
            yield HaloTrialItem(source=row.source, question=row.question, image=row.image, why=got)


def _picture(
    row: HaloRow, file: Path | None, downloads: Downloads | None, keep: Callable[[Path], Picture]
) -> Picture | str:
    """The picture, or one sentence why there is none."""
    if file:
        try:
            return keep(file)
        except BadImage as error:
            return str(error)
    if downloads and row.url:
        got = downloads.picture(row.url)
        return got.message if isinstance(got, Failure) else got
    return f"The picture {row.image!r} is missing: put it into the folder of pictures" + (
        ", or allow downloads." if row.url else "."
    )


def given_items(replies: Iterable[GivenReply]) -> Iterator[HaloTrialItem]:
    """Replies that are there already need no picture."""
    for one in replies:
        yield HaloTrialItem(
            source=one.row.source,
            question=one.row.question,
            image=one.row.image,
            reply=one.reply,
            right=one.right,
        )


# --- the trial
# --------------------------------------------------------------------------------------------------


def try_halo(
    services: Services,
    items: Sequence[HaloTrialItem],
    judge: str | None,
    grader: str | None,
    benchmark: str = haloquest.NAME,
    *,
    terms: SpendingPolicy | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> HaloTrial:
    """Ask the judge every question and have the replies graded.

    A judge is not needed where all replies are there.

    What the store holds is not asked again. `tell`: done, of how many. Raises what
    `Services.evaluate` raises.
    """
    for told in trying(
        services=services, items=items, judge=judge, grader=grader, benchmark=benchmark, terms=terms
    ):
        if isinstance(told, HaloTrial):
            return told
        tell(*told)
    raise AssertionError("a trial that nobody stops comes to its end")


class HaloProgress(NamedTuple):
    """`done` of `of` questions are graded."""

    done: int
    of: int


def trying(
    services: Services,
    items: Sequence[HaloTrialItem],
    judge: str | None,
    grader: str | None,
    benchmark: str = haloquest.NAME,
    *,
    terms: SpendingPolicy | None = None,
    stop: threading.Event | None = None,
) -> Iterator[HaloProgress | HaloTrial]:
    """The same step by step; the trial comes last, and not at all where it was stopped before.

    Raises what `Services.evaluate` raises.
    """
    named: list[tuple[str, Role]] = [(judge, "judge")] if judge else []
    named += [(grader, "writer")] if grader else []
    terms = terms or SpendingPolicy()
    seats, runner, _ = services.bind(named, terms, stop)
    services.charge_quota(terms, lambda: len(items))
    readable = haloquest.metric().readable
    roles = frozenset(role for _, role in named)
    reports: dict[str, Report] = {}
    for item in items:
        case = Case(
            prompt=item.question.text,
            image=item.picture or NO_PICTURE,
            roles=roles,
            haloquest=item.question,
        )
        if item.picture is None and item.reply is None:
            reports[item.source] = haloquest.missing(case, item.question, item.why)
        else:
            runner.add(item.source, _plan(case, item), seats, readable=readable)
    for event in runner.events():
        if isinstance(event, PlanResult):
            reports[str(event.key)] = event.result
            yield HaloProgress(len(reports), len(items))
    if stop is None or not stop.is_set():
        yield summarize_trial(
            items, {item.source: reports[item.source] for item in items}, judge, grader, benchmark
        )


def _plan(case: Case, item: HaloTrialItem) -> Plan:
    return haloquest.plan(case) if item.reply is None else haloquest.regrade(case, item.reply)


def summarize_trial(
    items: Sequence[HaloTrialItem],
    reports: Mapping[str, Report],
    judge: str | None,
    grader: str | None,
    benchmark: str,
) -> HaloTrial:
    """The shares over questions whose reports are there."""
    rows = [HaloReportRow(reports[item.source], item.question, item.image) for item in items]
    return HaloTrial(
        judge=judge or "",
        grader=grader or BY_RULE,
        benchmark=benchmark,
        answered=shares(rows),
        published=shares(rows, "published"),
        reports=reports,
        people=_people(items, rows),
    )


def _people(items: Sequence[HaloTrialItem], rows: Sequence[HaloReportRow]) -> Kappa | None:
    """How far the grader agrees with people, where they graded any reply."""
    if all(item.right is None for item in items):
        return None
    verdicts = [{"correct": True, "incorrect": False}.get(row.state) for row in rows]
    return cohens_kappa([item.right for item in items], verdicts)


def as_json(trial: HaloTrial) -> dict[str, Any]:
    """The trial by names, with every question."""
    return {
        "judge": trial.judge,
        "grader": trial.grader,
        "benchmark": trial.benchmark,
        "answered": trial.answered,
        "published": trial.published,
        "agreement_with_people": trial.people,
        "left_out": trial.left_out,
        "questions": [
            {"source": source, **haloquest.as_json(report)}
            for source, report in trial.reports.items()
        ],
    }
