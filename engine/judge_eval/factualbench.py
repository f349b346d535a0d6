"""Puts a judge on trial by T2I-FactualBench's criteria, on pictures whose every violation is known.

It prints nothing and keeps nothing.
"""

import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hallascope import metrics
from hallascope.backends.base import CallLimits, OnStep
from hallascope.data.concepts import FactualPrompt, with_references
from hallascope.data.records import Picture, Report
from hallascope.data.requests import Ask, Failure, Reply, Request
from hallascope.engine.judge_eval.metrics import PERFECT
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.driver import Driver, PlanResult
from hallascope.metrics.base import Case
from hallascope.metrics.factualbench.plan import ABLATION, NAME
from hallascope.metrics.factualbench.replies import CONCEPT
from hallascope.metrics.factualbench.report import shares
from hallascope.metrics.statistics.correlation import IntervalEstimate, draw_statistics
from hallascope.primer import scenes
from hallascope.primer.benchmark import factualbench
from hallascope.primer.benchmark.judge_samples import VIOLATED
from hallascope.primer.benchmark.pair_criteria import Aspect
from hallascope.primer.benchmark.pair_truth import DrawnPicture, answer, truths, violations
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import Drawing

SIZE = 512  # px of the pictures
LEAST: Mapping[str, float] = {
    "shape": 0.85,
    "color": 0.85,
    "texture": 0.75,
    "details": 0.75,
}  # balanced accuracy
LEAST_SPEARMAN = 0.7


@dataclass(frozen=True, kw_only=True)
class CriterionAgreement:
    """Holds how a judge's criterion agrees with the truth: of those met and not met, how many.

    `left_out`: it did not say; what the drawing does not tell is not asked here.
    """

    criterion: str
    met: int
    met_right: int
    unmet: int
    unmet_right: int
    left_out: int

    @property
    def value(self) -> float | None:
        """Balanced accuracy, the mean of both shares; None where one side is empty."""
        return (
            (self.met_right / self.met + self.unmet_right / self.unmet) / 2
            if self.met and self.unmet
            else None
        )

    @property
    def reached(self) -> bool | None:
        return None if self.value is None else self.value >= LEAST[self.criterion]


@dataclass(frozen=True, kw_only=True)
class ReferenceCondition:
    """The trial with or without the reference pictures.

    `spearman`: of the concept's score against its violations, fewest best.
    """

    metric: str
    version: str
    agreements: tuple[CriterionAgreement, ...]
    spearman: IntervalEstimate
    rated: int
    unrated: int


@dataclass(frozen=True)
class FactualTrial:
    """Holds a judge on pictures of single concepts, with references and without.

    The latter is the ablation of the paper, table 4.
    """

    judge: str
    pictures: int
    flawed: int
    seen: ReferenceCondition
    unseen: ReferenceCondition

    @property
    def drop(self) -> float | None:
        """By how much Spearman falls without references."""
        one = self.seen.spearman.value
        other = self.unseen.spearman.value
        return None if one is None or other is None else one - other


class FactualSample(NamedTuple):
    """A picture with what it was drawn with, and its prompt with the reference."""

    drawn: DrawnPicture
    picture: Picture
    prompt: FactualPrompt

    @property
    def name(self) -> str:
        return self.prompt.concepts[0].name


def try_factual(
    judge: BoundModel | None,
    ranks: bool,
    count: int,
    seed: int = 0,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> FactualTrial:
    """Judge so many pictures with references and without. `judge` None: one that knows the truth.

    `tell`: done, of how many.
    """
    with tempfile.TemporaryDirectory() as folder:
        samples = [_sample(i, seed, Path(folder)) for i in range(count)]
        seat = judge or _perfect(samples)
        seen = _reports(
            NAME, samples, seat, ranks or judge is None, lambda done: tell(done, 2 * count)
        )
        unseen = _reports(
            ABLATION,
            samples,
            seat,
            ranks or judge is None,
            lambda done: tell(count + done, 2 * count),
        )
    flawed = sum(violations(one.drawn, one.name) > 0 for one in samples)
    return FactualTrial(
        seat.model,
        count,
        flawed,
        tally_reports(NAME, samples, seen),
        tally_reports(ABLATION, samples, unseen),
    )


def tally_reports(
    metric: str, samples: Sequence[FactualSample], reports: Sequence[Report]
) -> ReferenceCondition:
    """The tallies over reports that are there, one a sample."""
    agreements = tuple(_agreement(kind, samples, reports) for kind in CONCEPT)
    pairs = [
        (shares(report)[0], -violations(one.drawn, one.name))
        for one, report in zip(samples, reports, strict=True)
    ]
    told = [(share, wrong) for share, wrong in pairs if share is not None]
    found = (
        draw_statistics([share for share, _ in told], [wrong for _, wrong in told]).estimate(
            "spearman"
        )
        if len(told) > 2
        else IntervalEstimate(None)
    )
    return ReferenceCondition(
        metric=metric,
        version=reports[0].version if reports else "",
        agreements=agreements,
        spearman=found,
        rated=len(told),
        unrated=len(pairs) - len(told),
    )


def _agreement(
    criterion: Aspect, samples: Sequence[FactualSample], reports: Sequence[Report]
) -> CriterionAgreement:
    states = [
        (truths(one.drawn, one.name)[criterion], _state(report, criterion))
        for one, report in zip(samples, reports, strict=True)
    ]
    told = [(right, state) for right, state in states if right in ("Yes", "No")]
    met = [state for right, state in told if right == "Yes" and state in ("correct", "incorrect")]
    unmet = [state for right, state in told if right == "No" and state in ("correct", "incorrect")]
    left_out = len(told) - len(met) - len(unmet)
    return CriterionAgreement(
        criterion=criterion,
        met=len(met),
        met_right=met.count("correct"),
        unmet=len(unmet),
        unmet_right=unmet.count("incorrect"),
        left_out=left_out,
    )


def _state(report: Report, criterion: str) -> str:
    found = report.evidence.findings if report.evidence else ()
    return next((finding.state for finding in found if finding.kind == criterion), "failed")


# --- running
# --------------------------------------------------------------------------------------------------


def _sample(number: int, seed: int, folder: Path) -> FactualSample:
    """A concept with some of its facts violated, from none to most, by chance.

    Every concept comes round.
    """
    chance = random.Random(f"factual trial {seed} {number}")
    known = concepts()
    scene = scenes.parse(known[(number * 37 + seed) % len(known)].phrase)
    made = DrawnPicture(scene, scenes.violate(scene, chance.choice(VIOLATED), chance))
    picture = _save_drawing(
        scene.draw(made.values, f"factual trial {seed} {number}"), folder / f"{number}.png"
    )
    prompt = with_references(
        factualbench.factual(scene.prompt),
        lambda one: _save_drawing(
            factualbench.reference(one), folder / f"reference {one.name}.png"
        ),
    )
    return FactualSample(made, picture, prompt)


def _save_drawing(drawing: Drawing, path: Path) -> Picture:
    if not path.exists():
        drawing.image(SIZE).save(path)
    return Picture(sha256(path.read_bytes()).hexdigest(), path)


def _reports(
    metric: str,
    samples: Sequence[FactualSample],
    judge: BoundModel,
    ranks: bool,
    tell: Callable[[int], None],
) -> list[Report]:
    using = metrics.get(metric)
    driver = Driver()
    for i, one in enumerate(samples):
        case = Case(
            prompt=one.prompt.prompt,
            image=one.picture,
            factual=one.prompt,
            judge_ranks_choices=ranks,
        )
        driver.add(i, using.plan(case), {"judge": judge}, readable=using.readable)
    found: dict[object, Report] = {}
    for event in driver.events():
        if isinstance(event, PlanResult):
            found[event.key] = event.result
            tell(len(found))
    return [found[i] for i in range(len(samples))]


def _perfect(samples: Sequence[FactualSample]) -> BoundModel:
    """A judge that knows how each picture was drawn, by its SHA-256."""
    known = {one.picture.sha256: one for one in samples}

    def call(requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
        return [_perfect_reply(request, known) for request in requests]

    return BoundModel(
        model=PERFECT, revision="1", call=call, limits=CallLimits(batch=64, concurrency=1)
    )


def _perfect_reply(request: Request, known: Mapping[str, FactualSample]) -> Reply:
    sample = known.get(request.images[0].sha256) if isinstance(request, Ask) else None
    if sample is None or not isinstance(request, Ask):
        return Failure(
            "broken", "A perfect judge answers questions about the pictures of the trial alone."
        )
    return answer(request, sample.drawn, sample.name)
