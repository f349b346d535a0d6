"""Looks at a picture for FiG: things are detected, cut out, described, and become one caption.

Each step yields its requests and is sent the replies.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hallascope.data import masks
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.files.tidy import line
from hallascope.data.regions import Detection, Mask, TextLine
from hallascope.data.requests import (
    Describe,
    Detect,
    Detected,
    Failure,
    ReadText,
    Reply,
    Segment,
    Segmented,
    TextRead,
    Write,
)
from hallascope.data.wordings.templates import Template
from hallascope.metrics.base import Case, PlanSteps, reply_of, text_reply
from hallascope.metrics.detection.geometry import center, middle
from hallascope.metrics.detection.selection import (
    distractors,
    labels_at,
    merge_same,
    number_segments,
    select_detections,
    without_parts,
)
from hallascope.metrics.fig import caption, replies
from hallascope.metrics.fig.asked_prompt import AskedPrompt
from hallascope.metrics.fig.groups import SegmentCaption, subject
from hallascope.metrics.fig.report import InspectionResult
from hallascope.metrics.reading.names import alike, name_phrase
from hallascope.metrics.reading.parsed import Phrase
from hallascope.metrics.reading.parser import parse

# It is None where nobody was asked to read.
ReaderResult = tuple[TextLine, ...] | Failure | None


def inspect(
    case: Case,
    prompt: AskedPrompt,
    phrases: tuple[str, ...],
    *,
    describe: Template,
    meta: Template,
) -> PlanSteps[InspectionResult]:
    """Return what is seen in a picture that is searched for the things of a prompt.

    `phrases` are those things, `describe` and `meta` the templates of captioner and writer.
    """
    # What must not be there is looked for, too.
    labels = tuple(dict.fromkeys((*phrases, *_names(prompt, absent=True))))
    others = distractors(prompt.text, labels, case.vocabulary)
    (reply,) = yield [Detect(case.image, (*labels, *others))]
    detected = reply_of(reply, Detected, "detector")
    if isinstance(detected, Failure):
        return InspectionResult(lost=f"The detector gave nothing: {detected.message}")
    detections = detected.detections
    selected, selection_notes = select_detections(detections, labels)
    segments = yield from _cut_out(case, selected)
    segments, part_notes = without_parts(segments, labels)
    segments, read = yield from _describe(case, segments, describe, bool(prompt.reading.texts))
    segments, doubt_notes = _drop_doubted(segments, prompt, phrases, detections)
    segments, merge_notes = merge_same(segments, _has_same_subject)
    described = [segment for segment in segments if not segment.failure]
    meta_caption = yield from _write_meta_caption(case, described, meta, prompt.describing)
    result = _result(
        number_segments(segments),
        read,
        meta_caption,
        notes=(*selection_notes, *part_notes, *doubt_notes, *merge_notes),
    )
    return replace(
        result,
        template="writer" not in case.roles,
        labels={segment.name: labels_at(segment.box, detections) for segment in result.segments},
    )


def _result(
    segments: tuple[SegmentEvidence, ...],
    read: ReaderResult,
    meta_caption: str | Failure,
    notes: tuple[str, ...],
) -> InspectionResult:
    unread = ""
    lost = ""
    lines = None
    if isinstance(read, Failure):
        unread = f"The reader read nothing: {read.message}"
    elif read is not None:
        lines = tuple(text_line.text for text_line in read)
        segments = tuple(
            replace(segment, written=_text_in_segment(segment, read)) for segment in segments
        )
    if isinstance(meta_caption, Failure):
        lost = f"The writer gave no meta-caption: {meta_caption.message}"
        meta_caption = ""
    return InspectionResult(
        segments=segments,
        notes=(*notes, *(note for note in (unread, lost) if note)),
        lost=lost,
        unread=unread,
        caption=meta_caption,
        lines=lines,
    )


def _text_in_segment(segment: SegmentEvidence, lines: Sequence[TextLine]) -> str:
    """Return what is written in a segment: the lines whose middle lies in its box."""
    box = segment.box
    inside = []
    for text_line in lines:
        at = middle(text_line.box)
        if box.left <= at.x <= box.right and box.top <= at.y <= box.bottom:
            inside.append(text_line.text)
    return " ".join(inside)


# --- what is looked for


def find_phrases(
    case: Case, prompt: AskedPrompt, form: Template
) -> PlanSteps[tuple[str, ...] | Failure]:
    """Return what is looked for: the bare names of the prompt's reading, and a writer's.

    Names have no number and attributes, so that a wrong color is a matter of stage 2
    and no missing object. Where the writer fails, so does this: to look for less under the same
    version would be another instrument.
    """
    names = _names(prompt)
    if "writer" not in case.roles:
        return names
    (reply,) = yield [Write(form.fill({"prompt": line(case.prompt)}), form.version, replies.SCHEMA)]
    answer = text_reply(reply, "writer")
    if isinstance(answer, Failure):
        # After a stop and in an estimate nothing is lost by going on: what follows is counted, too.
        return names if answer.kind == "stopped" else answer
    phrases = replies.parse_phrases(answer.text)
    if phrases is None:
        return Failure("broken", "its reply cannot be read.")
    # What the reading names is not looked for under the writer's name as well.
    present = _present_names(prompt)
    more = [phrase for phrase in phrases if not _is_any_of(subject(parse(phrase)), present)]
    return tuple(dict.fromkeys((*names, *more)))


def _names(prompt: AskedPrompt, *, absent: bool = False) -> tuple[str, ...]:
    return tuple(prompt.objects[group[0]].name for group in prompt.groups(absent=absent))


def _present_names(prompt: AskedPrompt) -> list[Phrase]:
    return [prompt.names[at] for at, _ in prompt.present()]


def _is_any_of(phrase: Phrase | None, others: Iterable[Phrase | None]) -> bool:
    """Return whether a phrase names the same as any other; None names nothing."""
    if phrase is None:
        return False
    return any(alike(other, phrase) for other in others if other is not None)


# --- outlines


def _cut_out(case: Case, detections: Sequence[Detection]) -> PlanSteps[list[SegmentEvidence]]:
    """Ask for the masks of all boxes in one request; where that fails, for each alone.

    A segment without a mask says why in its `failure`.
    """
    if not detections:
        return []
    (reply,) = yield [_segment_request(case, detections)]
    segmented = reply_of(reply, Segmented, "segmenter")
    if not isinstance(segmented, Failure) and len(segmented.masks) == len(detections):
        return [
            _segment(detection, mask)
            for detection, mask in zip(detections, segmented.masks, strict=True)
        ]
    if len(detections) == 1:
        return [_segment(detections[0], _single_mask(segmented))]
    single_replies = yield [_segment_request(case, [detection]) for detection in detections]
    return [
        _segment(detection, _single_mask(reply_of(single, Segmented, "segmenter")))
        for detection, single in zip(detections, single_replies, strict=True)
    ]


def _segment_request(case: Case, detections: Sequence[Detection]) -> Segment:
    return Segment(
        case.image,
        tuple(detection.box for detection in detections),
        tuple(detection.phrase for detection in detections),
    )


def _single_mask(reply: Segmented | Failure) -> Mask | str:
    """Return the mask of one box, or why there is none."""
    if isinstance(reply, Failure):
        return f"the segmenter gave no mask: {reply.message}"
    if len(reply.masks) != 1:
        return f"the segmenter gave {len(reply.masks)} masks for one box."
    return reply.masks[0]


def _segment(detection: Detection, mask: Mask | str) -> SegmentEvidence:
    segment = SegmentEvidence(
        name="", phrase=detection.phrase, box=detection.box, score=detection.score
    )
    if isinstance(mask, str):
        return replace(segment, failure=mask)
    if not masks.area(mask):
        return replace(segment, mask=mask, failure="the segmenter found nothing in its box.")
    return replace(segment, mask=mask)


# --- descriptions


def _describe(
    case: Case, segments: Sequence[SegmentEvidence], form: Template, asks_text: bool
) -> PlanSteps[tuple[list[SegmentEvidence], ReaderResult]]:
    """Return every segment in the captioner's words, and the writing in the picture.

    Writing is read where the prompt asks for text and a reader is there.
    """
    cut_out = [segment for segment in segments if not segment.failure]
    describe = [Describe(case.image, form.text, segment.box, form.version) for segment in cut_out]
    read = [ReadText(case.image)] if asks_text and "reader" in case.roles else []
    answers = (yield [*describe, *read]) if describe or read else []
    described = iter(
        [_with_caption(segment, reply) for segment, reply in zip(cut_out, answers, strict=False)]
    )
    with_captions = [segment if segment.failure else next(described) for segment in segments]
    if not read:
        return with_captions, None
    text = reply_of(answers[-1], TextRead, "reader")
    return with_captions, text if isinstance(text, Failure) else text.lines


def _with_caption(segment: SegmentEvidence, reply: Reply) -> SegmentEvidence:
    answer = text_reply(reply, "captioner")
    if isinstance(answer, Failure):
        return replace(segment, failure=f"the captioner gave no description: {answer.message}")
    text = replies.reply_text(answer)
    if subject(parse(text)) is None:
        return replace(segment, caption=text, failure="the captioner's description names no thing.")
    return replace(segment, caption=text, failure=None)


def _drop_doubted(
    segments: Sequence[SegmentEvidence],
    prompt: AskedPrompt,
    phrases: Sequence[str],
    detections: Sequence[Detection],
) -> tuple[list[SegmentEvidence], list[str]]:
    """Return the segments that can be trusted, and a sentence on what was left out.

    Left out is what nobody asked for where detector and captioner name different things; what the
    captioner calls by a name of the prompt stays: an open-vocabulary detector finds a
    little of everything, and a captioner names whatever it is shown. `detections` are all there
    were.
    """
    doubted = [
        segment
        for segment in segments
        if not segment.failure
        and segment.phrase not in phrases
        and not _is_confirmed(segment, prompt, detections)
    ]
    if not doubted:
        return list(segments), []
    labels = ", ".join(dict.fromkeys(segment.phrase for segment in doubted))
    note = (
        f"The captioner calls the detected {labels} something else that the prompt does not ask"
        " for: left out."
    )
    return [segment for segment in segments if segment not in doubted], [note]


def _is_confirmed(
    segment: SegmentEvidence, prompt: AskedPrompt, detections: Sequence[Detection]
) -> bool:
    """Return whether a caption names what the prompt asks for, or what was detected there."""
    labels = [name_phrase(label) for label in labels_at(segment.box, detections)]
    return _is_any_of(subject(parse(segment.caption)), (*_present_names(prompt), *labels))


def _has_same_subject(segment: SegmentEvidence, other: SegmentEvidence) -> bool:
    return _is_any_of(subject(parse(other.caption)), [subject(parse(segment.caption))])


# --- the meta-caption


def _write_meta_caption(
    case: Case, segments: Sequence[SegmentEvidence], form: Template, describing: frozenset[str]
) -> PlanSteps[str | Failure]:
    """Return the meta-caption, by the writer where the case has one.

    It is shown the captions and centers, not the prompt.
    """
    captions = [
        SegmentCaption(
            segment.caption,
            (segment.mask and center(segment.mask)) or middle(segment.box),
            segment.box,
        )
        for segment in segments
    ]
    if "writer" not in case.roles or not captions:
        return caption.write(captions, describing)
    lines = [
        f"{at}. ({described.center.x:.2f}, {described.center.y:.2f}): {line(described.caption)}"
        for at, described in enumerate(captions, 1)
    ]
    (reply,) = yield [Write(form.fill({"segments": "\n".join(lines)}), form.version)]
    answer = text_reply(reply, "writer")
    return answer if isinstance(answer, Failure) else replies.read_meta_caption(answer)
