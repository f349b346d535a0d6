"""Runs the caption ablation of scene-graph QA (paper, section 4.3).

The same questions are answered from a caption's triples.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.prompts.templates import Template, template
from hallascope.data.requests import Answer, Describe, Failure, Reply, Request
from hallascope.metrics.base import Case, Metric, Plan, text_reply
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.scene_graph.attributes import describing_words
from hallascope.metrics.scene_graph.image_graph import ImageGraph, graph_of_caption
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.report import SCORES, report

NAME = "caption-ablation"
READING = 3  # raise it with every change of a parsing, asking or grading rule


@dataclass(frozen=True)
class AblationTemplates:
    """Holds the captioner's template."""

    describe: Template

    @property
    def version(self) -> str:
        """Return the version of a report made with this template."""
        return f"{READING}+{self.describe.version}"


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = AblationTemplates(template("caption_describe", prompts))
    return Metric(
        name=NAME,
        title="Scene-graph QA on a caption",
        version=files.version,
        required_roles=("captioner",),
        plan=partial(plan, prompts=files),
        scores=SCORES,
        presents="graph",
        readable=readable,
        needs_questions=False,
        reads_prompt=True,
    )


def plan(case: Case, prompts: AblationTemplates | None = None) -> Plan:
    """Take one description of the whole picture for all that is seen in it."""
    prompts = prompts or AblationTemplates(template("caption_describe"))
    prompt = graph_of_reading(case.reading or read_prompt(case.prompt, describing_words()))
    reason = prompt.reading.unreadable
    if reason:
        image = ImageGraph(failure=reason, notes=(reason,))
    else:
        (reply,) = yield [
            Describe(case.image, prompts.describe.text, template=prompts.describe.version)
        ]
        image = _caption_graph(reply)
    return report(
        name=NAME,
        case=case,
        version=prompts.version,
        prompt=prompt,
        image=image,
        questions=questions(prompt),
    )


def _caption_graph(reply: Reply) -> ImageGraph:
    answer = text_reply(reply, "captioner")
    if isinstance(answer, Failure):
        return ImageGraph(failure=f"The captioner gave no description: {answer.message}")
    caption = line(paragraphs(strip_thinking(answer.text)))
    if not caption:
        return ImageGraph(failure="The captioner's description is empty.")
    return ImageGraph(graph=graph_of_caption(caption), caption=caption)


def readable(request: Request, reply: Reply) -> bool:
    """Return whether there are words."""
    return isinstance(reply, Answer) and bool(strip_thinking(reply.text))
