"""Puts a metric that finds errors on trial: on pictures in which every error is known.

It prints nothing and touches no store.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

from hallascope.backends.base import CallLimits, OnStep
from hallascope.data.published.scene_graph import BEST, error_f1
from hallascope.data.records import Picture, Report
from hallascope.data.requests import Reply, Request, Role
from hallascope.engine.judge_eval import triple_matching as triples
from hallascope.engine.judge_eval.error_matching import (
    ErrorRow,
    ErrorRowKind,
    ErrorTally,
    rows,
    tally,
    unjudged_rows,
)
from hallascope.engine.judge_eval.triple_matching import NONE, TripleAccuracy
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.driver import Driver, PlanResult
from hallascope.metrics.base import Case, Metric
from hallascope.metrics.statistics.intervals import Interval, bootstrap
from hallascope.primer.composition_truth import SIZE, Composition, DrawnThing, things
from hallascope.primer.truth import answer

PERFECT = (  # what eyes that know the truth are called where the name of a model would stand
    "perfect"
)


class Aim(NamedTuple):
    """What is looked for among the rows of one kind, and how well it should be found at least.

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
PAPER = error_f1()[BEST]
GRAPH_AIMS = (  # the error types of scene-graph QA; a wrong number is an attribute error
    Aim(
        kind="color",
        title="attribute errors",
        measure="f1",
        least=0.85,
        more=("number",),
        published=PAPER["attribute"],
    ),
    Aim(
        kind="object",
        title="omissions",
        measure="f1",
        least=0.85,
        more=(),
        published=PAPER["omission"],
    ),
    Aim(
        kind="position",
        title="relation errors",
        measure="f1",
        least=0.8,
        more=(),
        published=PAPER["relation"],
    ),
    Aim(
        kind="extraneous",
        title="extraneous objects",
        measure="f1",
        least=0.75,
        more=(),
        published=PAPER["extraneous"],
    ),
)
AIMS_OF: Mapping[str, tuple[Aim, ...]] = {
    "scene-graph": GRAPH_AIMS
}  # by metric; all others have AIMS


@dataclass(frozen=True)
class AimOutcome:
    """What came of one aim over all pictures.

    The interval (95 %, resampled by picture) is of its measure.
    """

    aim: Aim
    tally: ErrorTally
    interval: Interval | None

    @property
    def value(self) -> float | None:
        """The measure of the aim, in [0, 1]; None where there is nothing to measure."""
        return self.tally.f1 if self.aim.measure == "f1" else self.tally.precision

    @property
    def reached(self) -> bool | None:
        return None if self.value is None else self.value >= self.aim.least


@dataclass(frozen=True)
class MetricMistake:
    """A row that the metric got wrong or left out, and its picture by seed.

    The picture is `hallascope.primer.benchmark.composition_sampler.composition(seed)`.
    """

    seed: int
    prompt: str
    row: ErrorRow


@dataclass(frozen=True, kw_only=True)
class MetricTrial:
    """How well a metric finds known errors with these eyes.

    `flawed`: how many of the pictures have any error.

    `unjudged_rows`: pictures of which the metric gave no evidence at all; their rows are left out.
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
    triples: TripleAccuracy = NONE

    @property
    def left_out(self) -> int:
        """Rows without a verdict."""
        return sum(outcome.tally.left_out for outcome in self.outcomes)


class JudgedComposition(NamedTuple):
    """A picture with what the metric said of it."""

    made: Composition
    shown: tuple[DrawnThing, ...]
    report: Report


def try_metric(
    metric: Metric,
    eyes: Mapping[Role, BoundModel | None],
    made: Sequence[Composition],
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> MetricTrial:
    """Run the metric over the compositions.

    `eyes`: the model of each role, None: one that knows the truth. `tell`: done, of how many.
    """
    lineup = {role: seat.model if seat else PERFECT for role, seat in eyes.items()}
    with tempfile.TemporaryDirectory() as folder:
        judged = _judge_compositions(metric, eyes, made, Path(folder), tell)
    return tally_errors(metric, lineup, judged)


def tally_errors(
    metric: Metric, lineup: Mapping[Role, str], judged: Sequence[JudgedComposition]
) -> MetricTrial:
    """The tallies over pictures whose reports are there."""
    found = [(one, _rows(one)) for one in judged]
    mistakes = [
        MetricMistake(one.made.seed, one.made.prompt, row)
        for one, own in found
        for row in own
        if row.fate not in ("found", "right")
    ]
    return MetricTrial(
        metric=metric.name,
        version=metric.version,
        lineup=lineup,
        pictures=len(judged),
        flawed=sum(bool(one.made.errors) for one in judged),
        unjudged=sum(one.report.evidence is None for one in judged),
        outcomes=tuple(
            _outcome(aim, [own for _, own in found]) for aim in AIMS_OF.get(metric.name, AIMS)
        ),
        mistakes=tuple(mistakes),
        triples=triples.total(
            [triples.check(one.shown, one.report.evidence) for one in judged if not one.made.errors]
        ),
    )


def _rows(one: JudgedComposition) -> list[ErrorRow]:
    return (
        unjudged_rows(one.made)
        if one.report.evidence is None
        else rows(one.made, one.shown, one.report.evidence)
    )


def _outcome(aim: Aim, pictures: Sequence[Sequence[ErrorRow]]) -> AimOutcome:
    own = [[row for row in rows if row.kind in (aim.kind, *aim.more)] for rows in pictures]
    return AimOutcome(
        aim, tally([row for rows in own for row in rows]), _interval(aim, list(map(tally, own)))
    )


def _interval(aim: Aim, tallies: Sequence[ErrorTally]) -> Interval | None:
    """Return the interval of F1 or precision as a ratio of sums over the pictures.

    F1 is 2 found / (2 found + false + missed), precision found / (found + false).
    """
    weight = 2 if aim.measure == "f1" else 1
    pairs = [
        (weight * t.found, weight * t.found + t.false + (t.missed if aim.measure == "f1" else 0))
        for t in tallies
    ]
    counted = [(found, of) for found, of in pairs if of]
    return (
        bootstrap([found for found, _ in counted], [of for _, of in counted]) if counted else None
    )


# --- running
# --------------------------------------------------------------------------------------------------


def _judge_compositions(
    metric: Metric,
    eyes: Mapping[Role, BoundModel | None],
    made: Sequence[Composition],
    folder: Path,
    tell: Callable[[int, int], None],
) -> list[JudgedComposition]:
    shown = [things(one) for one in made]
    pictures = [_save_composition(one, folder / f"{i}.png") for i, one in enumerate(made)]
    perfect = _perfect({picture.sha256: own for picture, own in zip(pictures, shown, strict=True)})
    driver = Driver()
    lineup = {role: seat or perfect for role, seat in eyes.items()}
    for i, (one, picture) in enumerate(zip(made, pictures, strict=True)):
        # the pictures are Primer's, so what may be there that nobody asked for is, too, whichever
        # detector looks
        case = Case(prompt=one.prompt, image=picture, roles=frozenset(eyes), vocabulary="primer")
        driver.add(i, metric.plan(case), lineup, readable=metric.readable)
    reports: dict[object, Report] = {}
    for event in driver.events():
        if isinstance(event, PlanResult):
            reports[event.key] = event.result
            tell(len(reports), len(made))
    return [
        JudgedComposition(one, own, reports[i])
        for i, (one, own) in enumerate(zip(made, shown, strict=True))
    ]


def _save_composition(made: Composition, path: Path) -> Picture:
    made.drawing.image(SIZE).save(path)
    return Picture(sha256(path.read_bytes()).hexdigest(), path)


def _perfect(shown: Mapping[str, Sequence[DrawnThing]]) -> BoundModel:
    """Eyes that know what each picture shows, by its SHA-256."""

    def call(requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
        return [answer(request, shown.get(_looked_at(request), ())) for request in requests]

    return BoundModel(
        model=PERFECT, revision="1", call=call, limits=CallLimits(batch=64, concurrency=1)
    )


def _looked_at(request: Request) -> str:
    pictures = getattr(request, "images", ()) or (getattr(request, "image", None),)
    return pictures[0].sha256 if isinstance(pictures[0], Picture) else ""
