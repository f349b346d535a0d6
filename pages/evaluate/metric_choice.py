"""Shows the metrics on the Evaluate page, and why some of them cannot run here."""

from collections.abc import Sequence

import gradio as gr
from markupsafe import Markup

from hallascope import metrics
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.models.unavailable import unavailable_list
from hallascope.engine.deployment.hosting import public
from hallascope.engine.models.registry import NO_KEYS
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.services import Services
from hallascope.pages.shared.model_picker import Choice
from hallascope.pages.shared.spending import SpendingInputs

LABEL = "Metrics"
FIRST = ("ihalla",)  # what is chosen at first
WHAT_TO_DO = (
    "Download their models under Download models, or type an API key under API keys and budget."
)
WHAT_TO_DO_PUBLIC = (
    "Type an API key under API keys and budget, or run HallaScope on a machine of your own."
)


def sentences() -> dict[str, str]:
    """Return what each metric's score is and where it misleads, by the metric's name."""
    declared = map(metrics.get, metrics.METRICS)
    return {metric.name: f"{metric.definition} {metric.caveat}" for metric in declared}


def offer(
    services: Services, keys: ApiKeys, picked: Sequence[str]
) -> tuple[list[Choice], list[str], Markup]:
    """Return the metrics that can run, those that are picked of them, and the list of others."""
    reasons = {name: services.metric_unavailable_reason(name, keys) for name in metrics.METRICS}
    able = [name for name, reason in reasons.items() if reason is None]
    others = {metrics.title(name): why for name, why in reasons.items() if why}
    what_to_do = WHAT_TO_DO_PUBLIC if public() else WHAT_TO_DO
    return (
        [(metrics.title(name), name) for name in able],
        [name for name in picked if name in able],
        unavailable_list(others, bool(able), what_to_do if others else ""),
    )


def picker(services: Services, spending: SpendingInputs) -> gr.CheckboxGroup:
    """Lay the metrics out; they are filled again when a key is typed or a model was added."""
    choices, first, others = offer(services, NO_KEYS, FIRST)
    with gr.Column(elem_classes=["picker"]):
        shown = gr.CheckboxGroup(choices, value=first, label=LABEL, elem_id="metrics")
        unavailable = static_html(others, elem_id="metrics-unavailable")

    def fill(asker: gr.Request, picked: list[str] | None) -> tuple[gr.CheckboxGroup, Markup]:
        choices, kept, others = offer(services, spending.keys(asker), picked or ())
        return gr.CheckboxGroup(choices, value=kept), others

    spending.changed.change(fill, shown, [shown, unavailable], **NO_PROGRESS)
    return shown
