"""What a request is likely to take of services that cost something, before anything is asked of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from data.models import ModelSpec
from data.records import Picture
from data.requests import Generate, Request
from engine import budget, cache
from engine.budget import Estimate
from engine.evaluating import Judging, Setup, known
from engine.seats import Seat, paid
from engine.store import Store
from metrics.base import Metric

NOT_YET = Picture("", Path())  # stands for a picture that is still to be made


def costs(spec: ModelSpec) -> bool:
    """Whether a model may cost money: services do, unless their entry says that they are free."""
    return spec.kind == "api" and (spec.price is None or paid(spec.price) is not None)


def estimate(setup: Setup, store: Store, spec: Callable[[str], ModelSpec], seat: Callable[[str], Seat]) -> Estimate:
    """Counts what is not there yet: pictures, and the first step of what each metric asks of each picture and trial."""
    asked: dict[str, list[Request]] = {}
    made = {shot.generation: shot.picture for shot in store.shots(setup.run)}
    for place in setup.places:
        if place.id not in setup.uploads and not made.get(place.id):
            asked.setdefault(place.model, []).append(Generate(place.prompt, place.seed))
    done = known(store, setup.run)
    for place in setup.places:
        picture = setup.uploads.get(place.id) or made.get(place.id) or NOT_YET
        for metric in setup.metrics:
            for trial in range(setup.request.trials):
                if Judging(place.id, metric.name, trial) not in done:
                    _first_step(asked, setup, metric, picture, trial, store, seat)
    lines = [budget.line(name, requests, spec(name).price) for name, requests in asked.items() if requests and costs(spec(name))]
    return Estimate(tuple(lines))


def _first_step(
    asked: dict[str, list[Request]], setup: Setup, metric: Metric, picture: Picture, trial: int, store: Store, seat: Callable[[str], Seat]
) -> None:
    """Adds what the metric asks first and nobody has answered yet.

    Where it has a text written first, what it asks without a writer stands for what it is going to ask after that.
    """
    models: Mapping[str, str | None] = {"judge": setup.request.judge, "writer": setup.request.writer}
    case = setup.case(picture)
    found: dict[str, tuple[str, Request]] = {}
    for alike in (case, replace(case, writer=False)):
        plan = metric.plan(alike)
        for request in next(plan, []):
            if name := models.get(request.role):
                at = seat(name)
                found[cache.key(request, name, at.revision, at.settings, trial)] = (name, request)
        plan.close()
    there = store.replies(found) if picture is not NOT_YET else {}
    for key, (name, request) in found.items():
        if key not in there:
            asked.setdefault(name, []).append(request)
