"""The metrics by name; a metric's module is imported when it is asked for."""

import difflib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

from hallascope.metrics.base import Metric, Presentation, ScoreSpec, undeclared

# name -> "module:function"; the function takes a folder of prompt templates (None: ours) and gives
# the Metric
METRICS: dict[str, str] = {
    "ihalla": "hallascope.metrics.ihalla.plan:metric",
    "tifa": "hallascope.metrics.tifa.plan:metric",
    "fig": "hallascope.metrics.fig.plan:metric",
    "scene-graph": "hallascope.metrics.scene_graph.plan:metric",
    "caption-ablation": "hallascope.metrics.scene_graph.ablation:metric",
    "clipscore": "hallascope.metrics.baselines.clipscore:metric",
    "blip-itm": "hallascope.metrics.baselines.blip:matching",
    "blip-vqa": "hallascope.metrics.baselines.blip:answering",
    "llmscore": "hallascope.metrics.baselines.llmscore:metric",
    "factualbench": "hallascope.metrics.factualbench.plan:metric",
    "factualbench-no-reference": "hallascope.metrics.factualbench.plan:without_reference",
    "clip-t": "hallascope.metrics.baselines.similarity:with_text",
    "clip-i": "hallascope.metrics.baselines.similarity:with_references",
    "dino": "hallascope.metrics.baselines.similarity:dino",
}


class UnknownMetric(ValueError):
    """No metric of that name; the message names the nearest."""


def get(name: str, prompts: Path | None = None) -> Metric:
    """The metric of that name. `prompts`: a folder whose templates go before ours.

    Raises UnknownMetric; TemplateError where a template of the folder is unusable.
    """
    if name not in METRICS:
        raise UnknownMetric(_unknown(name))
    module, function = METRICS[name].split(":")
    make: Callable[[Path | None], Metric] = getattr(import_module(module), function)
    return make(prompts)


@cache
def find(name: str) -> Metric | None:
    """The metric of that name with our templates.

    None where none is registered, as with what another version stored.
    """
    return get(name) if name in METRICS else None


def scores(metric: str) -> tuple[ScoreSpec, ...]:
    """The scores that a metric declares; () where no metric of that name is registered."""
    known = find(metric)
    return known.scores if known else ()


def score(metric: str, name: str) -> ScoreSpec:
    """The declaration of one score of a metric.

    Of a metric or score that nobody declared, one without bounds.
    """
    return next((spec for spec in scores(metric) if spec.name == name), undeclared(name))


def title(metric: str) -> str:
    """Return the title of a metric; its name, where no metric of that name is registered."""
    known = find(metric)
    return known.title if known else metric


def presentation(metric: str) -> Presentation:
    """What the reports of a metric rest on.

    A number alone, where no metric of that name is registered.
    """
    known = find(metric)
    return known.presents if known else "number"


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name.casefold(), METRICS, n=1, cutoff=0.5)
    remedy = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(METRICS)}"
    return f"there is no metric {name!r}; {remedy}"
