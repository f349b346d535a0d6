"""Lays out the panel of what a prompt asks for, and answers what a person does in it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import gradio as gr
from pydantic import BaseModel, ConfigDict, ValidationError

from hallascope.components.readings.panel import ServerFunction, reading_html, reading_panel
from hallascope.data.prompt_reading import PromptReading, fit_to_prompt
from hallascope.engine.errors import HallaScopeError, sentence
from hallascope.engine.events import jsonable
from hallascope.engine.ratings import clean_rater_name
from hallascope.engine.services import Services
from hallascope.metrics.reading.parser import TextTooLong
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.reading.words.spacy_model import ParserMissing
from hallascope.pages.shared.readings.checks import check_reading
from hallascope.pages.shared.readings.edits import ReadingEdit, apply_edit
from hallascope.pages.shared.visitor import services_of

PanelView = dict[str, Any]  # {html, reading}, or {wrong: a sentence}
_NOT_UNDERSTOOD = "This correction cannot be read: reload the page, and correct it there."


class PanelRequest(BaseModel):
    """Asks what a prompt asks for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: str


class RemovalRequest(PanelRequest):
    """Asks to remove the correction of an author."""

    author: str


class CorrectionRequest(BaseModel):
    """Asks to keep a reading as an author's, with one edit; None: as it stands."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    author: str
    reading: PromptReading
    edit: ReadingEdit | None = None


_Request = TypeVar("_Request", PanelRequest, RemovalRequest, CorrectionRequest)


@dataclass(frozen=True)
class PanelHandlers:
    """Answers what the panel asks; `describing` is as in `parser.parse`.

    Every method returns what the panel shows then, and raises BadRequest or StoreError.
    """

    services: Services
    describing: Callable[[], frozenset[str]] = frozenset

    def read(self, request: PanelRequest) -> PanelView:
        """Return the newest correction of a prompt, else what the rules read."""
        prompt = " ".join(request.prompt.split())  # as a run takes it
        corrections = self.services.store.readings.of_prompt(prompt)
        if corrections:
            reading = fit_to_prompt(corrections[0], prompt)
        else:
            reading = read_prompt(prompt, self.describing())
        beneath = corrections[1].author if len(corrections) > 1 else ""
        return {"html": str(reading_html(reading, beneath)), "reading": jsonable(reading)}

    def save(self, request: CorrectionRequest) -> PanelView:
        """Keep a reading, with its edit, as that of the person who is named."""
        author = clean_rater_name(request.author)
        reading = request.reading
        if request.edit:
            reading = apply_edit(reading, request.edit)
        check_reading(reading)
        self.services.store.readings.keep(reading, author)
        return self.read(PanelRequest(prompt=reading.prompt))

    def remove(self, request: RemovalRequest) -> PanelView:
        """Take back the correction of an author."""
        self.services.store.readings.remove(request.prompt, request.author)
        return self.read(request)


def build(
    services: Services, elem_id: str, describing: Callable[[], frozenset[str]] = frozenset
) -> gr.HTML:
    """Lay the panel out; its value is the prompt. `describing` is as in `parser.parse`."""
    handlers = PanelHandlers(services, describing)
    return reading_panel(*server_functions(handlers), elem_id=elem_id)


def server_functions(
    handlers: PanelHandlers,
) -> tuple[ServerFunction, ServerFunction, ServerFunction]:
    """Return the functions that the panel calls: to read a prompt, and to keep or remove.

    Each returns what the panel shows then, or {wrong: a sentence}. Gradio takes no methods.
    """

    def own(asker: gr.Request) -> PanelHandlers:
        return replace(handlers, services=services_of(handlers.services, asker))

    def read(sent: dict[str, Any], asker: gr.Request) -> PanelView:
        return _answer(own(asker).read, PanelRequest, sent)

    def save(sent: dict[str, Any], asker: gr.Request) -> PanelView:
        return _answer(own(asker).save, CorrectionRequest, sent)

    def remove(sent: dict[str, Any], asker: gr.Request) -> PanelView:
        return _answer(own(asker).remove, RemovalRequest, sent)

    return read, save, remove


def _answer(
    handle: Callable[[_Request], PanelView], kind: type[_Request], sent: object
) -> PanelView:
    try:
        return handle(kind.model_validate(sent))
    except ValidationError:
        return {"wrong": _NOT_UNDERSTOOD}
    except (HallaScopeError, TextTooLong, ParserMissing) as error:
        return {"wrong": sentence(error)}
