"""Runs the caption ablation of scene-graph QA (paper, section 4.3).

The same questions are answered from a caption's triples.
"""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.requests import Answer, Describe, Failure, ReadPrompt, Reply, Request
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import Case, Metric, Plan, text_reply
from hallascope.metrics.parsing.readings.case_reading import (
    is_readable_reading,
    parser_version,
    read_case,
)
from hallascope.metrics.parsing.readings.model_reading import reading_template
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.scene_graph.image_graph import ImageGraph, graph_of_caption
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.report import SCORES, report
from hallascope.metrics.scene_graph.words.attributes import describing_words

NAME = "caption-ablation"
READING = 4  # raise it with every change of a parsing, asking or grading rule


@dataclass(frozen=True)
class AblationTemplates:
    """Holds the templates of the captioner and of the parser."""

    describe: Template
    parser: Template

    @property
    def version(self) -> str:
        """Return the version of a report whose prompt was read by rules."""
        return f"{READING}+{self.describe.version}"


def templates(prompts: Path | None = None) -> AblationTemplates:
    """Return the templates of a folder, ours where it has none.

    Raises TemplateError where one of them cannot be used.
    """
    return AblationTemplates(template("caption_describe", prompts), reading_template(prompts))


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = templates(prompts)
    return Metric(
        name=NAME,
        title="Scene-graph QA, caption only",
        definition=(
            "The score is the scene-graph grade of a caption in place of the image, from 0 to 1."
        ),
        caveat=(
            "It misleads where it is read as a score of the image: what the caption leaves "
            "out counts as missing."
        ),
        version=f"{files.version}{parser_version(files.parser)}",
        required_roles=("captioner",),
        plan=partial(plan, prompts=files),
        scores=SCORES,
        presents="graph",
        readable=readable,
        needs_questions=False,
        reads_prompt=True,
        optional_roles=("parser",),
    )


def plan(case: Case, prompts: AblationTemplates | None = None) -> Plan:
    """Take one description of the whole picture for all that is seen in it."""
    prompts = prompts or templates()
    read = yield from read_case(case, prompts.parser, describing_words())
    prompt = graph_of_reading(read.reading)
    reason = prompt.reading.unreadable
    if reason:
        image = ImageGraph(failure=reason, notes=(reason,))
    else:
        (reply,) = yield [
            Describe(case.image, prompts.describe.text, template=prompts.describe.version)
        ]
        image = _caption_graph(reply)
    image = replace(image, notes=(*read.notes, *image.notes))
    return report(
        name=NAME,
        case=case,
        version=prompts.version + read.version,
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
    """Return whether there are words, or what a prompt asks for."""
    if isinstance(request, ReadPrompt):
        return is_readable_reading(request, reply)
    return isinstance(reply, Answer) and bool(strip_thinking(reply.text))
