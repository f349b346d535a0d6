"""Checks whether the declared Spaces can do what they are for: models, metrics, environment."""

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence

from hallascope.data.models.services import find
from hallascope.data.models.specs import CURRENCY, ModelSpec
from hallascope.data.spaces import Space, problems
from hallascope.engine.access.limits import LIMITS, parse_limit
from hallascope.engine.deployment.hosting import preloaded_models
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.folder import Secrets

_LIMITS = (
    *(limit.variable for limit in LIMITS),
    "HALLASCOPE_QUEUE",
    "HALLASCOPE_SESSIONS",
)
_CAPS = ("HALLASCOPE_BUDGET_RUN", "HALLASCOPE_BUDGET_DAY")
_PRELOAD = "HALLASCOPE_PRELOAD"
_VARIABLES = (*_LIMITS, *_CAPS, _PRELOAD)
_SECRET_SUFFIXES = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")


def check(
    spaces: Sequence[Space], models: Mapping[str, ModelSpec], metrics: Collection[str]
) -> list[str]:
    """Return all that is wrong with these Spaces, a sentence each."""
    faults = list(problems(spaces))
    for space in spaces:
        for problem in _problems(space, models, metrics):
            faults.append(f"The Space {space.name!r} {problem}")
    return faults


def _problems(
    space: Space, models: Mapping[str, ModelSpec], metrics: Collection[str]
) -> Iterator[str]:
    for name in space.models:
        if spec := find(models, name):
            yield from _model_problems(space, spec)
        else:
            yield f"has a model {name!r}: {_suggestion(name, models)}"
    for name in space.metrics:
        if name not in metrics:
            yield f"has a metric {name!r}: {_suggestion(name, metrics)}"
    for name, value in space.variables.items():
        if name.endswith(_SECRET_SUFFIXES) or Secrets().find(value):
            yield (
                f"has a variable {name!r} that looks like a secret: variables are public, so put"
                " its name under secrets."
            )
        yield from _variable_problems(name, value)
    for name in preloaded_models(space.variables):
        if name not in space.models:
            yield (
                f"is to load {name!r} when it starts ({_PRELOAD}), which is none of its models: put"
                " it there too, or take it out."
            )


def _variable_problems(name: str, value: str) -> Iterator[str]:
    """Yield what is wrong with a variable that limits the app.

    A limit that cannot be read would stop the app when it starts; a misspelled one would limit
    nothing.
    """
    try:
        if name in _LIMITS:
            parse_limit(name, value)
    except BadRequest:
        yield f"has the {name} {value!r}: give a whole number from 1, or 'none'."
    if name in _CAPS and not _is_money(value):
        yield f"has the {name} {value!r}: give an amount in {CURRENCY} from 0, e.g. 5.00."
    near = difflib.get_close_matches(name, _VARIABLES, n=1, cutoff=0.85)
    if near and name not in _VARIABLES:
        yield f"has a variable {name!r}: did you mean {near[0]!r}?"


def _is_money(value: str) -> bool:
    try:
        return 0 <= float(value) < float("inf")
    except ValueError:
        return False


def _model_problems(space: Space, spec: ModelSpec) -> Iterator[str]:
    if space.on_cpu and "gpu" in spec.needs:
        yield (
            f"is to run {spec.id!r} on {space.hardware}, which has no GPU: take another model, or"
            " other hardware."
        )
    if spec.key and spec.key not in space.secrets and not space.hf_oauth:
        yield f"asks {spec.id!r} without its key: put {spec.key} under secrets."


def _suggestion(name: str, names: Collection[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {near[0]!r}?" if near else "there is none of that name."
