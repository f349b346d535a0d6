"""A metric on trial: found, false, missed and left out are told apart row by row, by hand-made
evidence and in a run of its own.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from hallascope import metrics
from hallascope.backends.base import CallLimits
from hallascope.cli.commands.trials import metric_trial as metric_trial_commands
from hallascope.data.evidence import Evidence, Finding, State
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
from hallascope.engine.judge_eval.matching.errors import ErrorTally, unjudged_rows
from hallascope.engine.judge_eval.metrics import (
    AIMS,
    GRAPH_AIMS,
    JudgedComposition,
    MetricTrial,
    tally_errors,
    try_metric,
)
from hallascope.engine.models.roles import BoundModel
from hallascope.metrics.base import Case, Metric, Plan
from hallascope.primer.benchmark.composition_sampler import composition
from hallascope.primer.claims import Claim, claims
from hallascope.primer.scenes import parse
from hallascope.primer.truth.compositions import Composition, CompositionItem, things
from tests.support.composition_evidence import COMPOSITIONS, changed_evidence, faultless_evidence


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


def test_one_that_finds_nothing_wrong_misses_every_error() -> None:
    trial = trial_of(
        lambda made: changed_evidence(
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
    trial = trial_of(lambda made: changed_evidence(made, lambda f: replace(f, state="incorrect")))
    tallies = by_kind(trial)
    for kind in ("object", "color", "number", "position"):
        assert tallies[kind].recall == 1
        assert tallies[kind].right == 0
        assert tallies[kind].false == by_kind(trial_of(faultless_evidence))[kind].right > 0


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


def test_a_row_without_a_finding_is_not_flagged_and_said_to_be_unasked() -> None:
    trial = trial_of(
        lambda made: changed_evidence(made, lambda f: None if f.kind == "color" else f)
    )
    color, whole = by_kind(trial)["color"], by_kind(trial_of(faultless_evidence))["color"]
    assert (color.missed, color.right, color.unasked) == (whole.found, whole.right, whole.n)


def test_a_picture_without_evidence_is_left_out_with_all_its_rows() -> None:
    trial = trial_of(lambda made: None)
    assert trial.unjudged == len(COMPOSITIONS)
    for outcome in trial.outcomes:
        assert (outcome.tally.n, outcome.value, outcome.interval) == (0, None, None)
    assert trial.left_out == sum(len(unjudged_rows(made)) for made in COMPOSITIONS) > 0


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
    trial = try_metric(LOOKS, EYES, COMPOSITIONS[:12], lambda *now: told.append(now))  # type: ignore[arg-type]
    found = by_kind(trial)["object"]
    assert found.false == found.missed == found.left_out == 0
    assert (
        found.found
        == sum(error.kind == "omission" for made in COMPOSITIONS[:12] for error in made.errors)
        > 0
    )
    assert trial.lineup == {"detector": "perfect", "segmenter": "perfect", "captioner": "perfect"}
    assert sorted(told) == [(n, 12) for n in range(1, 13)]


def test_fig_reaches_every_aim_with_perfect_eyes() -> None:
    flawed = [made for made in COMPOSITIONS if len(made.errors) > 1][:8]
    trial = try_metric(metrics.get("fig"), EYES, flawed)  # type: ignore[arg-type]
    assert all(outcome.tally.found for outcome in trial.outcomes)
    assert [outcome.reached for outcome in trial.outcomes] == [True] * len(AIMS), trial.mistakes
    assert sum(outcome.tally.unasked + outcome.tally.left_out for outcome in trial.outcomes) == 0


def test_scene_graph_qa_reaches_every_aim_with_perfect_eyes_and_its_triples_are_right() -> None:
    flawed, right = (
        [made for made in COMPOSITIONS if bool(made.errors) == wrong][:count]
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
    assert [outcome.aim.published for outcome in trial.outcomes] == [
        0.55,
        None,
        0.81,
        0.67,
        0.45,
    ]


def test_a_model_sits_in_its_role_beside_perfect_eyes_and_its_failures_are_left_out() -> None:
    blind = BoundModel(
        model="test/blind",
        revision="1",
        call=lambda requests, _: [Failure("broken", "I see nothing.")] * len(requests),
        limits=CallLimits(batch=4),
    )
    trial = try_metric(LOOKS, {**EYES, "detector": blind}, COMPOSITIONS[:6])  # type: ignore[dict-item]
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
    monkeypatch.setattr(services, "_metric", {"looks": LOOKS, "judged": JUDGED}.__getitem__)
    return metric_trial_commands.metric_trial


JUDGED = replace(LOOKS, name="judged", required_roles=("writer",))


def test_the_command_prints_every_kind_beside_what_it_should_reach(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("looks", count=8, eyes="perfect", mistakes=True) == 0
    printed = capsys.readouterr().out
    for aim in AIMS:
        assert aim.title in printed
    assert "8 images" in printed
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
