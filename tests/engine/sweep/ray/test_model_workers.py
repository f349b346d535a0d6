"""What is known of a model on a cluster: on which nodes it can run, and which worker is idlest."""

import pytest

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import ModelSpec
from hallascope.engine.sweep.ray.model_workers import MAX_LOSSES, ModelWorkers, PooledWorker
from hallascope.engine.sweep.ray.scheduling import ClusterNode, ResourceNeed, WorkerPlacement
from hallascope.engine.sweep.ray.worker import Fitness
from tests.support.fake_cluster import FakeCluster

ONE, TWO = ClusterNode("1", "one", 1), ClusterNode("2", "two", 1)
NODES = {node.id: node for node in (ONE, TWO)}
WRITER = ModelSpec(id="w", title="The writer", roles=("writer",), backend="scripted")
FIT = Fitness(revision="a", limits=CallLimits(4, 2))


@pytest.fixture
def model() -> ModelWorkers:
    return ModelWorkers(spec=WRITER)


def test_limits_and_version_are_those_of_the_first_node_that_can_run_it(
    model: ModelWorkers,
) -> None:
    assert (model.limits, model.revision) == (CallLimits(), "")
    model.add_fitness({"1": Fitness("It needs a GPU."), "2": FIT})
    assert (model.limits, model.revision) == (CallLimits(4, 2), "a")
    assert model.fit_nodes(NODES) == [TWO]


def test_a_node_with_another_version_is_unfit(model: ModelWorkers) -> None:
    model.add_fitness({"1": FIT})
    model.add_fitness({"2": Fitness(revision="b")})
    assert model.fit_nodes(NODES) == [ONE]
    assert model.fitness["2"].reason == (
        "its version there is 'b', and 'a' elsewhere; fetch the same one on every node."
    )


def test_a_model_is_unfit_only_where_every_node_that_is_there_is(model: ModelWorkers) -> None:
    assert model.unfit_reason({}) is None
    assert model.unfit_reason(NODES) is None, "nothing is known of the nodes yet"
    model.add_fitness({"1": Fitness("it needs a GPU."), "2": Fitness("it needs memory.")})
    assert model.unfit_reason(NODES) == (
        "The writer can run on no node of the cluster: on one (and 1 more), it needs a GPU."
    )
    assert model.unfit_reason({"2": TWO}) == (
        "The writer can run on no node of the cluster: on two, it needs memory."
    )
    model.add_fitness({"2": FIT})
    assert model.unfit_reason(NODES) is None


def test_the_idlest_worker_is_asked_and_none_where_all_are_full(model: ModelWorkers) -> None:
    assert model.idlest() is None
    model.add_fitness({"1": FIT})
    cluster = FakeCluster(ONE)
    placement = WorkerPlacement("w", ONE, ResourceNeed(1))
    first, second = (
        PooledWorker(cluster.start(WRITER, placement, 2, lambda: None), placement, busy=busy)
        for busy in (2, 1)
    )
    model.workers += [first, second]
    assert model.idlest() is second
    second.busy = 2
    assert model.idlest() is None


def test_a_node_is_given_up_after_as_many_losses_of_different_causes(model: ModelWorkers) -> None:
    model.add_fitness({"1": FIT, "2": FIT})
    cause = object()
    assert not any(model.record_loss(ONE, "killed", cause) for _ in range(2 * MAX_LOSSES))
    others = [model.record_loss(ONE, "killed", object()) for _ in range(MAX_LOSSES - 1)]
    assert others == [False] * (MAX_LOSSES - 2) + [True]
    assert model.fit_nodes(NODES) == [TWO]
    assert model.fitness["1"].reason == (
        "3 of its workers ended there (killed); see that there is memory enough."
    )
