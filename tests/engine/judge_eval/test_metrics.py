"""A metric on trial: found, false, missed and left out are told apart row by row, by hand-made
evidence and in a run of its own.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope import metrics
from hallascope.backends.base import CallLimits
from hallascope.cli.commands import metric_trial as metric_trial_commands
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, State
from hallascope.data.graphs import Attribute, Edge, Graph, Node, SceneGraphs
from hallascope.data.records import Report, Score
from hallascope.data.requests import (
    Answer,
    Describe,
    Detect,
    Detected,
    Failure,
    Role,
    Segment,
    Segmented,
)
from hallascope.engine.judge_eval.error_matching import ErrorTally, rows, tally, unjudged_rows
from hallascope.engine.judge_eval.metrics import (
    AIMS,
    GRAPH_AIMS,
    JudgedComposition,
    MetricTrial,
    tally_errors,
    try_metric,
)
from hallascope.engine.judge_eval.triple_matching import NONE, TripleAccuracy, check
from hallascope.engine.models.roles import BoundModel
from hallascope.metrics.base import Case, Metric, Plan
from hallascope.primer.benchmark.composition_sampler import composition, compositions
from hallascope.primer.claims import Claim, claims
from hallascope.primer.composition_truth import Composition, CompositionItem, DrawnThing, things
from hallascope.primer.scenes import parse

MADE = tuple(compositions(40))


def all_seen(made: Composition) -> Evidence:
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
                Finding(kind="extraneous", expected="", observed=_one(said), state="incorrect")
                for said in extras
            ),
        )
    )


def _one(said: str) -> str:
    """ "two red stars" is about stars."""
    return said.split(" ", 1)[1]


def trial_of(
    evidence: Callable[[Composition], Evidence | None], made: Sequence[Composition] = MADE
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
    for made in MADE
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


def turned(made: Composition, change: Callable[[Finding], Finding | None]) -> Evidence:
    found = (change(finding) for finding in all_seen(made).findings)
    return Evidence(findings=tuple(finding for finding in found if finding))


def by_kind(trial: MetricTrial) -> dict[str, ErrorTally]:
    return {outcome.aim.kind: outcome.tally for outcome in trial.outcomes}


# --- tallies
# --------------------------------------------------------------------------------------------------


def test_shares_of_a_tally_agree_with_a_worked_example_and_are_none_where_nothing_counts() -> None:
    example = ErrorTally(found=6, false=2, missed=4, right=20, left_out=3, unasked=1)
    assert (example.precision, example.recall, example.n) == (0.75, 0.6, 32)
    assert example.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert (ErrorTally(right=5).precision, ErrorTally(right=5).recall, ErrorTally(right=5).f1) == (
        None,
        None,
        None,
    )


def test_one_that_sees_everything_finds_every_error_and_raises_no_alarm() -> None:
    trial = trial_of(all_seen)
    assert trial.mistakes == ()
    assert (trial.pictures, trial.unjudged, trial.left_out) == (len(MADE), 0, 0)
    assert trial.flawed == sum(bool(made.errors) for made in MADE)
    for outcome in trial.outcomes:
        known = sum(
            error.kind in (outcome.aim.kind, {"object": "omission"}.get(outcome.aim.kind))
            for made in MADE
            for error in made.errors
        )
        assert outcome.tally.found == known > 0
        assert (outcome.value, outcome.reached) == (1.0, True)
        assert outcome.interval == (1.0, 1.0)


def test_one_that_finds_nothing_wrong_misses_every_error() -> None:
    trial = trial_of(
        lambda made: turned(
            made, lambda f: None if f.kind == "extraneous" else replace(f, state="correct")
        )
    )
    for outcome in trial.outcomes:
        assert outcome.tally.found == outcome.tally.false == 0
        assert outcome.tally.recall == 0
        assert outcome.reached in (False, None)


def test_one_that_flags_everything_has_every_error_and_an_alarm_for_every_row_that_is_right() -> (
    None
):
    trial = trial_of(lambda made: turned(made, lambda f: replace(f, state="incorrect")))
    tallies = by_kind(trial)
    for kind in ("object", "color", "number", "position"):
        assert tallies[kind].recall == 1
        assert tallies[kind].right == 0
        assert tallies[kind].false == by_kind(trial_of(all_seen))[kind].right > 0


@pytest.mark.parametrize("state", ["failed", "unreadable", "abstained"])
def test_what_was_left_out_is_neither_right_nor_wrong_and_counted_apart(state: State) -> None:
    trial = trial_of(
        lambda made: turned(made, lambda f: replace(f, state=state) if f.kind == "number" else f)
    )
    number = by_kind(trial)["number"]
    assert number.n == 0
    assert number.left_out == trial.left_out == by_kind(trial_of(all_seen))["number"].n
    assert {mistake.row.fate for mistake in trial.mistakes} == {"left out"}
    assert (
        next(outcome for outcome in trial.outcomes if outcome.aim.kind == "number").reached is None
    )


def test_a_row_without_a_finding_is_not_flagged_and_said_to_be_unasked() -> None:
    trial = trial_of(lambda made: turned(made, lambda f: None if f.kind == "color" else f))
    color, whole = by_kind(trial)["color"], by_kind(trial_of(all_seen))["color"]
    assert (color.missed, color.right, color.unasked) == (whole.found, whole.right, whole.n)


def test_a_picture_without_evidence_is_left_out_with_all_its_rows() -> None:
    trial = trial_of(lambda made: None)
    assert trial.unjudged == len(MADE)
    for outcome in trial.outcomes:
        assert (outcome.tally.n, outcome.value, outcome.interval) == (0, None, None)
    assert trial.left_out == sum(len(unjudged_rows(made)) for made in MADE) > 0


# --- rows
# --------------------------------------------------------------------------------------------------

CIRCLES = Composition(
    0,
    scene := parse("two red circles above a ladybug"),
    (
        (),
        tuple(
            CompositionItem(g.concept, g.colour) for g in parse("a ladybug and a blue star").groups
        ),
    ),
    scene.relation,
)


def test_words_about_things_that_are_not_drawn_make_no_row_but_their_omission() -> None:
    found = rows(CIRCLES, things(CIRCLES, 96), all_seen(CIRCLES))
    assert [(row.kind, row.fate) for row in found] == [
        ("object", "found"),
        ("object", "right"),
        ("extraneous", "found"),
    ]


@pytest.mark.parametrize(
    ("kinds", "fates"),
    [
        (
            {"object": "omission", "color": "attribute", "position": "relation"},
            ["found", "right", "found"],
        ),
        ({"object": "text"}, ["missed", "right", "found"]),
    ],
)
def test_kinds_of_other_metrics_mean_the_same_rows_and_unknown_kinds_none(
    kinds: dict[str, str], fates: list[str]
) -> None:
    evidence = turned(CIRCLES, lambda f: replace(f, kind=kinds.get(f.kind, f.kind)))
    assert [row.fate for row in rows(CIRCLES, things(CIRCLES, 96), evidence)] == fates


def test_one_of_several_findings_on_a_row_is_enough_to_flag_it() -> None:
    claim, *_ = claims(CIRCLES)
    states: tuple[State, ...] = ("correct", "incorrect", "failed")
    both = [
        Finding(
            kind="object", expected="circle", observed="", state=state, prompt_spans=claim.spans
        )
        for state in states
    ]
    fates = [
        rows(CIRCLES, (), Evidence(findings=tuple(some)))[0].fate
        for some in (both, both[:1], both[::2], both[2:])
    ]
    assert fates == ["found", "missed", "missed", "left out"]


def test_an_alarm_about_what_the_prompt_does_not_say_is_false() -> None:
    stray = Finding(
        kind="object", expected="above", observed="", state="incorrect", prompt_spans=((16, 21),)
    )
    assert [row.fate for row in rows(CIRCLES, (), Evidence(findings=(stray,)))].count(
        "false alarm"
    ) == 1
    assert "false alarm" not in [
        row.fate for row in rows(CIRCLES, (), Evidence(findings=(replace(stray, state="correct"),)))
    ]


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
            row.fate for row in rows(CIRCLES, (ladybug, star), whole) if row.kind == "extraneous"
        ]

    assert fates(extra("a blue star")) == ["found"]
    assert fates(extra("starfish", star)) == ["found"]
    assert fates(extra("starfish", ladybug)) == ["missed", "false alarm"]
    assert fates(extra("a star"), extra("stars")) == ["found"]
    assert fates(extra("a star"), extra("a hat")) == ["found", "false alarm"]
    assert fates() == ["missed"]


def test_extra_things_that_could_not_be_looked_at_or_were_not_judged_are_left_out() -> None:
    ladybug, star = things(CIRCLES, 96)
    passed = Finding(
        kind="object",
        expected="ladybug",
        observed="",
        state="correct",
        prompt_spans=claims(CIRCLES)[-2].spans,
    )
    for thing, fate in ((star, "left out"), (ladybug, "missed")):
        lost = Evidence(
            segments=(
                SegmentEvidence(
                    name="s1", phrase="", box=thing.box, score=1.0, failure="It has no description."
                ),
            ),
            findings=(passed,),
        )
        assert rows(CIRCLES, (ladybug, star), lost)[-1].fate == fate
    blind = Evidence(findings=(replace(passed, state="failed"),))
    assert [row.fate for row in rows(CIRCLES, (), blind) if row.kind == "extraneous"] == [
        "left out"
    ]
    right = next(made for made in MADE if not made.errors)
    assert (
        rows(right, (), turned(right, lambda f: replace(f, state="failed")))[-1].fate == "left out"
    )


@given(st.integers(0, 2_000), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_every_row_has_one_fate_whatever_a_metric_says(seed: int, chance: random.Random) -> None:
    made = composition(seed)
    states: tuple[State, ...] = ("correct", "incorrect", "abstained", "unreadable", "failed")
    evidence = turned(
        made, lambda f: None if chance.random() < 0.2 else replace(f, state=chance.choice(states))
    )
    found = rows(made, (), evidence)
    claimed = [claim for claim in claims(made) if claim.holds is not None]
    assert len([row for row in found if row.kind != "extraneous"]) == len(claimed)
    whole = tally(found)
    assert whole.n + whole.left_out == len(found)
    assert all(
        share is None or 0 <= share <= 1 for share in (whole.precision, whole.recall, whole.f1)
    )


# --- a run
# --------------------------------------------------------------------------------------------------


def looks(case: Case) -> Plan:
    """A metric that asks for the things of the prompt, cuts them out, has them described, and
    believes what it is told.
    """
    claimed = [claim for claim in _claimed(case.prompt) if claim.kind == "object"]
    (found,) = yield [Detect(case.image, tuple(claim.asked for claim in claimed))]
    boxes = tuple(one.box for one in found.detections) if isinstance(found, Detected) else ()
    replies = yield (
        [Segment(case.image, boxes), *(Describe(case.image, "", box) for box in boxes)]
        if boxes
        else []
    )
    captions = [reply.text for reply in replies if isinstance(reply, Answer)]
    assert all(isinstance(reply, Answer | Segmented | Failure) for reply in replies)
    seen = {one.phrase for one in found.detections} if isinstance(found, Detected) else set()
    state: State = "failed" if isinstance(found, Failure) else "correct"
    findings = [
        Finding(
            kind="object",
            expected=c.asked,
            observed="; ".join(captions),
            state=state if c.asked in seen or state == "failed" else "incorrect",
            prompt_spans=c.spans,
        )
        for c in claimed
    ]
    return report(case.prompt, Evidence(findings=tuple(findings)))


def _claimed(prompt: str) -> list[Claim]:
    asked = parse(prompt)
    whole = Composition(
        0,
        asked,
        tuple((CompositionItem(g.concept, g.colour),) * g.count for g in asked.groups),
        asked.relation,
    )
    return list(claims(whole))


LOOKS = Metric(
    name="looks",
    title="Looks",
    version="1",
    required_roles=("detector", "segmenter", "captioner"),
    plan=looks,
    needs_questions=False,
)
EYES = dict.fromkeys(("detector", "segmenter", "captioner"))


def test_a_metric_with_perfect_eyes_finds_every_omission() -> None:
    told: list[tuple[int, int]] = []
    trial = try_metric(LOOKS, EYES, MADE[:12], lambda *now: told.append(now))  # type: ignore[arg-type]
    found = by_kind(trial)["object"]
    assert found.false == found.missed == found.left_out == 0
    assert (
        found.found
        == sum(error.kind == "omission" for made in MADE[:12] for error in made.errors)
        > 0
    )
    assert trial.lineup == {"detector": "perfect", "segmenter": "perfect", "captioner": "perfect"}
    assert sorted(told) == [(n, 12) for n in range(1, 13)]


def test_fig_reaches_every_aim_with_perfect_eyes() -> None:
    flawed = [made for made in MADE if len(made.errors) > 1][:8]
    trial = try_metric(metrics.get("fig"), EYES, flawed)  # type: ignore[arg-type]
    assert all(outcome.tally.found for outcome in trial.outcomes)
    assert [outcome.reached for outcome in trial.outcomes] == [True] * len(AIMS), trial.mistakes
    assert sum(outcome.tally.unasked + outcome.tally.left_out for outcome in trial.outcomes) == 0


def test_scene_graph_qa_reaches_every_aim_with_perfect_eyes_and_its_triples_are_right() -> None:
    flawed, right = (
        [made for made in MADE if bool(made.errors) == wrong][:count]
        for wrong, count in ((True, 9), (False, 3))
    )
    nobody: dict[Role, None] = {"detector": None, "judge": None}
    trial = try_metric(metrics.get("scene-graph"), nobody, [*flawed, *right])
    assert [outcome.reached for outcome in trial.outcomes] == [True] * len(GRAPH_AIMS), (
        trial.mistakes
    )
    assert sum(outcome.tally.unasked + outcome.tally.left_out for outcome in trial.outcomes) == 0
    assert trial.triples.value == 1.0
    assert trial.triples.counted > 10
    assert [outcome.aim.published for outcome in trial.outcomes] == [0.55, 0.81, 0.67, 0.45]


def test_a_triple_that_the_drawing_contradicts_is_wrong_and_an_unknown_one_is_not_counted() -> None:
    ladybug, star = things(CIRCLES, 96)
    segments = (
        SegmentEvidence(name="s1", phrase="ladybug", box=ladybug.box, score=1.0),
        SegmentEvidence(name="s2", phrase="star", box=star.box, score=1.0),
    )

    def right(*said: Attribute, label: str = "star", relation: str = "") -> TripleAccuracy:
        nodes = (
            Node(name="n1", label="ladybug", attributes=(), segment="s1"),
            Node(name="n2", label=label, attributes=said, segment="s2"),
        )
        edges = (Edge("e1", "n1", relation, "n2"),) if relation else ()
        return check(
            (ladybug, star),
            Evidence(
                segments=segments, graphs=SceneGraphs(asked=Graph(), seen=Graph(nodes, edges))
            ),
        )

    assert right() == (2, 2)
    assert right(label="heart") == (1, 2)
    assert right(
        Attribute("color", "blue"), Attribute("shape", "star-shaped"), Attribute("state", "old")
    ) == (4, 4)
    assert right(Attribute("color", "red")) == (2, 3)
    sides = [right(relation=relation).right for relation in ("left of", "right of")]
    assert sorted(sides) == [2, 3]
    assert check((ladybug,), None) == NONE


def test_a_model_sits_in_its_role_beside_perfect_eyes_and_its_failures_are_left_out() -> None:
    blind = BoundModel(
        model="test/blind",
        revision="1",
        call=lambda requests, _: [Failure("broken", "I see nothing.")] * len(requests),
        limits=CallLimits(batch=4),
    )
    trial = try_metric(LOOKS, {**EYES, "detector": blind}, MADE[:6])  # type: ignore[dict-item]
    assert by_kind(trial)["object"].n == 0
    assert by_kind(trial)["object"].left_out > 0
    assert trial.lineup["detector"] == "test/blind"
    assert trial.lineup["captioner"] == "perfect"


# --- the command
# --------------------------------------------------------------------------------------------------


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, services: object) -> Callable[..., int]:
    """The command on a metric of ours, with services that have nothing but what ships."""
    monkeypatch.setattr(metric_trial_commands, "create_services", lambda: services)
    monkeypatch.setattr(metrics, "get", lambda name: {"looks": LOOKS, "judged": JUDGED}[name])
    return metric_trial_commands.metric_trial


JUDGED = replace(LOOKS, name="judged", required_roles=("writer",))


def test_the_command_prints_every_kind_beside_what_it_should_reach(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("looks", count=8, eyes="perfect", mistakes=True) == 0
    printed = capsys.readouterr().out
    for aim in AIMS:
        assert aim.title in printed
    assert "8 pictures" in printed
    assert "detector perfect" in printed
    assert "missed" in printed


def test_as_json_the_command_prints_one_document_with_all_shares(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    command("looks", count=8, eyes="perfect", as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert [(one["title"], one["measure"], one["least"]) for one in found["outcomes"]] == [
        tuple(aim[1:4]) for aim in AIMS
    ]
    assert found["outcomes"][0]["f1"] == 1.0
    assert found["pictures"] == 8
    for mistake in found["mistakes"]:
        assert composition(mistake["seed"]).prompt == mistake["prompt"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"name": "looks", "eyes": "closed"}, "choose models or perfect"),
        ({"name": "judged", "eyes": "perfect"}, "needs a writer"),
        ({"name": "looks", "detector": "openai/gpt-4o"}, "is no detector"),
        ({"name": "looks", "detector": "sam"}, "There is no model 'sam'"),
        (
            {
                "name": "looks",
                "detector": "grounding-dino-tiny",
                "captioner": "perfect",
                "segmenter": "perfect",
            },
            "cannot run here",
        ),
    ],
)
def test_what_cannot_be_tried_is_said_in_one_sentence(
    command: Callable[..., int], arguments: dict[str, str], says: str
) -> None:
    with pytest.raises(Exception, match=says) as error:
        command(**arguments, count=2)
    assert type(error.value).__module__.split(".")[1] in ("engine", "backends")
