"""Measures a judge by T2I-FactualBench's criteria: ``python -m bench.factual_trial``.

It judges drawings of single concepts with known violations, with reference images and without (the
ablation of the paper's table 4, where people's Spearman falls from .504 to .437).
"""

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from scipy.stats import bootstrap, spearmanr

from bench.measuring import JsonOption, launch, show
from bench.metric_trial import bind_free_model
from hallascope import metrics
from hallascope.data.concepts import ConceptRef, FactualPrompt, with_references
from hallascope.data.records import Picture, Report
from hallascope.engine.judge_eval.harness import ignore_progress, run_metric, save_picture
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.services import create_services
from hallascope.metrics.base import Case
from hallascope.metrics.factualbench.plan import ABLATION, NAME
from hallascope.metrics.factualbench.replies import CONCEPT
from hallascope.metrics.factualbench.report import shares
from hallascope.primer import scenes
from hallascope.primer.benchmark import factualbench
from hallascope.primer.benchmark.judge_samples import VIOLATED
from hallascope.primer.benchmark.pair_truth import DrawnPicture, truths, violations
from hallascope.primer.concepts import concepts

SIZE = 512  # px
# balanced accuracy and Spearman that a judge should reach at least
LEAST = {"shape": 0.85, "color": 0.85, "texture": 0.75, "details": 0.75, "spearman": 0.7}


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


def try_judge(
    judge: BoundModel, ranks: bool, metric: str, samples: Sequence[FactualSample]
) -> list[Report]:
    """Return a report on each sample by a metric."""
    cases = [
        Case(
            prompt=sample.prompt.prompt,
            image=sample.picture,
            factual=sample.prompt,
            judge_ranks_choices=ranks,
        )
        for sample in samples
    ]
    return run_metric(metrics.get(metric), cases, {"judge": judge}, ignore_progress)


def figures(
    metric: str, samples: Sequence[FactualSample], reports: Sequence[Report]
) -> Iterator[dict[str, object]]:
    """Yield the balanced accuracy of each criterion, and Spearman of score and violations."""
    head = {"reference": "seen" if metric == NAME else "none"}
    for criterion in CONCEPT:
        states: dict[str, list[str]] = {"Yes": [], "No": []}
        for sample, report in zip(samples, reports, strict=True):
            truth = truths(sample.drawn, sample.name)[criterion]
            findings = report.evidence.findings if report.evidence else ()
            said = [finding.state for finding in findings if finding.kind == criterion]
            if truth in states:
                states[truth] += said[:1]
        met, unmet = (
            [state for state in own if state in ("correct", "incorrect")]
            for own in (states["Yes"], states["No"])
        )
        told = met.count("correct"), unmet.count("incorrect")
        is_measured = bool(met and unmet)
        yield head | {
            "criterion": criterion,
            "value": (told[0] / len(met) + told[1] / len(unmet)) / 2 if is_measured else None,
            "interval": "",
            "should be": LEAST[criterion],
            "right": f"{told[0]} of {len(met)} met, {told[1]} of {len(unmet)} not met",
        }
    rated = [
        (score, -violations(sample.drawn, sample.name))
        for sample, report in zip(samples, reports, strict=True)
        if (score := shares(report)[0]) is not None
    ]
    if len(rated) < 3:
        return
    columns = tuple(zip(*rated, strict=True))
    drawn = bootstrap(columns, lambda *own: spearmanr(*own).statistic, paired=True, rng=0)
    low, high = drawn.confidence_interval
    yield head | {
        "criterion": "spearman",
        "value": float(spearmanr(*columns).statistic),
        "interval": f"{low:.2f} to {high:.2f}",
        "should be": LEAST["spearman"],
        "right": f"{len(rated)} of {len(samples)} rated",
    }


def main(
    judge: Annotated[str, typer.Option(help="Who is tried.")] = "primer/judge",
    count: Annotated[int, typer.Option(min=8, help="Images of single concepts.")] = 128,
    seed: int = 0,
    as_json: JsonOption = False,
) -> None:
    services = create_services()
    bound = bind_free_model(services, judge, "judge")
    ranks = services.registry.spec(judge).ranks
    rows = []
    unrated = 0
    with tempfile.TemporaryDirectory() as folder:
        samples = [draw_sample(number, seed, Path(folder)) for number in range(count)]
        for metric in (NAME, ABLATION):
            reports = try_judge(bound, ranks, metric, samples)
            unrated += sum(shares(report)[0] is None for report in reports)
            rows += list(figures(metric, samples, reports))
    flawed = sum(violations(sample.drawn, sample.name) > 0 for sample in samples)
    show(rows, as_json, judge=judge, images=count, flawed=flawed)
    sys.exit(int(bool(unrated)))


if __name__ == "__main__":
    launch(main)
