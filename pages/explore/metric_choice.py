"""Shows the metrics on the Evaluate page as chips that say why one cannot run here."""

from collections.abc import Sequence

import gradio as gr
from markupsafe import Markup

from hallascope import metrics
from hallascope.components.html.gradio_html import quiet
from hallascope.components.models.pickers import Option, chip_row, chips
from hallascope.engine.deployment.hosting import public
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.services import Services
from hallascope.pages.shared.spending import SpendingInputs

LABEL = "Metrics"
FIRST = ("ihalla",)  # what is chosen at first
WHAT_TO_DO = (
    "Download what they need under Download models, or type an API key under API keys and budget."
)
WHAT_TO_DO_PUBLIC = (
    "Type an API key under API keys and budget, or run HallaScope on a machine of your own."
)


def sentences() -> dict[str, str]:
    """Return what each metric's score is and where it misleads, by the metric's name."""
    declared = map(metrics.get, metrics.METRICS)
    return {metric.name: f"{metric.definition} {metric.caveat}" for metric in declared}


def options(services: Services, keys: ApiKeys) -> tuple[Option, ...]:
    """Return every metric, each with why it cannot run here."""
    return tuple(
        Option(
            name,
            metrics.title(name),
            words,
            reason=services.metric_unavailable_reason(name, keys),
            called=metrics.title(name),
        )
        for name, words in sentences().items()
    )


def row(services: Services, keys: ApiKeys, picked: Sequence[str]) -> tuple[Markup, list[str]]:
    """Return the chips as HTML, and which of the picked metrics are chosen: those that can run."""
    offered = options(services, keys)
    able = {option.id for option in offered if option.reason is None}
    chosen = [name for name in picked if name in able]
    what_to_do = WHAT_TO_DO_PUBLIC if public() else WHAT_TO_DO
    hint = what_to_do if len(able) < len(offered) else ""
    return chip_row(offered, chosen, LABEL, hint=hint), chosen


def runnable(services: Services, picked: Sequence[str]) -> list[str]:
    """Return those of the picked metrics that can run here."""
    return [
        name
        for name in picked
        if name in metrics.METRICS and services.metric_unavailable_reason(name) is None
    ]


def takes_writer(picked: Sequence[str] | None) -> bool:
    """Return whether any of the metrics asks a writer that is chosen on this page.

    That is a metric that needs a writer, or one whose questions a writer can write: those of its
    own, or those of a prompt that has none. Other metrics that can use a writer have a tab of their
    own.
    """
    chosen = [metric for name in picked or () if (metric := metrics.find(name))]
    return any(
        metric.needs_questions
        or "writer" in metric.required_roles
        or (metric.presents == "questions" and "writer" in metric.optional_roles)
        for metric in chosen
    )


def picker(services: Services, terms: SpendingInputs) -> gr.HTML:
    """Lay the chips out; they are filled again when a key is typed or a model was added."""
    body, chosen = row(services, ApiKeys(), FIRST)
    shown = chips(body, chosen, elem_id="metrics")

    def again(asker: gr.Request, picked: list[str] | None) -> gr.HTML:
        body, chosen = row(services, terms.keys(asker), picked or [])
        return gr.HTML(chosen, body=body)

    terms.changed.change(again, shown, shown, **quiet())
    return shown
