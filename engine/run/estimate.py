"""Estimates what a request is likely to take of paid services, before anything is asked."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import NamedTuple

from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Generate, ReadPrompt, Reply, Request, Role, Write
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.roles import BoundModel, charged_price, leaf_requests
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.likely_costs import CostEstimate, cost_line
from hallascope.engine.run import dry_run, pipeline
from hallascope.engine.run.calls import cache
from hallascope.engine.run.evaluation import EvaluationKey, stored_evaluations
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.run.prompt_understanding import is_drawn
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import Case, Metric

# stands for a picture that is still to be made
NOT_YET = Picture("", Path())


def costs(spec: ModelSpec) -> bool:
    """Return whether a model may cost money.

    Services do, unless their entry says that they are free.
    """
    return spec.kind == "api" and (spec.price is None or charged_price(spec.price) is not None)


def require_price_consent(specs: Sequence[ModelSpec], terms: SpendingPolicy) -> None:
    """Raise BadRequest where a model's price is unknown, and the person did not allow that.

    On a public app a person can allow it only for a key of their own.
    """
    unpriced = [spec for spec in specs if costs(spec) and spec.price is None]
    if not unpriced:
        return
    paid_by_host = [spec for spec in unpriced if not terms.keys.is_session_key(spec.key or "")]
    if public() and paid_by_host:
        raise BadRequest(
            f"It is unknown what {paid_by_host[0].id!r} costs, so it is asked with a key of"
            " your own alone: type one."
        )
    if not terms.unpriced:
        raise BadRequest(
            f"It is unknown what {unpriced[0].id!r} costs, so no cap holds for it: allow"
            " models without a known price (--unpriced), or give its price in a file of models"
            " (HALLASCOPE_MODELS)."
        )


def estimate(
    prepared: PreparedRun,
    store: Store,
    spec: Callable[[str], ModelSpec],
    bind: Callable[[str], BoundModel],
    with_members: Callable[[str], Sequence[ModelSpec]],
    before: Mapping[str, Sequence[Request]],
) -> CostEstimate:
    """Return what the missing pictures, and the likely requests of each metric, are likely to cost.

    Requests are counted for each picture and trial; a picture that its model cannot draw takes
    none. `with_members` gives the entry of a model and of those that it answers through. `before`:
    what models are asked before the run, by model.
    """
    requests_by_model: dict[str, list[Request]] = defaultdict(list)
    for model, asked in before.items():
        requests_by_model[model] += asked
    drawn = {
        shot.generation: shot.picture
        for shot in store.generated_pictures(prepared.run)
        if shot.picture
    }
    pictures = {**drawn, **prepared.uploads}
    judged = []
    for slot in prepared.slots:
        drawing = prepared.drawings.get(slot.id)
        if slot.id in pictures:
            judged.append(slot)
        elif isinstance(drawing, Generate) and is_drawn(spec(slot.model), drawing):
            judged.append(slot)
            requests_by_model[slot.model].append(drawing)

    def is_paid(metric: Metric) -> bool:
        models = pipeline.for_metric(prepared.request, metric)
        return any(costs(own) for model in models.values() for own in with_members(model))

    paid_metrics = [metric for metric in prepared.metrics if is_paid(metric)]
    stored = stored_evaluations(store, prepared.run)
    trials = range(prepared.request.trials)
    for metric, slot, trial in product(paid_metrics, judged, trials):
        if EvaluationKey(slot.id, metric.name, trial) in stored:
            continue
        forecast = EvaluationForecast(
            prepared=prepared,
            metric=metric,
            picture=pictures.get(slot.id, NOT_YET),
            trial=trial,
            store=store,
            bind=bind,
            may_be_kept=lambda request, picture: (
                picture is not NOT_YET or isinstance(request, ReadPrompt)
            ),
        )
        for model, request in forecast.requests().values():
            requests = requests_by_model[model]
            # a prompt is read once for all its pictures
            if not isinstance(request, ReadPrompt) or request not in requests:
                requests.append(request)
    lines = [
        cost_line(model, requests, spec(model).price, spec(model).settings)
        for model, requests in requests_by_model.items()
        if costs(spec(model))
    ]
    return CostEstimate(tuple(lines))


class ForecastRequest(NamedTuple):
    """Holds what a model is likely to be asked."""

    model: str
    request: Request


@dataclass(frozen=True, kw_only=True)
class EvaluationForecast:
    """Finds out what a metric is likely to ask about one picture in one trial.

    `may_be_kept` says of a request and that picture whether the store may have the reply.
    """

    prepared: PreparedRun
    metric: Metric
    picture: Picture
    trial: int
    store: Store
    bind: Callable[[str], BoundModel]
    may_be_kept: Callable[[Request, Picture], bool]

    @cached_property
    def models(self) -> Mapping[Role, str]:
        return pipeline.for_metric(self.prepared.request, self.metric)

    def requests(self) -> dict[str, ForecastRequest]:
        """Return what the metric is likely to ask and nobody has answered yet, by key.

        What follows a writer's reply is not known: it is much like what the metric asks without a
        writer. Equal requests have one key, and are asked once. What a judge is asked that answers
        through others stands there as what these are asked.
        """
        case = self.prepared.case(self.picture, self.metric)
        likely = self._likely_requests(case)
        if any(isinstance(own.request, Write) for own in likely.values()):
            likely |= self._likely_requests(replace(case, roles=case.roles - {"writer"}))
        return likely

    def _likely_requests(self, case: Case) -> dict[str, ForecastRequest]:
        likely: dict[str, ForecastRequest] = {}
        for request in dry_run.requests(self.metric.plan(case), self._stored_replies):
            model = self.bind(self.models[request.role])
            leaves = leaf_requests(model, request)
            keyed = [(self._key(leaf.model, leaf.request), leaf) for leaf in leaves]
            stored = self._kept_replies([(key, leaf.request) for key, leaf in keyed])
            likely |= {
                key: ForecastRequest(leaf.model.model, leaf.request)
                for key, leaf in keyed
                if model.delegation is None or key not in stored
            }
        return likely

    def _stored_replies(self, step: Sequence[Request]) -> Mapping[int, Reply]:
        bound = [self.bind(self.models[request.role]) for request in step]
        keys = [self._key(model, own) for model, own in zip(bound, step, strict=True)]
        replies = self._kept_replies(list(zip(keys, step, strict=True)))
        return {i: replies[key] for i, key in enumerate(keys) if key in replies}

    def _kept_replies(self, keyed: Sequence[tuple[str, Request]]) -> Mapping[str, Reply]:
        known = [(key, own) for key, own in keyed if self.may_be_kept(own, self.picture)]
        return cache.kept_replies(self.store, known)

    def _key(self, model: BoundModel, request: Request) -> str:
        return cache.key(request, model.model, model.revision, model.settings, self.trial)
