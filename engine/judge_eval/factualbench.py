"""Puts a judge on trial by T2I-FactualBench's criteria: on pictures with known violations."""

import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hallascope import metrics
from hallascope.data.concepts import ConceptRef, FactualPrompt, with_references
from hallascope.data.records import Picture, Report
from hallascope.data.requests import Ask, Failure, Reply, Request
from hallascope.data.wordings.packs import WordingPack
from hallascope.engine.judge_eval.harness import (
    ReportProgress,
    ignore_progress,
    perfect_model,
    run_metric,
    save_picture,
)
from hallascope.engine.models.roles import BoundModel
from hallascope.metrics.base import Case
from hallascope.metrics.factualbench.plan import ABLATION, NAME
from hallascope.metrics.factualbench.replies import CONCEPT
from hallascope.metrics.factualbench.report import shares
from hallascope.metrics.statistics.correlation import draw_statistics
from hallascope.metrics.statistics.intervals import IntervalEstimate
from hallascope.primer import scenes
from hallascope.primer.benchmark import factualbench
from hallascope.primer.benchmark.judge_samples import VIOLATED
from hallascope.primer.benchmark.pair_criteria import Aspect
from hallascope.primer.benchmark.pair_truth import DrawnPicture, answer, truths, violations
from hallascope.primer.concepts import concepts

# px of the pictures
SIZE = 512
# balanced accuracy that a judge should reach at least
LEAST: Mapping[str, float] = {"shape": 0.85, "color": 0.85, "texture": 0.75, "details": 0.75}
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
        """Return balanced accuracy, the mean of both shares; None where one side is empty."""
        if not self.met or not self.unmet:
            return None
        return (self.met_right / self.met + self.unmet_right / self.unmet) / 2

    @property
    def reached(self) -> bool | None:
        return None if self.value is None else self.value >= LEAST[self.criterion]


@dataclass(frozen=True, kw_only=True)
class ReferenceCondition:
    """Holds the trial with or without the reference pictures.

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
        """Return by how much Spearman falls without references."""
        with_references = self.seen.spearman.value
        without = self.unseen.spearman.value
        if with_references is None or without is None:
            return None
        return with_references - without


class FactualSample(NamedTuple):
    """Holds a picture with what it was drawn with, and its prompt with the reference."""

    drawn: DrawnPicture
    picture: Picture
    prompt: FactualPrompt

    @property
    def name(self) -> str:
        return self.prompt.concepts[0].name

    @property
    def violations(self) -> int:
        return violations(self.drawn, self.name)


def try_factual(
    judge: BoundModel | None,
    ranks: bool,
    count: int,
    seed: int = 0,
    on_progress: ReportProgress = ignore_progress,
    pack: WordingPack | None = None,
) -> FactualTrial:
    """Judge so many pictures with references and without. `judge` None: one that knows the truth.

    `pack`: the wording that the judge is asked in, None for ours. `on_progress` is told the
    reports done, of how many.
    """
    with tempfile.TemporaryDirectory() as folder:
        samples = [_sample(number, seed, Path(folder)) for number in range(count)]
        model = judge or _perfect_judge(samples)
        cases = [
            Case(
                prompt=sample.prompt.prompt,
                image=sample.picture,
                factual=sample.prompt,
                judge_ranks_choices=ranks or judge is None,
            )
            for sample in samples
        ]
        seen = run_metric(
            metrics.get(NAME, pack),
            cases,
            {"judge": model},
            lambda done, of: on_progress(done, 2 * of),
        )
        unseen = run_metric(
            metrics.get(ABLATION, pack),
            cases,
            {"judge": model},
            lambda done, of: on_progress(of + done, 2 * of),
        )
    return FactualTrial(
        model.model,
        count,
        sum(sample.violations > 0 for sample in samples),
        tally_reports(NAME, samples, seen),
        tally_reports(ABLATION, samples, unseen),
    )


def _sample(number: int, seed: int, folder: Path) -> FactualSample:
    """Draw a concept with some of its facts violated, from none to most, by chance.

    Every concept comes round.
    """
    name = f"factual trial {seed} {number}"
    chance = random.Random(name)
    every = concepts()
    scene = scenes.parse(every[(number * 37 + seed) % len(every)].phrase)
    drawn = DrawnPicture(scene, scenes.violate(scene, chance.choice(VIOLATED), chance))
    picture = save_picture(scene.draw(drawn.values, name).image(SIZE), folder / f"{number}.png")

    def save_reference(concept: ConceptRef) -> Picture:
        image = factualbench.reference(concept).image(SIZE)
        return save_picture(image, folder / f"reference {concept.name}.png")

    prompt = with_references(factualbench.factual(scene.prompt), save_reference)
    return FactualSample(drawn, picture, prompt)


def _perfect_judge(samples: Sequence[FactualSample]) -> BoundModel:
    """Return a judge that knows how each picture was drawn, by its SHA-256."""
    by_picture = {sample.picture.sha256: sample for sample in samples}

    def reply(request: Request) -> Reply:
        if isinstance(request, Ask) and request.images[0].sha256 in by_picture:
            sample = by_picture[request.images[0].sha256]
            return answer(request, sample.drawn, sample.name)
        return Failure(
            "broken", "A perfect judge answers questions about the images of the trial alone."
        )

    return perfect_model(reply)


# --- tallies


def tally_reports(
    metric: str, samples: Sequence[FactualSample], reports: Sequence[Report]
) -> ReferenceCondition:
    """Return the tallies over stored reports, one for each sample."""
    scores = [shares(report)[0] for report in reports]
    rated = [
        (score, -sample.violations)
        for score, sample in zip(scores, samples, strict=True)
        if score is not None
    ]
    spearman = IntervalEstimate(None)
    if len(rated) > 2:
        statistics = draw_statistics([score for score, _ in rated], [rank for _, rank in rated])
        spearman = statistics.estimate("spearman")
    return ReferenceCondition(
        metric=metric,
        version=reports[0].version if reports else "",
        agreements=tuple(_criterion_agreement(kind, samples, reports) for kind in CONCEPT),
        spearman=spearman,
        rated=len(rated),
        unrated=len(scores) - len(rated),
    )


def _criterion_agreement(
    criterion: Aspect, samples: Sequence[FactualSample], reports: Sequence[Report]
) -> CriterionAgreement:
    states: dict[str, list[str]] = {"Yes": [], "No": []}
    for sample, report in zip(samples, reports, strict=True):
        truth = truths(sample.drawn, sample.name)[criterion]
        if truth in states:
            findings = report.evidence.findings if report.evidence else ()
            states[truth].append(
                next((finding.state for finding in findings if finding.kind == criterion), "failed")
            )
    met = [state for state in states["Yes"] if state in ("correct", "incorrect")]
    unmet = [state for state in states["No"] if state in ("correct", "incorrect")]
    return CriterionAgreement(
        criterion=criterion,
        met=len(met),
        met_right=met.count("correct"),
        unmet=len(unmet),
        unmet_right=unmet.count("incorrect"),
        left_out=len(states["Yes"]) + len(states["No"]) - len(met) - len(unmet),
    )
