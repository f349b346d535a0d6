"""No node of a cluster is given more than it has, and every model gets a share."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.models.specs import ModelSpec
from hallascope.engine.sweep.ray.scheduling import (
    GB,
    SERVICE_CPUS,
    ClusterCapacity,
    ClusterNode,
    ResourceNeed,
    share_accelerators,
    worker_counts,
    worker_need,
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
        st.sampled_from([SERVICE_CPUS, 1.0, 2.0]),
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
    assert worker_need(spec(kind="api"), has_accelerators=True) == ResourceNeed(
        SERVICE_CPUS, single=True
    )
    assert worker_need(spec(memory_gb=6), has_accelerators=True) == ResourceNeed(1, gpus=1)
    assert worker_need(spec(memory_gb=6), has_accelerators=False) == ResourceNeed(1, memory=6 * GB)
    assert worker_need(spec(), has_accelerators=True) == ResourceNeed(1)
    assert worker_need(spec(kind="trained", memory_gb=1), has_accelerators=True) == ResourceNeed(
        1, memory=GB
    )


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
    assert worker_counts({"a": ResourceNeed(SERVICE_CPUS, single=True)}, {"a": nodes}) == {"a": 3}


@settings(max_examples=40)
@given(NODES, NEEDS, st.none() | st.integers(1, 4))
def test_no_node_gives_more_than_it_has_and_every_model_may_have_a_worker(
    nodes: list[ClusterNode], needs: dict[str, ResourceNeed], most: int | None
) -> None:
    needs = share_accelerators(needs, nodes)
    counts = worker_counts(needs, dict.fromkeys(needs, nodes), most)
    assert set(counts) == set(needs)
    assert all(1 <= count <= (most or count) for count in counts.values())
    capacity = ClusterCapacity()
    for model, need in needs.items():
        while capacity.count(model) < counts[model] and capacity.place(model, need, nodes):
            pass
    for node in nodes:
        assert min(capacity.free_resources(node)) >= -1e-6


@settings(max_examples=40)
@given(NODES, NEEDS)
def test_a_model_that_is_squeezed_in_never_takes_accelerators_or_memory_that_others_have(
    nodes: list[ClusterNode], needs: dict[str, ResourceNeed]
) -> None:
    capacity = ClusterCapacity()
    for model, need in needs.items():
        if placement := capacity.place_without_cpus(model, need, nodes):
            assert placement.need._replace(cpus=0) == need._replace(cpus=0)
    for node in nodes:
        assert min(capacity.free_resources(node)) >= -1e-6
