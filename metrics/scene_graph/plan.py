"""Plans scene-graph QA: a graph of the picture, and a prompt's questions answered from it.

After Qin et al., "Evaluating Hallucination in Text-to-Image Diffusion Models with Scene-Graph based
Question-Answering Agent". Our readings beside those of its modules: a judge is shown each detected
thing and asked whether it is what the detector calls it, as an open-vocabulary detector finds a
little of everything; with a writer in the line-up, it phrases the questions and answers them from
the same memory (equation 2); else templates ask and symbols answer. The two are never mixed under
one version: what a writer does not phrase or answer is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.graphs import AnswerValue, Triple
from hallascope.data.prompts.templates import Template, template
from hallascope.data.regions import Detection
from hallascope.data.requests import (
    Answer,
    Ask,
    Detect,
    Detected,
    Failure,
    Reply,
    Request,
    Segment,
    Segmented,
    Write,
)
from hallascope.metrics.base import Case, Metric, Plan, PlanSteps, reply_of, text_reply
from hallascope.metrics.detection.distractors import distractors
from hallascope.metrics.detection.selection import number_segments, select_detections
from hallascope.metrics.parsing.words.english import not_english_reason
from hallascope.metrics.scene_graph import label_check, replies
from hallascope.metrics.scene_graph.answering import recall, triples, twins
from hallascope.metrics.scene_graph.crop_questions import ImageInspection
from hallascope.metrics.scene_graph.image_graph import ImageGraph, InspectionFailure
from hallascope.metrics.scene_graph.matching import matches
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph, make_prompt_graph
from hallascope.metrics.scene_graph.questions import SceneQuestion, questions
from hallascope.metrics.scene_graph.report import SCORES, report

NAME = "scene-graph"
READING = 3  # raise it with every change of a parsing, asking, reading or grading rule
NO_THING = "The prompt names no thing that could be looked for."


@dataclass(frozen=True)
class SceneGraphTemplates:
    """The templates of the judge and of the writer's two tasks."""

    look: Template
    phrase: Template
    answer: Template

    def version(self, case: Case | None = None) -> str:
        """Return a version that differs by how a report came about, so that none are averaged."""
        wrote = (
            f"+{self.phrase.version}+{self.answer.version}"
            if case is not None and "writer" in case.roles
            else ""
        )
        cut = "+outlines" if case is not None and "segmenter" in case.roles else ""
        return f"{READING}+{self.look.version}{wrote}{cut}"


def templates(prompts: Path | None = None) -> SceneGraphTemplates:
    """Return the templates of a folder, ours where it has none.

    Raises TemplateError where one of them cannot be used.
    """
    look = template("scene_graph_look", prompts, places=("question", "choices"))
    phrase = template("scene_graph_phrase", prompts, places=("questions",))
    return SceneGraphTemplates(
        look, phrase, template("scene_graph_answer", prompts, places=("memory", "question"))
    )


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = templates(prompts)
    start = partial(plan, prompts=files)
    return Metric(
        name=NAME,
        title="Scene-graph QA",
        version=files.version(),
        required_roles=("detector", "judge"),
        plan=start,
        scores=SCORES,
        presents="graph",
        readable=readable,
        needs_questions=False,
        optional_roles=("segmenter", "writer"),
        judge_template="scene_graph_look",
    )


def plan(case: Case, prompts: SceneGraphTemplates | None = None) -> Plan:
    """Detect and look at the things of the prompt and others, and answer its questions from them.

    A detector or a segmenter that fails leaves everything out, and so does a judge that does not
    say what the things are; a judge that fails later leaves out what it was asked. A prompt that
    names nothing, or is not English, has no scores.
    """
    prompts = prompts or templates()
    wanted = make_prompt_graph(case.prompt)
    if why := not_english_reason(case.prompt, "the scene graph"):
        seen = ImageGraph(failure=why, notes=(why,))
    else:
        seen = (
            (yield from _image_graph(case, wanted, prompts))
            if wanted.graph.nodes
            else ImageGraph(notes=(NO_THING,))
        )
    told = questions(wanted)
    if not ("writer" in case.roles and told) or (seen.failure and not seen.goes_on):
        return report(
            name=NAME,
            case=case,
            version=prompts.version(case),
            asked=wanted,
            seen=seen,
            questions=told,
        )
    told, said = yield from write_questions(wanted, seen, told, prompts)
    return report(
        name=NAME,
        case=case,
        version=prompts.version(case),
        asked=wanted,
        seen=seen,
        questions=told,
        said=said,
    )


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a judge's choice, a writer's questions and its answers can be read."""
    match request, reply:
        case Ask(), Answer(text=text):
            return replies.choice(text, request.choices) is not None
        case Write(schema=schema), Answer(text=text) if schema == replies.ANSWER:
            return replies.answer(text) is not None
        case Write(), Answer(text=text):
            return replies.questions(text) is not None
        case _:
            return True


# --- the steps


def _image_graph(
    case: Case, wanted: PromptGraph, prompts: SceneGraphTemplates
) -> PlanSteps[ImageGraph]:
    phrases = tuple(dict.fromkeys(node.label for node in wanted.graph.nodes))
    (reply,) = yield [
        Detect(case.image, (*phrases, *distractors(wanted.parsed, phrases, case.vocabulary)))
    ]
    found = reply_of(reply, Detected, "detector")
    if isinstance(found, Failure):
        return ImageGraph(phrases=phrases, failure=f"The detector gave nothing: {found.message}")
    kept, left = select_detections(found.detections, phrases)
    segments = number_segments(
        tuple(
            SegmentEvidence(name="", phrase=one.phrase, box=one.box, score=one.score)
            for one in kept
        )
    )
    cut = yield from _cut(case, segments, kept)
    if isinstance(cut, str):
        return ImageGraph(segments=segments, phrases=phrases, failure=cut)
    looking = ImageInspection(case.image, wanted, prompts.look)
    named = yield from label_check.names(looking, cut, found.detections)
    failure = (
        f"The judge did not say what the things are: {named.failure.message}"
        if named.failure
        else ""
    )
    # after a stop and in an estimate the next steps are counted, too
    goes_on = named.failure is not None and named.failure.kind == "stopped"
    if failure and not goes_on:
        return ImageGraph(segments=cut, phrases=phrases, failure=failure)
    seen = yield from looking.graph(named.segments)
    return replace(
        seen,
        phrases=phrases,
        notes=(*left, *named.notes, *seen.notes),
        failure=failure,
        goes_on=goes_on,
    )


def _cut(
    case: Case, segments: tuple[SegmentEvidence, ...], kept: Sequence[Detection]
) -> PlanSteps[tuple[SegmentEvidence, ...] | str]:
    """Add masks, or say why they are missing: they tell parts of things from things."""
    if "segmenter" not in case.roles or not segments:
        return segments
    (reply,) = yield [
        Segment(case.image, tuple(one.box for one in kept), tuple(one.phrase for one in kept))
    ]
    cut = reply_of(reply, Segmented, "segmenter")
    if isinstance(cut, Failure):
        return f"The segmenter gave no outlines: {cut.message}"
    if len(cut.masks) != len(segments):
        return f"The segmenter gave {len(cut.masks)} masks for {len(segments)} boxes."
    return tuple(replace(one, mask=mask) for one, mask in zip(segments, cut.masks, strict=True))


def write_questions(
    wanted: PromptGraph,
    seen: ImageGraph,
    told: tuple[SceneQuestion, ...],
    prompts: SceneGraphTemplates,
) -> PlanSteps[tuple[tuple[SceneQuestion, ...], Mapping[int, AnswerValue | InspectionFailure]]]:
    """Return the questions in a writer's words, and by place its answers, or why there is none."""
    listed = "\n".join(f"- {one.text}" for one in told)
    (reply,) = yield [
        Write(prompts.phrase.fill({"questions": listed}), prompts.phrase.version, replies.QUESTIONS)
    ]
    phrased = _phrased(reply, len(told))
    if isinstance(phrased, InspectionFailure):
        return told, dict.fromkeys(range(len(told)), phrased)
    if phrased:
        told = tuple(replace(one, text=text) for one, text in zip(told, phrased, strict=True))
    matched = matches(wanted, seen.graph)
    known = triples(seen.graph)
    same = twins(wanted)
    memories = [recall(one, matched, known, same).triples for one in told]
    answered = yield [
        _write(one, memory, prompts) for one, memory in zip(told, memories, strict=True)
    ]
    return told, {at: _answered(reply) for at, reply in enumerate(answered)}


def _phrased(reply: Reply, count: int) -> tuple[str, ...] | InspectionFailure:
    """Return the questions as a writer phrased them.

    () after a stop or in an estimate, where the next step costs nothing and is told, too.
    """
    said = text_reply(reply, "writer")
    if isinstance(said, Failure):
        return (
            ()
            if said.kind == "stopped"
            else InspectionFailure("failed", f"The writer phrased no questions: {said.message}")
        )
    phrased = replies.questions(said.text, count)
    return phrased or InspectionFailure(
        "unreadable", f"The writer's reply does not hold {count} questions."
    )


def _answered(reply: Reply) -> AnswerValue | InspectionFailure:
    said = text_reply(reply, "writer")
    if isinstance(said, Failure):
        return InspectionFailure("failed", f"The writer gave no answer: {said.message}")
    return replies.answer(said.text) or InspectionFailure(
        "unreadable", "The writer's answer is none of yes, no and unknown."
    )


def _write(
    question: SceneQuestion, memory: Sequence[Triple], prompts: SceneGraphTemplates
) -> Write:
    stated = (
        "\n".join(f"- {one.subject} | {one.predicate} | {one.object}" for one in memory)
        or "- (nothing is known about it)"
    )
    return Write(
        prompts.answer.fill({"memory": stated, "question": question.text}),
        prompts.answer.version,
        replies.ANSWER,
    )
