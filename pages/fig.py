"""FiG: what the prompt asks for and what is seen, stage by stage and step by step, by one line-up or by two side by side."""

import threading
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import gradio as gr

from components import status
from components.evidence import viewer
from components.live import chosen, live, quiet, still
from components.standings import standings
from engine.errors import HallaScopeError
from engine.services import Services
from pages import looking
from pages.choosing import Picker, picker
from pages.evidence import hears
from pages.lineups import FIRST, SECOND, Choices, lineups
from pages.looking import Looked
from pages.place import Current, Place
from pages.runs import Runs
from pages.terms import terms

TITLE = "FiG"
HELP = """<div class="lead"><p><strong>FiG</strong> looks for everything the prompt names, describes each part it finds, writes one
caption of all it saw, and compares that caption with the prompt. <em>Stage 1</em>: how many of the objects asked for are there.
<em>Stage 2</em>: of the pairs of a thing and its colour, number, position or text, how many hold. <em>Stage 3</em>: what nobody asked for.
<em>Strict</em> wants the same words; <em>soft</em> also takes a more general one. What could not be looked at is left out and counted.
Numbers published in papers are of other prompts and are not set beside these.</p></div>"""
WELCOME = "Choose who looks, then press Look: the pictures of this run are looked at, and none is made again."
EMPTY = "Generate pictures on the Explore tab first; they are looked at here."


class Page(NamedTuple):
    """The parts of the page that are listened to or written to."""

    pickers: tuple[Picker, ...]
    go: gr.Button
    stop: gr.Button
    status: gr.HTML
    estimate: gr.HTML
    table: gr.HTML
    evidence: gr.HTML
    looked: gr.State


# --- what happens -----------------------------------------------------------------------------------------------------------


def opened(services: Services, current: Current, before: Looked) -> tuple[Any, ...]:
    """What is shown when the tab is opened or another run is: what FiG said of its pictures, else how to have it look."""
    if not current.run:
        return status.idle(EMPTY), standings(()), Looked()
    found = looking.of_run(services, current, before)
    return status.idle("" if found.runs else WELCOME), looking.table(services, found), found


def shown(services: Services, looked: Looked, event: gr.EventData) -> str:
    """The evidence of the picture that was chosen in the table."""
    try:
        return viewer(looking.exhibits(services, looked, event.key))
    except HallaScopeError as sentence:
        raise gr.Error(str(sentence)) from sentence


# --- the page ------------------------------------------------------------------------------------------------------------------


def build(services: Services, place: Place) -> Page:
    """Lay the page out and connect it."""
    page = _layout(services, place)
    _connect(services, place, page)
    return page


def _layout(services: Services, place: Place) -> Page:
    still(HELP)
    with gr.Accordion("Who looks", open=False, elem_classes=["lineup"]):
        first = tuple(picker(services, place.terms, wanted, f"fig-{wanted.role}") for wanted in FIRST)
    with gr.Accordion("Compare with a second line-up", open=False, elem_classes=["lineup"]):
        second = tuple(picker(services, place.terms, wanted, f"fig-second-{wanted.role}") for wanted in SECOND)
    with gr.Row(elem_classes=["q-actions"]):
        go = gr.Button("Look", variant="primary", scale=0, min_width=132, elem_id="fig-go")
        stop = gr.Button("Stop", interactive=False, scale=0, min_width=84, elem_id="fig-stop")
        line = still(status.idle(EMPTY), elem_id="fig-status")
    estimate = still("", elem_id="fig-estimate", elem_classes=["estimate"])
    table = live("compare", standings(()), elem_id="fig-table")
    evidence = live("evidence", viewer(()), elem_id="fig-evidence")
    return Page((*first, *second), go, stop, line, estimate, table, evidence, gr.State(Looked()))


def _connect(services: Services, place: Place, page: Page) -> None:
    runs, names = Runs(), services.key_names()
    buttons, moment = [page.go, page.stop], [page.status, page.table, page.looked]
    controls = [control for one in page.pickers for control in (one.chips, one.other)]
    settings = [place.current, *controls, *place.terms.all]

    def look(asker: gr.Request, current: Current, *values: Any) -> Iterator[tuple[Any, ...]]:
        session = asker.session_hash or ""
        if (signal := runs.start(session)) is None:
            return
        try:
            yield from _looks(services, current, values[: len(controls)], values[len(controls) :], signal, names)
        except HallaScopeError as sentence:
            yield status.wrong(str(sentence)), gr.skip(), gr.skip()
        finally:
            runs.end(session)

    def stopped(asker: gr.Request) -> gr.Button:
        runs.stop(asker.session_hash or "")
        return gr.Button("Stopping", interactive=False)

    def costs(current: Current, *values: Any) -> str:
        wanted = lineups(Choices.read(values[: len(controls)]))
        return looking.estimated(services, current.run, wanted, terms(names, *values[len(controls) :])) if current.run else ""

    def show(looked: Looked, event: gr.EventData) -> str:
        return shown(services, looked, event)

    begun = page.go.click(_busy, None, buttons, queue=False, **quiet())
    going = begun.then(look, settings, moment, concurrency_limit=2, concurrency_id="looking", **quiet())
    going.then(_free, None, buttons, queue=False, **quiet())
    page.stop.click(stopped, None, page.stop, queue=False, **quiet())
    again = [place.tab.select, place.current.change]
    gr.on(again, partial(opened, services), [place.current, page.looked], moment, concurrency_limit=8, **quiet())
    gr.on(_changes(page, place), costs, settings, page.estimate, trigger_mode="always_last", **quiet())
    page.table.select(show, page.looked, page.evidence, **chosen())
    page.evidence.submit(hears(services), None, None, **chosen())


def _looks(
    services: Services, current: Current, said: Any, allowed: Any, signal: threading.Event, names: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    if not current.run:
        yield status.wrong(EMPTY), gr.skip(), gr.skip()
        return
    wanted = lineups(Choices.read(said))
    yield from looking.frames(services, current.run, wanted, signal, terms(names, *allowed))


def _changes(page: Page, place: Place) -> list[Any]:
    """The events after which looking may cost something else."""
    picked = [event for one in page.pickers for event in (one.chips.change, one.other.blur)]
    return [*picked, place.current.change, *(one.change for one in (place.terms.run, place.terms.day, place.terms.unpriced))]


def _busy() -> tuple[gr.Button, gr.Button]:
    return gr.Button(interactive=False), gr.Button(interactive=True)


def _free() -> tuple[gr.Button, gr.Button]:
    return gr.Button(interactive=True), gr.Button("Stop", interactive=False)
