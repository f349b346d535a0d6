"""Serves the teacher's bench: sets of exercises, their links and pages, and a class's answers."""

import random
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

from hallascope.components.teach.exercise import ServerFunction
from hallascope.components.teach.lesson_editor import class_results, exercise_entry, existing_set
from hallascope.data.teaching.lesson import (
    MOST,
    Lesson,
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
from hallascope.pages.teach import learner
from hallascope.pages.teach import lesson_page as site
from hallascope.pages.teach.learner import charge_quota, result_or_error
from hallascope.primer.teaching import faults

NOT_YOURS = "These answers are for the teacher who made the set: open the link that you kept."


def functions(services: Services) -> tuple[ServerFunction, ...]:
    """Return the server functions of the bench, under the names by which it calls them.

    An error comes back as a sentence.
    """
    named: dict[str, Callable[[dict[str, Any], gr.Request], dict[str, Any]]] = {
        "begin": lambda sent, _: open_set(str(sent.get("set") or ""), str(sent.get("key") or "")),
        "faults": lambda sent, _: {"found": prompt_exercises(str(sent.get("prompt") or ""))},
        "chance": lambda sent, _: {"found": random_exercises(sent)},
        "wrongs": lambda sent, _: {"found": run_exercises(services, str(sent.get("run") or ""))},
        "make": lambda sent, asker: charge_quota(
            services, asker, _many(sent), lambda: make(services, sent)
        ),
        "answers": lambda sent, _: answers(
            services, str(sent.get("token") or ""), str(sent.get("key") or "")
        ),
        "as_page": lambda sent, asker: page(services, str(sent.get("token") or ""), asker),
    }
    return tuple(_server_function(name, ask) for name, ask in named.items())


def _server_function(
    name: str, ask: Callable[[dict[str, Any], gr.Request], dict[str, Any]]
) -> ServerFunction:
    def answer(sent: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return result_or_error(lambda: ask(sent if isinstance(sent, dict) else {}, asker))

    answer.__name__ = name
    return answer


def _many(sent: dict[str, Any]) -> int:
    return len(sent["items"]) if isinstance(sent.get("items"), list) else 0


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
    criteria = {name: str(sent.get(name) or "") for name in ("level", "coi", "category")}
    items = faults.sample(number, learner.sort_of(criteria), chance or random.Random())
    if not items:
        raise BadRequest(learner.NOTHING)
    return [exercise_entry(item, words(item)) for item in items]


def run_exercises(services: Services, run: str) -> list[dict[str, Any]]:
    """Return all that is wrong in the pictures of a run.

    Raises BadRequest where no run is named, UnknownRun.
    """
    if not run.strip():
        raise BadRequest(
            "No run is named: its id stands in the address of the Explore tab, after `run=`."
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
    sent_items = sent.get("items")
    items = [item_of(each) for each in sent_items] if isinstance(sent_items, list) else []
    key = secrets.token_urlsafe(9)
    new = lesson(sent.get("title"), items, make_seal(key))
    for i, item in enumerate(items, 1):
        _check_exercise(services, i, item)
    services.store.lessons.keep(new)
    return {"token": token(new), "key": key, "id": new.id}


def _check_exercise(services: Services, number: int, item: LessonItem) -> None:
    try:
        exercises.exercise_view(services, item)
    except HallaScopeError as error:
        raise BadRequest(f"Exercise {number}: {error}") from error


def open_set(link: str, key: str) -> dict[str, Any]:
    """Return the bench with a stored set. Raises BadRequest or BadLesson."""
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
    return charge_quota(services, asker, len(stored.items), lambda: _page(services, stored))


def _page(services: Services, stored: Lesson) -> dict[str, Any]:
    name = re.sub(r"[^0-9A-Za-z]+", "-", stored.title).strip("-").lower()[:60] or "exercises"
    return {"name": f"{name}.html", "text": site.page(services, stored, exercises.JUDGE)}


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
