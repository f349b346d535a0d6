"""Builds the part for teachers: sets of exercises, their links and pages, and a class's answers.

The draft of a set is kept in the browser.
"""

import json
import re
import secrets
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qsl, urlencode

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.html.markup import soft_line
from hallascope.components.labels.agreement import table
from hallascope.components.learn.exercise import CRITERIA, criteria_choices
from hallascope.data.teaching.lesson import (
    MOST,
    BadLesson,
    DrawnItem,
    Lesson,
    LessonItem,
    RunItem,
    as_plain,
    item_of,
    lesson,
    make_seal,
    opens,
    token,
)
from hallascope.engine.errors import BadRequest, HallaScopeError, refuse
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.tables import LessonAnswerRow
from hallascope.engine.teaching import classes, exercises
from hallascope.pages.learn import learner
from hallascope.pages.learn import lesson_page as site
from hallascope.pages.server.share_links import base
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.download_folder import own_folder
from hallascope.pages.shared.numbers import parse_seed, parse_whole, whole_number
from hallascope.pages.shared.visitor import services_of
from hallascope.primer import scenes
from hallascope.primer.teaching import faults
from hallascope.primer.teaching.exercises import fact_of, scene_of, short_question

NOT_YOURS = "These answers are for the teacher who made the set: open the link that you kept."
NO_RUN = "No run is open: open one on the Evaluate tab first."
PLACES = "The first answer to each exercise counts. Places: right of those asked for."
UNCHANGED: Any = gr.skip()
READ_ADDRESS = "(draft, made, opened) => [draft, made, opened, location.search]"
COPY = """async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {  // without https a page has no clipboard
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied ? "Copied." : "The browser lets no page copy: select the link and copy it.";
  }
}"""
OPEN_SETS = "() => document.querySelector('#learn-parts [role=tab][data-tab-id=sets]').click()"


class MadeSet(NamedTuple):
    """Names a set by its link, with the key to its answers; "" where there is none."""

    token: str = ""
    key: str = ""


class SetView(NamedTuple):
    """Holds the components that events write to, and what they write.

    `draft` is what the browser keeps, `chosen` shows it; `made` and `own` hold what there is of a
    set that is made, and what of it is for its teacher alone. `opened` is the set that the address
    named last.
    """

    draft: Any = UNCHANGED
    chosen: Any = UNCHANGED
    line: Any = UNCHANGED
    made: Any = UNCHANGED
    set: Any = UNCHANGED
    opened: Any = UNCHANGED
    title: Any = UNCHANGED
    learner_link: Any = UNCHANGED
    own: Any = UNCHANGED
    teacher_link: Any = UNCHANGED
    answers: Any = UNCHANGED
    answers_file: Any = UNCHANGED
    page_file: Any = UNCHANGED


# --- the draft ------------------------------------------------------------------------------------


def read_draft(kept: Any) -> list[LessonItem]:
    """Return the exercises that a browser keeps; those that cannot be drawn are left out."""
    found = []
    for plain in kept if isinstance(kept, list) else ():
        try:
            item = item_of(plain)
            words(item)
        except BadLesson:
            continue
        found.append(item)
    return found


def show_draft(items: Sequence[LessonItem], ticked: Sequence[int] = ()) -> SetView:
    """Return what the browser keeps, the exercises in their order, and that no set is made yet."""
    choices = [(f"{number + 1}. {words(item)}", number) for number, item in enumerate(items)]
    return SetView(
        draft=[as_plain(item) for item in items],
        chosen=gr.CheckboxGroup(choices, value=list(ticked)),
        made=gr.Column(visible=False),
    )


def words(item: LessonItem) -> str:
    """Return an exercise in a line: what it was to show and what is wrong.

    Raises BadLesson where it cannot be drawn.
    """
    if isinstance(item, RunItem):
        return f"run {item.run}: {item.question}"
    fact = fact_of(scene_of(item.prompt), item)
    return f"{item.prompt}: {short_question(fact.question)} {fact.values[item.value]}"


def add_items(kept: Any, make: Callable[[], Sequence[LessonItem]]) -> SetView:
    """Add exercises that are not in the draft yet, and say so."""
    try:
        with refuse(BadLesson):
            items = read_draft(kept)
            new = [item for item in dict.fromkeys(make()) if item not in items]
    except HallaScopeError as error:
        return SetView(line=status.error_message(error))
    said = "It is in your class set already."
    if new:
        said = f"Added: {words(new[0])}" if len(new) == 1 else f"{len(new)} exercises added."
    return show_draft([*items, *new])._replace(line=status.result_message(said))


def read_choice(chosen: Any) -> LessonItem:
    """Return the exercise that is chosen in a list. Raises BadRequest or BadLesson."""
    if not isinstance(chosen, str):
        raise BadRequest("No mistake is chosen: choose one from the list first.")
    return item_of(json.loads(chosen))


def add_drawing(kept: Any, chosen: Any, seed: Any) -> SetView:
    """Add a drawing with a mistake."""

    def make() -> list[LessonItem]:
        number = parse_seed(seed)
        item = read_choice(chosen)
        return [replace(item, seed=number) if isinstance(item, DrawnItem) else item]

    return add_items(kept, make)


def add_random(kept: Any, number: Any, *criteria: str | None) -> SetView:
    """Add exercises by chance that meet criteria."""
    wanted = {name: str(value or "") for name, value in zip(CRITERIA, criteria, strict=True)}

    def make() -> Sequence[LessonItem]:
        count = parse_whole(number, "number of exercises", 1, MOST)
        return learner.sample(count, wanted)

    return add_items(kept, make)


def add_run_mistake(kept: Any, chosen: Any) -> SetView:
    """Add an image of a run."""
    return add_items(kept, lambda: [read_choice(chosen)])


def add_errors(kept: Any, event: gr.EventData) -> tuple[Any, ...]:
    """Add the errors of Break it yourself; return also what stands below its panel."""
    view = add_items(kept, lambda: [item_of(one) for one in event.exercises])
    return *view._replace(line=UNCHANGED), view.line, gr.Row(visible=True)


def move_items(kept: Any, ticked: Sequence[int], step: int) -> SetView:
    """Move the ticked exercises up (-1) or down (1) by one place."""
    items = read_draft(kept)
    order = list(range(len(items)))
    for place in sorted(ticked, reverse=step > 0):
        other = place + step
        if 0 <= other < len(order) and order[other] not in ticked:
            order[place], order[other] = order[other], order[place]
    places = [number for number, place in enumerate(order) if place in ticked]
    return show_draft([items[place] for place in order], places)


def remove_items(kept: Any, ticked: Sequence[int]) -> SetView:
    """Remove the ticked exercises."""
    return show_draft([item for n, item in enumerate(read_draft(kept)) if n not in ticked])


def list_mistakes(prompt: Any) -> tuple[Any, Markup]:
    """Return all that can be wrong in a drawing of a prompt, and the line below."""
    return _listed(lambda: faults.faults_of(str(prompt or "")))


def list_run_mistakes(services: Services, current: CurrentRun) -> tuple[Any, Markup]:
    """Return all that is wrong in the images of the open run, and the line below."""

    def find() -> list[tuple[LessonItem, str]]:
        if not current.run:
            raise BadRequest(NO_RUN)
        return [(fault.item, fault.words) for fault in exercises.faults(services, current.run)]

    return _listed(find)


def _listed(find: Callable[[], Sequence[tuple[LessonItem, str]]]) -> tuple[Any, Markup]:
    try:
        with refuse(BadLesson):
            choices = [(said, json.dumps(as_plain(item))) for item, said in find()]
    except HallaScopeError as error:
        return gr.Dropdown([], value=None), status.error_message(error)
    first = choices[0][1] if choices else None
    line = status.result_message("" if choices else "Nothing in these images is known to be wrong.")
    return gr.Dropdown(choices, value=first), line


# --- the set --------------------------------------------------------------------------------------


def make(services: Services, title: Any, items: Sequence[LessonItem]) -> MadeSet:
    """Store a set, with a new key for its teacher; all its exercises must be there.

    Raises BadRequest or BadLesson.
    """
    key = secrets.token_urlsafe(9)
    new = lesson(title, [*items], make_seal(key))
    for number, item in enumerate(items, 1):
        try:
            exercises.exercise_view(services, item)
        except HallaScopeError as error:
            raise BadRequest(f"Exercise {number}: {error}") from error
    services.store.lessons.keep(new)
    return MadeSet(token(new), key)


def make_set(services: Services, title: Any, kept: Any, asker: gr.Request) -> SetView:
    """Make a set of the draft, and show its links."""
    items = read_draft(kept)
    try:
        with refuse(BadLesson):
            own = services_of(services, asker)
            own.charge_quota(SpendingPolicy(), lambda: len(items))
            new = make(own, title, items)
    except HallaScopeError as error:
        return SetView(line=status.error_message(error))
    return _show_set(new, asker)._replace(
        line=status.result_message("The set is ready: copy the link.")
    )


def _show_set(new: MadeSet, asker: gr.Request) -> SetView:
    """Show a set that is made; its answers and its page are not asked for yet."""
    root = base(asker.request) if asker.request else ""
    of_learner = urlencode({"tab": "learn", "part": "find", "set": new.token})
    of_teacher = urlencode({"tab": "learn", "part": "sets", "set": new.token, "key": new.key})
    return SetView(
        made=gr.Column(visible=True),
        set=new,
        learner_link=f"{root}/?{of_learner}",
        own=gr.Column(visible=bool(new.key)),
        teacher_link=f"{root}/?{of_teacher}",
        answers=Markup(),
        answers_file=gr.DownloadButton(visible=False),
        page_file=gr.DownloadButton(visible=False),
    )


def open_address(
    services: Services,
    folder: Path,
    kept: Any,
    made: MadeSet,
    opened: str,
    address: str,
    asker: gr.Request,
) -> SetView:
    """Show the draft of the browser, and the set of the address, with its answers by their key.

    Without a draft the exercises of the set are the draft. `address` is its query. A set that is
    shown already (`made`), or was `opened` before another was made, is not opened again.
    """
    query = dict(parse_qsl(address.removeprefix("?")))
    wanted = query.get("set", "")
    own = SetView(chosen=show_draft(read_draft(kept)).chosen)
    if query.get("part") != "sets" or wanted in ("", made.token, opened):
        return own
    try:
        with refuse(BadLesson):
            stored = learner.lesson_of(wanted)
            items = read_draft(kept) or [*stored.items]
            draft = show_draft(items)
    except HallaScopeError as error:
        return own._replace(line=status.error_message(error))
    key = query.get("key", "")
    named = MadeSet(wanted, key if opens(stored, key) else "")
    view = _show_set(named, asker)._replace(
        opened=wanted,
        draft=draft.draft,
        chosen=draft.chosen,
        title=stored.title if items == [*stored.items] else UNCHANGED,
    )
    if not named.key:
        return view
    answers, file, line = show_answers(services, folder, named)
    return view._replace(answers=answers, answers_file=file, line=line)


def show_answers(services: Services, folder: Path, made: MadeSet) -> tuple[Any, Any, Markup]:
    """Return what the class answered, as tables and as a file, and the line."""
    try:
        stored = lesson_of_teacher(*made)
    except HallaScopeError as error:
        return Markup(), gr.DownloadButton(visible=False), status.error_message(error)
    given = services.store.lessons.answers(stored.id)
    text = classes.table(given)
    file = own_folder(folder, text) / "answers.csv"
    file.write_text(text, encoding="utf-8")
    button = gr.DownloadButton(value=file, visible=True)
    return class_results(given), button, status.result_message()


def lesson_of_teacher(link: str, key: str) -> Lesson:
    """Return a set to whom its key is known. Raises BadRequest."""
    stored = learner.lesson_of(link)
    if not opens(stored, key):
        raise BadRequest(NOT_YOURS)
    return stored


def class_results(given: Sequence[LessonAnswerRow]) -> Markup:
    """Return how far everybody is, then every answer."""
    if not given:
        return soft_line("No answers yet.")
    standings = [
        (each.name, f"{each.facts} of {each.done}", f"{each.places} of {each.asked}")
        for each in classes.learner_results(given)
    ]
    summary = table("The class", ("name", "facts", "places"), standings, PLACES)
    return summary + table("Every answer", classes.HEADS, classes.rows(given))


def make_page(
    services: Services, folder: Path, made: MadeSet, asker: gr.Request
) -> tuple[Any, Markup]:
    """Return the set as a page without a server, and the line."""
    try:
        stored = learner.lesson_of(made.token)
        own = services_of(services, asker)
        own.charge_quota(SpendingPolicy(), lambda: len(stored.items))
        html = site.page(services, stored, exercises.JUDGE)
    except HallaScopeError as error:
        return gr.skip(), status.error_message(error)
    name = re.sub(r"[^0-9A-Za-z]+", "-", stored.title).strip("-").lower()[:60] or "exercises"
    file = own_folder(folder, html) / f"{name}.html"
    file.write_text(html, encoding="utf-8")
    words = "The page is ready: it opens without a server."
    return gr.DownloadButton(value=file, visible=True), status.result_message(words)


# --- the page -------------------------------------------------------------------------------------


def browser_draft() -> gr.BrowserState:
    """Return the draft; it must stand outside of the tab, which is laid out when it is opened."""
    return gr.BrowserState([], storage_key="hallascope-class-set", secret="hallascope")


def build(
    services: Services, place: PageContext, draft: gr.BrowserState, panel: gr.HTML, below: gr.Tab
) -> None:
    """Lay the part out in the tab of `place`, and connect it.

    The errors of `panel`, Break it yourself, can be added; what is said of that stands `below` it.
    """
    title = gr.Textbox(label="Title of the set", max_lines=1, max_length=120, elem_id="set-title")
    with gr.Accordion("Random exercises", elem_id="set-random"):
        with gr.Row():
            number = whole_number(5, "Number of exercises", elem_id="set-number")
            criteria = [
                gr.Dropdown(choices, value="", label=CRITERIA[name], elem_id=f"set-{name}")
                for name, choices in criteria_choices().items()
            ]
        random_button = _button("Add random exercises")
    with gr.Accordion("A drawing with a mistake of your choice", open=False, elem_id="set-drawing"):
        with gr.Row():
            prompts = list(scenes.prompts())
            prompt = gr.Dropdown(prompts, value=None, label="Prompt", elem_id="set-prompt")
            mistake = gr.Dropdown([], label="Mistake", elem_id="set-mistake")
            seed = whole_number(0, "Seed", elem_id="set-seed")
        drawing_button = _button("Add the drawing")
    with gr.Accordion("An image of the open run", open=False, elem_id="set-run"):
        list_button = _button("List mistakes of the open run")
        run_mistake = gr.Dropdown([], label="Mistake and image", elem_id="set-run-mistake")
        run_button = _button("Add the image")
    chosen = gr.CheckboxGroup([], label="Exercises of the set, in their order", elem_id="set-items")
    with gr.Row(elem_classes=["q-actions"]):
        up, down, remove = map(_button, ("Move up", "Move down", "Remove"))
    with gr.Row(elem_classes=["q-actions"]):
        make_button = _button("Make the set", variant="primary")
        line = static_html(status.result_message(), elem_id="set-status")
    with gr.Column(visible=False, elem_id="set-made") as made:
        learner_link = _link("Link for learners: it holds the whole set", "set-learner-link")
        with gr.Row(elem_classes=["q-actions"]):
            _button("Copy the link").click(None, learner_link, line, js=COPY)
            page_button = _button("Make a page without a server")
            page_file = _file("Download the page")
        with gr.Column() as own:
            teacher_link = _link("Link for you alone: it shows the answers", "set-teacher-link")
            with gr.Row(elem_classes=["q-actions"]):
                _button("Copy my link").click(None, teacher_link, line, js=COPY)
                answers_button = _button("Show the answers")
                answers_file = _file("Download the answers")
            answers = static_html(Markup(), elem_id="set-class")
    with below:
        added = static_html(status.result_message(), elem_id="break-it-set")
        with gr.Row(visible=False) as row:
            _button("Open my class set").click(None, None, None, js=OPEN_SETS)
    view = SetView(
        draft=draft,
        chosen=chosen,
        line=line,
        made=made,
        set=gr.State(MadeSet()),
        opened=gr.State(""),
        title=title,
        learner_link=learner_link,
        own=own,
        teacher_link=teacher_link,
        answers=answers,
        answers_file=answers_file,
        page_file=page_file,
    )
    everything = list(view)
    folder = tempfile.TemporaryDirectory(prefix="hallascope-sets-")  # deleted with the events
    how = {"preprocess": False, **NO_PROGRESS}  # what is no longer offered is said in a sentence
    for button, change, values in (
        (random_button, add_random, [number, *criteria]),
        (drawing_button, add_drawing, [mistake, seed]),
        (run_button, add_run_mistake, [run_mistake]),
        (up, partial(move_items, step=-1), [chosen]),
        (down, partial(move_items, step=1), [chosen]),
        (remove, remove_items, [chosen]),
    ):
        button.click(change, [draft, *values], everything, **how)
    prompt.change(list_mistakes, prompt, [mistake, line], **how)
    list_button.click(
        partial(list_run_mistakes, services), place.current, [run_mistake, line], **NO_PROGRESS
    )
    panel.select(add_errors, draft, [*everything, added, row], **NO_PROGRESS)

    def make_set_of(title: Any, kept: Any, asker: gr.Request) -> SetView:
        return make_set(services, title, kept, asker)

    def make_page_of(made: MadeSet, asker: gr.Request) -> tuple[Any, Markup]:
        return make_page(services, Path(folder.name), made, asker)

    def open_page(
        kept: Any, made: MadeSet, opened: str, address: str, asker: gr.Request
    ) -> SetView:
        return open_address(services, Path(folder.name), kept, made, opened, address, asker)

    make_button.click(make_set_of, [title, draft], everything, concurrency_limit=4, **NO_PROGRESS)
    page_button.click(make_page_of, view.set, [page_file, line], **NO_PROGRESS)
    answers_button.click(
        partial(show_answers, services, Path(folder.name)),
        view.set,
        [answers, answers_file, line],
        **NO_PROGRESS,
    )
    address = gr.Textbox(visible=False)
    inputs = [draft, view.set, view.opened, address]
    place.tab.select(open_page, inputs, everything, js=READ_ADDRESS, **NO_PROGRESS)


def _button(words: str, variant: Literal["primary", "secondary"] = "secondary") -> gr.Button:
    """Return a button that is as wide as its words, named after them."""
    name = words.lower().replace(" ", "-")
    width = 60 + 9 * len(words)
    return gr.Button(words, variant=variant, scale=0, min_width=width, elem_id=f"sets-{name}")


def _file(words: str) -> gr.DownloadButton:
    name = words.lower().replace(" ", "-")
    return gr.DownloadButton(words, visible=False, scale=0, min_width=230, elem_id=f"sets-{name}")


def _link(label: str, elem_id: str) -> gr.Textbox:
    return gr.Textbox(label=label, interactive=False, max_lines=1, elem_id=elem_id)
