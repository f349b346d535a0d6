"""No node of a cluster is given more than it has, and every model gets a share."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.models.specs import ModelSpec
from hallascope.engine.sweep.ray.scheduling import (
    ASKING,
    GB,
    ClusterCapacity,
    ClusterNode,
    ResourceNeed,
    WorkerPlacement,
    need,
    share_accelerators,
    worker_counts,
)

NODES = st.lists(
    st.tuples(st.integers(1, 8), st.integers(0, 3), st.integers(1, 64)), min_size=1, max_size=5
).map(
    lambda found: [
        ClusterNode(str(i), f"node {i}", cpus, gpus, memory * GB)
        for i, (cpus, gpus, memory) in enumerate(found)
    ]
)
NEEDS = st.dictionaries(
    st.sampled_from("abcdef"),
    st.builds(
        ResourceNeed,
        st.sampled_from([ASKING, 1.0, 2.0]),
        st.sampled_from([0.0, 1.0]),
        st.integers(0, 20).map(lambda n: n * GB),
        st.booleans(),
    ),
    min_size=1,
)


def spec(**about: object) -> ModelSpec:
    return ModelSpec(
        id="m",
        title="M",
        roles=("judge",),
        backend="transformers",
        **about,  # type: ignore[arg-type]
    )


def test_what_a_worker_takes_is_said_by_its_entry() -> None:
    assert need(spec(kind="api"), accelerated=True) == ResourceNeed(ASKING, single=True)
    assert need(spec(memory_gb=6), accelerated=True) == ResourceNeed(1, gpus=1)
    assert need(spec(memory_gb=6), accelerated=False) == ResourceNeed(1, memory=6 * GB)
    assert need(spec(), accelerated=True) == ResourceNeed(1)
    assert need(spec(kind="trained", memory_gb=1), accelerated=True) == ResourceNeed(1, memory=GB)


def test_three_models_on_one_accelerator_take_a_third_each_and_two_on_two_a_whole_one() -> None:
    one, two = ClusterNode("1", "one", 8, gpus=1), ClusterNode("2", "two", 8, gpus=1)
    wanted = {name: ResourceNeed(1, gpus=1) for name in "abc"}
    assert {one.gpus for one in share_accelerators(wanted, [one]).values()} == {1 / 3}
    assert {
        one.gpus
        for one in share_accelerators(
            {name: ResourceNeed(1, gpus=1) for name in "ab"}, [one, two]
        ).values()
    } == {1.0}
    assert worker_counts(share_accelerators(wanted, [one]), {name: [one] for name in wanted}) == {
        "a": 1,
        "b": 1,
        "c": 1,
    }


def test_a_service_is_asked_from_each_node_once() -> None:
    nodes = [ClusterNode(str(i), f"node {i}", 16) for i in range(3)]
    assert worker_counts({"a": ResourceNeed(ASKING, single=True)}, {"a": nodes}) == {"a": 3}


@settings(max_examples=40)
@given(NODES, NEEDS, st.none() | st.integers(1, 4))
def test_no_node_gives_more_than_it_has_and_every_model_may_have_a_worker(
    nodes: list[ClusterNode], needs: dict[str, ResourceNeed], most: int | None
) -> None:
    needs = share_accelerators(needs, nodes)
    found = worker_counts(needs, dict.fromkeys(needs, nodes), most)
    assert set(found) == set(needs)
    assert all(1 <= count <= (most or count) for count in found.values())
    room = ClusterCapacity([])
    for model, wanted in needs.items():
        while room.count(model) < found[model] and (node := room.best(model, wanted, nodes)):
            room.taken.append(WorkerPlacement(model, node, wanted))
    for node in nodes:
        assert min(room.free_resources(node)) >= -1e-6


@settings(max_examples=40)
@given(NODES, NEEDS)
def test_a_model_that_is_squeezed_in_never_takes_accelerators_or_memory_that_others_have(
    nodes: list[ClusterNode], needs: dict[str, ResourceNeed]
) -> None:
    room = ClusterCapacity([])
    for model, wanted in needs.items():
        if place := room.squeezed(model, wanted, nodes):
            room.taken.append(place)
            assert place.need._replace(cpus=0) == wanted._replace(cpus=0)
    for node in nodes:
        assert min(room.free_resources(node)) >= -1e-6
