"""Metrics on trial by compositions of Primer with known errors: each row is found, missed,
right, left out or a false alarm.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import get_args

import pytest

from bench.perfect_eyes import perfect_eyes
from hallascope import metrics
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, State
from hallascope.data.graphs import Attribute, Edge, Graph, Node, SceneGraphs
from hallascope.data.records import Report, Score
from hallascope.data.requests import (
    Role,
)
from hallascope.engine.judge_eval.metrics import (
    AIMS,
    GRAPH_AIMS,
    ErrorTally,
    JudgedComposition,
    Measure,
    MetricTrial,
    check_triples,
    error_rows,
    tally_errors,
    try_metric,
)
from hallascope.engine.trials.records import Share
from hallascope.metrics.base import Metric
from hallascope.primer.benchmark.composition_sampler import compositions
from hallascope.primer.claims import claims
from hallascope.primer.scenes import parse
from hallascope.primer.truth.compositions import Composition, CompositionItem, DrawnThing, things

COMPOSITIONS = tuple(compositions(40))


def faultless_evidence(made: Composition) -> Evidence:
    """What a metric without fault finds: a row for each claim, and one for each kind of thing that
    nobody asked for.
    """
    findings = [
        Finding(
            kind=claim.kind,
            expected=claim.asked,
            observed="",
            state="correct" if claim.holds else "incorrect",
            prompt_spans=claim.spans,
        )
        for claim in claims(made)
    ]
    extras = [error.drawn for error in made.errors if error.kind == "extraneous"]
    return Evidence(
        findings=(
            *findings,
            *(
                Finding(
                    kind="extraneous", expected="", observed=_without_count(said), state="incorrect"
                )
                for said in extras
            ),
        )
    )


def _without_count(said: str) -> str:
    """ "two red stars" is about stars."""
    return said.split(" ", 1)[1]


def changed_evidence(made: Composition, change: Callable[[Finding], Finding | None]) -> Evidence:
    found = (change(finding) for finding in faultless_evidence(made).findings)
    return Evidence(findings=tuple(finding for finding in found if finding))


CIRCLES = Composition(
    0,
    scene := parse("two red circles above a ladybug"),
    (
        (),
        tuple(
            CompositionItem(g.concept, g.color) for g in parse("a ladybug and a blue star").groups
        ),
    ),
    scene.relation,
)


def test_shares_of_a_tally_agree_with_a_worked_example_and_are_none_where_nothing_counts() -> None:
    example = ErrorTally(found=6, false=2, missed=4, right=20, left_out=3, unasked=1)
    assert (example.value("precision"), example.value("recall"), example.n) == (0.75, 0.6, 32)
    assert example.value("f1") == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert {ErrorTally(right=5).value(measure) for measure in get_args(Measure)} == {None}


def extra(seen: str, box: DrawnThing | None = None, state: State = "incorrect") -> Evidence:
    segments = (SegmentEvidence(name="s1", phrase=seen, box=box.box, score=1.0),) if box else ()
    return Evidence(
        segments=segments,
        findings=(
            Finding(
                kind="extraneous",
                expected="",
                observed=seen,
                state=state,
                segments=("s1",) if box else (),
            ),
        ),
    )


def test_an_extra_thing_is_found_by_its_name_or_by_its_place_and_another_one_is_a_false_alarm() -> (
    None
):
    ladybug, star = things(CIRCLES, 96)

    def fates(*evidence: Evidence) -> list[str]:
        whole = Evidence(
            segments=sum((e.segments for e in evidence), ()),
            findings=sum((e.findings for e in evidence), ()),
        )
        return [
            row.fate
            for row in error_rows(CIRCLES, (ladybug, star), whole)
            if row.kind == "extraneous"
        ]

    assert fates(extra("a blue star")) == ["found"]
    assert fates(extra("starfish", star)) == ["found"]
    assert fates(extra("starfish", ladybug)) == ["missed", "false alarm"]
    assert fates(extra("a star"), extra("stars")) == ["found"]
    assert fates(extra("a star"), extra("a hat")) == ["found", "false alarm"]
    assert fates() == ["missed"]


def test_a_triple_that_the_drawing_contradicts_is_wrong_and_an_unknown_one_is_not_counted() -> None:
    drawn = things(CIRCLES, 96)
    segments = tuple(
        SegmentEvidence(name=f"s{at}", phrase="", box=thing.box, score=1.0)
        for at, thing in enumerate(drawn)
    )

    def right(*said: Attribute, label: str = "star", relation: str = "left of") -> Share:
        nodes = (
            Node(name="n0", label="ladybug", attributes=(), segment="s0"),
            Node(name="n1", label=label, attributes=said, segment="s1"),
        )
        seen = Graph(nodes, (Edge("e1", "n0", relation, "n1"),))
        graphs = SceneGraphs(asked=Graph(), seen=seen)
        return check_triples(drawn, Evidence(segments=segments, graphs=graphs))

    sides = {relation: right(relation=relation).right for relation in ("left of", "right of")}
    assert sorted(sides.values()) == [2, 3]
    place = max(sides, key=sides.__getitem__)
    assert right(label="heart", relation=place) == Share(2, 3)
    known = Attribute("color", "blue"), Attribute("shape", "star-shaped")
    assert right(*known, Attribute("state", "old"), relation=place) == Share(5, 5)
    assert right(Attribute("color", "red"), relation=place) == Share(3, 4)
    assert check_triples(drawn, None) == Share(0, 0)


def trial_of(
    evidence: Callable[[Composition], Evidence | None], made: Sequence[Composition] = COMPOSITIONS
) -> MetricTrial:
    metric = Metric(
        name="test",
        title="Test",
        version="1",
        required_roles=(),
        plan=lambda case: iter(()),  # type: ignore[arg-type, return-value]
    )
    return tally_errors(
        metric,
        {},
        [
            JudgedComposition(one, SHOWN.get(one.seed, ()), report(one.prompt, evidence(one)))
            for one in made
        ],
    )


SHOWN = {
    made.seed: things(made, 64)
    for made in COMPOSITIONS
    if any(error.kind == "extraneous" for error in made.errors)
}


def report(prompt: str, evidence: Evidence | None) -> Report:
    return Report(
        metric="test",
        version="1",
        prompt=prompt,
        image="",
        scores={"score": Score(None, 0, 0)},
        evidence=evidence,
    )


def by_kind(trial: MetricTrial) -> dict[str, ErrorTally]:
    return {outcome.aim.kind: outcome.tally for outcome in trial.outcomes}


def test_one_that_sees_everything_finds_every_error_and_raises_no_alarm() -> None:
    trial = trial_of(faultless_evidence)
    assert trial.mistakes == ()
    assert (trial.pictures, trial.unjudged, trial.left_out) == (len(COMPOSITIONS), 0, 0)
    assert trial.flawed == sum(bool(made.errors) for made in COMPOSITIONS)
    for outcome in trial.outcomes:
        known = sum(
            error.kind in (outcome.aim.kind, {"object": "omission"}.get(outcome.aim.kind))
            for made in COMPOSITIONS
            for error in made.errors
        )
        assert outcome.tally.found == known > 0
        assert (outcome.value, outcome.reached) == (1.0, True)
        assert outcome.interval
        assert 0.2 < outcome.interval.low < outcome.interval.high == 1.0


@pytest.mark.parametrize("state", ["failed", "unreadable", "abstained"])
def test_what_was_left_out_is_neither_right_nor_wrong_and_counted_apart(state: State) -> None:
    trial = trial_of(
        lambda made: changed_evidence(
            made, lambda f: replace(f, state=state) if f.kind == "number" else f
        )
    )
    number = by_kind(trial)["number"]
    assert number.n == 0
    assert number.left_out == trial.left_out == by_kind(trial_of(faultless_evidence))["number"].n
    assert {mistake.row.fate for mistake in trial.mistakes} == {"left out"}
    assert (
        next(outcome for outcome in trial.outcomes if outcome.aim.kind == "number").reached is None
    )


@pytest.mark.full
def test_fig_reaches_every_aim_with_perfect_eyes() -> None:
    flawed = [made for made in COMPOSITIONS if len(made.errors) > 1][:8]
    roles: tuple[Role, ...] = ("detector", "segmenter", "captioner")
    trial = try_metric(metrics.get("fig"), dict.fromkeys(roles, perfect_eyes(flawed)), flawed)
    assert all(outcome.tally.found for outcome in trial.outcomes)
    assert [outcome.reached for outcome in trial.outcomes] == [True] * len(AIMS), trial.mistakes
    assert sum(outcome.tally.unasked + outcome.tally.left_out for outcome in trial.outcomes) == 0


@pytest.mark.full
def test_scene_graph_qa_reaches_every_aim_with_perfect_eyes_and_its_triples_are_right() -> None:
    flawed, right = (
        [made for made in COMPOSITIONS if bool(made.errors) == wrong][:count]
        for wrong, count in ((True, 9), (False, 3))
    )
    roles: tuple[Role, ...] = ("detector", "judge")
    eyes = perfect_eyes([*flawed, *right])
    trial = try_metric(metrics.get("scene-graph"), dict.fromkeys(roles, eyes), [*flawed, *right])
    assert [outcome.reached for outcome in trial.outcomes] == [True] * len(GRAPH_AIMS), (
        trial.mistakes
    )
    assert sum(outcome.tally.unasked + outcome.tally.left_out for outcome in trial.outcomes) == 0
    assert trial.triples.value == 1.0
    assert trial.triples.asked > 10
    assert [outcome.aim.published for outcome in trial.outcomes] == [
        0.55,
        None,
        0.81,
        0.67,
        0.45,
    ]
