"""Shows how it works: one picture and what each of the five methods makes of it, step by step.

All of it ships as data.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.evidence.exhibit import EvidenceGroup, Exhibit, ImageRegion, key
from hallascope.components.evidence.exhibits import factualbench, findings
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import NO_PROGRESS, scripted_html, static_html
from hallascope.components.html.markup import icon, join, key_attributes, tag
from hallascope.components.html.signs import ICONS, SignKind
from hallascope.components.learn.exercise import fault_panel, right_exhibit
from hallascope.data.evidence import Finding
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.engine.teaching import walkthrough
from hallascope.engine.teaching.exercises import JUDGE
from hallascope.engine.teaching.walkthrough import Walkthrough, WrongFact
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.exhibits import exhibit

INTRO = Markup("""<div class="lead"><p><strong>One image, five methods.</strong> See what each
method asks, who answers, and on what evidence. The models that ship with HallaScope answered from
the pixels of this image alone. Click a row, a word or a part of the image: what belongs together
lights up.</p></div>""")


class WalkthroughStep(NamedTuple):
    """Describes a step: its name, its words, and what is shown of the picture."""

    id: str
    title: str
    words: tuple[str, ...]
    look: Callable[[Walkthrough], Sequence[Exhibit]]


# --- what is shown --------------------------------------------------------------------------------


def _picture(data: Walkthrough) -> list[Exhibit]:
    """Return the faults as the drawing knows them, and the picture as it should be."""
    marks = [
        ImageRegion(
            name=part,
            keys=(key("finding", i),),
            polygons=shapes,
            kind="incorrect",
            words=_fault_text(fault),
        )
        for i, fault in enumerate(data.faults)
        for part, shapes in fault.parts.items()
        if shapes
    ]
    panels = (
        fault_panel(i, fault.question, tag("p", _fault_text(fault)), said=f"{_fault_text(fault)}.")
        for i, fault in enumerate(data.faults)
    )
    wrong = Exhibit(
        run="",
        key="how",
        name="what was drawn",
        path=data.shot.path,
        alt=f"{walkthrough.PROMPT}: {'; '.join(map(_fault_text, data.faults))}",
        marks=tuple(marks),
        groups=(EvidenceGroup("What is wrong", join(*panels)),),
        chosen=key("finding", 0),
    )
    return [wrong, right_exhibit("right", data.right, walkthrough.PROMPT)]


def _fault_text(fault: WrongFact) -> str:
    return f"{fault.shown} instead of {fault.truth}"


def _method(metric: str, data: Walkthrough) -> list[Exhibit]:
    """Return what a metric says of the picture, as its own tab shows it."""
    view = data.services.view(data.facts.run)
    references = (
        factualbench.reference(concept, "", data.shot.generation)
        for concept in run_pictures.compared_concepts(view, metric)
    )
    return [exhibit(data.services, view, data.shot, metric), *references]


def _judge(data: Walkthrough) -> list[Exhibit]:
    """Return HaloQuest's questions to the judge about the picture, with its replies."""
    evidence = [report.evidence for report in data.facts.halo if report.evidence]
    replies = [reply for each in evidence for reply in each.findings]
    references = [" / ".join(phrase.rstrip(".") for phrase in each.phrases) for each in evidence]
    rows = [
        _reply(i, reply, reference)
        for i, (reply, reference) in enumerate(zip(replies, references, strict=True))
    ]
    table = findings.table(
        ("question to the judge", "its reply", "", "right would be"), rows, "halo"
    )
    # the first question is about these parts
    marks = tuple(
        ImageRegion(name=part, keys=(key("finding", 0),), polygons=shapes, quiet=True)
        for part, shapes in data.faults[0].parts.items()
        if shapes
    )
    tile = run_pictures.tile(data.services.view(data.facts.run), data.shot)
    return [
        Exhibit(
            run=tile.run,
            key=tile.key,
            name=tile.name,
            path=tile.path,
            alt=f"{walkthrough.PROMPT}: what the judge {JUDGE} says of it",
            metric=data.facts.halo[0].metric,
            marks=marks,
            groups=(EvidenceGroup("HaloQuest", table),),
        )
    ]


def _reply(index: int, reply: Finding, right_replies: str) -> Markup:
    state: SignKind = "correct" if reply.state == "correct" else "incorrect"
    sign = tag("span", icon(ICONS[state]), class_=f"sign {state}")
    button = findings.lead_button(reply.expected, f"{reply.expected} {state}")
    return tag(
        "tr",
        tag("td", button, tag("span", reply.kind, class_="about")),
        tag("td", reply.observed),
        tag("td", sign),
        tag("td", right_replies),
        class_=f"finding {state}",
        **key_attributes((key("finding", index),)),
        data_kind=state,
        data_said=f"{reply.kind.capitalize()}.",
    )


# --- the steps ------------------------------------------------------------------------------------

STEPS: tuple[WalkthroughStep, ...] = (
    WalkthroughStep(
        "picture",
        "The image",
        (
            "A model got the prompt “a molecule of methane” and drew the image on the left. It"
            " looks like a molecule, but it is wrong. This is called a hallucination.",
            "Code drew this image, so we know exactly what is wrong. The judges of the next steps"
            " see the image alone.",
        ),
        _picture,
    ),
    WalkthroughStep(
        "ihalla",
        "I-HallA",
        (
            "Five questions with choices ask about facts that a correct image has to show. A judge"
            " (another AI) sees the image, but not the prompt, and answers them. An answer that a"
            " correct image would not lead to counts as wrong.",
            "The prompt does not say how many atoms there are: the questions bring knowledge of"
            " the world.",
        ),
        partial(_method, "ihalla"),
    ),
    WalkthroughStep(
        "fig",
        "FiG",
        (
            "FiG uses the words of the prompt alone. It finds the things of the prompt in the"
            " image, cuts them out and describes each. The descriptions become one caption, which"
            " is compared with the prompt: objects, their properties, and what is not in the"
            " prompt.",
            "FiG misses every error about which the prompt says nothing. It finds things that the"
            " prompt does not ask for.",
        ),
        partial(_method, "fig"),
    ),
    WalkthroughStep(
        "scene-graph",
        "Scene graph",
        (
            "The prompt and the image become two graphs: things are nodes, and lines say how they"
            " are related. Questions about the prompt are answered only from the graph of the"
            " image, so every answer points at its nodes.",
            "The grade goes from 1 (nothing of the prompt is there) to 7 (all is right).",
        ),
        partial(_method, "scene-graph"),
    ),
    WalkthroughStep(
        "factualbench",
        "FactualBench",
        (
            "The image stands beside a reference image of the same thing. A judge compares shape,"
            " color, texture and details. Parts that it could not compare are left out.",
        ),
        partial(_method, "factualbench"),
    ),
    WalkthroughStep(
        "haloquest",
        "HaloQuest",
        (
            "Can you trust the judge? It is asked about what is easy to take for granted, about"
            " what is not there, and about what no image can tell. Its free replies are compared"
            " with the right ones. This step tests the judge, not the image.",
            "A score is no better than its judge. So every score in HallaScope names its judge and"
            " leads to the judge's test results.",
        ),
        _judge,
    ),
)


def step_view(services: Services, chosen: str) -> tuple[Markup, Markup]:
    """Return the words and the evidence of a step; one sentence where the data is missing."""
    step = next((each for each in STEPS if each.id == chosen), STEPS[0])
    try:
        data = walkthrough.read(services)
        exhibits = [replace(each, run="") for each in step.look(data)]
    except HallaScopeError as sentence:
        return status.error_message(sentence), viewer(())
    return words(step, count_noticed(data) if step.id == "ihalla" else ""), viewer(exhibits)


def words(step: WalkthroughStep, result: str = "") -> Markup:
    """Return the words of a step, above its evidence."""
    number = STEPS.index(step)
    paragraphs = (tag("p", sentence) for sentence in (*step.words, result) if sentence)
    counted = f"Step {number} of {len(STEPS) - 1}: " if number else ""
    return tag("div", tag("h2", f"{counted}{step.title}"), *paragraphs, class_="lead how")


def count_noticed(data: Walkthrough) -> str:
    """Count the wrong facts that the judge notices: it answers as the picture does."""
    view = data.services.view(data.facts.run)
    verdicts = {
        v.question.text: v
        for e in view.evaluations
        if e.metric == "ihalla"
        for v in e.report.verdicts
    }
    wrong = [v for v in verdicts.values() if v.state == "incorrect"]
    faults = len(data.faults)
    if len(wrong) < faults:
        return (
            f"{faults} facts are wrong in this image; the judge notices {len(wrong)} of them, so"
            " the score is higher than the truth."
        )
    return f"{faults} facts are wrong in this image, and the judge notices all of them."


def next_step(chosen: str) -> str:
    """Return the step after this one; after the last, the first."""
    names = [step.id for step in STEPS]
    return names[(names.index(chosen) + 1) % len(names)]


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, tab: gr.Tab) -> None:
    """Lay the steps out; they are filled when they are shown.

    `tab`: the part of the page that they stand in.
    """
    static_html(INTRO)
    choices = [(f"{i}  {step.title}" if i else step.title, step.id) for i, step in enumerate(STEPS)]
    steps = gr.Radio(choices, value=STEPS[0].id, label="Steps", elem_id="how-steps")
    words_html = static_html(Markup(), elem_id="how-words")
    evidence = scripted_html("evidence/viewer", viewer(()), elem_id="how-evidence")
    button = gr.Button("Next step", scale=0, min_width=120, elem_id="how-next")
    look = partial(step_view, services)
    moment = [words_html, evidence]
    gr.on(
        [tab.select, steps.change],
        look,
        steps,
        moment,
        concurrency_limit=1,
        trigger_mode="multiple",
        **NO_PROGRESS,
    )
    button.click(next_step, steps, steps, **NO_PROGRESS).then(
        look, steps, moment, concurrency_limit=4, **NO_PROGRESS
    )
