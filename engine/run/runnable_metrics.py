"""Which metrics of a request can run here, and for each that cannot one sentence why.

It knows no store and starts nothing.
"""

from collections.abc import Callable, Iterable, Sequence

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import DEFAULTS, OF_METRIC
from hallascope.data.requests import ROLES, Role
from hallascope.engine.events import EvaluateRequest, MetricNotRun
from hallascope.engine.run import pipeline
from hallascope.metrics.base import Metric

RequireModel = Callable[[str, Role], object]  # raises Unavailable where the model cannot run here
_NO_REFERENCE = "because it needs a reference image, and none is known for this prompt"


class NothingToRun(Unavailable):
    """No metric of a request can run here; the message says why of each.

    `remedy` is advice for the command line, "" where there is none.
    """

    def __init__(self, not_run: Sequence[MetricNotRun]) -> None:
        super().__init__(" ".join(one.message for one in not_run))
        self.remedy = " ".join(dict.fromkeys(one.remedy for one in not_run if one.remedy))


def lacking_models(
    request: EvaluateRequest, wanted: Sequence[Metric], needed: RequireModel
) -> tuple[MetricNotRun, ...]:
    """The metrics whose models are missing or cannot run here.

    A metric without its judge is not among them: nobody chose one, and it is left out without being
    a failure. Raises what `needed` raises beside Unavailable: a name that is not known, or a model
    in a role that is not its own, is a wrong request.
    """
    return tuple(
        _not_run(metric, *why)
        for metric in wanted
        if (why := _missing_model(request, metric, needed))
    )


def lacking_reference(
    request: EvaluateRequest, wanted: Sequence[Metric]
) -> tuple[MetricNotRun, ...]:
    """Return the metrics that need a reference which neither request nor concept has."""
    concepts = request.factual.concepts if request.factual else ()
    known = (
        any(concept.reference for concept in concepts)
        if concepts
        else request.reference is not None
    )
    remedy = "Give one with --reference."
    return (
        ()
        if known
        else tuple(
            _not_run(metric, _NO_REFERENCE, remedy) for metric in wanted if metric.needs_reference
        )
    )


def exclude_not_run(
    wanted: Sequence[Metric], not_run: Iterable[MetricNotRun]
) -> tuple[Metric, ...]:
    """The metrics that are left. Raises NothingToRun where there were some and none is."""
    left_out = tuple(not_run)
    names = {one.metric for one in left_out}
    able = tuple(metric for metric in wanted if metric.name not in names)
    if wanted and not able:
        raise NothingToRun(left_out)
    return able


def unavailable_reason(
    metric: Metric, reason: Callable[[str], str | None], able: Callable[[Role], bool]
) -> str | None:
    """Why a metric cannot be chosen here, in one sentence; None where it can.

    `reason` says why a model cannot run here, `able` whether any model of a role can. A role with a
    default is filled by it.
    """
    required: list[Role] = [role for role in ROLES if role in metric.required_roles]
    for role in required:
        model = OF_METRIC.get(metric.name, {}).get(role) or DEFAULTS.get(role)
        if model and (why := reason(model)):
            return (
                f"{metric.title} cannot run here: {model} is needed, and {_middle(why)}; choose"
                " another metric."
            )
        if not model and not able(role):
            return (
                f"{metric.title} cannot run here: it needs a {role}, and none is available; type an"
                f" API key, or download a {role}."
            )
    return None


def _missing_model(
    request: EvaluateRequest, metric: Metric, needed: RequireModel
) -> tuple[str, str] | None:
    """Why a model of a metric is not there, and what to do on the command line.

    None where all are there.
    """
    models = pipeline.for_metric(request, metric)
    missing = next(
        (role for role in metric.required_roles if role not in models and role != "judge"), None
    )
    if missing:
        return (
            f"because it needs a {missing}, and none is chosen",
            f"Name a model for that role (--{missing}).",
        )
    for role, model in models.items():
        try:
            needed(model, role)
        except Unavailable as error:
            first, _, remedy = str(error).partition("; ")
            return f"because {first.rstrip('.')}", f"{remedy[:1].upper()}{remedy[1:]}"
    return None


def _not_run(metric: Metric, why: str, remedy: str) -> MetricNotRun:
    return MetricNotRun(metric.name, f"{metric.title} was not run, {why}.", remedy)


def _middle(reason: str) -> str:
    """The middle of a sentence of the form "X cannot run here: WHY; WHAT TO DO"."""
    return reason.partition("cannot run here: ")[2].partition(";")[0] or reason.rstrip(".")
