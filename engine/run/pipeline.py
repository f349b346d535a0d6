"""Decides which model fills which role in an evaluation: what a person chose, else the default."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hallascope.data.models.specs import DEFAULTS, OF_METRIC
from hallascope.data.requests import ROLES, Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.metrics.base import Metric

# the model of each role that is filled
Lineup = Mapping[Role, str]
_CHOSEN: tuple[Role, ...] = (
    "judge",
    "captioner",
    "writer",
    "parser",
    "detector",
    "segmenter",
    "embedder",
    "reader",
)


def resolve(request: EvaluateRequest) -> dict[Role, str]:
    """Return every role that may be asked with the model chosen for it, else the default."""
    named: dict[Role, str | None] = {
        role: getattr(request, role) or DEFAULTS.get(role) for role in _CHOSEN
    }
    return {role: model for role, model in named.items() if model}


def for_metric(request: EvaluateRequest, metric: Metric) -> dict[Role, str]:
    """Return the roles that a metric asks, and optional ones that the request fills."""
    models = resolve(request) | dict(OF_METRIC.get(metric.name, {}))
    named = [role for role in metric.optional_roles if getattr(request, role)]
    return {
        role: models[role]
        for role in ROLES
        if role in models and role in (*metric.required_roles, *named)
    }


def with_defaults(
    request: EvaluateRequest,
    requested: Sequence[Metric],
    can_run: Callable[[str], bool],
    fills: Callable[[str, Role], bool],
) -> EvaluateRequest:
    """Return the request with default models in optional roles of its metrics.

    They fill roles where nobody is named, if they run here. The writer or the judge also reads
    prompts, where it can, unless the rules alone are to read them.
    """
    optional = {role for metric in requested for role in metric.optional_roles}
    defaults: dict[str, Any] = {
        role: DEFAULTS[role]
        for role in ROLES
        if role in optional and role in DEFAULTS and not getattr(request, role)
    }
    request = replace(
        request, prompt_reader=request.prompt_reader or ("model" if request.parser else "auto")
    )
    if "parser" in optional and not request.parser and request.prompt_reader != "rules":
        able = (
            model
            for model in (request.writer, request.judge)
            if model and fills(model, "parser") and can_run(model)
        )
        defaults["parser"] = next(able, None)
    able_models = {
        role: model for role, model in defaults.items() if model is not None and can_run(model)
    }
    return replace(request, **able_models)


def without_idle_models(
    request: EvaluateRequest, able: Sequence[Metric], requested: Sequence[Metric]
) -> EvaluateRequest:
    """Return the request without models that are named only for metrics that cannot run here."""
    if len(able) == len(requested):
        return request
    idle = _roles(requested) - _roles(able) - {"judge"}
    changes: dict[str, Any] = {role: None for role in _CHOSEN if role in idle}
    return replace(request, **changes)


def _roles(metrics: Sequence[Metric]) -> set[Role]:
    return {role for metric in metrics for role in (*metric.required_roles, *metric.optional_roles)}


def for_run(request: EvaluateRequest, requested: Sequence[Metric]) -> dict[Role, str]:
    """Return the models of all roles of a run: those that its metrics ask.

    A writer also where none of them does, a judge where there is no metric.

    Raises BadRequest where nobody fills a role without which a metric cannot say anything; without
    a judge it is left out.
    """
    models = resolve(request)
    roles: set[Role] = {"writer"} if requested else {"writer", "judge"}
    for metric in requested:
        if metric.name in OF_METRIC:
            continue
        for role in metric.required_roles:
            if role not in models and role != "judge":
                raise BadRequest(
                    f"{metric.title} needs a {role} and none is chosen: name a model for that"
                    f" role (--{role})."
                )
        roles |= for_metric(request, metric).keys()
    return {role: models[role] for role in ROLES if role in models and role in roles}


def fixed_models(metrics: Sequence[Metric]) -> list[tuple[str, Role]]:
    """Return the models of metrics that are named after one, with their roles."""
    return [
        (model, role)
        for metric in metrics
        for role, model in OF_METRIC.get(metric.name, {}).items()
    ]


def lacks_judge(request: EvaluateRequest, metric: Metric) -> bool:
    """Return whether a metric asks a judge and there is none."""
    return request.judge is None and "judge" in metric.required_roles
