"""Puts a metric that finds errors on trial: on pictures in which every error is known."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from hallascope.data.published.numbers import scene_graph_f1
from hallascope.data.records import Picture, Report
from hallascope.data.requests import Reply, Request, Role
from hallascope.engine.judge_eval.harness import (
    PERFECT,
    ReportProgress,
    ignore_progress,
    perfect_model,
    run_metric,
    save_picture,
)
from hallascope.engine.judge_eval.matching.errors import (
    ErrorRow,
    ErrorRowKind,
    ErrorTally,
    rows,
    tally,
    unjudged_rows,
)
from hallascope.engine.judge_eval.matching.triples import NONE, check
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.trials.records import Share
from hallascope.metrics.base import Case, Metric
from hallascope.metrics.statistics.intervals import Interval, mean_interval
from hallascope.primer.truth.compositions import SIZE, Composition, DrawnThing, things
from hallascope.primer.truth.perfect_models import answer


class Aim(NamedTuple):
    """Says what is looked for among the rows of one kind, and how well it should be found at least.

    `more` are further kinds that are counted together with it; `published` is what the metric's
    paper reports.
    """

    kind: ErrorRowKind
    title: str
    measure: Literal["f1", "precision"]
    least: float
    more: tuple[ErrorRowKind, ...] = ()
    published: float | None = None


AIMS = (
    Aim(kind="object", title="missing objects", measure="f1", least=0.85),
    Aim(kind="color", title="wrong colors", measure="f1", least=0.85),
    Aim(kind="number", title="wrong numbers", measure="f1", least=0.8),
    Aim(kind="position", title="wrong positions", measure="f1", least=0.8),
    Aim(kind="extraneous", title="extras", measure="precision", least=0.8),
)
PAPER = scene_graph_f1()
# the error types of scene-graph QA; the paper has none for a wrong count
GRAPH_AIMS = (
    Aim(
        kind="color",
        title="attribute errors",
        measure="f1",
        least=0.85,
        published=PAPER["attribute"],
    ),
    Aim(kind="number", title="count errors", measure="f1", least=0.8),
    Aim(
        kind="object",
        title="omissions",
        measure="f1",
        least=0.85,
        published=PAPER["omission"],
    ),
    Aim(
        kind="position",
        title="relation errors",
        measure="f1",
        least=0.8,
        published=PAPER["relation"],
    ),
    Aim(
        kind="extraneous",
        title="extraneous objects",
        measure="f1",
        least=0.75,
        published=PAPER["extraneous"],
    ),
)
# by metric; all others have AIMS
AIMS_OF: Mapping[str, tuple[Aim, ...]] = {"scene-graph": GRAPH_AIMS}


@dataclass(frozen=True)
class AimOutcome:
    """Holds what came of one aim over all pictures.

    The interval (95 %, by picture) is of its measure.
    """

    aim: Aim
    tally: ErrorTally
    interval: Interval | None

    @property
    def value(self) -> float | None:
        """Return the measure of the aim, in [0, 1]; None where there is nothing to measure."""
        return self.tally.f1 if self.aim.measure == "f1" else self.tally.precision

    @property
    def reached(self) -> bool | None:
        return None if self.value is None else self.value >= self.aim.least


@dataclass(frozen=True)
class MetricMistake:
    """Holds a row that the metric got wrong or left out, and its picture by seed.

    The picture is `hallascope.primer.benchmark.composition_sampler.composition(seed)`.
    """

    seed: int
    prompt: str
    row: ErrorRow


@dataclass(frozen=True, kw_only=True)
class MetricTrial:
    """Holds how well a metric finds known errors with the models of a line-up.

    `flawed`: how many of the pictures have any error.

    `unjudged`: pictures of which the metric gave no evidence at all; their rows are left out.
    `triples`: how many triples of its graphs are right on the pictures in which nothing is wrong;
    none where it makes no graphs.
    """

    metric: str
    version: str
    lineup: Mapping[Role, str]
    pictures: int
    flawed: int
    unjudged: int
    outcomes: tuple[AimOutcome, ...]
    mistakes: tuple[MetricMistake, ...]
    triples: Share = NONE

    @property
    def left_out(self) -> int:
        """Count the rows without a verdict."""
        return sum(outcome.tally.left_out for outcome in self.outcomes)


class JudgedComposition(NamedTuple):
    """Holds a picture, the things drawn in it, and what the metric said of it."""

    composition: Composition
    things: tuple[DrawnThing, ...]
    report: Report

    def rows(self) -> list[ErrorRow]:
        """Return what became of each known error and right claim."""
        if self.report.evidence is None:
            return unjudged_rows(self.composition)
        return rows(self.composition, self.things, self.report.evidence)


def try_metric(
    metric: Metric,
    models: Mapping[Role, BoundModel | None],
    compositions: Sequence[Composition],
    on_progress: ReportProgress = ignore_progress,
) -> MetricTrial:
    """Run the metric over the compositions.

    `models`: the model of each role, None: one that knows the truth. `on_progress` is told the
    pictures done, of how many.
    """
    drawn = [things(composition) for composition in compositions]
    with tempfile.TemporaryDirectory() as folder:
        pictures = [
            save_picture(composition.drawing.image(SIZE), Path(folder) / f"{number}.png")
            for number, composition in enumerate(compositions)
        ]
        perfect = _perfect_eyes(
            {picture.sha256: own for picture, own in zip(pictures, drawn, strict=True)}
        )
        # the pictures are Primer's, so what may be there that nobody asked for is, too, whichever
        # detector looks
        cases = [
            Case(
                prompt=composition.prompt,
                image=picture,
                roles=frozenset(models),
                vocabulary="primer",
            )
            for composition, picture in zip(compositions, pictures, strict=True)
        ]
        bound = {role: model or perfect for role, model in models.items()}
        reports = run_metric(metric, cases, bound, on_progress)
    return tally_errors(
        metric,
        {role: model.model if model else PERFECT for role, model in models.items()},
        list(map(JudgedComposition, compositions, drawn, reports)),
    )


def _perfect_eyes(drawn: Mapping[str, Sequence[DrawnThing]]) -> BoundModel:
    """Return a model that knows what each picture shows, by its SHA-256."""

    def reply(request: Request) -> Reply:
        picture = (getattr(request, "images", ()) or (getattr(request, "image", None),))[0]
        name = picture.sha256 if isinstance(picture, Picture) else ""
        return answer(request, drawn.get(name, ()))

    return perfect_model(reply)


def tally_errors(
    metric: Metric, lineup: Mapping[Role, str], judged: Sequence[JudgedComposition]
) -> MetricTrial:
    """Return the tallies over pictures whose reports are there."""
    by_picture = [own.rows() for own in judged]
    mistakes = [
        MetricMistake(own.composition.seed, own.composition.prompt, row)
        for own, picture_rows in zip(judged, by_picture, strict=True)
        for row in picture_rows
        if row.fate not in ("found", "right")
    ]
    without_errors = [own for own in judged if not own.composition.errors]
    triples = [check(own.things, own.report.evidence) for own in without_errors]
    return MetricTrial(
        metric=metric.name,
        version=metric.version,
        lineup=lineup,
        pictures=len(judged),
        flawed=len(judged) - len(without_errors),
        unjudged=sum(own.report.evidence is None for own in judged),
        outcomes=tuple(_outcome(aim, by_picture) for aim in AIMS_OF.get(metric.name, AIMS)),
        mistakes=tuple(mistakes),
        triples=Share(sum(own.right for own in triples), sum(own.asked for own in triples)),
    )


def _outcome(aim: Aim, by_picture: Sequence[Sequence[ErrorRow]]) -> AimOutcome:
    kinds = (aim.kind, *aim.more)
    own = [[row for row in picture_rows if row.kind in kinds] for picture_rows in by_picture]
    total = tally([row for picture_rows in own for row in picture_rows])
    return AimOutcome(aim, total, _interval(aim, [tally(picture_rows) for picture_rows in own]))


def _interval(aim: Aim, tallies: Sequence[ErrorTally]) -> Interval | None:
    """Return the interval of F1 or precision as a ratio of sums over the pictures.

    F1 is 2 found / (2 found + false + missed), precision found / (found + false).
    """
    if aim.measure == "f1":
        ratios = [(2 * t.found, 2 * t.found + t.false + t.missed) for t in tallies]
    else:
        ratios = [(t.found, t.found + t.false) for t in tallies]
    counted = [(part, whole) for part, whole in ratios if whole]
    return mean_interval([part for part, _ in counted], [whole for _, whole in counted])
