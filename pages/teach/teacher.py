"""For teachers: sets of exercises from drawings, by chance or from runs; their links and pages.

What a class answered. No layout.
"""

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
    DrawnItem,
    Lesson,
    LessonItem,
    RunItem,
    item_of,
    lesson,
    opens,
    sealed,
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
    """What the bench asks the server, under the names it asks for.

    What is wrong comes back as a sentence.
    """
    named: dict[str, Callable[[dict[str, Any], gr.Request], dict[str, Any]]] = {
        "begin": lambda said, _: open_set(str(said.get("set") or ""), str(said.get("key") or "")),
        "faults": lambda said, _: {"found": prompt_exercises(str(said.get("prompt") or ""))},
        "chance": lambda said, _: {"found": random_exercises(said)},
        "wrongs": lambda said, _: {"found": run_exercises(services, str(said.get("run") or ""))},
        "make": lambda said, asker: charge_quota(
            services, asker, _many(said), lambda: make(services, said)
        ),
        "answers": lambda said, _: answers(
            services, str(said.get("token") or ""), str(said.get("key") or "")
        ),
        "as_page": lambda said, asker: page(services, str(said.get("token") or ""), asker),
    }
    return tuple(_server_function(name, ask) for name, ask in named.items())


def _server_function(
    name: str, ask: Callable[[dict[str, Any], gr.Request], dict[str, Any]]
) -> ServerFunction:
    def answer(said: dict[str, Any], asker: gr.Request) -> dict[str, Any]:
        return result_or_error(lambda: ask(said if isinstance(said, dict) else {}, asker))

    answer.__name__ = name
    return answer


def _many(said: dict[str, Any]) -> int:
    return len(said["items"]) if isinstance(said.get("items"), list) else 0


# --- what can be added
# --------------------------------------------------------------------------------------------------


def prompt_exercises(prompt: str) -> list[dict[str, Any]]:
    """All that can be wrong in a drawing. Raises BadLesson."""
    return [exercise_entry(item, words) for item, words in faults.faults_of(prompt)]


def random_exercises(
    said: dict[str, Any], chance: random.Random | None = None
) -> list[dict[str, Any]]:
    """Exercises of a sort. Raises BadRequest where there are none."""
    number = said.get("number")
    if not isinstance(number, int) or not 1 <= number <= MOST:
        raise BadRequest(f"The number of exercises is none from 1 to {MOST}: give another.")
    wanted = {name: str(said.get(name) or "") for name in ("level", "coi", "category")}
    found = faults.sample(number, learner.sort_of(wanted), chance or random.Random())
    if not found:
        raise BadRequest(learner.NOTHING)
    return [exercise_entry(item, words(item)) for item in found]


def run_exercises(services: Services, run: str) -> list[dict[str, Any]]:
    """All that is wrong in the pictures of a run.

    Raises BadRequest where no run is named, UnknownRun.
    """
    if not run.strip():
        raise BadRequest(
            "No run is named: its id stands in the address of the Explore tab, after `run=`."
        )
    return [exercise_entry(one.item, one.words) for one in exercises.faults(services, run.strip())]


def words(item: LessonItem) -> str:
    """An exercise in a line: what it was to show and what is wrong.

    Raises BadLesson where it cannot be drawn.
    """
    if isinstance(item, RunItem):
        return f"run {item.run}: {item.question}"
    return next(
        f"{item.prompt}: {said}"
        for one, said in faults.faults_of(item.prompt)
        if _is_same(one, item)
    )


def _is_same(one: DrawnItem, other: DrawnItem) -> bool:
    return (one.parameter, one.value) == (other.parameter, other.value)


# --- the set
# --------------------------------------------------------------------------------------------------


def make(services: Services, said: dict[str, Any]) -> dict[str, Any]:
    """Keep a set, with a new key for its teacher; all its exercises must be there.

    Raises BadRequest or BadLesson.
    """
    found = said.get("items")
    items = [item_of(one) for one in found] if isinstance(found, list) else []
    key = secrets.token_urlsafe(9)
    made = lesson(said.get("title"), items, sealed(key))
    for i, item in enumerate(items, 1):
        _check_exercise(services, i, item)
    services.store.lessons.keep(made)
    return {"token": token(made), "key": key, "id": made.id}


def _check_exercise(services: Services, number: int, item: LessonItem) -> None:
    try:
        exercises.exercise_view(services, item)
    except HallaScopeError as error:
        raise BadRequest(f"Exercise {number}: {error}") from error


def open_set(found: str, key: str) -> dict[str, Any]:
    """The bench with a set that is there. Raises BadRequest or BadLesson."""
    made = learner.lesson_of(found)
    return existing_set(
        made.title,
        [exercise_entry(item, words(item)) for item in made.items],
        found,
        key if opens(made, key) else "",
    )


def page(services: Services, found: str, asker: gr.Request | None = None) -> dict[str, Any]:
    """The set as a page without a server: its file's name and text. Raises BadRequest."""
    made = learner.lesson_of(found)
    return charge_quota(services, asker, len(made.items), lambda: _page(services, made))


def _page(services: Services, made: Lesson) -> dict[str, Any]:
    name = re.sub(r"[^0-9A-Za-z]+", "-", made.title).strip("-").lower()[:60] or "exercises"
    return {"name": f"{name}.html", "text": site.page(services, made, exercises.JUDGE)}


# --- the class
# --------------------------------------------------------------------------------------------------


def answers(services: Services, found: str, key: str) -> dict[str, Any]:
    """What the class answered, as HTML and as CSV.

    Raises BadRequest where the key is not that of the set.
    """
    made = learner.lesson_of(found)
    if not opens(made, key):
        raise BadRequest(NOT_YOURS)
    said = services.store.lessons.answers(made.id)
    rows: Sequence[Sequence[str]] = classes.rows(said)
    standings = [
        (one.name, f"{one.facts} of {one.done}", f"{one.places} of {one.asked}")
        for one in classes.standings(said)
    ]
    return {"html": class_results(standings, rows, classes.HEADS), "csv": classes.table(said)}
