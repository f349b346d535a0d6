"""Shows how it works: one picture and what each of the five methods makes of it.

It goes step by step with its evidence; all of it ships as data.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import gradio as gr

from hallascope import metrics
from hallascope.components.cards import status
from hallascope.components.evidence import factualbench, findings
from hallascope.components.evidence.exhibit import EvidenceGroup, Exhibit, ImageRegion, key
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import live, quiet, still
from hallascope.components.html.markup import icon, keyed, text
from hallascope.components.models.pickers import Option, chip_row, chips
from hallascope.data.evidence import Evidence
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.engine.teaching import walkthrough
from hallascope.engine.teaching.walkthrough import Walkthrough, WrongFact
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.exhibits import exhibit

INTRO = """<div class="lead"><p><strong>One picture, five methods.</strong> What each of them asks,
who answers, and what it rests on. Nothing here is made up: the models that ship with HallaScope
looked at this picture and saw only its pixels. Choose a row, a word or a part of the picture: what
belongs together lights up.</p></div>"""


class WalkthroughStep(NamedTuple):
    """A step: its name, what is said of it in words, and what is shown of the picture."""

    id: str
    title: str
    words: tuple[str, ...]
    look: Callable[[Walkthrough], Sequence[Exhibit]]


class Page(NamedTuple):
    """The parts of the page."""

    steps: gr.HTML
    words: gr.HTML
    evidence: gr.HTML
    onward: gr.Button


# --- what is shown
# --------------------------------------------------------------------------------------------------


def _picture(found: Walkthrough) -> list[Exhibit]:
    """The faults as the drawing knows them, and the picture as it should be."""
    marks = [
        ImageRegion(
            name=part,
            keys=(key("finding", i),),
            polygons=shapes,
            kind="incorrect",
            words=_fault_text(fault),
        )
        for i, fault in enumerate(found.faults)
        for part, shapes in fault.parts.items()
        if shapes
    ]
    rows = "".join(_fault(i, fault) for i, fault in enumerate(found.faults))
    path = found.shot.path
    prompt = walkthrough.PROMPT
    wrong = Exhibit(
        run="",
        key="how",
        name="what was drawn",
        path=path,
        alt=f"{prompt}: {'; '.join(map(_fault_text, found.faults))}",
        marks=tuple(marks),
        groups=(EvidenceGroup("What is wrong", rows),),
        chosen=key("finding", 0),
    )
    return [
        wrong,
        Exhibit(
            run="",
            key="right",
            name="as it should be",
            path=found.right.path,
            alt=f"{prompt}, as it should be",
            side_by_side=True,
        ),
    ]


def _fault_text(fault: WrongFact) -> str:
    return f"{fault.shown} instead of {fault.truth}"


def _fault(index: int, fault: WrongFact) -> str:
    return (
        f'<div class="fault incorrect" {keyed((key("finding", index),))} data-kind="incorrect"'
        f' data-said="{text(_fault_text(fault))}.">'
        f'<p class="fault-title"><span class="sign incorrect">{icon("cross")}</span>'
        '<button type="button" class="lead-button"'
        f' aria-pressed="false">{text(fault.question)}</button></p>'
        f"<p>{text(_fault_text(fault))}</p></div>"
    )


def _method(metric: str, found: Walkthrough) -> list[Exhibit]:
    """What a metric says of the picture, as its own tab shows it."""
    view = found.services.view(found.told.run)
    shown = [exhibit(found.services, view, found.shot, metric)]
    concepts = (
        view.request.factual.concepts
        if view.request.factual and metrics.presentation(metric) == "rounds"
        else ()
    )
    return [
        *shown,
        *(factualbench.reference(concept, "", found.shot.generation) for concept in concepts),
    ]


def _judge(found: Walkthrough) -> list[Exhibit]:
    """HaloQuest's questions to the judge about the picture, with its replies."""
    view = found.services.view(found.told.run)
    told = tuple(
        one for report in found.told.halo if report.evidence for one in report.evidence.findings
    )
    references = [
        " / ".join(one.rstrip(".") for one in report.evidence.phrases)
        for report in found.told.halo
        if report.evidence
    ]
    tile = replace(run_progress.tile(view, found.shot), reports=())
    report = replace(found.told.halo[0], evidence=Evidence(findings=told))
    shown = findings.exhibit(replace(tile, reports=(report,)))
    rows = [
        _reply(
            index=i,
            kind=one.kind,
            asked=one.expected,
            seen=one.observed,
            references=said,
            right=one.state == "correct",
        )
        for i, (one, said) in enumerate(zip(told, references, strict=True))
    ]
    table = findings.table(
        ("question to the judge", "its reply", "", "right would be"), rows, "halo"
    )
    alt = f"{walkthrough.PROMPT}: what the judge {walkthrough.JUDGE} says of it"
    return [
        replace(
            shown,
            alt=alt,
            marks=_question_marks(found),
            texts=(),
            groups=(EvidenceGroup("HaloQuest", table),),
            numbers="",
            hint="",
        )
    ]


def _reply(index: int, kind: str, asked: str, seen: str, references: str, *, right: bool) -> str:
    state = "correct" if right else "incorrect"
    label = f"{asked} {state}"
    return (
        f'<tr class="finding {state}" {keyed((key("finding", index),))} data-kind="{state}"'
        f' data-said="{text(kind.capitalize())}.">'
        '<td><button type="button" class="lead-button" aria-pressed="false"'
        f' aria-label="{text(label)}">{text(asked)}</button>'
        f'<span class="about">{text(kind)}</span></td><td>{text(seen)}</td>'
        f'<td><span class="sign {state}">{icon("check" if right else "cross")}</span></td>'
        f"<td>{text(references)}</td></tr>"
    )


def _question_marks(found: Walkthrough) -> tuple[ImageRegion, ...]:
    """The part that the first question is about."""
    first = found.faults[0]
    return tuple(
        ImageRegion(name=part, keys=(key("finding", 0),), polygons=shapes, quiet=True)
        for part, shapes in first.parts.items()
        if shapes
    )


# --- the steps
# --------------------------------------------------------------------------------------------------

STEPS: tuple[WalkthroughStep, ...] = (
    WalkthroughStep(
        "picture",
        "The picture",
        (
            (
                "A model was asked for “a molecule of methane” and drew the picture on the left. It"
                " looks like a molecule, and it is wrong: this is what is called a hallucination of"
                " a text-to-image model."
            ),
            (
                "The drawing knows what is wrong in it. The judges of the next steps do not: they"
                " only look."
            ),
        ),
        _picture,
    ),
    WalkthroughStep(
        "ihalla",
        "I-HallA",
        (
            (
                "Five questions with choices, about facts that a right picture has to show. A"
                " judge, a model that looks at pictures, answers them without knowing the prompt."
                " Where its answer is not that of a factual picture, the question counts as wrong."
            ),
            (
                "The prompt nowhere says how many atoms there are: the questions bring knowledge of"
                " the world."
            ),
        ),
        partial(_method, "ihalla"),
    ),
    WalkthroughStep(
        "fig",
        "FiG",
        (
            (
                "Nothing but the words of the prompt. Its things are looked for in the picture, cut"
                " out and described one by one; the descriptions become one caption; prompt and"
                " caption are compared: things, their properties, and what nobody asked for."
            ),
            (
                "What the prompt does not say cannot be missed. In return it shows what is there"
                " that nobody asked for."
            ),
        ),
        partial(_method, "fig"),
    ),
    WalkthroughStep(
        "scene-graph",
        "Scene graph",
        (
            (
                "Prompt and picture become two graphs: things as nodes, how they stand to each"
                " other as lines. Questions made of the prompt are answered from the graph of the"
                " picture alone, so every answer points at the nodes that it rests on."
            ),
            "The grade goes from 1 (nothing of the prompt is there) to 7 (all is right).",
        ),
        partial(_method, "scene-graph"),
    ),
    WalkthroughStep(
        "factualbench",
        "FactualBench",
        (
            (
                "The picture beside a reference picture of the same thing. A judge compares shape,"
                " colour, texture and details, each met or not; what it cannot tell is left out and"
                " said."
            ),
        ),
        partial(_method, "factualbench"),
    ),
    WalkthroughStep(
        "haloquest",
        "HaloQuest",
        (
            (
                "Can the judge itself be trusted? It is asked about what is easily taken for"
                " granted, what is not there, and what no picture tells. Its free replies are held"
                " against the right ones. Here it is the judge that is tested, not the picture."
            ),
            (
                "A score is no better than its judge. That is why every score in HallaScope names"
                " the judge and leads to what is known of it."
            ),
        ),
        _judge,
    ),
)


def step_view(services: Services, wanted: Sequence[str] | None) -> tuple[str, str]:
    """The words and the evidence of a step; one sentence where the data is not there."""
    step = next((one for one in STEPS if [one.id] == wanted), STEPS[0])
    try:
        found = walkthrough.read(services)
        exhibits = [replace(one, run="") for one in step.look(found)]
    except HallaScopeError as sentence:
        return status.error_message(str(sentence)), viewer(())
    return words(step, count_noticed(found) if step.id == "ihalla" else ""), viewer(exhibits)


def words(step: WalkthroughStep, result: str = "") -> str:
    """What is said of a step, above its evidence."""
    number = STEPS.index(step)
    said = "".join(f"<p>{text(one)}</p>" for one in (*step.words, *([result] if result else [])))
    counted = f"Step {number} of {len(STEPS) - 1}: " if number else ""
    return f'<div class="lead how"><h2>{text(counted + step.title)}</h2>{said}</div>'


def count_noticed(found: Walkthrough) -> str:
    """Count the wrong facts that the judge notices: it answers as the picture does."""
    view = found.services.view(found.told.run)
    told = {
        v.question.text: v
        for e in view.evaluations
        if e.metric == "ihalla"
        for v in e.report.verdicts
    }
    wrong = [v for v in told.values() if v.state == "incorrect"]
    many = len(found.faults)
    if len(wrong) < many:
        return (
            f"{many} facts are wrong in this picture; the judge notices {len(wrong)} of them, so"
            " the score is higher than the truth."
        )
    return f"{many} facts are wrong in this picture, and the judge notices all of them."


def next_step(chosen: Sequence[str] | None) -> list[str]:
    """The step after this one; after the last, the first."""
    names = [one.id for one in STEPS]
    at = names.index(chosen[0]) if chosen and chosen[0] in names else 0
    return [names[(at + 1) % len(names)]]


# --- the page
# --------------------------------------------------------------------------------------------------


def build(services: Services, tab: gr.Tab) -> Page:
    """Lay the steps out; they are read when they are looked at.

    `tab`: the part of the page that they stand in.
    """
    still(INTRO)
    first = [STEPS[0].id]
    options = tuple(
        Option(one.id, one.title, called=f"{i}  {one.title}" if i else one.title)
        for i, one in enumerate(STEPS)
    )
    steps = chips(
        chip_row(options, first, "Steps", "radio", group="how-steps"), first, elem_id="how-steps"
    )
    said = still("", elem_id="how-words")
    evidence = live("evidence/viewer", viewer(()), elem_id="how-evidence")
    button = gr.Button("Next step", scale=0, min_width=120, elem_id="how-next")
    page = Page(steps, said, evidence, button)
    look = partial(step_view, services)
    moment = [said, evidence]
    gr.on([tab.select, steps.change], look, steps, moment, concurrency_limit=4, **quiet())
    button.click(next_step, steps, steps, **quiet()).then(
        look, steps, moment, concurrency_limit=4, **quiet()
    )
    return page
