"""A specification with its prompts, models and metrics looked up: the items of a sweep, and its id.

It asks no model and begins nothing.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from hallascope.backends.base import HallaScopeError
from hallascope.data.yaml_file import Fault
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.run import pipeline as lineup
from hallascope.engine.run.evaluation import PreparedRun
from hallascope.engine.services import Services
from hallascope.engine.sweep.prompts import SweepPrompt, gather
from hallascope.engine.sweep.spec import BadSpec, ConsecutiveSeeds, Spec
from hallascope.engine.sweep.store import SweepStore, normalize_prompts
from hallascope.metrics.base import Metric


class SweepItem(NamedTuple):
    """A prompt with some of the seeds, by its place in the sweep."""

    position: int
    request: EvaluateRequest


@dataclass(frozen=True)
class PlannedSweep:
    """A sweep that can be begun.

    `id`: the same work with the same versions of all it names is the same sweep.

    `complaints` are sentences about prompts that were left out.
    """

    id: str
    spec: Spec
    entries: Sequence[SweepPrompt]
    complaints: Sequence[str]

    def __len__(self) -> int:
        return len(self.entries) * len(self.spec.groups)

    @property
    def pictures(self) -> int:
        """How many pictures there will be, if every model makes every one."""
        return (
            len(self.entries)
            * len(self.spec.models)
            * len(self.spec.seeds)
            * (1 + len(self.spec.inject))
        )

    def items(self) -> Iterator[SweepItem]:
        """One after another, so that a long sweep needs no more memory than a short one."""
        for position, (entry, seeds) in enumerate(product(self.entries, self.spec.groups)):
            yield SweepItem(position, _request(self.spec, entry, seeds))


def plan(spec: Spec, services: Services, terms: SpendingPolicy) -> PlannedSweep:
    """Look everything up that the specification names, and save the questions it brings.

    Raises BadSpec, StoreError.
    """
    asking = _check_names(spec, services, terms)
    found = gather(spec, services.sets.save)
    seat = services.roster.binder(terms.keys)
    prompts = [_prompt_identity(entry) for entry in found.entries]
    named = [
        *((name, "generator") for name in spec.models),
        *((name, role) for role, name in asking.lineup),
    ]
    versions = [(name, role, seat(name).revision) for name, role in named]
    questions = SweepStore(services.store.database).questions(
        normalize_prompts(entry.prompt for entry in found.entries)
    )
    whole = [
        spec.plain() | {"title": ""},
        prompts,
        versions,
        [(m.name, m.version) for m in asking.metrics],
        questions,
    ]
    name = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:12]
    return PlannedSweep(name, spec, found.entries, found.complaints)


def prepare_item(
    item: SweepItem,
    services: Services,
    terms: SpendingPolicy,
    patience: Callable[[Callable[[], PreparedRun]], PreparedRun],
) -> PreparedRun | str:
    """All that an item needs, or one sentence why it cannot be begun. Raises StoreError."""
    try:
        return patience(lambda: services.prepare(item.request, terms))
    except StoreError:
        raise
    except HallaScopeError as error:
        return str(error)


def _request(spec: Spec, entry: SweepPrompt, seeds: ConsecutiveSeeds) -> EvaluateRequest:
    roles: dict[str, Any] = {str(role): name for role, name in spec.roles.items()}
    asked = EvaluateRequest(
        prompt=entry.prompt,
        models=spec.models,
        metrics=spec.metrics,
        judge=spec.judge,
        seed=seeds.first,
        count=seeds.count,
        trials=spec.trials,
        **roles,
    )
    return replace(asked, factual=entry.factual, inject=spec.inject)


def _prompt_identity(entry: SweepPrompt) -> list[object]:
    """What of a prompt makes a sweep another one."""
    if entry.factual is None:
        return [entry.prompt]
    return [
        entry.prompt,
        entry.factual.task,
        entry.factual.task_text,
        [concept.name for concept in entry.factual.concepts],
    ]


# --- checking
# --------------------------------------------------------------------------------------------------


class _MetricsAndLineup(NamedTuple):
    metrics: tuple[Metric, ...]
    lineup: tuple[tuple[Any, str], ...]  # role and model


def _check_names(spec: Spec, services: Services, terms: SpendingPolicy) -> _MetricsAndLineup:
    """The metrics and who they ask.

    Raises BadSpec with every name that cannot stand, and its line.
    """
    faults: list[Fault] = []

    def look(line: int, do: Callable[[], object]) -> None:
        try:
            do()
        except StoreError:
            raise
        except HallaScopeError as error:
            faults.append(Fault(line, str(error)))

    judge: list[tuple[Any, str]] = [("judge", spec.judge)] if spec.judge else []
    for role, name in [*(("generator", name) for name in spec.models), *judge, *spec.roles.items()]:
        if role == "generator":
            key = "models"
        elif role == "judge" and "judge" in spec.lines:
            key = "judge"
        else:
            key = "lineup"
        look(spec.line(key, name), partial(services.roster.require, name, role, terms.keys))
    for name in spec.metrics:
        look(spec.line("metrics", name), partial(services.metric, name))
    spec.complain(faults)
    asking = _asking(spec, services, terms, look)
    spec.complain(faults)
    return asking


def _asking(
    spec: Spec,
    services: Services,
    terms: SpendingPolicy,
    look: Callable[[int, Callable[[], object]], None],
) -> _MetricsAndLineup:
    """Who the metrics ask, where nobody is named for a role as well."""
    metrics = tuple(services.metric(name) for name in spec.metrics)
    request = _request(spec, SweepPrompt("a prompt"), spec.groups[0])
    request = lineup.with_defaults(
        request, metrics, lambda name: services.roster.unavailable_reason(name, terms.keys) is None
    )
    try:
        filled = lineup.for_run(request, metrics)
    except BadRequest as error:
        raise BadSpec(str(spec.file), [Fault(spec.line("metrics"), str(error))]) from None
    asked = [*filled.items(), *((role, name) for name, role in lineup.fixed_models(metrics))]
    for role, name in asked:
        look(spec.line("metrics"), partial(services.roster.require, name, role, terms.keys))
    named = [
        *((name, "generator") for name in spec.models),
        *((name, role) for role, name in asked),
    ]
    look(spec.line("models"), lambda: services.require_price_consent(named, terms))
    return _MetricsAndLineup(metrics, tuple(asked))
