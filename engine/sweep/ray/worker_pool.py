"""Manages the workers of all models on a cluster: started on demand, given up when lost.

They start where there is room.

It knows a cluster by its protocol alone, and no plan, no store and no page.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from hallascope.backends.base import CallLimits, OnStep, Transient, Unavailable
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Reply, Request
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.engine.models.registry import deadline
from hallascope.engine.models.roles import BoundModel, paid
from hallascope.engine.sweep.ray.model_workers import ModelWorkers, PooledWorker
from hallascope.engine.sweep.ray.protocols import Cluster, OnWait, WorkerHandle, WorkerLost
from hallascope.engine.sweep.ray.scheduling import (
    ClusterCapacity,
    ClusterNode,
    ResourceNeed,
    WorkerPlacement,
    need,
    share_accelerators,
    worker_counts,
)
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError

LOOK = 5.0  # seconds between two looks at which nodes there are
# seconds after which whoever waits for a worker looks whether anybody still waits for the reply
WAIT = 0.5
PATIENCE = 300.0  # seconds that a model waits for room on a node before it is given up


class WorkerPool:
    """The workers.

    `most` is the largest number of them for one model; None: as many as there is room for.

    Safe to use from many threads. `clock` gives seconds.
    """

    def __init__(
        self, cluster: Cluster, most: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._cluster = cluster
        self._most = most
        self._clock = clock
        self._nodes = {node.id: node for node in cluster.nodes()}
        self._teams: dict[str, ModelWorkers] = {}
        self._room = ClusterCapacity([])
        self._shares: tuple[dict[str, ResourceNeed], Counter[str]] | None = (
            None  # until a model or a node comes or goes
        )
        self._looked = clock()
        self._changed = threading.Condition(threading.RLock())

    @property
    def nodes(self) -> tuple[ClusterNode, ...]:
        """The nodes as they were when they were last looked at."""
        return tuple(self._nodes.values())

    # --- models
    # ----------------------------------------------------------------------------------------------

    def unavailable_reason(self, spec: ModelSpec) -> str | None:
        """Why the model can run on no node, in one sentence.

        None: it can, and gets its share of the room from now on.
        """
        with self._changed:
            return self._team(spec).unfit_reason(self._nodes)

    def _team(self, spec: ModelSpec) -> ModelWorkers:
        if spec.id not in self._teams:
            found = self._cluster.fitness([spec], self.nodes)
            self._teams[spec.id], self._shares = ModelWorkers(spec=spec), None
            self._teams[spec.id].know({name: found[spec.id, name] for name in self._nodes})
        return self._teams[spec.id]

    def seat(self, spec: ModelSpec) -> BoundModel:
        """The model in its role, asked on the cluster. Raises Unavailable."""
        if reason := self.unavailable_reason(spec):
            raise Unavailable(reason)
        with self._changed:
            team = self._team(spec)
            workers = max(1, self._compute_shares()[1][spec.id])
        limits = CallLimits(team.limits.batch, team.limits.concurrency * workers, team.limits.start)
        call = partial(self._ask, team)
        service = spec.kind == "api"
        return BoundModel(
            model=spec.id,
            revision=team.revision,
            call=call,
            limits=limits,
            settings=spec.settings,
            timeout=deadline(spec),
            price=paid(spec.price),
            pace=ConcurrencyLimiter(limits),
            service=service,
        )

    def _compute_shares(self) -> tuple[dict[str, ResourceNeed], Counter[str]]:
        """Compute what a worker of each model takes, and how many it may have.

        All that can run somewhere get their share.
        """
        if self._shares is None:
            able = {
                name: nodes
                for name, team in self._teams.items()
                if (nodes := team.able_nodes(self._nodes))
            }
            wanted = {
                name: need(self._teams[name].spec, any(node.gpus for node in nodes))
                for name, nodes in able.items()
            }
            needs = share_accelerators(wanted, self._nodes.values())
            self._shares = needs, worker_counts(needs, able, self._most)
        return self._shares

    # --- calls
    # ----------------------------------------------------------------------------------------------

    def _ask(self, team: ModelWorkers, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
        """Ask the worker that has the least to do.

        Raises what the model raises, and Transient where the worker is lost.
        """
        wait = partial(on_step, 0, 0)
        worker = self._lease_worker(team, wait)
        try:
            said = worker.hand.ask(requests, wait)
        except WorkerLost as lost:
            self._lose(team, worker, str(lost), requests[0])
            message = (
                f"{team.spec.id} was lost on the node {worker.place.node.name} ({lost}): run it"
                " again to ask another worker."
            )
            raise Transient(
                message, "timeout", retry_after=0.0
            ) from lost  # what it cost is not known: as likely
        finally:
            self._give_back(worker)
        if isinstance(said, RemoteError):
            raise said.error()
        team.losses.pop(worker.place.node.id, None)
        return said

    def _lease_worker(self, team: ModelWorkers, on_wait: OnWait) -> PooledWorker:
        """A worker with room for one more call.

        One more is started where all are busy and there is room for it.

        Raises Unavailable where no node can run the model any more, or none has had room for it for
        long.
        """
        began = self._clock()
        while True:
            with self._changed:
                if worker := team.idlest():
                    worker.busy += 1
                    return worker
                place = self._reserve_place(team)
                if place is None:
                    self._despair(team, began)
                    self._changed.wait(WAIT)
            if place:
                self._start(team, place, on_wait)
            else:
                self._look()
                on_wait()

    def _give_back(self, worker: PooledWorker) -> None:
        with self._changed:
            worker.busy -= 1
            self._changed.notify_all()

    def _despair(self, team: ModelWorkers, began: float) -> None:
        if team.workers or team.starting:
            return
        if reason := team.unfit_reason(self._nodes):
            raise Unavailable(reason)
        if self._clock() - began > PATIENCE:
            raise Unavailable(
                f"No node of the cluster has had room for {team.spec.title} for {PATIENCE:g}"
                " seconds: add a node, or use fewer models at once, and start it again to go on."
            )

    # --- workers
    # ----------------------------------------------------------------------------------------------

    def _reserve_place(self, team: ModelWorkers) -> WorkerPlacement | None:
        """Room for one more worker of the model, taken.

        None where there is none, or it has its share.
        """
        model = team.spec.id
        there = len(team.workers) + team.starting
        needs, shares = self._compute_shares()
        if model not in needs or (there and there >= shares[model]):
            return None
        able = team.able_nodes(self._nodes)
        wanted = needs[model]
        node = self._room.best(model, wanted, able)
        if node:
            place = WorkerPlacement(model, node, wanted)
        elif there:
            place = None
        else:
            place = self._room.squeezed(model, wanted, able)
        if place:
            self._room.taken.append(place)
            team.starting += 1
        return place

    def _start(self, team: ModelWorkers, place: WorkerPlacement, on_wait: OnWait) -> None:
        """Start and load a worker; where that cannot be, the node is not asked again."""
        hand: WorkerHandle | None = None
        try:
            hand = self._cluster.start(team.spec, place, team.limits.concurrency, on_wait)
            self._began(team, PooledWorker(hand, place), hand.load(on_wait))
        except BaseException as error:
            if hand:
                hand.end()
            self._free(place)
            if not isinstance(error, WorkerLost):
                raise
            self._count(team, place, str(error), place)
        finally:
            with self._changed:
                team.starting -= 1
                self._changed.notify_all()

    def _began(self, team: ModelWorkers, worker: PooledWorker, said: RemoteError | None) -> None:
        with self._changed:
            if said is None:
                team.workers.append(worker)
                return
            team.fit[worker.place.node.id], self._shares = Fitness(said.message), None
            self._free(worker.place)
        worker.hand.end()

    def _lose(self, team: ModelWorkers, worker: PooledWorker, why: str, about: object) -> None:
        """A worker is no more; all calls that were with it say so, and the first counts."""
        with self._changed:
            if worker not in team.workers:
                return
            team.workers.remove(worker)
            self._free(worker.place)
        worker.hand.end()
        self._count(team, worker.place, why, about)

    def _count(self, team: ModelWorkers, place: WorkerPlacement, why: str, about: object) -> None:
        with self._changed:
            if team.lost(place.node, why, about):
                self._shares = None
            self._looked = self._clock() - LOOK
        self._look()

    def _free(self, place: WorkerPlacement) -> None:
        with self._changed:
            self._room.taken = [one for one in self._room.taken if one is not place]
            self._changed.notify_all()

    # --- nodes
    # ----------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """See which nodes there are now, and whether the models can run on the new ones.

        Not more often than every LOOK seconds.

        Nodes are asked while nobody else has to wait: one that is coming up takes its time.
        """
        with self._changed:
            if self._clock() - self._looked < LOOK:
                return
            self._looked = self._clock()
            teams = list(self._teams.values())
        found = {node.id: node for node in self._cluster.nodes()}
        new = [node for name, node in found.items() if any(name not in team.fit for team in teams)]
        fit = self._cluster.fitness([team.spec for team in teams], new) if new else {}
        with self._changed:
            if found != self._nodes or new:
                self._nodes = found
                self._shares = None
            for team in teams:
                team.know(
                    {node.id: fit[team.spec.id, node.id] for node in new if node.id not in team.fit}
                )

    def rest(self) -> None:
        """End all workers; the next call starts new ones."""
        with self._changed:
            workers = [worker for team in self._teams.values() for worker in team.workers]
            for team in self._teams.values():
                team.workers.clear()
            self._room.taken.clear()
        for worker in workers:
            worker.hand.end()

    def close(self) -> None:
        """End all workers and leave the cluster."""
        self.rest()
        self._cluster.close()
