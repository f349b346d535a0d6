"""The judge that ships agrees with what is drawn by T2I-FactualBench's criteria.

It is shown drawings of single concepts with known violations, with reference images and without
(the ablation of the paper's table 4).
"""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from scipy.stats import spearmanr

from hallascope import metrics
from hallascope.data.concepts import ConceptRef, FactualPrompt, with_references
from hallascope.data.records import Picture, Report
from hallascope.engine.judge_eval.harness import (
    run_metric,
    save_picture,
)
from hallascope.engine.models.roles import BoundModel, ignore_progress
from hallascope.engine.services import create_services
from hallascope.metrics.base import Case
from hallascope.metrics.factualbench.plan import ABLATION, NAME
from hallascope.metrics.factualbench.report import shares
from hallascope.primer import scenes
from hallascope.primer.benchmark import factualbench
from hallascope.primer.benchmark.judge_samples import VIOLATED
from hallascope.primer.concepts import concepts
from hallascope.primer.truth.answers import DrawnPicture
from tests.support.pair_truth import truths, violations

SIZE = 512  # px
LEAST: Mapping[str, float] = {"shape": 0.85, "color": 0.85, "texture": 0.75, "details": 0.75}
LEAST_SPEARMAN = 0.7


class FactualSample(NamedTuple):
    """Holds an image with what it was drawn with, and its prompt with the reference."""

    drawn: DrawnPicture
    picture: Picture
    prompt: FactualPrompt

    @property
    def name(self) -> str:
        return self.prompt.concepts[0].name


def draw_sample(number: int, seed: int, folder: Path) -> FactualSample:
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


def try_judge(judge: BoundModel, metric: str, samples: Sequence[FactualSample]) -> list[Report]:
    cases = [
        Case(
            prompt=sample.prompt.prompt,
            image=sample.picture,
            factual=sample.prompt,
            judge_ranks_choices=True,
        )
        for sample in samples
    ]
    return run_metric(metrics.get(metric), cases, {"judge": judge}, ignore_progress)


def balanced_accuracy(
    criterion: str, samples: Sequence[FactualSample], reports: Sequence[Report]
) -> float | None:
    """The mean share that is told right of what meets a criterion and of what does not."""
    told: dict[str, list[bool]] = {"Yes": [], "No": []}
    for sample, report in zip(samples, reports, strict=True):
        truth = truths(sample.drawn, sample.name)[criterion]  # type: ignore[index]
        findings = report.evidence.findings if report.evidence else ()
        for finding in findings:
            is_told = finding.kind == criterion and finding.state in ("correct", "incorrect")
            if is_told and truth in told:
                told[truth].append((finding.state == "correct") == (truth == "Yes"))
    if not told["Yes"] or not told["No"]:
        return None
    return sum(sum(own) / len(own) for own in told.values()) / 2


def spearman(samples: Sequence[FactualSample], reports: Sequence[Report]) -> float:
    """Spearman of the score against the violations, fewest best."""
    counts = [-violations(sample.drawn, sample.name) for sample in samples]
    return float(spearmanr([shares(report)[0] or 0 for report in reports], counts).statistic)


@pytest.mark.full
def test_the_judge_that_ships_meets_every_criterion_and_knows_no_concept_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path))
    judge = create_services().registry.bind("primer/judge")
    samples = [draw_sample(number, 0, tmp_path) for number in range(128)]
    seen, unseen = (try_judge(judge, metric, samples) for metric in (NAME, ABLATION))
    found = {criterion: balanced_accuracy(criterion, samples, seen) or 0 for criterion in LEAST}
    assert [name for name, value in found.items() if value < LEAST[name]] == []
    assert spearman(samples, seen) > LEAST_SPEARMAN
    assert abs(spearman(samples, unseen)) < 0.25
