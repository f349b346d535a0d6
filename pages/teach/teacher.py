"""Serves the teacher's editor: sets of exercises, their links and pages, and a class's answers."""

import random
import re
import secrets
from collections.abc import Sequence
from typing import Any

import gradio as gr

from hallascope.components.teach.exercise import ServerFunction
from hallascope.components.teach.lesson_editor import class_results, exercise_entry, existing_set
from hallascope.data.teaching.lesson import (
    MOST,
    LessonItem,
    RunItem,
    item_of,
    lesson,
    make_seal,
    opens,
    token,
)
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.services import Services
from hallascope.engine.teaching import classes, exercises
from hallascope.pages.shared.visitor import services_of
from hallascope.pages.teach import learner
from hallascope.pages.teach import lesson_page as site
from hallascope.pages.teach.server_functions import (
    Answer,
    charge_quota,
    sent_text,
    server_functions,
)
from hallascope.primer.teaching import faults

NOT_YOURS = "These answers are for the teacher who made the set: open the link that you kept."


def functions(services: Services) -> tuple[ServerFunction, ...]:
    """Return the server functions of the editor, under the names by which it calls them.

    An error comes back as a sentence.
    """
    named: dict[str, Answer] = {
        "begin": lambda sent, _: open_set(sent_text(sent, "set"), sent_text(sent, "key")),
        "faults": lambda sent, _: {"found": prompt_exercises(sent_text(sent, "prompt"))},
        "chance": lambda sent, _: {"found": random_exercises(sent)},
        "wrongs": lambda sent, _: {"found": run_exercises(services, sent_text(sent, "run"))},
        "make": lambda sent, asker: charge_quota(
            services,
            asker,
            len(_sent_items(sent)),
            lambda: make(services_of(services, asker), sent),
        ),
        "answers": lambda sent, _: answers(
            services, sent_text(sent, "token"), sent_text(sent, "key")
        ),
        "as_page": lambda sent, asker: page(services, sent_text(sent, "token"), asker),
    }
    return server_functions(named)


def _sent_items(sent: dict[str, Any]) -> list[Any]:
    items = sent.get("items")
    return items if isinstance(items, list) else []


# --- what can be added ----------------------------------------------------------------------------


def prompt_exercises(prompt: str) -> list[dict[str, Any]]:
    """Return all that can be wrong in a drawing. Raises BadLesson."""
    return [exercise_entry(item, words) for item, words in faults.faults_of(prompt)]


def random_exercises(
    sent: dict[str, Any], chance: random.Random | None = None
) -> list[dict[str, Any]]:
    """Return random exercises that meet criteria. Raises BadRequest where there are none."""
    number = sent.get("number")
    if not isinstance(number, int) or not 1 <= number <= MOST:
        raise BadRequest(f"The number of exercises is none from 1 to {MOST}: give another.")
    return [exercise_entry(item, words(item)) for item in learner.sample(number, sent, chance)]


def run_exercises(services: Services, run: str) -> list[dict[str, Any]]:
    """Return all that is wrong in the pictures of a run.

    Raises BadRequest where no run is named, UnknownRun.
    """
    if not run.strip():
        raise BadRequest(
            "No run is named: its id stands in the address of the Evaluate tab, after `run=`."
        )
    return [
        exercise_entry(fault.item, fault.words) for fault in exercises.faults(services, run.strip())
    ]


def words(item: LessonItem) -> str:
    """Return an exercise in a line: what it was to show and what is wrong.

    Raises BadLesson where it cannot be drawn.
    """
    if isinstance(item, RunItem):
        return f"run {item.run}: {item.question}"
    return next(
        f"{item.prompt}: {fault}"
        for each, fault in faults.faults_of(item.prompt)
        if (each.parameter, each.value) == (item.parameter, item.value)
    )


# --- the set --------------------------------------------------------------------------------------


def make(services: Services, sent: dict[str, Any]) -> dict[str, Any]:
    """Store a set, with a new key for its teacher; all its exercises must be there.

    Raises BadRequest or BadLesson.
    """
    items = [item_of(each) for each in _sent_items(sent)]
    key = secrets.token_urlsafe(9)
    new = lesson(sent.get("title"), items, make_seal(key))
    for number, item in enumerate(items, 1):
        try:
            exercises.exercise_view(services, item)
        except HallaScopeError as error:
            raise BadRequest(f"Exercise {number}: {error}") from error
    services.store.lessons.keep(new)
    return {"token": token(new), "key": key, "id": new.id}


def open_set(link: str, key: str) -> dict[str, Any]:
    """Return the editor with a stored set. Raises BadRequest or BadLesson."""
    stored = learner.lesson_of(link)
    return existing_set(
        stored.title,
        [exercise_entry(item, words(item)) for item in stored.items],
        link,
        key if opens(stored, key) else "",
    )


def page(services: Services, link: str, asker: gr.Request | None = None) -> dict[str, Any]:
    """Return the set as a page without a server: its file's name and text. Raises BadRequest."""
    stored = learner.lesson_of(link)
    name = re.sub(r"[^0-9A-Za-z]+", "-", stored.title).strip("-").lower()[:60] or "exercises"

    def page_file() -> dict[str, Any]:
        return {"name": f"{name}.html", "text": site.page(services, stored, exercises.JUDGE)}

    return charge_quota(services, asker, len(stored.items), page_file)


# --- the class ------------------------------------------------------------------------------------


def answers(services: Services, link: str, key: str) -> dict[str, Any]:
    """Return what the class answered, as HTML and as CSV.

    Raises BadRequest where the key is not that of the set.
    """
    stored = learner.lesson_of(link)
    if not opens(stored, key):
        raise BadRequest(NOT_YOURS)
    given_answers = services.store.lessons.answers(stored.id)
    rows: Sequence[Sequence[str]] = classes.rows(given_answers)
    standings = [
        (each.name, f"{each.facts} of {each.done}", f"{each.places} of {each.asked}")
        for each in classes.learner_results(given_answers)
    ]
    return {
        "html": class_results(standings, rows, classes.HEADS),
        "csv": classes.table(given_answers),
    }
