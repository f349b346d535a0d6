"""FiG: a prompt against a caption rebuilt from the segments of its picture, in three stages.

It calls no model.

After the anonymous ACL submission "A Fine-Grained Hallucination Detection Framework for
Text-to-Image Models". The paper gives no single number; our reading: "score" is the share of all
rows of stages 1 and 2 that are met.
"""

import hashlib
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from hallascope.data import masks
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.prompts.templates import Template, template
from hallascope.data.regions import Detection, Mask, TextLine
from hallascope.data.requests import (
    Answer,
    Describe,
    Detect,
    Detected,
    Failure,
    ReadText,
    Reply,
    Request,
    Segment,
    Segmented,
    TextRead,
    Write,
)
from hallascope.metrics.base import Case, Metric, Plan, reply_of, text_reply
from hallascope.metrics.detection import geometry
from hallascope.metrics.detection import selection as detected
from hallascope.metrics.detection.distractors import distractors
from hallascope.metrics.fig import caption as fig_caption
from hallascope.metrics.fig import replies as fig_replies
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.groups import SegmentCaption, subject
from hallascope.metrics.fig.matching import Attributes, compare, objects
from hallascope.metrics.fig.pairs import AttributeRule, words_of
from hallascope.metrics.fig.report import NAME, SCORES, InspectionResult, report
from hallascope.metrics.parsing.english import unread
from hallascope.metrics.parsing.name_matching import alike
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import LONGEST, parse
from hallascope.metrics.replies.letters import strip_thinking

READING = 3  # raise it with every change of a reading, parsing or scoring rule
T = TypeVar("T")
FigSteps = Generator[list[Request], list[Reply], T]
ReaderResult = tuple[TextLine, ...] | Failure | None  # None: nobody was asked to read
_MARKS = re.compile(r"[*_`#]+")
_RUN_ON = re.compile(r"(?<![.!?,;:])\n")
NO_THING = "The prompt names no thing that could be looked for."


@dataclass(frozen=True)
class FigTemplates:
    """The templates of the captioner and of the writer's two tasks."""

    describe: Template
    phrases: Template
    meta: Template

    def version(self, case: Case | None = None, attributes: Attributes = ATTRIBUTES) -> str:
        """Return a version that differs by how a report came about, so that none are averaged."""
        how = (
            f"{self.phrases.version}+{self.meta.version}"
            if case is None or "writer" in case.roles
            else "template"
        )
        reader = "+reader" if case is not None and "reader" in case.roles else ""
        own = "" if attributes is ATTRIBUTES else f"+{_digest(attributes)}"
        return f"{READING}+{self.describe.version}+{how}{reader}{own}"


def _digest(attributes: Attributes) -> str:
    told = [
        f"{name}:{'' if callable(how) or isinstance(how, AttributeRule) else ','.join(how)}"
        for name, how in sorted(attributes.items())
    ]
    return hashlib.sha256("|".join(told).encode()).hexdigest()[:8]


def templates(prompts: Path | None = None) -> FigTemplates:
    """Those of a folder, ours where it has none.

    Raises TemplateError where one of them cannot be used.
    """
    phrases = template("fig_phrases", prompts, places=("prompt",))
    return FigTemplates(
        template("fig_describe", prompts),
        phrases,
        template("fig_meta", prompts, places=("segments",)),
    )


def metric(prompts: Path | None = None, attributes: Attributes = ATTRIBUTES) -> Metric:
    """The metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = templates(prompts)
    start = partial(plan, prompts=files, attributes=attributes)
    return Metric(
        name=NAME,
        title="FiG",
        version=files.version(None, attributes),
        required_roles=("detector", "segmenter", "captioner"),
        plan=start,
        scores=SCORES,
        presents="findings",
        readable=readable,
        needs_questions=False,
        optional_roles=("writer", "reader"),
    )


def plan(
    case: Case, prompts: FigTemplates | None = None, attributes: Attributes = ATTRIBUTES
) -> Plan:
    """The things of the prompt are detected, cut out and described.

    The descriptions become one caption, which is held against the prompt.

    A detector or a writer that fails leaves everything out. A prompt that names nothing, or is not
    English, has no scores.
    """
    prompts = prompts or templates()
    if why := unread(case.prompt, "FiG"):
        stages = compare(case.prompt, "", None, attributes)
        return report(
            case,
            prompts.version(case, attributes),
            stages,
            InspectionResult(lost=why, notes=(why,)),
        )
    asked = parse(case.prompt, words_of(attributes))
    phrases = yield from _phrases(case, asked, prompts)
    if isinstance(phrases, Failure):
        looked = InspectionResult(
            lost=f"The writer did not name the things of the prompt: {phrases.message}"
        )
    elif phrases:
        looked = replace(
            (yield from _looked(case, asked, phrases, prompts, words_of(attributes))),
            phrases=phrases,
        )
    else:
        looked = InspectionResult(notes=(NO_THING,))
    stages = compare(case.prompt, looked.caption, looked.lines, attributes)
    return report(case, prompts.version(case, attributes), stages, looked)


def _looked(
    case: Case,
    asked: Parsed,
    phrases: tuple[str, ...],
    prompts: FigTemplates,
    describing: frozenset[str],
) -> FigSteps[InspectionResult]:
    named = tuple(
        dict.fromkeys((*phrases, *(phrase.name for phrase in asked.phrases if phrase.absent)))
    )  # also what must not be there
    found = yield from _detected(case, (*named, *distractors(asked, named, case.vocabulary)))
    if isinstance(found, Failure):
        return InspectionResult(lost=f"The detector gave nothing: {found.message}")
    chosen, left = detected.select_detections(found, named)
    segments = yield from _cut(case, chosen)
    segments, parts = detected.without_parts(segments, named)
    segments, read = yield from _described(case, segments, prompts, bool(asked.quotes))
    segments, doubted = _agreed(segments, asked, phrases, found)
    segments, fewer = detected.merged(segments, _one_name)
    meta = yield from _meta(case, [one for one in segments if not one.failure], prompts, describing)
    looked = _together(
        detected.numbered(segments),
        read,
        meta,
        (*left, *parts, *doubted, *fewer),
        "writer" not in case.roles,
    )
    return replace(
        looked, called={one.name: detected.called_at(one.box, found) for one in looked.segments}
    )


def _together(
    segments: tuple[SegmentEvidence, ...],
    read: ReaderResult,
    meta: str | Failure,
    notes: tuple[str, ...],
    template: bool,
) -> InspectionResult:
    unread = f"The reader read nothing: {read.message}" if isinstance(read, Failure) else ""
    lost = f"The writer gave no meta-caption: {meta.message}" if isinstance(meta, Failure) else ""
    notes = (*notes, *filter(None, (unread, lost)))
    caption = "" if isinstance(meta, Failure) else meta
    if read is None or isinstance(read, Failure):
        return InspectionResult(
            segments=segments,
            phrases=(),
            notes=notes,
            lost=lost,
            unread=unread,
            template=template,
            caption=caption,
        )
    written = tuple(replace(one, written=_text_in_segment(one, read)) for one in segments)
    return InspectionResult(
        segments=written,
        phrases=(),
        notes=notes,
        lost=lost,
        unread=unread,
        template=template,
        caption=caption,
        lines=tuple(each.text for each in read),
    )


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a description names a thing, phrases can be read, and a caption is whole.

    The last is the meta-caption.
    """
    match request:
        case Describe():
            said = text_reply(reply, "captioner")
            return isinstance(said, Answer) and subject(parse(_text(said))) is not None
        case Write(schema=schema) if schema == fig_replies.SCHEMA:
            return isinstance(reply, Answer) and fig_replies.parse_phrases(reply.text) is not None
        case Write():
            return isinstance(reply, Answer) and not isinstance(_whole(reply), Failure)
        case _:
            return True


def _text(answer: Answer) -> str:
    """The words of a reply on one line, without marks of emphasis and of lists."""
    lines = [
        _MARKS.sub("", part).strip(" -•\t")
        for part in paragraphs(strip_thinking(answer.text)).splitlines()
    ]
    return _RUN_ON.sub(", ", "\n".join(filter(None, lines))).replace("\n", " ")


# --- the steps
# --------------------------------------------------------------------------------------------------


def _phrases(
    case: Case, asked: Parsed, prompts: FigTemplates
) -> FigSteps[tuple[str, ...] | Failure]:
    """Return what is looked for: the prompt's bare names by the parser, and a writer's.

    Our reading: names without number and attributes, so that a wrong color is a matter of stage 2
    and no missing object. Where the writer fails, so does this: to look for less under the same
    version would be another instrument.
    """
    names = [asked.phrases[each[0]].name for each in objects(asked)]
    if "writer" not in case.roles:
        return tuple(names)
    (reply,) = yield [
        Write(
            prompts.phrases.fill({"prompt": line(case.prompt)}),
            prompts.phrases.version,
            fig_replies.SCHEMA,
        )
    ]
    said = text_reply(reply, "writer")
    if isinstance(
        said, Failure
    ):  # after a stop and in an estimate nothing is lost by going on, and what follows is told, too
        return tuple(names) if said.kind == "stopped" else said
    told = fig_replies.parse_phrases(said.text)
    if told is None:
        return Failure("broken", "its reply cannot be read.")
    more = [
        name for name in told if not any(_covers(name, asked, each[0]) for each in objects(asked))
    ]
    return tuple(dict.fromkeys((*names, *more)))


def _covers(name: str, asked: Parsed, at: int) -> bool:
    """Whether a writer's phrase is a thing that the parser found."""
    named = subject(parse(name))
    return named is not None and alike(asked.phrases[at], named)


def _detected(case: Case, phrases: tuple[str, ...]) -> FigSteps[tuple[Detection, ...] | Failure]:
    (reply,) = yield [Detect(case.image, phrases)]
    found = reply_of(reply, Detected, "detector")
    return found if isinstance(found, Failure) else found.detections


def _cut(case: Case, chosen: Sequence[Detection]) -> FigSteps[list[SegmentEvidence]]:
    """All boxes in one request; where that fails, each alone.

    What has no mask is left out with its sentence.
    """
    if not chosen:
        return []
    (reply,) = yield [_request(case, chosen)]
    whole = reply_of(reply, Segmented, "segmenter")
    if not isinstance(whole, Failure) and len(whole.masks) == len(chosen):
        return [_masked(one, mask) for one, mask in zip(chosen, whole.masks, strict=True)]
    if len(chosen) == 1:
        return [_masked(chosen[0], _alone(whole))]
    replies = yield [_request(case, [one]) for one in chosen]
    return [
        _masked(one, _alone(reply_of(reply, Segmented, "segmenter")))
        for one, reply in zip(chosen, replies, strict=True)
    ]


def _request(case: Case, chosen: Sequence[Detection]) -> Segment:
    return Segment(
        case.image, tuple(one.box for one in chosen), tuple(one.phrase for one in chosen)
    )


def _alone(reply: Segmented | Failure) -> Mask | str:
    if isinstance(reply, Failure):
        return f"the segmenter gave no mask: {reply.message}"
    return (
        reply.masks[0]
        if len(reply.masks) == 1
        else f"the segmenter gave {len(reply.masks)} masks for one box."
    )


def _masked(one: Detection, mask: Mask | str) -> SegmentEvidence:
    if isinstance(mask, str):
        return SegmentEvidence(
            name="", phrase=one.phrase, box=one.box, score=one.score, failure=mask
        )
    empty = None if masks.area(mask) else "the segmenter found nothing in its box."
    return SegmentEvidence(
        name="", phrase=one.phrase, box=one.box, score=one.score, mask=mask, failure=empty
    )


def _described(
    case: Case, segments: Sequence[SegmentEvidence], prompts: FigTemplates, asks_text: bool
) -> FigSteps[tuple[list[SegmentEvidence], ReaderResult]]:
    """Return every segment in the captioner's words, and the writing in the picture.

    Writing is read where the prompt asks for text and a reader is there.
    """
    whole = [one for one in segments if not one.failure]
    read = [ReadText(case.image)] if asks_text and "reader" in case.roles else []
    describe = [
        Describe(case.image, prompts.describe.text, one.box, prompts.describe.version)
        for one in whole
    ]
    replies = (yield [*describe, *read]) if describe or read else []
    told = iter([_captioned(one, reply) for one, reply in zip(whole, replies, strict=False)])
    each = [one if one.failure else next(told) for one in segments]
    if not read:
        return each, None
    found = reply_of(replies[-1], TextRead, "reader")
    return each, found if isinstance(found, Failure) else found.lines


def _captioned(segment: SegmentEvidence, reply: Reply) -> SegmentEvidence:
    said = text_reply(reply, "captioner")
    if isinstance(said, Failure):
        return replace(segment, failure=f"the captioner gave no description: {said.message}")
    text = _text(said)
    named = subject(parse(text)) is not None
    return replace(
        segment,
        caption=text,
        failure=None if named else "the captioner's description names no thing.",
    )


def _agreed(
    segments: Sequence[SegmentEvidence],
    asked: Parsed,
    phrases: Sequence[str],
    found: Sequence[Detection],
) -> tuple[list[SegmentEvidence], list[str]]:
    """Return the segments without unasked ones that two models name differently.

    They are detector and captioner; a sentence says so.

    Our reading: an open-vocabulary detector finds a little of everything, and a captioner names
    whatever it is shown. `found`: all that was detected. What the captioner calls by a name of the
    prompt is believed.
    """
    wanted = [phrase for _, phrase in asked.indexed_things()]
    doubted = [
        one
        for one in segments
        if not one.failure and one.phrase not in phrases and not _confirmed(one, wanted, found)
    ]
    told = ", ".join(dict.fromkeys(one.phrase for one in doubted))
    notes = (
        [
            f"What was detected as {told} is something else by the captioner, and nothing of the"
            " prompt: it was left out."
        ]
        if told
        else []
    )
    return [one for one in segments if one not in doubted], notes


def _confirmed(one: SegmentEvidence, wanted: Sequence[Phrase], found: Sequence[Detection]) -> bool:
    named = subject(parse(one.caption))
    there = [subject(parse(phrase)) for phrase in detected.called_at(one.box, found)]
    return named is not None and any(
        alike(other, named) for other in (*wanted, *there) if other is not None
    )


def _one_name(one: SegmentEvidence, other: SegmentEvidence) -> bool:
    first, second = (subject(parse(segment.caption)) for segment in (one, other))
    return first is not None and second is not None and alike(first, second)


def _meta(
    case: Case,
    segments: Sequence[SegmentEvidence],
    prompts: FigTemplates,
    describing: frozenset[str],
) -> FigSteps[str | Failure]:
    """The meta-caption, by the writer where the case has one.

    It is shown the captions and centers, not the prompt.
    """
    seen = [SegmentCaption(one.caption, _center(one), one.box) for one in segments]
    if "writer" not in case.roles or not seen:
        return fig_caption.write(seen, describing)
    told = [
        f"{at}. ({one.center.x:.2f}, {one.center.y:.2f}): {line(one.caption)}"
        for at, one in enumerate(seen, 1)
    ]
    (reply,) = yield [Write(prompts.meta.fill({"segments": "\n".join(told)}), prompts.meta.version)]
    said = text_reply(reply, "writer")
    return said if isinstance(said, Failure) else _whole(said)


def _whole(said: Answer) -> str | Failure:
    """A writer's meta-caption, or what is wrong with it."""
    text = _text(said)
    if said.cut:
        return Failure("broken", "its reply breaks off.")
    if len(text) > LONGEST:
        return Failure(
            "broken", f"its reply has {len(text):,} characters, and at most {LONGEST:,} are read."
        )
    return text or Failure("empty", "its reply is empty.")


def _center(segment: SegmentEvidence) -> geometry.Center:
    return (segment.mask and geometry.center(segment.mask)) or geometry.middle(segment.box)


def _text_in_segment(segment: SegmentEvidence, lines: Sequence[TextLine]) -> str:
    """What is written in a segment: the lines whose middle lies in its box."""
    box = segment.box
    middles = [(geometry.middle(one.box), one.text) for one in lines]
    return " ".join(
        text
        for at, text in middles
        if box.left <= at.x <= box.right and box.top <= at.y <= box.bottom
    )
