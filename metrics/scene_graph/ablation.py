"""The caption ablation of scene-graph QA (paper, section 4.3): the same questions, answered from a
caption's triples; it calls no model.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.prompts.templates import Template, template
from hallascope.data.requests import Answer, Describe, Failure, Reply, Request
from hallascope.metrics.base import Case, Metric, Plan, text_reply
from hallascope.metrics.parsing.english import unread
from hallascope.metrics.replies.letters import spoken
from hallascope.metrics.scene_graph.image_graph import Seen, of_caption
from hallascope.metrics.scene_graph.prompt_graph import asked
from hallascope.metrics.scene_graph.questions import questions
from hallascope.metrics.scene_graph.report import SCORES, report

NAME = "caption-ablation"
READING = 2  # raise it with every change of a parsing, asking or grading rule


@dataclass(frozen=True)
class Prompts:
    """The captioner's template."""

    describe: Template

    @property
    def version(self) -> str:
        return f"{READING}+{self.describe.version}"


def metric(prompts: Path | None = None) -> Metric:
    """The metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = Prompts(template("caption_describe", prompts))
    start = partial(plan, prompts=files)
    title = "Scene-graph QA on a caption"
    return Metric(
        NAME,
        title,
        files.version,
        ("captioner",),
        start,
        SCORES,
        "graph",
        readable=readable,
        needs_questions=False,
    )


def plan(case: Case, prompts: Prompts | None = None) -> Plan:
    """One description of the whole picture is taken for all that is seen in it."""
    prompts = prompts or Prompts(template("caption_describe"))
    wanted = asked(case.prompt)
    if why := unread(case.prompt, "the scene graph"):
        return report(
            NAME, case, prompts.version, wanted, Seen(gone=why, notes=(why,)), questions(wanted)
        )
    (reply,) = yield [
        Describe(case.image, prompts.describe.text, template=prompts.describe.version)
    ]
    said = text_reply(reply, "captioner")
    seen = _gone(said) if isinstance(said, Failure) else _told(said)
    return report(NAME, case, prompts.version, wanted, seen, questions(wanted))


def _gone(failure: Failure) -> Seen:
    return Seen(gone=f"The captioner gave no description: {failure.message}")


def _told(said: Answer) -> Seen:
    caption = line(paragraphs(spoken(said.text)))
    return (
        Seen(of_caption(caption), caption=caption)
        if caption
        else Seen(gone="The captioner's description is empty.")
    )


def readable(request: Request, reply: Reply) -> bool:
    """Whether there are words."""
    return isinstance(reply, Answer) and bool(spoken(reply.text))
