"""Makes a metric of a person's function from an image and its prompt to a number from 0 to 1."""

import inspect
from functools import partial
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

from hallascope.data.files.tidy import line
from hallascope.metrics.base import Case, Metric, Plan
from hallascope.metrics.baselines.number_report import missing_score, number


def read_metric(name: str, given: Any, version: str = "1") -> Metric:
    """Return a `Metric` as it is, and a function (image, prompt) as the metric of that name.

    An image for which the function raises, or gives anything but a number from 0 to 1, has no
    score. The version is that of the file in which the function stands; `version` is for what no
    file tells, such as the state of a callable object. Raises ValueError for anything else.
    """
    if isinstance(given, Metric):
        return given
    if not callable(given):
        raise ValueError(
            f"{given!r} is no metric: give a name, a Metric, or a function from image and prompt to"
            " a number from 0 to 1"
        )
    version = file_version(given) or version
    return Metric(
        name=name,
        title=name,
        version=version,
        required_roles=(),
        plan=partial(_plan, name=name, function=given, version=version),
        needs_questions=False,
        definition=(inspect.getdoc(given) or "").partition("\n")[0],
    )


def file_version(function: Any) -> str | None:
    """Return a version of the file of a function; None where the file does not tell all of it.

    Of a decorated function it is the file of the function, not of the decorator.
    """
    function = inspect.unwrap(function)
    if not inspect.isfunction(function) or "<" in function.__qualname__:
        return None  # it may hold what was there when it was made
    file = Path(function.__code__.co_filename)
    return sha256(file.read_bytes()).hexdigest()[:8] if file.is_file() else None


def _plan(case: Case, name: str, function: Any, version: str) -> Plan:
    from PIL import Image

    yield from ()  # no model is asked
    missing = partial(missing_score, name, version, case)
    try:
        with Image.open(case.image.path) as image:
            given = function(image.convert("RGB"), case.prompt)
    except Exception as error:
        words = line(str(error))[:200]
        return missing(f"The metric {name!r} raised {type(error).__name__}: {words}")
    try:
        value = float(given)
    except OverflowError:
        value = given = inf
    except Exception:  # an array of several values raises an error of its library
        value = -1.0
    if not 0 <= value <= 1:
        shown = line(repr(given))[:80]
        return missing(f"The metric {name!r} gave {shown}: give a number from 0 to 1.")
    return number(name, version, case, value)
