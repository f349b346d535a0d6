"""Runs the caption ablation of scene-graph QA (paper, section 4.3).

The same questions are answered from a caption's triples.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.requests import Answer, Describe, Failure, Reply, Request
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import Case, Metric, Plan, text_reply
from hallascope.metrics.reading.case_reading import parser_version, read_case
from hallascope.metrics.replies.letters import strip_thinking, unread_reason
from hallascope.metrics.scene_graph import plan as scene_graph
from hallascope.metrics.scene_graph.image_graph import ImageGraph, graph_of_caption
from hallascope.metrics.scene_graph.plan import SceneGraphTemplates
from hallascope.metrics.scene_graph.prompt_graph import graph_of_reading
from hallascope.metrics.scene_graph.report import SCORES, report
from hallascope.metrics.scene_graph.words.attributes import describing_words

NAME = "caption-ablation"
READING = 8  # raise it with every change of a parsing, asking or grading rule


def templates(prompts: Path | None = None) -> SceneGraphTemplates:
    """Return the templates of a folder, ours where it has none; the captioner looks.

    Raises TemplateError where one of them cannot be used.
    """
    files = scene_graph.templates(prompts)
    return replace(files, look=template("caption_describe", prompts), reading=READING)


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = templates(prompts)
    return Metric(
        name=NAME,
        title="Scene-graph QA, caption only",
        definition="Caption only: the scene-graph score of a caption of the image (0 to 1).",
        caveat="It does not score the image: what the caption leaves out counts as missing.",
        version=f"{files.version()}{parser_version(files.parser)}",
        required_roles=("captioner",),
        plan=partial(plan, prompts=files),
        scores=SCORES,
        presents="graph",
        readable=readable,
        needs_questions=False,
        reads_prompt=True,
        optional_roles=("writer", "parser"),
    )


def plan(case: Case, prompts: SceneGraphTemplates) -> Plan:
    """Take one description of the whole image for all that is seen in it.

    A writer in the line-up answers from the caption's triples as it does from the image's.
    """
    read = yield from read_case(case, prompts.parser, "scene-graph", describing_words())
    prompt = graph_of_reading(read.reading)
    reason = prompt.reading.unreadable
    if reason:
        image = ImageGraph(failure=reason, notes=(reason,))
    else:
        (reply,) = yield [Describe(case.image, prompts.look.text, template=prompts.look.version)]
        image = _caption_graph(reply)
    image = replace(image, notes=(*read.notes, *image.notes))
    written = yield from scene_graph.ask_writer(case, prompt, image, prompts)
    return report(
        name=NAME,
        case=case,
        version=prompts.version(case) + read.version,
        prompt=prompt,
        image=image,
        questions=written.questions,
        written_answers=written.answers,
    )


def _caption_graph(reply: Reply) -> ImageGraph:
    answer = text_reply(reply, "captioner")
    if isinstance(answer, Failure):
        failure = f"The captioner gave no description: {answer.message}"
        return ImageGraph(failure=failure, goes_on=answer.kind == "stopped")
    caption = _caption(answer)
    if answer.truncated:
        failure = unread_reason(answer.text, truncated=True, who="captioner")
        return ImageGraph(failure=failure, caption=caption)
    graph = graph_of_caption(caption)
    if not graph.nodes:
        return ImageGraph(failure="The captioner's description names no thing.", caption=caption)
    return ImageGraph(graph=graph, caption=caption)


def _caption(answer: Answer) -> str:
    return line(paragraphs(strip_thinking(answer.text)))


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a description names a thing, and what a writer or parser says can be read."""
    if isinstance(request, Describe):
        return (
            isinstance(reply, Answer)
            and not reply.truncated
            and bool(graph_of_caption(_caption(reply)).nodes)
        )
    return scene_graph.readable(request, reply)
