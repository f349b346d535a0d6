"""Runs the caption ablation of scene-graph QA (paper, section 4.3); it calls no model.

The same questions are answered from a caption's triples.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.prompts.templates import Template, template
from hallascope.data.requests import Answer, Describe, Failure, Reply, Request
from hallascope.metrics.base import Case, Metric, Plan, text_reply
from hallascope.metrics.parsing.english import unread
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.scene_graph.image_graph import ImageGraph, of_caption
from hallascope.metrics.scene_graph.prompt_graph import make_prompt_graph
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.report import SCORES, report

NAME = "caption-ablation"
READING = 2  # raise it with every change of a parsing, asking or grading rule


@dataclass(frozen=True)
class AblationTemplates:
    """The captioner's template."""

    describe: Template

    @property
    def version(self) -> str:
        return f"{READING}+{self.describe.version}"


def metric(prompts: Path | None = None) -> Metric:
    """The metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = AblationTemplates(template("caption_describe", prompts))
    start = partial(plan, prompts=files)
    title = "Scene-graph QA on a caption"
    return Metric(
        name=NAME,
        title=title,
        version=files.version,
        required_roles=("captioner",),
        plan=start,
        scores=SCORES,
        presents="graph",
        readable=readable,
        needs_questions=False,
    )


def plan(case: Case, prompts: AblationTemplates | None = None) -> Plan:
    """One description of the whole picture is taken for all that is seen in it."""
    prompts = prompts or AblationTemplates(template("caption_describe"))
    wanted = make_prompt_graph(case.prompt)
    if why := unread(case.prompt, "the scene graph"):
        return report(
            name=NAME,
            case=case,
            version=prompts.version,
            asked=wanted,
            seen=ImageGraph(gone=why, notes=(why,)),
            questions=questions(wanted),
        )
    (reply,) = yield [
        Describe(case.image, prompts.describe.text, template=prompts.describe.version)
    ]
    said = text_reply(reply, "captioner")
    seen = _failed_graph(said) if isinstance(said, Failure) else _caption_graph(said)
    return report(
        name=NAME,
        case=case,
        version=prompts.version,
        asked=wanted,
        seen=seen,
        questions=questions(wanted),
    )


def _failed_graph(failure: Failure) -> ImageGraph:
    return ImageGraph(gone=f"The captioner gave no description: {failure.message}")


def _caption_graph(said: Answer) -> ImageGraph:
    caption = line(paragraphs(strip_thinking(said.text)))
    return (
        ImageGraph(graph=of_caption(caption), caption=caption)
        if caption
        else ImageGraph(gone="The captioner's description is empty.")
    )


def readable(request: Request, reply: Reply) -> bool:
    """Whether there are words."""
    return isinstance(reply, Answer) and bool(strip_thinking(reply.text))
