"""Registers the metrics by name; a metric's module is imported when it is asked for."""

import difflib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from hallascope.data.wordings.packs import WordingPack
from hallascope.metrics.base import Metric, Presentation, ScoreSpec, undeclared_score
from hallascope.metrics.functions import read_metric
from hallascope.metrics.wording import apply_wording

# name -> "module:function"; the function takes a folder of wordings (None: ours) and returns the
# Metric
METRICS: dict[str, str] = {
    "ihalla": "hallascope.metrics.ihalla.plan:metric",
    "tifa": "hallascope.metrics.tifa.plan:metric",
    "fig": "hallascope.metrics.fig.plan:metric",
    "scene-graph": "hallascope.metrics.scene_graph.plan:metric",
    "caption-ablation": "hallascope.metrics.scene_graph.ablation:metric",
    "clipscore": "hallascope.metrics.baselines.clipscore:metric",
    "blip-itm": "hallascope.metrics.baselines.blip:itm_metric",
    "blip-vqa": "hallascope.metrics.baselines.blip:vqa_metric",
    "compbench-spatial": "hallascope.metrics.baselines.compbench.spatial:metric",
    "compbench-numeracy": "hallascope.metrics.baselines.compbench.numeracy:metric",
    "compbench-3-in-1": "hallascope.metrics.baselines.compbench.three_in_one:metric",
    "llmscore": "hallascope.metrics.baselines.llmscore:metric",
    "factualbench": "hallascope.metrics.factualbench.plan:metric",
    "factualbench-no-reference": "hallascope.metrics.factualbench.plan:without_reference",
    "factualbench-prompt-shown": "hallascope.metrics.factualbench.plan:with_prompt",
    "clip-t": "hallascope.metrics.baselines.similarity:with_text",
    "clip-i": "hallascope.metrics.baselines.similarity:with_references",
    "dino": "hallascope.metrics.baselines.similarity:dino",
    "dino-v1": "hallascope.metrics.baselines.similarity:dino_v1",
}

# packages name their metrics here: a `Metric`, or a function from image and prompt to a number
GROUP = "hallascope.metrics"
_REGISTERED: dict[str, Metric] = {}


class UnknownMetric(ValueError):
    """No metric has that name, or it cannot be loaded; the message says what to do."""


def names() -> tuple[str, ...]:
    """Return the names of the metrics that ship, of this process, and of installed packages."""
    return (*METRICS, *_REGISTERED, *sorted(entry_points(group=GROUP).names))


def register(metric: Metric) -> None:
    """Make a metric of this process known by its name."""
    _REGISTERED[metric.name] = metric
    find.cache_clear()


def get(name: str, pack: WordingPack | None = None) -> Metric:
    """Return the metric of that name. `pack`: the wordings that override ours.

    Raises UnknownMetric; TemplateError where a text of the pack is unusable.
    """
    if name in METRICS:
        module, function = METRICS[name].split(":")
        make: Callable[[Path | None], Metric] = getattr(import_module(module), function)
        return apply_wording(make, pack)
    if name in _REGISTERED:
        return _REGISTERED[name]
    installed = entry_points(group=GROUP)
    if name in installed.names:
        return _load(installed[name])
    near = difflib.get_close_matches(name.casefold(), names(), n=1, cutoff=0.5)
    remedy = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names())}"
    raise UnknownMetric(f"there is no metric {name!r}; {remedy}")


def _load(entry: EntryPoint) -> Metric:
    """Return the metric of an installed package. Raises UnknownMetric."""
    try:
        return read_metric(entry.name, entry.load(), entry.dist.version if entry.dist else "1")
    except Exception as error:
        raise UnknownMetric(
            f"the metric {entry.name!r} cannot be loaded from {entry.value!r}"
            f" ({type(error).__name__}: {error}): repair or remove its package"
        ) from error


@cache
def find(name: str) -> Metric | None:
    """Return the metric of that name with our templates.

    None where there is no such metric, as with reports that another version stored.
    """
    try:
        return get(name)
    except UnknownMetric:
        return None


def scores(metric: str) -> tuple[ScoreSpec, ...]:
    """Return the scores that a metric declares; () where no such metric is registered."""
    registered = find(metric)
    return registered.scores if registered else ()


def score(metric: str, name: str) -> ScoreSpec:
    """Return the declaration of one score of a metric.

    A metric or score that is not declared gets a declaration without bounds.
    """
    registered = find(metric)
    return registered.score(name) if registered else undeclared_score(name)


def title(metric: str) -> str:
    """Return the title of a metric; its name, where no metric of that name is registered."""
    registered = find(metric)
    return registered.title if registered else metric


def presentation(metric: str) -> Presentation:
    """Return what the reports of a metric rest on.

    That is a number alone where no such metric is registered.
    """
    registered = find(metric)
    return registered.presents if registered else "number"
