"""Lays out the panel that downloads packs and models, and adds a person's own, off public apps."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.html.markup import soft_line
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.models.custom import ModelCandidate, own_file
from hallascope.engine.services import Services
from hallascope.pages.evaluate.download_text import DownloadStatus, candidate_view, quote_table
from hallascope.pages.shared.model_picker import chosen_models
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop
from hallascope.pages.shared.spending import SpendingInputs

NOTHING = soft_line("Choose a pack or type the name of a model to see its size and license.")


def build(services: Services, spending: SpendingInputs) -> None:
    """Lay the panel out and connect it; a model that came or was added changes the pickers."""
    packs = [(f"{pack.title}: {pack.about}", pack.id) for pack in services.downloads.packs.values()]
    with gr.Accordion(
        "Download models", open=False, elem_id="getting", elem_classes=["lineup", "getting"]
    ):
        wanted = gr.Dropdown(
            packs,
            multiselect=True,
            allow_custom_value=True,
            label="Bundles, or models by name, e.g. sdxl-turbo",
            elem_id="packs",
        )
        takes = static_html(NOTHING, elem_id="takes")
        with gr.Row():
            get, stop = start_and_stop("Download", "get-models", "stop-getting")
            get.interactive = False
        line = static_html(status.result_message(), elem_id="getting-status")
        static_html(Markup("<h4>Add a model of your own</h4>"))
        with gr.Row(elem_classes=["numbers-row"]):
            named = gr.Textbox(
                label="Owner/name on the Hub, or the address of a service",
                placeholder="e.g. http://localhost:8000/v1",
                max_lines=1,
                elem_id="name-model",
            )
            look = gr.Button("Check", scale=0, min_width=96, elem_id="look-model")
        card = static_html(Markup(), elem_id="found-model")
        with gr.Row():
            add = gr.Button(
                "Add for this session",
                scale=0,
                min_width=250,
                visible=False,
                elem_id="add-model",
            )
            keep = gr.Button(
                f"Add to {own_file().name}",
                scale=0,
                min_width=250,
                visible=False,
                elem_id="keep-model",
            )
    changed = spending.changed
    outline, outlined = partial(outline_choice, services), [takes, get]
    gr.on([wanted.change, changed.change], outline, wanted, outlined, **NO_PROGRESS)
    end = RunButtons([get], stop, spending).begin(
        listeners=[get.click],
        work=fetch_models,
        inputs=[wanted, changed],
        outputs=[line, takes, changed],
        at_once=1,
        called="getting",
    )
    end.then(outline, wanted, outlined, **NO_PROGRESS)
    candidate = gr.State(None)
    looking = gr.on(
        [look.click, named.submit],
        lambda: status.result_message("Looking the model up."),
        None,
        card,
        queue=False,
        **NO_PROGRESS,
    )
    looking.then(
        partial(look_up_model, services), named, [card, candidate, add, keep], **NO_PROGRESS
    )
    for button, is_kept in ((add, False), (keep, True)):
        button.click(
            partial(add_candidate, services, is_kept),
            [candidate, changed],
            [card, changed, wanted, add, keep],
            **NO_PROGRESS,
        )


def outline_choice(services: Services, wanted: Sequence[str] | None) -> tuple[str, gr.Button]:
    """Return what the choice takes, and the button to get it."""
    requested = chosen_models(wanted)
    if not requested:
        return NOTHING, gr.Button(interactive=False)
    try:
        quote = services.downloads.outline(requested)
    except HallaScopeError as sentence:
        return status.error_message(sentence), gr.Button(interactive=False)
    return quote_table(quote), gr.Button(interactive=quote.has_downloads)


def fetch_models(
    begun: StartedRun, wanted: list[str] | None, count: int
) -> Iterator[tuple[Any, ...]]:
    """Yield the line, the table and the count of changes while models are fetched.

    Raises HallaScopeError.
    """
    downloads = begun.services.downloads
    yield status.result_message("Reading sizes from the Hub."), gr.skip(), gr.skip()
    quote = downloads.quote(chosen_models(wanted))
    there = {offer.spec.id for offer in quote.offers if offer.downloaded}
    watch = DownloadStatus(downloaded=there)
    yield status.result_message("Starting the download."), quote_table(quote), gr.skip()
    for event in downloads.download(quote, begun.stop):
        if line := watch.line(event):
            yield line, gr.skip(), gr.skip()
    yield watch.end(), quote_table(downloads.outline(chosen_models(wanted))), count + 1


def look_up_model(services: Services, named: str) -> tuple[Any, ...]:
    """Return what a named model would be, the model itself, and the buttons to add it."""
    try:
        candidate = services.custom_models.inspect(named)
    except HallaScopeError as sentence:
        return status.error_message(sentence), None, *_button_visibility(False)
    return candidate_view(candidate), candidate, *_button_visibility(True)


def add_candidate(
    services: Services, keep: bool, candidate: ModelCandidate | None, count: int
) -> tuple[Any, ...]:
    """Add a model: return the line, the count of changes, what is wanted, and the buttons."""
    if candidate is None:
        return gr.skip(), gr.skip(), gr.skip(), *_button_visibility(False)
    try:
        message = services.custom_models.add(candidate, keep)
    except HallaScopeError as sentence:
        return status.error_message(sentence), gr.skip(), gr.skip(), *_button_visibility(True)
    return (
        status.result_message(message),
        count + 1,
        [] if candidate.spec.family else [candidate.spec.id],
        *_button_visibility(False),
    )


def _button_visibility(visible: bool) -> tuple[gr.Button, gr.Button]:
    return gr.Button(visible=visible), gr.Button(visible=visible)
