"""Decides which model fills which role in an evaluation: what a person chose, else the default.

It tells which metrics of a request can run so, and for each that cannot one sentence why.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import DEFAULTS, OF_METRIC
from hallascope.data.requests import ROLES, Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, MetricNotRun
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


# raises Unavailable where the model cannot run here
RequireModel = Callable[[str, Role], object]
_NO_REFERENCE = "because it needs a reference image, and none is known for this prompt"


class NothingToRun(Unavailable):
    """No metric of a request can run here; the message says why of each.

    `remedy` is advice for the command line, "" where there is none.
    """

    def __init__(self, not_run: Sequence[MetricNotRun]) -> None:
        super().__init__(" ".join(metric.message for metric in not_run))
        remedies = dict.fromkeys(metric.remedy for metric in not_run if metric.remedy)
        self.remedy = " ".join(remedies)


def lacking_models(
    request: EvaluateRequest, requested: Sequence[Metric], require: RequireModel
) -> tuple[MetricNotRun, ...]:
    """Return the metrics whose models are missing or cannot run here.

    A metric without its judge is not among them: nobody chose one, and it is left out without being
    a failure. Raises what `require` raises beside Unavailable: a name that is not known, or a model
    in a role that is not its own, is a wrong request.
    """
    not_run = (_check_models(request, metric, require) for metric in requested)
    return tuple(metric for metric in not_run if metric)


def lacking_reference(
    request: EvaluateRequest, requested: Sequence[Metric]
) -> tuple[MetricNotRun, ...]:
    """Return the metrics that need a reference which neither request nor concept has."""
    concepts = request.factual.concepts if request.factual else ()
    if concepts:
        known = any(concept.reference for concept in concepts)
    else:
        known = request.reference is not None
    if known:
        return ()
    return tuple(
        _not_run(metric, _NO_REFERENCE, "Give one with --reference.")
        for metric in requested
        if metric.needs_reference
    )


def exclude_not_run(
    requested: Sequence[Metric], not_run: Iterable[MetricNotRun]
) -> tuple[Metric, ...]:
    """Return the metrics that are left. Raises NothingToRun where there were some and none is."""
    left_out = tuple(not_run)
    names = {metric.metric for metric in left_out}
    able = tuple(metric for metric in requested if metric.name not in names)
    if requested and not able:
        raise NothingToRun(left_out)
    return able


def unavailable_reason(
    metric: Metric, reason: Callable[[str], str | None], able: Callable[[Role], bool]
) -> str | None:
    """Return why a metric cannot be chosen here, in one sentence; None where it can.

    `reason` says why a model cannot run here, `able` whether any model of a role can. A role with a
    default is filled by it.
    """
    required: list[Role] = [role for role in ROLES if role in metric.required_roles]
    for role in required:
        model = OF_METRIC.get(metric.name, {}).get(role) or DEFAULTS.get(role)
        if model and (why := reason(model)):
            # of the form "X cannot run here: WHY; WHAT TO DO"
            middle = why.partition("cannot run here: ")[2].partition(";")[0] or why.rstrip(".")
            return (
                f"{metric.title} cannot run here: {model} is needed, and {middle}; choose"
                " another metric."
            )
        if not model and not able(role):
            return (
                f"{metric.title} cannot run here: it needs a {role}, and none is available; type an"
                f" API key, or download a {role}."
            )
    return None


def _check_models(
    request: EvaluateRequest, metric: Metric, require: RequireModel
) -> MetricNotRun | None:
    """Return why a model of a metric is not there, and what to do on the command line.

    None where all are there.
    """
    models = for_metric(request, metric)
    for role in metric.required_roles:
        if role not in models and role != "judge":
            reason = f"because it needs a {role}, and none is chosen"
            return _not_run(metric, reason, f"Name a model for that role (--{role}).")
    for role, model in models.items():
        try:
            require(model, role)
        except Unavailable as error:
            first, _, remedy = str(error).partition("; ")
            reason = f"because {first.rstrip('.')}"
            return _not_run(metric, reason, f"{remedy[:1].upper()}{remedy[1:]}")
    return None


def _not_run(metric: Metric, reason: str, remedy: str) -> MetricNotRun:
    return MetricNotRun(metric.name, f"{metric.title} was not run, {reason}.", remedy)
