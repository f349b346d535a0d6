"""Shows where the metrics of a tab differ from their papers, as tables that open on a click."""

from collections.abc import Mapping

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.html.markup import html_table, scroll_region, tag
from hallascope.metrics.deviations import deviations_of

TITLE = "Where this differs from the paper"
HEADS = ("The paper", "HallaScope", "Why", "Where it matters")
# metrics without a tab of their own, by the one on whose tab they stand
BASELINES: Mapping[str, tuple[str, ...]] = {
    "ihalla": ("tifa",),
    "scene-graph": (
        "caption-ablation",
        "clipscore",
        "blip-itm",
        "blip-vqa",
        "llmscore",
        "compbench-spatial",
        "compbench-numeracy",
        "compbench-3-in-1",
    ),
    "factualbench": ("clip-t", "clip-i", "dino", "dino-v1"),
}


def deviation_tables(metric: str) -> Markup:
    """Return the table of the metric of a tab, then those of its baselines."""
    names = (metric, *BASELINES.get(metric, ()))
    tables = (scroll_region(_table(name), f"{metrics.title(name)}: {TITLE}") for name in names)
    return tag("details", tag("summary", TITLE), *tables, class_="deviations")


def _table(metric: str) -> Markup:
    rows = (
        tag("tr", *(tag("td", text) for text in (row.paper, row.ours, row.why, row.matters)))
        for row in deviations_of(metric)
    )
    return html_table(HEADS, rows, caption=metrics.title(metric))
