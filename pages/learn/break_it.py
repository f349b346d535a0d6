"""Serves the panel in which a person changes a drawing's facts and hunts the judge's errors."""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from hallascope.components.html.gradio_html import ServerFunction
from hallascope.components.html.markup import data_address
from hallascope.components.learn import break_it as panel
from hallascope.components.learn.break_it import FactSwitch
from hallascope.data.teaching.lesson import BadLesson, as_plain
from hallascope.engine.errors import sentence
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.teaching.exercises import (
    JUDGE,
    AnsweredFact,
    ask_about_alteration,
    installed_judges,
)
from hallascope.pages.shared.server_functions import SentText, server_functions
from hallascope.primer.concepts import concepts
from hallascope.primer.teaching.alterations import (
    Alteration,
    concept_thumbnail,
    draw_alteration,
    exercise_items,
    locate_errors,
    read_alteration,
    sample_alteration,
    write_facts,
)
from hallascope.primer.teaching.exercises import short_question


def functions(services: Services) -> list[ServerFunction]:
    """Return the server functions of the panel, under the names by which it calls them.

    An error comes back as a sentence.
    """
    return server_functions(services, begin, draw, ask, surprise, browse)


# --- the drawing


def begin(
    services: Services,
    concept: SentText = "",
    facts: SentText = "",
    seed: SentText = "",
    judge: SentText = "",
) -> dict[str, Any]:
    """Return the drawing that an address names, with the judges that can be asked.

    Where the address is wrong, it is the first drawing, and `fault` says in one sentence why. A
    judge that is not installed here is replaced by the embedded one.
    """
    fault = ""
    try:
        sheet = draw(services, concept, facts, seed)
    except BadLesson as error:
        fault = sentence(error)
        sheet = draw(services)
    judges = installed_judges(services)
    judge = judge if judge in judges else JUDGE
    return {**sheet, "fault": fault, "judges": panel.judge_options(judges, judge), "judge": judge}


def draw(
    services: Services, concept: SentText = "", facts: SentText = "", seed: SentText = ""
) -> dict[str, Any]:
    """Return a drawing with these facts. Raises BadLesson."""
    return drawing_sheet(read_alteration(concept, facts, seed))


def surprise(services: Services) -> dict[str, Any]:
    """Return a drawing by chance."""
    return drawing_sheet(sample_alteration(random.Random()))


def browse(services: Services) -> dict[str, Any]:
    """Return all concepts that can be drawn."""
    return {"concepts": concept_list()}


def drawing_sheet(alteration: Alteration) -> dict[str, Any]:
    """Return a drawing as SVG with all its facts, and the exercises that can be made of it.

    Raises BadLesson.
    """
    altered = draw_alteration(alteration)
    switches = fact_switches(alteration)
    prompt = altered.scene.prompt
    wrong = [f"{one.question} {one.words(one.value)}" for one in switches if one.is_wrong]
    return {
        "concept": alteration.concept,
        "facts": write_facts(alteration),
        "seed": alteration.seed,
        "prompt": prompt,
        "alt": f"{prompt}, drawn with errors: {'; '.join(wrong)}"
        if wrong
        else f"{prompt}, drawn without errors",
        "svg": altered.drawing.svg,
        "outlines": panel.error_outlines(switches),
        "cards": panel.fact_cards(switches),
        "strips": [panel.fact_strips(switch) for switch in switches],
        "values": [switch.value for switch in switches],
        "mistakes": [switch.is_wrong for switch in switches],
        "exercises": [as_plain(item) for item in exercise_items(alteration)],
    }


def fact_switches(alteration: Alteration) -> list[FactSwitch]:
    """Return each fact with all that it can be switched to; numbers stand in their order.

    Raises BadLesson.
    """
    places = locate_errors(alteration)
    switches = []
    for altered in draw_alteration(alteration).facts:
        fact = altered.fact
        options = list(fact.values.items())
        counts = all(isinstance(value, int) for value in fact.values)
        if counts:
            options.sort()
        switches.append(
            FactSwitch(
                parameter=fact.parameter,
                question=short_question(fact.question),
                kind=fact.coi,
                options=[
                    (str(value), str(value) if counts else words, words) for value, words in options
                ],
                value=str(altered.value),
                truth=str(fact.truth),
                asked=altered.asked,
                place=places.get(fact.parameter, ()),
            )
        )
    return switches


@cache
def concept_list() -> list[dict[str, str]]:
    """Return all concepts with their prompts, domains and images, as addresses that hold them."""
    return [
        {
            "name": concept.name,
            "prompt": concept.phrase,
            "domain": str(concept.domain),
            "image": data_address(concept_thumbnail(concept.name), "image/webp"),
        }
        for concept in concepts()
    ]


# --- the judge


def ask(
    services: Services,
    concept: SentText = "",
    facts: SentText = "",
    seed: SentText = "",
    judge: SentText = "",
    own: bool = False,
) -> dict[str, Any]:
    """Return a judge's answers about a drawing, fact by fact, and what came of them.

    `tried` are the errors that the judge could see, and `finds` those that it does not see.
    It counts for a visitor of a public app. Raises BadLesson, BadRequest.
    """
    services.charge_quota(SpendingPolicy(), lambda: 1)
    judge = judge or JUDGE
    alteration = read_alteration(concept, facts, seed)
    answers = ask_about_alteration(services, alteration, judge)
    switches = fact_switches(alteration)
    asked = [switch for switch in switches if switch.asked]
    answered = {switch.parameter: answer for switch, answer in zip(asked, answers, strict=True)}
    tried = [
        (f"{judge} {alteration.concept} {switch.parameter} {switch.value}", switch)
        for switch in asked
        if switch.is_wrong and answered[switch.parameter].outcome != "no answer"
    ]
    prompt = draw_alteration(alteration).scene.prompt
    return {
        "lines": [
            panel.judge_line(switch, *answered.get(switch.parameter, ())) for switch in switches
        ],
        "outcomes": [
            answered[switch.parameter].outcome if switch.asked else "not asked"
            for switch in switches
        ],
        "tried": [key for key, _ in tried],
        "finds": [
            {"key": key, "words": f"{prompt}. {switch.question} {switch.words(switch.value)}"}
            for key, switch in tried
            if answered[switch.parameter].outcome == "missed"
        ],
        **summarize(switches, answered, own=own)._asdict(),
    }


class Summary(NamedTuple):
    """Says what came of a drawing; `kind` is the color of it."""

    kind: str
    title: str
    words: str


def summarize(
    switches: Sequence[FactSwitch], answered: Mapping[str, AnsweredFact], *, own: bool
) -> Summary:
    """Return what came of a drawing; `own`: a person has changed it."""
    outcomes = [answer.outcome for answer in answered.values()]
    found = outcomes.count("found")
    for switch in switches:
        answer = answered.get(switch.parameter)
        if answer and answer.outcome == "missed":
            return Summary(
                "missed",
                f"{'You found' if own else 'Here is'} an error that the judge does not see",
                f"{switch.question} The drawing shows “{switch.words(switch.value)}”, the judge"
                f" says “{answer.answer}”.",
            )
    if "no answer" in outcomes:
        return Summary("open", "The judge gave no answer", "Try another drawing.")
    if found:
        words = "Try another value, a second error, or another drawing."
        if "false alarm" in outcomes:
            words = "It takes a right fact for an error: a false alarm."
        errors = "your error" if found == 1 else "all your errors"
        return Summary("found", f"The judge finds {errors}", words)
    if any(switch.is_wrong for switch in switches):
        words = "So the judge cannot find it. Make one of the other facts wrong."
        return Summary("open", "No question asks about this error", words)
    if "false alarm" in outcomes:
        words = "Everything in the drawing is right, but the judge sees an error."
        return Summary("alarm", "A false alarm", words)
    return Summary("right", "All is right, and the judge agrees", "Switch a fact to make it wrong.")
