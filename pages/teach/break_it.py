"""Serves the panel in which a person changes a drawing's facts and hunts the judge's errors."""

import base64
import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from hallascope.components.teach.exercise import ServerFunction
from hallascope.components.teach.lesson_editor import exercise_entry
from hallascope.data.outlines import Polygon
from hallascope.data.teaching.lesson import BadLesson
from hallascope.engine.errors import sentence
from hallascope.engine.services import Services
from hallascope.engine.teaching.alterations import ask_about_alteration, installed_judges
from hallascope.engine.teaching.exercises import JUDGE
from hallascope.pages.teach.server_functions import (
    Answer,
    charge_quota,
    sent_text,
    server_functions,
)
from hallascope.pages.teach.teacher import words
from hallascope.primer.concepts import concepts
from hallascope.primer.teaching.alterations import (
    Alteration,
    AlteredFact,
    concept_thumbnail,
    draw_alteration,
    exercise_items,
    locate_errors,
    read_alteration,
    sample_alteration,
    write_facts,
)
from hallascope.primer.teaching.exercises import fact_question


def functions(services: Services) -> tuple[ServerFunction, ...]:
    """Return the server functions of the panel, under the names by which it calls them.

    An error comes back as a sentence.
    """
    named: dict[str, Answer] = {
        "begin": lambda sent, _: open_address(services, sent),
        "draw": lambda sent, _: drawing_sheet(_alteration(sent)),
        "ask": lambda sent, asker: charge_quota(
            services, asker, 1, lambda: judge_answers(services, sent)
        ),
        "surprise": lambda sent, _: drawing_sheet(sample_alteration(random.Random())),
        "browse": lambda sent, _: {"concepts": concept_list()},
    }
    return server_functions(named)


def _alteration(sent: Mapping[str, Any]) -> Alteration:
    return read_alteration(
        sent_text(sent, "concept"), sent_text(sent, "facts"), sent_text(sent, "seed")
    )


# --- the drawing


def open_address(services: Services, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the drawing that an address names, with the judges that can be asked.

    Where the address is wrong, it is the first drawing, and `fault` says in one sentence why. A
    judge that is not installed here is replaced by the embedded one.
    """
    fault = ""
    try:
        sheet = drawing_sheet(_alteration(sent))
    except BadLesson as error:
        fault = sentence(error)
        sheet = drawing_sheet(read_alteration(""))
    judges = installed_judges(services)
    named = sent_text(sent, "judge")
    judge = named if named in judges else JUDGE
    return {**sheet, "fault": fault, "judges": list(judges), "judge": judge}


def drawing_sheet(alteration: Alteration) -> dict[str, Any]:
    """Return a drawing as SVG with all its facts, and the exercises that can be made of it.

    Raises BadLesson.
    """
    altered = draw_alteration(alteration)
    places = locate_errors(alteration)
    return {
        "concept": alteration.concept,
        "prompt": altered.scene.prompt,
        "facts": write_facts(alteration),
        "seed": alteration.seed,
        "svg": altered.drawing.svg,
        "switches": [
            fact_switch(fact, places.get(fact.fact.parameter, ())) for fact in altered.facts
        ],
        "exercises": [exercise_entry(item, words(item)) for item in exercise_items(alteration)],
    }


def fact_switch(altered: AlteredFact, place: Sequence[Polygon]) -> dict[str, Any]:
    """Return a fact with all that it can be switched to; numbers stand in their order.

    `place`: outlines of where it is wrong, in [0, 1].
    """
    fact = altered.fact
    options = list(fact.values.items())
    counts = all(isinstance(value, int) for value in fact.values)
    if counts:
        options.sort()
    return {
        "parameter": fact.parameter,
        "question": fact_question(fact),
        "kind": fact.coi,
        "options": [
            {
                "value": str(value),
                "words": answer,
                "label": str(value) if counts else answer,
                "right": value == fact.truth,
            }
            for value, answer in options
        ],
        "value": str(altered.value),
        "shown": fact.values[altered.value],
        "truth": fact.gold,
        "wrong": altered.wrong,
        "asked": altered.asked,
        "outlines": place,
    }


@cache
def concept_list() -> list[dict[str, str]]:
    """Return all concepts with their prompts, domains and images, as addresses that hold them."""
    return [
        {
            "name": concept.name,
            "prompt": concept.phrase,
            "domain": str(concept.domain),
            "image": "data:image/webp;base64,"
            + base64.b64encode(concept_thumbnail(concept.name)).decode(),
        }
        for concept in concepts()
    ]


# --- the judge


def judge_answers(services: Services, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return a judge's answers about a drawing, in the order of its asked facts.

    Raises BadLesson, BadRequest.
    """
    judge = sent_text(sent, "judge") or JUDGE
    answers = ask_about_alteration(services, _alteration(sent), judge)
    return {"judge": judge, "answers": [answer._asdict() for answer in answers]}
