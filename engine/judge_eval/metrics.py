"""Puts a metric that finds errors on trial: on pictures in which every error is known.

What the metric found is compared with the known errors row by row, and the graph that it made of a
picture with what is drawn, triple by triple. A triple is right where the drawing says the same, and
not counted where it says nothing of it. What two things are to each other is taken from the exact
masks and boxes.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.graphs import Graph
from hallascope.data.masks import overlap
from hallascope.data.published.numbers import scene_graph_f1
from hallascope.data.records import Report
from hallascope.data.regions import Box
from hallascope.data.requests import Role
from hallascope.engine.judge_eval.harness import (
    ReportProgress,
    run_metric,
    save_picture,
)
from hallascope.engine.models.roles import BoundModel, ignore_progress
from hallascope.engine.trials.records import Share
from hallascope.metrics.base import Case, Metric
from hallascope.metrics.detection.geometry import Center, center, middle, relations
from hallascope.metrics.statistics.intervals import Interval, mean_interval
from hallascope.primer.appearance import SHAPE_WORDS
from hallascope.primer.claims import Claim, claims
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.truth.compositions import SIZE, Composition, DrawnThing, things

ErrorRowKind = Literal["object", "color", "number", "position", "extraneous"]
# the kind of row that each kind of finding is about; findings of other kinds are left aside
KINDS: Mapping[str, ErrorRowKind] = {
    "object": "object",
    "omission": "object",
    "color": "color",
    "attribute": "color",
    "number": "number",
    "count": "number",
    "position": "position",
    "relation": "position",
    "extraneous": "extraneous",
}
MatchOutcome = Literal["found", "false alarm", "missed", "right", "left out"]
Measure = Literal["precision", "recall", "f1"]
# the least intersection over union of two boxes of the same thing
SAME_PLACE = 0.5


class ErrorRow(NamedTuple):
    """Holds one row and what became of it: a claim of the prompt, or an extra kind of thing.

    Nobody asked for an extra kind.

    `truth` is what is drawn in words, `said` what the metric saw. `asked_about`: whether the metric
    has a finding on it.
    """

    kind: ErrorRowKind
    subject: str
    truth: str
    said: str
    fate: MatchOutcome
    asked_about: bool = True


@dataclass(frozen=True, kw_only=True)
class ErrorTally:
    """Counts errors by what became of them: `found` (true positives), `false` alarms, `missed`.

    `right` rows were rightly not flagged. `left_out` rows have no verdict and count nowhere else;
    `unasked` are rows on which the metric has no finding at all: they count as not flagged.
    """

    found: int = 0
    false: int = 0
    missed: int = 0
    right: int = 0
    left_out: int = 0
    unasked: int = 0

    @property
    def n(self) -> int:
        """Count the rows that have a verdict."""
        return self.found + self.false + self.missed + self.right

    def ratio(self, measure: Measure) -> tuple[int, int]:
        """Return the part and the whole of a measure.

        Precision: of what was flagged, what is wrong; recall: of what is wrong, what was flagged;
        F1 is the harmonic mean of both.
        """
        match measure:
            case "precision":
                return self.found, self.found + self.false
            case "recall":
                return self.found, self.found + self.missed
            case "f1":
                return 2 * self.found, 2 * self.found + self.false + self.missed

    def value(self, measure: Measure) -> float | None:
        """Return a measure in [0, 1]; None where there is nothing to measure."""
        part, whole = self.ratio(measure)
        return part / whole if whole else None


def tally(rows: Sequence[ErrorRow]) -> ErrorTally:
    """Count what became of these rows."""
    counts = Counter(row.fate for row in rows)
    return ErrorTally(
        found=counts["found"],
        false=counts["false alarm"],
        missed=counts["missed"],
        right=counts["right"],
        left_out=counts["left out"],
        unasked=sum(not row.asked_about for row in rows),
    )


# --- rows of one picture


def error_rows(
    composition: Composition, drawn: Sequence[DrawnThing], evidence: Evidence
) -> list[ErrorRow]:
    """Return every row that counts: claims about things, extra things, and false alarms.

    Claims are about things that are drawn or left out; alarms are about nothing known.

    What the prompt says of things that are not drawn at all makes no row: only their omission is
    one.
    """
    every = claims(composition)
    own = [_claim_row(composition, claim, evidence) for claim in every if claim.holds is not None]
    return [*own, *_false_alarms(every, evidence), *_extra_rows(composition, drawn, evidence)]


def unjudged_rows(composition: Composition) -> list[ErrorRow]:
    """Return the rows of a picture of which the metric could say nothing: all left out."""
    own = [
        ErrorRow(kind=claim.kind, subject=claim.subject, truth="", said="", fate="left out")
        for claim in claims(composition)
        if claim.holds is not None
    ]
    return [*own, *_extras_left_out(composition)]


def _claim_row(composition: Composition, claim: Claim, evidence: Evidence) -> ErrorRow:
    findings = [
        finding
        for finding in evidence.findings
        if KINDS.get(finding.kind) == claim.kind and _is_about(finding, claim)
    ]
    drawn_instead = [
        error.drawn
        for error in composition.errors
        if error.subject == claim.subject and error.kind == claim.kind
    ]
    expected = claim.asked if claim.holds else ""
    observed = dict.fromkeys(finding.observed for finding in findings if finding.observed)
    return ErrorRow(
        kind=claim.kind,
        subject=f"{claim.subject}: {claim.asked}",
        truth=drawn_instead[0] if drawn_instead else expected,
        said="; ".join(observed),
        fate=_outcome(bool(claim.holds), findings),
        asked_about=bool(findings),
    )


def _is_about(finding: Finding, claim: Claim) -> bool:
    """Return whether a finding and a claim are about words of the prompt that overlap."""
    return any(
        start < claim_end and claim_start < end
        for start, end in finding.prompt_spans
        for claim_start, claim_end in claim.spans
    )


def _outcome(holds: bool, findings: Sequence[Finding]) -> MatchOutcome:
    """Return what became of a claim; one finding that says it is wrong is enough to flag it."""
    states = {finding.state for finding in findings}
    if "incorrect" in states:
        return "false alarm" if holds else "found"
    if findings and "correct" not in states:
        return "left out"
    return "right" if holds else "missed"


def _false_alarms(every: Sequence[Claim], evidence: Evidence) -> Iterator[ErrorRow]:
    """Yield the findings that something is wrong which the prompt does not say."""
    for finding in evidence.findings:
        kind = KINDS.get(finding.kind)
        if kind is None or kind == "extraneous" or finding.state != "incorrect":
            continue
        if not any(claim.kind == kind and _is_about(finding, claim) for claim in every):
            yield ErrorRow(
                kind=kind,
                subject=finding.expected,
                truth="",
                said=finding.observed,
                fate="false alarm",
            )


# --- things that nobody asked for


def _extras(composition: Composition) -> dict[str, str]:
    """Return the extraneous things of a picture by name, described in words."""
    return {
        error.subject: error.drawn for error in composition.errors if error.kind == "extraneous"
    }


def _extra_row(subject: str, truth: str, observed: str, fate: MatchOutcome) -> ErrorRow:
    return ErrorRow(kind="extraneous", subject=subject, truth=truth, said=observed, fate=fate)


def _extras_left_out(composition: Composition) -> list[ErrorRow]:
    extras = _extras(composition) or {"": ""}
    return [_extra_row(name, words, "", "left out") for name, words in extras.items()]


def _extra_rows(
    composition: Composition, drawn: Sequence[DrawnThing], evidence: Evidence
) -> list[ErrorRow]:
    """Return a row for each kind of thing that nobody asked for, and for each alarm without one.

    A right picture without an alarm has one.
    """
    judged = [finding for finding in evidence.findings if finding.state in ("correct", "incorrect")]
    if evidence.findings and not judged:
        return _extras_left_out(composition)
    extras = _extras(composition)
    alarms = [
        (finding.observed, _extras_meant(finding, drawn, evidence, extras))
        for finding in judged
        if KINDS.get(finding.kind) == "extraneous" and finding.state == "incorrect"
    ]
    failed = [segment.box for segment in evidence.segments if segment.failure]
    lost = {thing.name for thing in drawn if _is_in_any(thing, failed)}
    own = []
    for name, words in extras.items():
        observed = list(dict.fromkeys(text for text, meant in alarms if name in meant))
        if observed:
            fate: MatchOutcome = "found"
        elif name in lost:  # it could not be looked at to the end
            fate = "left out"
        else:
            fate = "missed"
        own.append(_extra_row(name, words, "; ".join(observed), fate))
    false = [_extra_row(text, "", text, "false alarm") for text, meant in alarms if not meant]
    if not extras and not alarms:
        return [_extra_row("", "", "", "right")]
    return [*own, *false]


def _extras_meant(
    finding: Finding, drawn: Sequence[DrawnThing], evidence: Evidence, extras: Mapping[str, str]
) -> set[str]:
    """Return the extra things, by name, that a finding calls so or points at."""
    boxes = [segment.box for segment in evidence.segments if segment.name in finding.segments]
    return {
        thing.name
        for thing in drawn
        if thing.name in extras and (thing.is_called(finding.observed) or _is_in_any(thing, boxes))
    }


def _is_in_any(thing: DrawnThing, boxes: Sequence[Box]) -> bool:
    return any(overlap(thing.box, box) >= SAME_PLACE for box in boxes)


NO_TRIPLES = Share(0, 0)


def check_triples(drawn: Sequence[DrawnThing], evidence: Evidence | None) -> Share:
    """Check the triples of the seen graph: what each node is called, each attribute, each edge."""
    graphs = evidence.graphs if evidence else None
    if evidence is None or graphs is None:
        return NO_TRIPLES
    boxes = {segment.name: segment.box for segment in evidence.segments}
    by_node = {
        node.name: _thing_at(boxes[node.segment], drawn) if node.segment in boxes else None
        for node in graphs.seen.nodes
    }
    matches = [match for match in _triple_matches(graphs.seen, by_node) if match is not None]
    return Share(sum(matches), len(matches))


def _thing_at(box: Box, drawn: Sequence[DrawnThing]) -> DrawnThing | None:
    best = max(drawn, key=lambda thing: overlap(thing.box, box), default=None)
    return best if best and overlap(best.box, box) >= SAME_PLACE else None


def _triple_matches(
    graph: Graph, by_node: Mapping[str, DrawnThing | None]
) -> Iterator[bool | None]:
    """Yield for each triple whether it is right, None where the drawing does not say."""
    for node in graph.nodes:
        thing = by_node[node.name]
        yield thing is not None and thing.is_called(node.label)
        for attribute in node.attributes:
            yield _has_attribute(thing, attribute.kind, attribute.value)
    for edge in graph.edges:
        yield _are_related(by_node[edge.source], edge.relation, by_node[edge.target])


def _has_attribute(thing: DrawnThing | None, kind: str, value: str) -> bool | None:
    """Return whether a thing has an attribute, None where the drawing does not say.

    Concepts have a color at most.
    """
    if thing is None:
        return False
    attributes: dict[str, str | None] = {"color": thing.tone}
    if thing.name in SHAPE_NAMES:
        attributes["shape"] = SHAPE_WORDS[thing.name].casefold()
        attributes["texture"] = "plain"
    expected = attributes.get(kind)
    return None if expected is None else expected == value


def _are_related(source: DrawnThing | None, relation: str, target: DrawnThing | None) -> bool:
    if source is None or target is None:
        return False
    at = _middle(source)
    of = _middle(target)
    sides = {
        "left of": at.x < of.x,
        "right of": at.x > of.x,
        "above": at.y < of.y,
        "below": at.y > of.y,
    }
    if relation in sides:
        return sides[relation]
    return relation in relations(source.box, middle(source.box), target.box, middle(target.box))


def _middle(thing: DrawnThing) -> Center:
    return center(thing.mask) or middle(thing.box)


class Aim(NamedTuple):
    """Says what is looked for among the rows of one kind, and how well it should be found at least.

    `published` is what the metric's paper reports.
    """

    kind: ErrorRowKind
    title: str
    least: float
    published: float | None = None
    measure: Measure = "f1"


AIMS = (
    Aim("object", "missing objects", 0.85),
    Aim("color", "wrong colors", 0.85),
    Aim("number", "wrong numbers", 0.8),
    Aim("position", "wrong positions", 0.8),
    Aim("extraneous", "extras", 0.8, measure="precision"),
)
PAPER = scene_graph_f1()
# the error types of scene-graph QA; the paper has none for a wrong count
GRAPH_AIMS = (
    Aim("color", "attribute errors", 0.85, PAPER["attribute"]),
    Aim("number", "count errors", 0.8),
    Aim("object", "omissions", 0.85, PAPER["omission"]),
    Aim("position", "relation errors", 0.8, PAPER["relation"]),
    Aim("extraneous", "extraneous objects", 0.75, PAPER["extraneous"]),
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
        return self.tally.value(self.aim.measure)

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
    triples: Share = NO_TRIPLES

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
        return error_rows(self.composition, self.things, self.report.evidence)


def try_metric(
    metric: Metric,
    models: Mapping[Role, BoundModel],
    compositions: Sequence[Composition],
    on_progress: ReportProgress = ignore_progress,
) -> MetricTrial:
    """Run the metric over the compositions.

    `on_progress` is told the pictures done, of how many.
    """
    drawn = [things(composition) for composition in compositions]
    with tempfile.TemporaryDirectory() as folder:
        pictures = [
            save_picture(composition.drawing.image(SIZE), Path(folder) / f"{number}.png")
            for number, composition in enumerate(compositions)
        ]
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
        reports = run_metric(metric, cases, models, on_progress)
    return tally_errors(
        metric,
        {role: model.model for role, model in models.items()},
        list(map(JudgedComposition, compositions, drawn, reports)),
    )


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
    triples = [check_triples(own.things, own.report.evidence) for own in without_errors]
    return MetricTrial(
        metric=metric.name,
        version=metric.version,
        lineup=lineup,
        pictures=len(judged),
        flawed=len(judged) - len(without_errors),
        unjudged=sum(own.report.evidence is None for own in judged),
        outcomes=tuple(_aim_outcome(aim, by_picture) for aim in AIMS_OF.get(metric.name, AIMS)),
        mistakes=tuple(mistakes),
        triples=Share(sum(own.right for own in triples), sum(own.asked for own in triples)),
    )


def _aim_outcome(aim: Aim, by_picture: Sequence[Sequence[ErrorRow]]) -> AimOutcome:
    """Return the measure over all pictures; its interval is that of a ratio of sums over them."""
    own = [[row for row in rows if row.kind == aim.kind] for rows in by_picture]
    ratios = [tally(rows).ratio(aim.measure) for rows in own]
    counted = [(part, whole) for part, whole in ratios if whole]
    interval = mean_interval([part for part, _ in counted], [whole for _, whole in counted])
    return AimOutcome(aim, tally([row for rows in own for row in rows]), interval)
