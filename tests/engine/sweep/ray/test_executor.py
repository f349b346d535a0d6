"""Sweeps on a cluster whose nodes come and go end like one on this machine.

Their shards hold all of it.
"""

import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.requests import Reply, Request
from hallascope.engine.export.shards import Shards, merge, shards
from hallascope.engine.models import roles
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.ray.cluster import ClusterNode, WorkerLost
from hallascope.engine.sweep.ray.models import ClusterModelRegistry
from hallascope.engine.sweep.ray.worker import Fitness
from hallascope.engine.sweep.runner import SweepEnded
from tests.engine.storage.test_killed import rows
from tests.support.fake_cluster import FakeCluster, FakeWorker
from tests.support.sweep_services import SPEC, World

NODES = ClusterNode("1", "one", 2), ClusterNode("2", "two", 2)


@pytest.fixture(scope="module")
def undisturbed(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    world = World(shutil.copytree(empty, tmp_path_factory.mktemp("undisturbed") / "home"))
    world.run()
    world.close()
    return rows(world.store)


def joined(world: World, chance: random.Random | None = None) -> None:
    """Put the models of a world onto a pretended cluster.

    With a `chance` one call in eight ends a worker, or its node.
    """
    given = world.services.registry.preloaded_backends()

    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        fate = chance.random() if chance else 1.0
        if fate < 0.03 and len(cluster.there) > 1 and worker.node in cluster.there:
            cluster.there.remove(worker.node)
        elif fate < 0.06:
            cluster.there[:] = NODES
        if fate < 0.12:
            raise WorkerLost("its process ended")
        return roles.call(given[worker.model], requests, lambda step, steps: None)

    fit = {
        (name, node.id): Fitness(None, model.revision, model.limits)
        for name, model in given.items()
        for node in NODES
    }
    cluster = FakeCluster(*NODES, says=says, fit=fit)
    world.services.registry = ClusterModelRegistry(
        ModelRegistry(world.services.registry.specs), cluster.models()
    )


def swept(world: World, into: Path | None = None) -> SweepEnded:
    sweep, planned = world.sweep(SPEC), world.planned(SPEC)
    events = sweep.events("ray")
    *_, end = (
        Shards(world.services, into, size=2).write_finished_runs(planned.id, events)
        if into
        else events
    )
    assert isinstance(end, SweepEnded)
    return end


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, 6))]
)
def test_a_sweep_whose_workers_and_nodes_are_lost_at_random_loses_nothing_and_doubles_nothing(
    empty: Path, undisturbed: list[Any], tmp_path: Path, seed: int
) -> None:
    world, chance = World(shutil.copytree(empty, tmp_path / "home")), random.Random(seed)
    for _ in range(5):
        joined(world, chance)
        if not swept(
            world
        ).failed:  # what was lost more often than it is tried is asked again by the same command
            break
    assert rows(world.store) == undisturbed
    world.close()


def test_the_shards_of_a_sweep_hold_all_of_it(
    empty: Path, undisturbed: list[Any], tmp_path: Path
) -> None:
    world = World(shutil.copytree(empty, tmp_path / "home"))
    joined(world)
    swept(world, tmp_path / "shards")
    world.close()
    assert len(shards(tmp_path / "shards")) == 2
    whole = Store(folder=shutil.copytree(empty, tmp_path / "whole"))
    assert merge(whole, tmp_path / "shards").missing == 0
    without_replies = slice(0, -2)
    assert rows(whole)[without_replies] == undisturbed[without_replies]
    assert rows(whole)[-1] == undisturbed[-1]
    whole.close()
