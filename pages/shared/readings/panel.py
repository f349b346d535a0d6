"""Lays out the panel of what a prompt asks for, and answers what a person does in it."""

from collections.abc import Callable
from typing import Any, TypeVar

import gradio as gr
from pydantic import BaseModel, ConfigDict, ValidationError

from hallascope.components.readings.panel import ServerFunction, reading_html, reading_panel
from hallascope.data.prompt_reading import PromptReading, fit_to_prompt
from hallascope.engine.errors import BadRequest, HallaScopeError, sentence
from hallascope.engine.events import jsonable
from hallascope.engine.ratings import clean_rater_name
from hallascope.engine.services import Services
from hallascope.metrics.parsing.parser import TextTooLong
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.words.spacy_model import ParserMissing
from hallascope.pages.shared.readings.edits import ReadingEdit, apply_edit, check_reading

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


def build(
    services: Services, elem_id: str, describing: Callable[[], frozenset[str]] = frozenset
) -> gr.HTML:
    """Lay the panel out; its value is the prompt. `describing` is as in `parser.parse`."""
    return reading_panel(*server_functions(services, describing), elem_id=elem_id)


def server_functions(
    services: Services, describing: Callable[[], frozenset[str]] = frozenset
) -> tuple[ServerFunction, ServerFunction, ServerFunction]:
    """Return the functions that the panel calls: to read a prompt, and to keep or remove.

    Each returns what the panel shows then, or {wrong: a sentence}.
    """

    def view(typed: str) -> dict[str, Any]:
        prompt = " ".join(typed.split())  # as a run takes it
        corrections = services.store.readings.of_prompt(prompt)
        reading = (
            fit_to_prompt(corrections[0], prompt)
            if corrections
            else read_prompt(prompt, describing())
        )
        beneath = corrections[1].author if len(corrections) > 1 else ""
        return {"html": str(reading_html(reading, beneath)), "reading": jsonable(reading)}

    def read(sent: dict[str, Any]) -> dict[str, Any]:
        return _answer(lambda: view(_checked(PanelRequest, sent).prompt))

    def save(sent: dict[str, Any]) -> dict[str, Any]:
        def keep() -> dict[str, Any]:
            request = _checked(CorrectionRequest, sent)
            author = clean_rater_name(request.author)
            reading = request.reading
            if request.edit:
                reading = apply_edit(reading, request.edit)
            check_reading(reading)
            services.store.readings.keep(reading, author)
            return view(reading.prompt)

        return _answer(keep)

    def remove(sent: dict[str, Any]) -> dict[str, Any]:
        def take_back() -> dict[str, Any]:
            request = _checked(RemovalRequest, sent)
            services.store.readings.remove(request.prompt, request.author)
            return view(request.prompt)

        return _answer(take_back)

    return read, save, remove


def _checked(kind: type[_Request], sent: object) -> _Request:
    try:
        return kind.model_validate(sent)
    except ValidationError as error:
        raise BadRequest(_NOT_UNDERSTOOD) from error


def _answer(act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return act()
    except (HallaScopeError, TextTooLong, ParserMissing) as error:
        return {"wrong": sentence(error)}
