"""Lays out what a prompt asks for, with the tables in which a person corrects it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.readings.panel import reading_html
from hallascope.data.prompt_reading import PromptReading, fit_to_prompt
from hallascope.engine.errors import HallaScopeError, sentence
from hallascope.engine.ratings import clean_rater_name
from hallascope.engine.services import Services
from hallascope.metrics.reading.parser import TextTooLong
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.reading.words.spacy_model import ParserMissing
from hallascope.pages.shared.readings.tables import (
    OBJECTS,
    RELATIONS,
    TEXTS,
    ReadingTables,
    Rows,
    read_tables,
    reading_tables,
)
from hallascope.pages.shared.visitor import services_of

TITLE = "What the prompt asks for"
EMPTY = "Type a prompt first."
SAVED = "Saved. It is used from the next run on."


@dataclass(frozen=True)
class PanelHandlers:
    """Answers the events of the panel.

    Each returns what is shown: the reading, the button that removes a correction, the line, the
    reading that is held, and the three tables.
    """

    services: Services

    def show(
        self, prompt: str | None, held: PromptReading | None, asker: gr.Request
    ) -> tuple[Any, ...]:
        """Show the newest correction of a prompt, else what the rules read, unless it is held."""
        if held is not None and held.prompt == " ".join((prompt or "").split()):
            return (gr.skip(),) * 7
        return self._shown(services_of(self.services, asker), prompt or "", "")

    def refresh(
        self, prompt: str | None, held: PromptReading | None, asker: gr.Request
    ) -> tuple[Any, ...]:
        """Show another prompt once the panel has been opened."""
        return (gr.skip(),) * 7 if held is None else self.show(prompt, held, asker)

    def save(
        self,
        author: str,
        held: PromptReading | None,
        objects: Rows,
        relations: Rows,
        texts: Rows,
        asker: gr.Request,
    ) -> tuple[Any, ...]:
        """Keep the corrected tables as the reading of the person who is named."""
        if held is None:
            return self._failed(EMPTY)
        services = services_of(self.services, asker)
        try:
            corrected = read_tables(held, ReadingTables(objects, relations, texts))
            services.store.readings.keep(corrected, clean_rater_name(author))
        except HallaScopeError as error:
            return self._failed(str(error))
        return self._shown(services, held.prompt, SAVED)

    def remove(self, held: PromptReading | None, asker: gr.Request) -> tuple[Any, ...]:
        """Take back the correction that is shown."""
        if held is None:
            return self._failed(EMPTY)
        services = services_of(self.services, asker)
        try:
            services.store.readings.remove(held.prompt, held.author)
        except HallaScopeError as error:
            return self._failed(str(error))
        return self._shown(services, held.prompt, "The correction is removed.")

    def _shown(self, services: Services, typed: str, words: str) -> tuple[Any, ...]:
        prompt = " ".join(typed.split())  # as a run takes it
        try:
            corrections = services.store.readings.of_prompt(prompt) if prompt else ()
            if corrections:
                reading = fit_to_prompt(corrections[0], prompt)
            else:
                reading = read_prompt(prompt) if prompt else PromptReading(prompt="")
        except (HallaScopeError, TextTooLong, ParserMissing) as error:
            return self._failed(sentence(error))
        return (
            reading_html(reading) if prompt else Markup(),
            gr.Button(visible=bool(corrections)),
            status.result_message(words if prompt else EMPTY),
            reading,
            *reading_tables(reading),
        )

    def _failed(self, words: str) -> tuple[Any, ...]:
        skip = gr.skip()
        return skip, skip, status.error_message(words), skip, skip, skip, skip


def build(services: Services, prompt: gr.Textbox) -> None:
    """Lay the panel out, closed, for the prompt of a field, and connect it."""
    with gr.Accordion(TITLE, open=False, elem_id="asked", elem_classes=["lineup"]) as fold:
        shown = static_html(Markup())
        tables = [
            _table("Objects", OBJECTS, "asked-objects"),
            _table("Relations", RELATIONS, "asked-relations"),
            _table("Texts in the image", TEXTS, "asked-texts"),
        ]
        with gr.Row(elem_classes=["numbers-row"]):
            author = gr.Textbox(
                label="Your name", max_lines=1, max_length=80, elem_id="asked-author"
            )
            save = gr.Button(
                "Save reading",
                variant="primary",
                scale=0,
                min_width=180,
                elem_id="save-reading",
            )
            remove = gr.Button(
                "Remove correction",
                scale=0,
                min_width=210,
                visible=False,
                elem_id="remove-reading",
            )
        line = static_html(status.result_message(), elem_id="asked-status")
    held = gr.State(None)  # the reading that is shown, None before the panel is opened
    handlers = PanelHandlers(services)
    outputs = [shown, remove, line, held, *tables]
    fold.expand(handlers.show, [prompt, held], outputs, **NO_PROGRESS)
    prompt.blur(handlers.refresh, [prompt, held], outputs, **NO_PROGRESS)
    save.click(handlers.save, [author, held, *tables], outputs, **NO_PROGRESS)
    remove.click(handlers.remove, held, outputs, **NO_PROGRESS)


def _table(label: str, columns: Sequence[str], elem_id: str) -> gr.Dataframe:
    return gr.Dataframe(
        headers=list(columns),
        datatype="str",
        column_count=len(columns),
        type="array",
        label=label,
        interactive=True,
        elem_id=elem_id,
    )
