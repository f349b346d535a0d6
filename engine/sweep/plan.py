"""Plans a sweep: looks up what a specification names, and makes the items and the id."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple

from hallascope.backends.base import HallaScopeError
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
from hallascope.data.yaml_file import Fault
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.events import EvaluateRequest, jsonable
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run import pipeline
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.services import Services
from hallascope.engine.sweep.prompts import SweepPrompt, gather
from hallascope.engine.sweep.spec import BadSpec, Spec
from hallascope.metrics.base import Metric


class SweepItem(NamedTuple):
    """Holds a prompt with some of the seeds, and its position in the sweep."""

    position: int
    request: EvaluateRequest


@dataclass(frozen=True)
class PlannedSweep:
    """Holds a sweep that can be begun.

    `id`: the same work with the same versions of all it names is the same sweep.

    `complaints` are sentences about prompts that were left out. `readings` say by prompt what it
    asks for, before what is stored. `models` are those that its metrics call, with their roles.
    """

    id: str
    spec: Spec
    entries: Sequence[SweepPrompt]
    complaints: Sequence[str]
    readings: Mapping[str, PromptReading] = field(default_factory=dict)
    models: Sequence[tuple[str, Role]] = ()

    def __len__(self) -> int:
        return len(self.entries) * len(self.spec.groups)

    @property
    def pictures(self) -> int:
        """Return how many pictures there will be, if every model makes every one."""
        return (
            len(self.entries)
            * len(self.spec.models)
            * len(self.spec.seeds)
            * (1 + len(self.spec.inject))
        )

    def items(self) -> Iterator[SweepItem]:
        """Yield the items one by one: a long sweep needs no more memory than a short one."""
        for position, (entry, seeds) in enumerate(product(self.entries, self.spec.groups)):
            request = _request(self.spec, entry, seeds)
            reading = self.readings.get(" ".join(entry.prompt.split()))
            yield SweepItem(position, replace(request, reading=reading) if reading else request)


def plan(
    spec: Spec,
    services: Services,
    policy: SpendingPolicy,
    readings: Mapping[str, PromptReading] | None = None,
    *,
    is_dry: bool = False,
) -> PlannedSweep:
    """Look everything up that the specification names, and save the questions it brings.

    Saved questions go before those of I-HallA, and where the sweep `is_dry`, before those of files,
    too. `readings` say by prompt, with single spaces, what it asks for. Raises BadSpec, StoreError.
    """
    checked = _check_names(spec, services, policy)
    sets = services.sets
    prompts = gather(spec, sets.add if is_dry else sets.save, sets.add)
    bind = services.registry.binder(policy.keys)
    models = [*((name, "generator") for name in spec.models), *checked.models]
    questions = services.store.hash_questions(entry.prompt for entry in prompts.entries)
    identity: list[object] = [
        spec.plain() | {"title": ""},
        [_prompt_identity(entry) for entry in prompts.entries],
        [(name, role, bind(name).revision) for name, role in models],
        [(metric.name, metric.version) for metric in checked.metrics],
        questions,
    ]
    # only where there are any, so that sweeps keep the ids they had before
    if any(metric.reads_prompt for metric in checked.metrics):
        given = dict(sorted((readings or {}).items()))
        stored = services.store.readings.newest_of(entry.prompt for entry in prompts.entries)
        if given or stored:
            identity.append([jsonable(stored), jsonable(given)])
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    return PlannedSweep(
        digest[:12],
        spec,
        prompts.entries,
        prompts.complaints,
        readings=readings or {},
        models=checked.models,
    )


def prepare_item(
    item: SweepItem,
    services: Services,
    policy: SpendingPolicy,
    retry: Callable[[Callable[[], PreparedRun]], PreparedRun],
) -> PreparedRun | str:
    """Return all that an item needs, or one sentence why it cannot be begun.

    `retry` calls what may fail while the store is gone. Raises StoreError.
    """
    try:
        return retry(lambda: services.prepare(item.request, policy))
    except StoreError:
        raise
    except HallaScopeError as error:
        return str(error)


def _request(spec: Spec, entry: SweepPrompt, seeds: range) -> EvaluateRequest:
    roles: dict[str, Any] = {str(role): name for role, name in spec.roles.items()}
    request = EvaluateRequest(
        prompt=entry.prompt,
        models=spec.models,
        metrics=spec.metrics,
        judge=spec.judge,
        seed=seeds.start,
        count=len(seeds),
        trials=spec.trials,
        wording=spec.wording,
        prompt_reader=spec.prompt_reader,
        accept_readings=spec.accept_readings,
        **roles,
    )
    return replace(request, factual=entry.factual, inject=spec.inject)


def _prompt_identity(entry: SweepPrompt) -> list[object]:
    """Return what distinguishes a prompt in the id of a sweep."""
    if entry.factual is None:
        return [entry.prompt]
    return [
        entry.prompt,
        entry.factual.task,
        entry.factual.task_text,
        [concept.name for concept in entry.factual.concepts],
    ]


# --- checking the names ---


class _CheckedNames(NamedTuple):
    metrics: tuple[Metric, ...]
    models: tuple[tuple[str, Role], ...]  # those that the metrics call


def _check_names(spec: Spec, services: Services, policy: SpendingPolicy) -> _CheckedNames:
    """Return the metrics of a specification and the models that they call.

    Raises BadSpec with every name that cannot stand, and its line.
    """
    registry = services.registry
    faults: list[Fault] = []

    @contextmanager
    def collected(line: int) -> Iterator[None]:
        """Turn errors raised in the block, except StoreError, into a fault at this line."""
        try:
            yield
        except StoreError:
            raise
        except HallaScopeError as error:
            faults.append(Fault(line, str(error)))

    generators: list[tuple[str, Role]] = [(name, "generator") for name in spec.models]
    judges: list[tuple[str, Role]] = [(spec.judge, "judge")] if spec.judge else []
    others: list[tuple[str, Role]] = [(name, role) for role, name in spec.roles.items()]
    keys = ("models", "judge" if "judge" in spec.lines else "lineup", "lineup")
    for key, named in zip(keys, (generators, judges, others), strict=True):
        for name, role in named:
            with collected(spec.line(key, name)):
                registry.require(name, role, policy.keys)
    wording = OURS  # of a pack that cannot be used the metrics say no more than the pack
    with collected(spec.line("wording")):
        services.wording_pack(spec.wording)
        wording = spec.wording
    for name in spec.metrics:
        with collected(spec.line("metrics", name)):
            services.metric(name, wording)
    spec.complain(faults)
    # the models that the metrics call, the defaults of their roles among them
    metrics = tuple(services.metric(name, spec.wording) for name in spec.metrics)
    lineup = _lineup(spec, metrics, registry, policy)
    models = [*((name, role) for role, name in lineup.items()), *pipeline.fixed_models(metrics)]
    for name, role in models:
        with collected(spec.line("metrics")):
            registry.require(name, role, policy.keys)
    with collected(spec.line("models")):
        services.require_price_consent([*generators, *models], policy)
    spec.complain(faults)
    return _CheckedNames(metrics, tuple(models))


def _lineup(
    spec: Spec, metrics: Sequence[Metric], registry: ModelRegistry, policy: SpendingPolicy
) -> Mapping[Role, str]:
    """Return the models that the metrics call. Raises BadSpec where a role is not filled."""

    def can_run(name: str) -> bool:
        return registry.unavailable_reason(name, policy.keys) is None

    request = _request(spec, SweepPrompt("a prompt"), spec.groups[0])
    try:
        return pipeline.for_run(
            pipeline.with_defaults(request, metrics, can_run, registry.fills), metrics
        )
    except BadRequest as error:
        raise BadSpec(str(spec.file), [Fault(spec.line("metrics"), str(error))]) from None
