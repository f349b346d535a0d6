"""Plans scene-graph QA: a graph of the picture, and a prompt's questions answered from it.

After Qin et al., "Evaluating Hallucination in Text-to-Image Diffusion Models with Scene-Graph based
Question-Answering Agent". A judge is shown each detected
thing and asked whether it is what the detector calls it, as an open-vocabulary detector finds a
little of everything; with a writer in the line-up, it phrases the questions and answers them from
the same memory (equation 2); else templates ask and symbols answer. The two are never mixed under
one version: what a writer does not phrase or answer is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.graphs import AnswerValue, Triple
from hallascope.data.requests import (
    Answer,
    Ask,
    Detect,
    Detected,
    Failure,
    ReadPrompt,
    Reply,
    Request,
    Segment,
    Segmented,
    Write,
)
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import Case, Metric, Plan, PlanSteps, reply_of, text_reply
from hallascope.metrics.detection.selection import distractors, number_segments, select_detections
from hallascope.metrics.reading.case_reading import (
    is_readable_reading,
    parser_version,
    read_case,
)
from hallascope.metrics.reading.model_reading import reading_template
from hallascope.metrics.scene_graph.answering import recall, triples, twins
from hallascope.metrics.scene_graph.crop_questions import ImageInspection
from hallascope.metrics.scene_graph.image_graph import ImageGraph, InspectionFailure
from hallascope.metrics.scene_graph.label_check import check_labels
from hallascope.metrics.scene_graph.matching import matches
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph, graph_of_reading
from hallascope.metrics.scene_graph.questions import SceneQuestion, questions
from hallascope.metrics.scene_graph.report import SCORES, report
from hallascope.metrics.scene_graph.words import replies
from hallascope.metrics.scene_graph.words.attributes import describing_words

NAME = "scene-graph"
READING = 9  # raise it with every change of a parsing, asking, reading or grading rule
NO_THING = "The prompt names no thing that could be looked for."


@dataclass(frozen=True)
class SceneGraphTemplates:
    """Holds the templates of who looks, of the writer's two tasks and of the parser.

    `reading` is the number that every change of a rule raises.
    """

    look: Template
    phrase: Template
    answer: Template
    parser: Template
    reading: int = READING

    def version(self, case: Case | None = None) -> str:
        """Return a version that differs by how a report came about, so that none are averaged."""
        roles = case.roles if case else frozenset()
        parts = [str(self.reading), self.look.version]
        if "writer" in roles:
            parts += [self.phrase.version, self.answer.version]
        if "segmenter" in roles:
            parts.append("outlines")
        return "+".join(parts)


def templates(prompts: Path | None = None) -> SceneGraphTemplates:
    """Return the templates of a folder, ours where it has none.

    Raises TemplateError where one of them cannot be used.
    """
    return SceneGraphTemplates(
        look=template("scene_graph_look", prompts),
        phrase=template("scene_graph_phrase", prompts),
        answer=template("scene_graph_answer", prompts),
        parser=reading_template(prompts),
    )


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = templates(prompts)
    return Metric(
        name=NAME,
        title="Scene-graph QA",
        definition=(
            "Scene-graph QA: the gravest type of error sets the grade, from 1 to 7; the "
            "score is that grade on a scale from 0 to 1."
        ),
        caveat="The scale is not even: one missing object outweighs ten wrong colors.",
        version=f"{files.version()}{parser_version(files.parser)}",
        required_roles=("detector", "judge"),
        plan=partial(plan, prompts=files),
        scores=SCORES,
        presents="graph",
        readable=readable,
        needs_questions=False,
        reads_prompt=True,
        optional_roles=("segmenter", "writer", "parser"),
        judge_template="scene_graph_look",
    )


def plan(case: Case, prompts: SceneGraphTemplates) -> Plan:
    """Detect and look at the things of the prompt and others, and answer its questions from them.

    A detector or a segmenter that fails leaves everything out, and so does a judge that does not
    say what the things are; a judge that fails later leaves out what it was asked. A prompt that
    names nothing, or that nobody can read, has no scores.
    """
    read = yield from read_case(case, prompts.parser, "scene-graph", describing_words())
    prompt = graph_of_reading(read.reading)
    reason = prompt.reading.unreadable
    if reason:
        image = ImageGraph(failure=reason, notes=(reason,))
    elif not prompt.graph.nodes:
        image = ImageGraph(notes=(NO_THING,))
    else:
        image = yield from _image_graph(case, prompt, prompts)
    image = replace(image, notes=(*read.notes, *image.notes))
    written = yield from ask_writer(case, prompt, image, prompts)
    return report(
        name=NAME,
        case=case,
        version=prompts.version(case) + read.version,
        prompt=prompt,
        image=image,
        questions=written.questions,
        written_answers=written.answers,
    )


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a judge's choice, a writer's questions and its answers can be read."""
    match request, reply:
        case ReadPrompt(), _:
            return is_readable_reading(request, reply)
        case Ask(), Answer(text=text):
            return replies.read_word_choice(text, request.choices) is not None
        case Write(schema=schema), Answer(text=text) if schema == replies.ANSWER:
            return replies.answer(text) is not None
        case Write(), Answer(text=text):
            return replies.questions(text) is not None
        case _:
            return True


# --- the steps


def _image_graph(
    case: Case, prompt: PromptGraph, prompts: SceneGraphTemplates
) -> PlanSteps[ImageGraph]:
    """Detect the things of the prompt and others, have the judge name them, and look at them."""
    phrases = tuple(dict.fromkeys(node.label for node in prompt.graph.nodes))
    labels = (*phrases, *distractors(prompt.text, phrases, case.vocabulary))
    (reply,) = yield [Detect(case.image, labels)]
    detected = reply_of(reply, Detected, "detector")
    if isinstance(detected, Failure):
        return ImageGraph(phrases=phrases, failure=f"The detector gave nothing: {detected.message}")
    selected, selection_notes = select_detections(detected.detections, phrases)
    boxes = number_segments(
        tuple(
            SegmentEvidence(
                name="", phrase=detection.phrase, box=detection.box, score=detection.score
            )
            for detection in selected
        )
    )
    segments = yield from _add_masks(case, boxes)
    if isinstance(segments, str):
        return ImageGraph(segments=boxes, phrases=phrases, failure=segments)
    inspection = ImageInspection(case.image, prompt, prompts.look)
    checked = yield from check_labels(inspection, segments, detected.detections)
    failure = ""
    if checked.failure:
        failure = f"The judge did not say what the things are: {checked.failure.message}"
        # After a stop and in an estimate the next steps are counted, too.
        if checked.failure.kind != "stopped":
            return ImageGraph(segments=segments, phrases=phrases, failure=failure)
    graph = yield from inspection.graph(checked.segments)
    return replace(
        graph,
        phrases=phrases,
        notes=(*selection_notes, *checked.notes, *graph.notes),
        failure=failure,
        goes_on=bool(failure),
    )


def _add_masks(
    case: Case, segments: tuple[SegmentEvidence, ...]
) -> PlanSteps[tuple[SegmentEvidence, ...] | str]:
    """Add masks, or say why they are missing: they tell parts of things from things."""
    if "segmenter" not in case.roles or not segments:
        return segments
    boxes = tuple(segment.box for segment in segments)
    phrases = tuple(segment.phrase for segment in segments)
    (reply,) = yield [Segment(case.image, boxes, phrases)]
    segmented = reply_of(reply, Segmented, "segmenter")
    if isinstance(segmented, Failure):
        return f"The segmenter gave no outlines: {segmented.message}"
    masks = segmented.masks
    if len(masks) != len(segments):
        return f"The segmenter gave {len(masks)} masks for {len(segments)} boxes."
    return tuple(replace(segment, mask=mask) for segment, mask in zip(segments, masks, strict=True))


@dataclass(frozen=True)
class WrittenQuestions:
    """Holds the questions, and by their places a writer's answers, or why there is none."""

    questions: tuple[SceneQuestion, ...]
    answers: Mapping[int, AnswerValue | InspectionFailure] = field(default_factory=dict)


def ask_writer(
    case: Case, prompt: PromptGraph, image: ImageGraph, prompts: SceneGraphTemplates
) -> PlanSteps[WrittenQuestions]:
    """Return the questions in a writer's words, with its answers from their memories.

    Without a writer, or where nothing was seen, they are the template's, and unanswered.
    """
    asked = questions(prompt)
    asks_on = image.goes_on or not image.failure
    if "writer" not in case.roles or not asked or not asks_on:
        return WrittenQuestions(asked)
    listed = "\n".join(f"- {question.text}" for question in asked)
    phrase = prompts.phrase
    (reply,) = yield [Write(phrase.fill({"questions": listed}), phrase.version, replies.QUESTIONS)]
    texts = _read_questions(reply, len(asked))
    if isinstance(texts, InspectionFailure):
        return WrittenQuestions(asked, dict.fromkeys(range(len(asked)), texts))
    if texts:
        asked = tuple(
            replace(question, text=text) for question, text in zip(asked, texts, strict=True)
        )
    matched = matches(prompt, image.graph)
    known = triples(image.graph)
    same = twins(prompt)
    answers = yield [
        _answer_request(question, recall(question, matched, known, same).triples, prompts.answer)
        for question in asked
    ]
    return WrittenQuestions(asked, dict(enumerate(map(_read_answer, answers))))


def _read_questions(reply: Reply, count: int) -> tuple[str, ...] | InspectionFailure:
    """Return the questions as a writer phrased them.

    There are none after a stop or in an estimate, where the next step costs nothing and is counted,
    too.
    """
    answer = text_reply(reply, "writer")
    if isinstance(answer, Answer):
        return replies.questions(answer.text, count) or InspectionFailure(
            "unreadable", f"The writer's reply does not hold {count} questions."
        )
    if answer.kind == "stopped":
        return ()
    return InspectionFailure("failed", f"The writer phrased no questions: {answer.message}")


def _read_answer(reply: Reply) -> AnswerValue | InspectionFailure:
    answer = text_reply(reply, "writer")
    if isinstance(answer, Failure):
        return InspectionFailure("failed", f"The writer gave no answer: {answer.message}")
    return replies.answer(answer.text) or InspectionFailure(
        "unreadable", "The writer's answer is none of yes, no and unknown."
    )


def _answer_request(question: SceneQuestion, memory: Sequence[Triple], form: Template) -> Write:
    lines = [f"- {triple.subject} | {triple.predicate} | {triple.object}" for triple in memory]
    values = {
        "memory": "\n".join(lines) or "- (nothing is known about it)",
        "question": question.text,
    }
    return Write(form.fill(values), form.version, replies.ANSWER)
