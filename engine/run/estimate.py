"""Estimates what a request is likely to take of paid services, before anything is asked."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Generate, Reply, Request, Write
from hallascope.engine.models.roles import BoundModel, charged_price
from hallascope.engine.money import budget
from hallascope.engine.money.budget import CostEstimate
from hallascope.engine.run import cache, dry_run, pipeline
from hallascope.engine.run.evaluation import EvaluationKey, stored_evaluations
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import Metric

# stands for a picture that is still to be made
NOT_YET = Picture("", Path())


def costs(spec: ModelSpec) -> bool:
    """Return whether a model may cost money.

    Services do, unless their entry says that they are free.
    """
    return spec.kind == "api" and (spec.price is None or charged_price(spec.price) is not None)


def estimate(
    prepared: PreparedRun,
    store: Store,
    spec: Callable[[str], ModelSpec],
    bind: Callable[[str], BoundModel],
) -> CostEstimate:
    """Count what is missing: pictures, and what each metric is likely to ask of each.

    It is for each picture and trial.
    """
    shots = {shot.generation: shot.picture for shot in store.generated_pictures(prepared.run)}
    pictures = {slot: picture for slot, picture in shots.items() if picture} | dict(
        prepared.uploads
    )
    requests: dict[str, list[Request]] = defaultdict(list)
    for slot in prepared.slots:
        drawing = prepared.drawings.get(slot.id)
        if slot.id not in pictures and isinstance(drawing, Generate):
            requests[slot.model].append(drawing)
    paid_metrics = [
        metric
        for metric in prepared.metrics
        if any(costs(spec(name)) for name in pipeline.for_metric(prepared.request, metric).values())
    ]
    stored = stored_evaluations(store, prepared.run)
    trials = range(prepared.request.trials)
    for metric, slot, trial in product(paid_metrics, prepared.slots, trials):
        if EvaluationKey(slot.id, metric.name, trial) not in stored:
            picture = pictures.get(slot.id, NOT_YET)
            likely = _likely_requests(prepared, metric, picture, trial, store=store, bind=bind)
            for model, request in likely:
                requests[model].append(request)
    return CostEstimate(
        tuple(
            budget.cost_line(name, own, spec(name).price, spec(name).settings)
            for name, own in requests.items()
            if costs(spec(name))
        )
    )


def _likely_requests(
    prepared: PreparedRun,
    metric: Metric,
    picture: Picture,
    trial: int,
    *,
    store: Store,
    bind: Callable[[str], BoundModel],
) -> Iterator[tuple[str, Request]]:
    """Yield what the metric is likely to ask and nobody has answered yet, with the model.

    Where a writer is to be asked first, what the metric asks without one stands for what it is
    going to ask after that.
    """
    models = pipeline.for_metric(prepared.request, metric)

    def key(request: Request) -> str:
        model = bind(models[request.role])
        return cache.key(request, model.model, model.revision, model.settings, trial)

    def stored_replies(step: Sequence[Request]) -> Mapping[int, Reply]:
        if picture is NOT_YET:
            return {}
        keys = [key(request) for request in step]
        replies = cache.kept_replies(store, zip(keys, step, strict=True))
        return {i: replies[name] for i, name in enumerate(keys) if name in replies}

    case = prepared.case(picture, metric)
    plan = metric.plan(case)
    likely = {key(request): request for request in dry_run.requests(plan, stored_replies)}
    if any(isinstance(request, Write) for request in likely.values()):
        without_writer = metric.plan(replace(case, roles=case.roles - {"writer"}))
        for request in dry_run.requests(without_writer, stored_replies):
            likely[key(request)] = request
    for request in likely.values():
        yield models[request.role], request
