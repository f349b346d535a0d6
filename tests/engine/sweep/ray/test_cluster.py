"""A sweep on a real Ray cluster of two nodes, one of which is removed in the middle, ends like one
that was left alone.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import read_models
from hallascope.engine.events import Evaluated
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.plan import plan
from hallascope.engine.sweep.ray.cluster import RayCluster
from hallascope.engine.sweep.ray.models import ClusterModelRegistry, ClusterModels
from hallascope.engine.sweep.runner import Sweep, SweepEnded
from hallascope.engine.sweep.spec_reader import parse
from tests.engine.storage.test_killed import rows
from tests.support.ray_cluster import Nodes, two_nodes
from tests.support.scripted import ScriptedSpec

ROOT = Path(__file__).parents[4]
SPEC = """
prompts:
  [a molecule of methane, three ladybugs, two red circles, a traffic light, a rainbow,
  a flamingo in the snow, a ladybug, two ladybugs, three red circles, a sunflower, a spider,
  a flag of France]
models: [primer/exact, primer/hasty]
metrics: [ihalla]
judge: test/judge
"""
JUDGE = ScriptedSpec(
    id="test/judge",
    title="Says A",
    roles=("judge",),
    backend="scripted",
    kind="trained",
    settings={"reply": "A"},
)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    with two_nodes() as made:
        yield made


def served(folder: Path) -> Services:
    return Services(Store(folder=folder), {**read_models(), JUDGE.id: JUDGE})


def swept(services: Services, *, after: int = 0, then: Any = None) -> SweepEnded:
    """The end of a sweep.

    Once that many evaluations are there, `then` happens, and again at the next event while it asks
    for it.
    """
    planned, said = plan(parse(SPEC, Path("sweep.yaml")), services, SpendingPolicy()), 0
    for event in Sweep(planned, services, SpendingPolicy(), threading.Event()).events():
        said += isinstance(event, Evaluated)
        if said >= after and then and not then():
            then = None
    assert isinstance(event, SweepEnded)
    return event


@pytest.mark.full
def test_a_sweep_whose_node_is_removed_in_the_middle_ends_like_one_on_this_machine(
    nodes: Nodes, tmp_path: Path
) -> None:
    alone = served(tmp_path / "alone")
    undisturbed = swept(alone)

    services = served(tmp_path / "cluster")
    models = ClusterModels(RayCluster(nodes.address))
    services.registry = ClusterModelRegistry(services.registry, models)
    assert [node.cpus for node in models.nodes] == [1, 1]
    reason = services.registry.unavailable_reason("sd-turbo")
    assert reason
    assert reason.startswith("Stable Diffusion Turbo can run on no node of the cluster: on ")
    assert "it is not downloaded" in reason

    def remove() -> bool:
        """Remove the node as soon as a worker stands on it; whether it is still to be removed."""
        stood.extend(nodes.actors_on_second())
        if stood:
            nodes.remove_second()
        return not stood

    stood: list[str] = []
    ended = swept(services, after=5, then=remove)
    assert stood, "no worker stood on the node that was removed"
    assert ended.totals == undisturbed.totals
    assert not ended.failed
    assert rows(services.store) == rows(alone.store)
    for one in (services, alone):
        one.store.close()


def put_ray(monkeypatch: pytest.MonkeyPatch, init: Callable[..., None]) -> None:
    """Ray takes seconds to import, and here nothing but its `init` is asked."""
    ray = SimpleNamespace(init=init, is_initialized=lambda: False, exceptions=None)
    for name in ("ray", "ray.exceptions"):
        monkeypatch.setitem(sys.modules, name, ray)


def test_a_cluster_that_does_not_answer_says_so_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(**options: Any) -> None:
        raise ConnectionError("ray client connection timeout\nat 10.0.0.9:10001")

    put_ray(monkeypatch, refused)
    with pytest.raises(Unavailable) as told:
        RayCluster("ray://10.0.0.9:10001")
    for word in ("ray://10.0.0.9:10001", "connection timeout", "`ray start --head`"):
        assert word in str(told.value)
    assert "\n" not in str(told.value)


def test_where_the_cluster_of_this_machine_has_crashed_another_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str | None] = []

    def crashed(address: str | None, **options: Any) -> None:
        asked.append(address)
        if address is None:
            raise ConnectionError("Failed to connect to Ray cluster at 10.0.0.9:6379")

    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    put_ray(monkeypatch, crashed)
    RayCluster()
    assert asked == [None, "local"]


@pytest.mark.full
def test_whoever_still_asks_after_the_end_starts_no_cluster() -> None:
    asks = (
        "from hallascope.engine.sweep.ray.cluster import _import_ray; ray = _import_ray();"
        " ray.wait([ray.ObjectRef.nil()])"
    )
    found = subprocess.run(
        [sys.executable, "-c", asks],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert "Ray has not been started yet" in found.stderr
