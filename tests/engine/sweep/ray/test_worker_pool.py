"""The workers of a cluster: each model gets its share, what is lost is asked of another, what
cannot run says why.
"""

import threading
from collections import Counter
from collections.abc import Sequence

import pytest

from hallascope.backends.base import (
    CallLimits,
    Denied,
    HallaScopeError,
    Stopped,
    Transient,
    Unavailable,
)
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Failure, Reply, Request, Write
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.driver import Driver, PlanResult
from hallascope.engine.sweep.ray.model_workers import LOSSES
from hallascope.engine.sweep.ray.protocols import OnWait, WorkerLost
from hallascope.engine.sweep.ray.scheduling import ClusterNode
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError, remote_error
from hallascope.engine.sweep.ray.worker_pool import LOOK, PATIENCE, WorkerPool
from tests.support.fake_cluster import PretendCluster, PretendHand, echoes

ONE, TWO = ClusterNode("1", "one", 1), ClusterNode("2", "two", 1)
WRITER = ModelSpec(
    id="w", title="The writer", roles=("writer",), backend="scripted", kind="trained"
)


def model(name: str) -> ModelSpec:
    return ModelSpec(id=name, title=name, roles=("writer",), backend="scripted", kind="trained")


def waits(step: int, steps: int) -> None:
    """Somebody still waits for the reply."""


def asked(seat: BoundModel, *texts: str) -> list[Reply]:
    return list(seat.call([Write(text) for text in texts], waits))


def answers(seat: BoundModel, count: int) -> Counter[str]:
    """What a driver gets for that many different requests."""

    def plan(text: str):  # type: ignore[no-untyped-def]
        replies = yield [Write(text)]
        return replies[0]

    runner = Driver()
    for number in range(count):
        runner.add(number, plan(str(number)), {"writer": seat})
    ends = [event for event in runner.events() if isinstance(event, PlanResult)]
    assert sorted(end.key for end in ends) == list(range(count))  # type: ignore[type-var]
    return Counter(
        end.result.text if isinstance(end.result, Answer) else end.result.kind for end in ends
    )


def every(count: int) -> Counter[str]:
    return Counter(f"w to {number}" for number in range(count))


def test_a_model_answers_from_a_worker_on_a_node() -> None:
    cluster = PretendCluster(ONE)
    seat = WorkerPool(cluster).seat(WRITER)
    assert asked(seat, "a", "b") == [Answer("w to a"), Answer("w to b")]
    assert seat.revision == "1"
    assert [hand.place.node for hand in cluster.started] == [ONE]


def test_every_model_gets_a_worker_where_there_are_more_models_than_processors() -> None:
    cluster = PretendCluster(ONE)
    crew = WorkerPool(cluster)
    seats = [crew.seat(model(name)) for name in "abc"]
    for seat in seats:
        asked(seat, "x")
    assert [hand.place.model for hand in cluster.started] == ["a", "b", "c"]
    assert [hand.place.need.cpus for hand in cluster.started] == [1, 0, 0]


def test_a_model_that_is_busy_gets_one_more_worker_on_each_node_and_no_more_than_fit() -> None:
    together, busy = threading.Barrier(2, timeout=20), Counter[PretendHand]()

    def says(hand: PretendHand, requests: Sequence[Request]) -> list[Reply]:
        busy[hand] += 1
        assert busy[hand] <= hand.at_once
        together.wait()
        busy[hand] -= 1
        return echoes(hand, requests)

    cluster = PretendCluster(ONE, TWO, says=says)
    seat = WorkerPool(cluster).seat(WRITER)
    assert seat.limits == CallLimits(1, 2)
    assert answers(seat, 10) == every(10)
    assert {hand.place.node for hand in cluster.started} == {ONE, TWO}
    assert len(cluster.started) == 2


def test_no_more_workers_are_started_than_were_allowed() -> None:
    cluster = PretendCluster(ONE, TWO)
    seat = WorkerPool(cluster, most=1).seat(WRITER)
    assert seat.limits.concurrency == 1
    answers(seat, 10)
    assert len(cluster.started) == 1


def test_two_models_share_the_nodes_and_neither_takes_all_of_them() -> None:
    crew = WorkerPool(PretendCluster(*(ClusterNode(str(i), f"node {i}", 2) for i in range(4))))
    for name in "ab":
        assert crew.unavailable_reason(model(name)) is None
    assert [crew.seat(model(name)).limits.concurrency for name in "ab"] == [4, 4]


def test_what_a_node_that_dies_was_asked_is_asked_of_another_and_nothing_is_lost_or_doubled() -> (
    None
):
    together = threading.Barrier(2, timeout=20)
    count = 0

    def says(hand: PretendHand, requests: Sequence[Request]) -> list[Reply]:
        nonlocal count
        if len(cluster.there) == 2:
            together.wait()
            count += 1
            if count > 8 and hand.place.node == TWO:
                cluster.there.remove(TWO)
                together.abort()
                raise WorkerLost("its node died")
        return echoes(hand, requests)

    cluster = PretendCluster(ONE, TWO, says=says)

    def patient(hand: PretendHand, requests: Sequence[Request]) -> list[Reply]:
        try:
            return says(hand, requests)
        except threading.BrokenBarrierError:
            return echoes(hand, requests)

    cluster.says = patient
    assert answers(WorkerPool(cluster).seat(WRITER), 30) == every(30)
    assert all(hand.ended for hand in cluster.started if hand.place.node == TWO)


def test_a_worker_whose_process_ends_is_started_again() -> None:
    ended: list[PretendHand] = []

    def says(hand: PretendHand, requests: Sequence[Request]) -> list[Reply]:
        if not ended:
            ended.append(hand)
            raise WorkerLost("its process ended")
        return echoes(hand, requests)

    cluster = PretendCluster(ONE, says=says)
    assert answers(WorkerPool(cluster).seat(WRITER), 3) == every(3)
    assert len(cluster.started) == 2
    assert ended[0].ended


def test_a_lost_call_counts_as_worked_so_that_a_service_that_charges_is_paid_in_the_account() -> (
    None
):
    def says(hand: PretendHand, requests: Sequence[Request]) -> list[Reply]:
        raise WorkerLost("its node died")

    with pytest.raises(Transient, match="lost on the node one") as error:
        asked(WorkerPool(PretendCluster(ONE, says=says)).seat(WRITER), "x")
    assert (error.value.kind, error.value.retry_after) == ("timeout", 0.0)


def test_a_node_that_keeps_losing_workers_is_not_asked_again_and_the_sentence_says_why() -> None:
    def says(hand: PretendHand, requests: Sequence[Request]) -> list[Reply]:
        raise WorkerLost("out of memory")

    cluster = PretendCluster(ONE, says=says)
    seat = WorkerPool(cluster).seat(WRITER)
    for number in range(LOSSES):
        with pytest.raises(Transient):
            asked(seat, f"question {number}")
    assert len(cluster.started) == LOSSES
    with pytest.raises(
        Unavailable,
        match=(
            r"^The writer can run on no node of the cluster: on one, 3 of its workers ended there"
            r" \(out of"
        ),
    ):
        asked(seat, "x")


def test_a_request_that_ends_every_worker_it_is_asked_of_fails_alone() -> None:
    def says(hand: PretendHand, requests: Sequence[Request]) -> list[Reply]:
        if Write("3") in requests:
            raise WorkerLost("its process ended")
        return echoes(hand, requests)

    found = answers(WorkerPool(PretendCluster(ONE, says=says)).seat(WRITER), 9)
    assert found == every(9) - Counter(["w to 3"]) + Counter(["timeout"])


def test_a_model_that_can_run_on_no_node_says_so_in_one_sentence_before_anything_is_started() -> (
    None
):
    reason = (
        "The writer cannot run here: it needs an NVIDIA GPU and none was found; run it on such a"
        " machine."
    )
    cluster = PretendCluster(
        ONE, TWO, fit={("w", "1"): Fitness(reason), ("w", "2"): Fitness(reason)}
    )
    crew = WorkerPool(cluster)
    assert (
        crew.unavailable_reason(WRITER)
        == f"The writer can run on no node of the cluster: on one (and 1 more), {reason}"
    )
    with pytest.raises(Unavailable, match="on one"):
        crew.seat(WRITER)
    assert not cluster.started


def test_a_model_that_fails_to_load_on_one_node_is_loaded_on_the_other_or_says_why() -> None:
    def damaged(hand: PretendHand, on_wait: OnWait) -> RemoteError | None:
        return (
            RemoteError(message="Its weights are damaged: fetch them again.", sort="lasting")
            if hand.place.node == ONE
            else None
        )

    cluster = PretendCluster(ONE, TWO)
    cluster.loading = damaged
    assert answers(WorkerPool(cluster).seat(WRITER), 3) == every(3)
    assert {hand.place.node: hand.ended for hand in cluster.started} == {ONE: True, TWO: False}

    cluster = PretendCluster(ONE)
    cluster.loading = damaged
    seat = WorkerPool(cluster).seat(WRITER)
    with pytest.raises(Unavailable, match="on one, Its weights are damaged: fetch them again"):
        asked(seat, "x")


def test_another_version_of_a_model_on_another_node_is_not_asked() -> None:
    fit = {("w", "1"): Fitness(revision="a"), ("w", "2"): Fitness(revision="b")}
    cluster = PretendCluster(ONE, TWO, fit=fit)
    seat = WorkerPool(cluster).seat(WRITER)
    assert (seat.revision, seat.limits.concurrency) == ("a", 1)
    answers(seat, 5)
    assert {hand.place.node for hand in cluster.started} == {ONE}


def test_a_node_that_joins_later_is_found_and_used() -> None:
    now = [0.0]
    cluster = PretendCluster(
        ONE,
        fit={
            ("w", "1"): Fitness("It cannot run here: fetch it."),
            ("w", "2"): Fitness(revision="1"),
        },
    )
    crew = WorkerPool(cluster, clock=lambda: now[0])
    assert crew.unavailable_reason(WRITER)
    cluster.there.append(TWO)
    now[0] += LOOK
    crew._look()
    assert crew.unavailable_reason(WRITER) is None
    assert asked(crew.seat(WRITER), "x") == [Answer("w to x")]


def test_a_model_whose_nodes_are_all_gone_waits_for_one_and_then_says_what_to_do() -> None:
    now = [0.0]

    def passes(step: int, steps: int) -> None:
        now[0] += PATIENCE

    cluster = PretendCluster(ONE)
    seat = WorkerPool(cluster, clock=lambda: now[0]).seat(WRITER)
    cluster.there.clear()
    with pytest.raises(
        Unavailable,
        match="No node of the cluster has had room for The writer for 300 seconds: add a node",
    ):
        seat.call([Write("x")], passes)


def test_a_stop_ends_the_wait_and_the_worker_that_was_being_loaded() -> None:
    def stopped(step: int, steps: int) -> None:
        raise Stopped

    def slow(hand: PretendHand, on_wait: OnWait) -> None:
        on_wait()

    cluster = PretendCluster(ONE)
    cluster.loading = slow
    seat = WorkerPool(cluster).seat(WRITER)
    with pytest.raises(Stopped):
        seat.call([Write("x")], stopped)
    assert cluster.started[0].ended


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Transient("Too many.", "rate_limited", 3.0), Transient),
        (Denied("No key: give one."), HallaScopeError),
        (ValueError("bad"), RuntimeError),
    ],
)
def test_what_a_model_raises_elsewhere_is_raised_here_with_its_kind(
    error: Exception, kind: type[Exception]
) -> None:
    seat = WorkerPool(PretendCluster(ONE, says=lambda hand, requests: remote_error(error))).seat(
        WRITER
    )
    with pytest.raises(kind, match=str(error)) as told:
        asked(seat, "x")
    for name in ("kind", "retry_after"):
        assert getattr(told.value, name, None) == getattr(error, name, None)


def test_a_failed_request_is_a_failure_and_no_lost_worker() -> None:
    cluster = PretendCluster(
        ONE,
        says=lambda hand, requests: [
            Failure("refused", "No: ask something else.") for _ in requests
        ],
    )
    assert answers(WorkerPool(cluster).seat(WRITER), 3) == Counter({"refused": 3})
    assert len(cluster.started) == 1


def test_closing_ends_every_worker_and_leaves_the_cluster() -> None:
    cluster = PretendCluster(ONE)
    crew = WorkerPool(cluster)
    asked(crew.seat(WRITER), "x")
    crew.close()
    assert cluster.closed
    assert [hand.ended for hand in cluster.started] == [True]
