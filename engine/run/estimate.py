"""Estimates what a request is likely to take of paid services, before anything is asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Generate, Reply, Request, Write
from hallascope.engine.models.roles import BoundModel, paid
from hallascope.engine.money import budget
from hallascope.engine.money.budget import CostEstimate
from hallascope.engine.run import cache, dry_run, pipeline
from hallascope.engine.run.evaluation import EvaluationKey, PreparedRun, stored_evaluations
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import Metric

NOT_YET = Picture("", Path())  # stands for a picture that is still to be made


def costs(spec: ModelSpec) -> bool:
    """Whether a model may cost money: services do, unless their entry says that they are free."""
    return spec.kind == "api" and (spec.price is None or paid(spec.price) is not None)


def estimate(
    setup: PreparedRun,
    store: Store,
    spec: Callable[[str], ModelSpec],
    seat: Callable[[str], BoundModel],
) -> CostEstimate:
    """Count what is missing: pictures, and what each metric is likely to ask of each.

    It is for each picture and trial.
    """
    asked: dict[str, list[Request]] = {}
    made = {shot.generation: shot.picture for shot in store.shots(setup.run)}
    for place in setup.places:
        if place.id not in setup.uploads and not made.get(place.id):
            drawing = setup.drawings[place.id]
            if isinstance(drawing, Generate):
                asked.setdefault(place.model, []).append(drawing)
    done = stored_evaluations(store, setup.run)
    for metric in setup.metrics:
        if any(costs(spec(name)) for name in pipeline.for_metric(setup.request, metric).values()):
            for place in setup.places:
                picture = setup.uploads.get(place.id) or made.get(place.id) or NOT_YET
                for trial in range(setup.request.trials):
                    if EvaluationKey(place.id, metric.name, trial) not in done:
                        _likely(
                            asked=asked,
                            setup=setup,
                            metric=metric,
                            picture=picture,
                            trial=trial,
                            store=store,
                            seat=seat,
                        )
    paid_for = {
        name: requests for name, requests in asked.items() if requests and costs(spec(name))
    }
    lines = [
        budget.line(name, requests, spec(name).price, spec(name).settings)
        for name, requests in paid_for.items()
    ]
    return CostEstimate(tuple(lines))


def _likely(
    asked: dict[str, list[Request]],
    setup: PreparedRun,
    metric: Metric,
    picture: Picture,
    trial: int,
    *,
    store: Store,
    seat: Callable[[str], BoundModel],
) -> None:
    """Adds what the metric is likely to ask and nobody has answered yet.

    Where a writer is to be asked first, what the metric asks without one stands for what it is
    going to ask after that.
    """
    models = pipeline.for_metric(setup.request, metric)

    def key(request: Request) -> str:
        at = seat(models[request.role])
        return cache.key(request, at.model, at.revision, at.settings, trial)

    def known(step: Sequence[Request]) -> Mapping[int, Reply]:
        names = [key(request) for request in step]
        there = (
            cache.kept_replies(store, zip(names, step, strict=True))
            if picture is not NOT_YET
            else {}
        )
        return {i: there[name] for i, name in enumerate(names) if name in there}

    case = setup.case(picture, metric)
    likely = {key(request): request for request in dry_run.requests(metric.plan(case), known)}
    if any(isinstance(request, Write) for request in likely.values()):
        without = replace(case, roles=case.roles - {"writer"})
        likely |= {key(one): one for one in dry_run.requests(metric.plan(without), known)}
    for request in likely.values():
        asked.setdefault(models[request.role], []).append(request)
