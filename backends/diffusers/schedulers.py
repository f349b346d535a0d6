"""Makes a fresh scheduler for a picture: of the pipeline's own class, or of the one a person names.

Schedulers remember the steps of the picture before, or of half of one that was stopped.
"""

import difflib
from typing import Any

from hallascope.backends.diffusers.settings import BadSetting


def make_scheduler(original: Any, name: str | None) -> Any:
    """Make a scheduler with the configuration of `original`, that of the pipeline, if it has one.

    `name` is a class of diffusers (None: the class of `original`). Raises BadSetting where there is
    no such scheduler, or it is for another type of model.
    """
    if original is None:
        raise BadSetting("its pipeline takes no 'scheduler': leave it out")
    scheduler_class = _find_class(name) if name else type(original)
    scheduler = scheduler_class.from_config(original.config)
    if not _are_compatible(original, scheduler):
        names = sorted(other.__name__ for other in original.compatibles)[:6]
        alternatives = ", ".join(names) or "leave it out"
        raise BadSetting(
            f"the scheduler {name!r} is for another kind of model: use {type(original).__name__},"
            f" {alternatives}"
        )
    return scheduler


def _find_class(name: str) -> Any:
    import diffusers

    scheduler_class = getattr(diffusers, name, None)
    if isinstance(scheduler_class, type) and issubclass(scheduler_class, diffusers.SchedulerMixin):
        return scheduler_class
    known = [class_name for class_name in dir(diffusers) if class_name.endswith("Scheduler")]
    nearest = difflib.get_close_matches(name, known, n=1)
    if nearest:
        remedy = f"did you mean {nearest[0]!r}?"
    else:
        remedy = "name one of the classes of diffusers, e.g. 'DDIMScheduler'"
    raise BadSetting(f"there is no scheduler {name!r}: {remedy}")


def _are_compatible(first: Any, second: Any) -> bool:
    """Return whether either of two schedulers says that it can replace the other."""
    class_names = (type(first).__name__, type(second).__name__)
    return (
        all(name.startswith("FlowMatch") for name in class_names)
        or type(first) is type(second)
        or type(second) in first.compatibles
        or type(first) in second.compatibles
    )
