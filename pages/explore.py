"""Explore: type a prompt, choose models, watch the pictures and the judge's answers arrive, look at the evidence of one."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gradio as gr

from components import status
from components.cards import grid
from components.evidence import viewer
from components.live import chosen, live, quiet, still
from components.markup import file_url
from components.pickers import Option, chips, prompts_to_try
from data.primer.scenes import prompts
from engine.errors import BadRequest, HallaScopeError
from engine.events import EvaluateRequest, Queued, RunView, jsonable
from engine.printing import Outcome
from engine.services import Model, Services
from pages import views
from pages.evidence import shows
from pages.place import Current, Place

TITLE = "Explore"
EXAMPLES = (
    "a molecule of methane",
    "a ladybug",
    "the planet Saturn",
    "two tulips",
    "a red circle above a blue square",
    "a traffic light showing green",
)
CHOSEN = ("primer/exact", "primer/hasty", "primer/careless")
JUDGES = ("primer/judge",)
WELCOME = "Every model draws the prompt; the judge answers five questions about each picture, and you see what each answer rests on."
MOST_PICTURES = 64


class Controls(NamedTuple):
    """What a person sets before a run."""

    prompt: gr.Textbox
    models: gr.HTML
    judge: gr.HTML
    upload: gr.File
    seed: gr.Number
    pictures: gr.Number
    trials: gr.Number


class Page(NamedTuple):
    """The parts of the page that are listened to or written to."""

    controls: Controls
    go: gr.Button
    stop: gr.Button
    status: gr.HTML
    cards: gr.HTML
    evidence: gr.HTML


# --- pure functions ---------------------------------------------------------------------------------------------------------


def options(models: Sequence[Model]) -> tuple[Option, ...]:
    """Models as things to choose, each with what is to be known of it."""
    return tuple(Option(m.spec.id, m.spec.title, m.spec.note, m.reason) for m in models)


def preferred(models: Sequence[Model], wanted: Sequence[str]) -> list[str]:
    """Which of the wanted models can run here; where none can, the first that does."""
    able = [m.spec.id for m in models if m.reason is None]
    return [m for m in wanted if m in able] or able[:1]


def request(
    prompt: str,
    models: Sequence[str],
    judge: Sequence[str],
    upload: str | None,
    seed: float | None,
    pictures: float | None,
    trials: float | None,
) -> EvaluateRequest:
    """The request as the engine takes it; a picture of one's own takes the place of all models.

    Raises BadRequest with one sentence where a control holds nothing that can be run.
    """
    if not upload and not models:
        raise BadRequest("No model is chosen: choose at least one, or bring a picture of your own.")
    first = _whole(seed, "seed", 0, 2**31 - 1)
    count, repeats = _whole(pictures, "number of pictures", 1, 16), _whole(trials, "number of trials", 1, 9)
    if not upload and len(models) * count > MOST_PICTURES:
        raise BadRequest(f"{len(models)} models with {count} pictures each are more than {MOST_PICTURES}: ask for fewer.")
    images = (Path(upload),) if upload else ()
    wanted = () if upload else tuple(models)
    return EvaluateRequest(prompt, wanted, judge=next(iter(judge), None), seed=first, count=count, trials=repeats, images=images)


def _whole(value: float | None, name: str, low: int, high: int) -> int:
    if value is None or value != int(value) or not low <= value <= high:
        raise BadRequest(f"The {name} is {value!r}: give a whole number from {low} to {high:,}.")
    return int(value)


def guess(services: Services, asked: EvaluateRequest) -> float | None:
    """Seconds that the pictures took in earlier runs, all of them; None where a model has not run here yet."""
    known = [services.seconds(model) for model in asked.models]
    return None if not known or None in known else asked.count * sum(filter(None, known))


class Frame(NamedTuple):
    """What the page shows at one moment of a run."""

    status: str
    cards: str
    current: Current


def frame(progress: views.Progress, elapsed: float, expected: float | None = None) -> Frame:
    view = progress.view
    cards = grid(views.tiles(view, progress.doing))
    if view.state == "running":
        estimate = views.remaining(progress.done, progress.total, elapsed, expected)
        return Frame(status.progress(progress.done, progress.total, views.so_far(progress), estimate), cards, Current(view.run))
    said = status.said(views.summary(progress), views.troubles(view, progress.failed))
    return Frame(said, cards, Current(view.run, done=True))


def frames(
    services: Services, asked: EvaluateRequest, stop: threading.Event, clock: Callable[[], float] = time.monotonic
) -> Iterator[Frame]:
    """What the page shows, event by event. Raises HallaScopeError before the first picture where the request cannot be done."""
    started, expected, progress = clock(), guess(services, asked), None
    for event in services.evaluate(asked, stop):
        if progress is None:
            if not isinstance(event, Queued):
                continue
            progress = views.begin(event, asked)
        else:
            progress = views.after(progress, event)
        yield frame(progress, clock() - started, expected)


def stored(view: RunView) -> Frame:
    """What the page shows of a stored run."""
    progress = views.Progress(view, 0, {})
    words = "This run was stopped before its end: Generate goes on where it was." if view.state != "finished" else views.summary(progress)
    return Frame(status.said(words, views.troubles(view)), grid(views.tiles(view)), Current(view.run, done=True))


# --- what happens ------------------------------------------------------------------------------------------------------------


class Runs:
    """The stop signals of the runs in progress, by visitor's session."""

    def __init__(self) -> None:
        self._stops: dict[str, threading.Event] = {}

    def start(self, session: str) -> threading.Event | None:
        """The signal of a new run; None where the visitor has one in progress."""
        return None if session in self._stops else self._stops.setdefault(session, threading.Event())

    def stop(self, session: str) -> None:
        if session in self._stops:
            self._stops[session].set()

    def end(self, session: str) -> None:
        """The run is over; where it was left in the middle, nothing new is begun for it."""
        self.stop(session)
        self._stops.pop(session, None)


def run(services: Services, stop: threading.Event, *settings: Any) -> Iterator[tuple[Any, ...]]:
    """The page at every moment of a run; where the request cannot be done, one sentence and the page as it was."""
    try:
        yield from frames(services, request(*settings), stop)
    except HallaScopeError as sentence:
        yield status.wrong(str(sentence)), gr.skip(), gr.skip()


def opened(services: Services, link: Mapping[str, str]) -> tuple[Any, ...]:
    """The page was opened: where the address names a run, that run with its settings."""
    untouched = [gr.skip()] * len(Controls._fields)
    if not link.get("run"):
        return (*untouched, gr.skip(), gr.skip(), gr.skip())
    try:
        view = services.view(link["run"])
    except HallaScopeError as sentence:
        return (*untouched, status.wrong(str(sentence)), gr.skip(), gr.skip())
    shown, asked = stored(view), view.request
    judge = [asked.judge] if asked.judge else None
    return (asked.prompt, list(asked.models) or gr.skip(), judge or gr.skip(), None, asked.seed, asked.count, asked.trials, *shown)


def document(services: Services, asked: EvaluateRequest) -> dict[str, Any]:
    """A whole evaluation as the command line prints it, with addresses in place of the paths of pictures."""
    outcome = Outcome(judged=asked.judge is not None)
    for event in services.evaluate(asked):
        outcome.add(event)
    found = jsonable(outcome.json())
    for said in found["evaluations"]:
        said["image"] = file_url(Path(said["image"]))
    return dict(found)


# --- the page ----------------------------------------------------------------------------------------------------------------


def build(services: Services, place: Place) -> Page:
    """Lay the page out and connect it."""
    controls, go, stop = _layout(services)
    line = still(status.idle(WELCOME), elem_id="status")
    cards = live("cards", grid(()), elem_id="cards")
    shown = live("evidence", viewer(None), elem_id="evidence")
    page = Page(controls, go, stop, line, cards, shown)
    _connect(services, place, page)
    return page


def _layout(services: Services) -> tuple[Controls, gr.Button, gr.Button]:
    generators, judges = services.generators(), services.judges()
    with gr.Row(elem_classes=["ask"]):
        prompt = gr.Textbox(
            label="Prompt",
            placeholder="What should the picture show?",
            lines=1,
            max_lines=1,
            scale=1,
            elem_id="prompt",
            container=False,
            autofocus=True,
        )
        go = gr.Button("Generate", variant="primary", scale=0, min_width=132, elem_id="go")
        stop = gr.Button("Stop", interactive=False, scale=0, min_width=84, elem_id="stop")
    prompts_to_try(EXAMPLES, prompts(), "prompt")
    models = chips(options(generators), preferred(generators, CHOSEN), "Models", elem_id="models")
    judge = chips(options(judges), preferred(judges, JUDGES), "Judge", "radio", elem_id="judge")
    with gr.Row(elem_classes=["numbers-row"]):
        seed = gr.Number(0, label="Seed", precision=0, minimum=0, min_width=96, scale=0)
        count = gr.Number(1, label="Pictures a model", precision=0, minimum=1, maximum=16, min_width=96, scale=0)
        trials = gr.Number(1, label="Trials of the judge", precision=0, minimum=1, maximum=9, min_width=96, scale=0)
        upload = gr.File(label="Or a picture of your own", file_types=["image"], type="filepath", elem_id="upload")
    return Controls(prompt, models, judge, upload, seed, count, trials), go, stop


def _connect(services: Services, place: Place, page: Page) -> None:
    runs, buttons = Runs(), [page.go, page.stop]
    moment = [page.status, page.cards, place.current]

    def pressed(asker: gr.Request, *settings: Any) -> Iterator[tuple[Any, ...]]:
        session = asker.session_hash or ""
        if (signal := runs.start(session)) is None:
            return
        try:
            yield from run(services, signal, *settings)
        finally:
            runs.end(session)

    def stopped(asker: gr.Request) -> gr.Button:
        runs.stop(asker.session_hash or "")
        return gr.Button("Stopping", interactive=False)

    def linked(asker: gr.Request) -> tuple[Any, ...]:
        return opened(services, dict(asker.query_params))

    def evaluate(prompt: str, models: list[str], judge: str = JUDGES[0], seed: int = 0, count: int = 1, trials: int = 1) -> dict[str, Any]:
        """Draw the prompt with each model, judge every picture by I-HallA, and give what `hallascope evaluate --json` prints."""
        try:
            return document(services, request(prompt, models, [judge], None, seed, count, trials))
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence

    begun = gr.on([page.go.click, page.controls.prompt.submit], _busy, None, buttons, queue=False, **quiet())
    going = begun.then(pressed, [*page.controls], moment, concurrency_limit=2, concurrency_id="runs", **quiet())
    going.then(_free, None, buttons, queue=False, **quiet())
    page.stop.click(stopped, None, page.stop, queue=False, **quiet())
    page.cards.select(shows(services), None, page.evidence, **chosen())
    gr.api(evaluate, api_name="evaluate", concurrency_limit=2, concurrency_id="runs")
    place.demo.load(linked, None, [*page.controls, *moment], **quiet())


def _busy() -> tuple[gr.Button, gr.Button]:
    return gr.Button(interactive=False), gr.Button(interactive=True)


def _free() -> tuple[gr.Button, gr.Button]:
    return gr.Button(interactive=True), gr.Button("Stop", interactive=False)
