"""Lists the texts that models are sent: whom each goes to, for which metrics, its placeholders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

OURS = "ours"
Receiver = Literal["judge", "captioner", "writer", "grader", "parser"]


@dataclass(frozen=True, kw_only=True)
class WordingRole:
    """Says what a wording is for.

    `sent_to` is the role that reads it, `metrics` the metrics (or commands) whose requests it
    makes. `required` placeholders must stand in the text, `optional` ones may.
    """

    about: str
    sent_to: Receiver
    metrics: tuple[str, ...]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Return all placeholders that may stand in the text."""
        return (*self.required, *self.optional)


QUESTIONS_MAKE = "questions make"
PROMPTS_MAKE = "benchmark make"
CATEGORIZE = "questions categorize"
REPAIR = "repair"
PROBE = "errors probe"
JUDGE_TRIAL = "judge-trial --auto-eval"
_FACTUALBENCH = ("factualbench", "factualbench-no-reference", "factualbench-prompt-shown")

WORDINGS: Mapping[str, WordingRole] = {
    "ihalla_ask": WordingRole(
        about="one multiple-choice question about an image",
        sent_to="judge",
        metrics=("ihalla",),
        required=("question", "choices"),
        optional=("none",),
    ),
    "ihalla_reason": WordingRole(
        about="whether an image is right, and why (reasoning agent)",
        sent_to="judge",
        metrics=(QUESTIONS_MAKE,),
        required=("caption",),
    ),
    "ihalla_reason_unseen": WordingRole(
        about="what a right image must show, where there is none yet",
        sent_to="writer",
        metrics=(QUESTIONS_MAKE,),
        required=("caption",),
    ),
    "ihalla_merge": WordingRole(
        about="several reasonings made into one",
        sent_to="writer",
        metrics=(QUESTIONS_MAKE,),
        required=("caption", "factual", "hallucinated"),
    ),
    "ihalla_questions": WordingRole(
        about="five questions from a prompt and its reasoning (question agent)",
        sent_to="writer",
        metrics=(QUESTIONS_MAKE,),
        required=("caption", "reasoning"),
    ),
    "ihalla_category": WordingRole(
        about="the category of a prompt (category agent)",
        sent_to="writer",
        metrics=(CATEGORIZE,),
        required=("caption",),
    ),
    "ihalla_repair": WordingRole(
        about="a more exact prompt, after an image got facts wrong",
        sent_to="writer",
        metrics=(REPAIR,),
        required=("caption", "current", "wrong"),
    ),
    "prompt_variants": WordingRole(
        about="versions of a prompt in other words or languages",
        sent_to="writer",
        metrics=(PROBE,),
        required=("caption", "versions"),
    ),
    "tifa_ask": WordingRole(
        about="one question of TIFA about an image",
        sent_to="judge",
        metrics=("tifa",),
        required=("question", "choices"),
        optional=("none",),
    ),
    "tifa_questions": WordingRole(
        about="questions about the elements of a prompt",
        sent_to="writer",
        metrics=("tifa",),
        required=("prompt",),
    ),
    "fig_describe": WordingRole(
        about="the description of one segment", sent_to="captioner", metrics=("fig",)
    ),
    "fig_phrases": WordingRole(
        about="the objects of a prompt, to be detected",
        sent_to="writer",
        metrics=("fig",),
        required=("prompt",),
    ),
    "fig_meta": WordingRole(
        about="one caption from the descriptions of all segments",
        sent_to="writer",
        metrics=("fig",),
        required=("segments",),
    ),
    "scene_graph_look": WordingRole(
        about="one question about a detected object, with choices",
        sent_to="judge",
        metrics=("scene-graph",),
        required=("question", "choices"),
    ),
    "scene_graph_phrase": WordingRole(
        about="the questions of the template in natural English",
        sent_to="writer",
        metrics=("scene-graph", "caption-ablation"),
        required=("questions",),
    ),
    "scene_graph_answer": WordingRole(
        about="the answer to one question from triples",
        sent_to="writer",
        metrics=("scene-graph", "caption-ablation"),
        required=("memory", "question"),
    ),
    "caption_describe": WordingRole(
        about="the description of a whole image",
        sent_to="captioner",
        metrics=("caption-ablation", "llmscore"),
    ),
    "llmscore_rate": WordingRole(
        about="a rating of a description against the prompt",
        sent_to="writer",
        metrics=("llmscore",),
        required=("caption", "prompt"),
    ),
    "prompt_reading": WordingRole(
        about="what a prompt asks for",
        sent_to="parser",
        metrics=("fig", "scene-graph", "caption-ablation", "tifa"),
        required=("prompt",),
    ),
    "haloquest_ask": WordingRole(
        about="one free-form question about an image",
        sent_to="judge",
        metrics=("haloquest",),
        required=("question",),
    ),
    "haloquest_grade": WordingRole(
        about="whether a reply agrees with the references (Auto-Eval)",
        sent_to="grader",
        metrics=("haloquest",),
        required=("question", "references", "reply"),
    ),
    "haloquest_grade_schema": WordingRole(
        about="the same by a simple schema, without main points",
        sent_to="grader",
        metrics=(JUDGE_TRIAL,),
        required=("question", "references", "reply"),
    ),
    "haloquest_grade_text": WordingRole(
        about="the same in plain text",
        sent_to="grader",
        metrics=(JUDGE_TRIAL,),
        required=("question", "references", "reply"),
    ),
    "factualbench_concept": WordingRole(
        about="round 1: a concept beside its reference",
        sent_to="judge",
        metrics=("factualbench",),
        required=("concept",),
        optional=("prompt", "domain"),
    ),
    "factualbench_concept_unseen": WordingRole(
        about="round 1 without a reference",
        sent_to="judge",
        metrics=("factualbench-no-reference",),
        required=("concept",),
        optional=("prompt", "domain"),
    ),
    "factualbench_concept_prompt": WordingRole(
        about="round 1 with the prompt shown",
        sent_to="judge",
        metrics=("factualbench-prompt-shown",),
        required=("concept", "prompt"),
        optional=("domain",),
    ),
    "factualbench_task": WordingRole(
        about="round 2: presence and task",
        sent_to="judge",
        metrics=_FACTUALBENCH,
        required=("concepts", "wanted", "task"),
        optional=("prompt",),
    ),
    "factualbench_composition": WordingRole(
        about="round 3: the composition",
        sent_to="judge",
        metrics=_FACTUALBENCH,
        required=("concepts", "prompt"),
    ),
    "factualbench_choice": WordingRole(
        about="one criterion, for judges that rank choices",
        sent_to="judge",
        metrics=_FACTUALBENCH,
        required=("question", "choices"),
    ),
    "factualbench_feasible": WordingRole(
        about="whether a task suits concepts, and phrases for it",
        sent_to="writer",
        metrics=(PROMPTS_MAKE,),
        required=("concepts", "task"),
    ),
    "factualbench_write": WordingRole(
        about="a prompt from concepts and a task",
        sent_to="writer",
        metrics=(PROMPTS_MAKE,),
        required=("concepts", "task", "phrase"),
    ),
}
"""The wordings by name, which is also the name of their files (with ".txt")."""


def wordings_of(metric: str) -> tuple[str, ...]:
    """Return the names of the wordings that the requests of a metric are made with."""
    return tuple(name for name, role in WORDINGS.items() if metric in role.metrics)
