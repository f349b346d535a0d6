"""Checks with a judge what detected things are.

An open-vocabulary detector finds a little of everything, and calls one thing by another's name.

Its steps yield the questions and draw what follows from the replies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hallascope.data.evidence import SegmentEvidence
from hallascope.data.lexicon import noun_forms, with_article
from hallascope.data.regions import Detection
from hallascope.data.requests import Answer, Failure
from hallascope.metrics.base import PlanSteps, text_reply
from hallascope.metrics.detection.selection import is_part, labels_at, same_place
from hallascope.metrics.scene_graph.crop_questions import (
    YES_NO,
    CropQuestion,
    ImageInspection,
)
from hallascope.metrics.scene_graph.matching import is_in_prompt
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.words.replies import read_word_choice

# Probability of No from which on a name that the prompt has (SURE), or another one, is denied.
SURE = 0.9
EVEN = 0.5


@dataclass(frozen=True)
class LabelCheckResult:
    """Holds the things by name, notes on what was left out, and the judge's first failure.

    The failure is None where it always replied.

    After a failure nobody knows which of the things are there: to believe the detector then would
    be another instrument.
    """

    segments: tuple[SegmentEvidence, ...]
    notes: tuple[str, ...]
    failure: Failure | None = None


@dataclass(frozen=True)
class _Denials:
    """Holds how sure the judge is that each thing is not what it is called, in [0, 1].

    A probability is None where the judge's answer cannot be read, and 1 (no) or 0 (yes) where it
    does not say how sure it is. `failure` is the first reply that did not come.
    """

    probabilities: Sequence[float | None]
    failure: Failure | None


def check_labels(
    inspection: ImageInspection,
    segments: Sequence[SegmentEvidence],
    detections: Sequence[Detection],
) -> PlanSteps[LabelCheckResult]:
    """Return the segments by what the judge says they are. `detections`: all there were.

    A thing that the prompt asks for is denied only by a judge that is sure of it, where it tells
    how sure it is; where it says neither yes nor no, the detector is believed. What is denied is
    asked about again under every other name that the detector gave it and under those of the
    prompt, and is what the judge is surest of. What nobody asked for and lies within a larger thing
    is a part of that.
    """
    prompt = inspection.prompt
    denials = yield from _ask_labels(
        inspection, [(segment, segment.phrase) for segment in segments]
    )
    believed = []
    for segment, denial in zip(segments, denials.probabilities, strict=True):
        least = SURE if is_in_prompt(prompt, segment.phrase) else EVEN
        if denial is None or denial < least:
            believed.append(segment)
    whole = [
        segment
        for segment in believed
        if is_in_prompt(prompt, segment.phrase) or not is_part(segment, believed)
    ]
    denied = [
        segment for segment in segments if segment not in believed and not is_part(segment, whole)
    ]
    other_labels = {segment.name: labels_at(segment.box, detections) for segment in denied}
    pairs = _other_names(prompt, denied, other_labels)
    other_denials = yield from _ask_labels(inspection, pairs)
    renamed = _renamed(pairs, other_denials.probabilities, other_labels)
    known = {segment.name: segment for segment in _without_doubles(whole, renamed)}
    return LabelCheckResult(
        tuple(known[segment.name] for segment in segments if segment.name in known),
        _notes(segments, believed, whole, renamed),
        denials.failure or other_denials.failure,
    )


def _other_names(
    prompt: PromptGraph,
    denied: Sequence[SegmentEvidence],
    other_labels: Mapping[str, Sequence[str]],
) -> list[tuple[SegmentEvidence, str]]:
    """Return what is denied with each other name: those of the prompt, then the detector's."""
    wanted = [node.label for node in prompt.graph.nodes if not node.absent]
    return [
        (segment, label)
        for segment in denied
        for label in dict.fromkeys((*wanted, *other_labels[segment.name]))
        if label != segment.phrase
    ]


def _renamed(
    pairs: Sequence[tuple[SegmentEvidence, str]],
    denials: Sequence[float | None],
    other_labels: Mapping[str, Sequence[str]],
) -> list[SegmentEvidence]:
    """Return what has another name, under the one that the judge denies least.

    One that the detector did not give it needs a judge that is sure.
    """
    renamed: dict[str, SegmentEvidence] = {}
    least_denials: dict[str, float] = {}
    for (segment, label), denial in zip(pairs, denials, strict=True):
        bound = EVEN if label in other_labels[segment.name] else 1 - SURE
        bound = min(bound, least_denials.get(segment.name, 1))
        if denial is not None and denial < bound:
            least_denials[segment.name] = denial
            renamed[segment.name] = replace(segment, phrase=label)
    return list(renamed.values())


def _without_doubles(
    whole: Sequence[SegmentEvidence], renamed: Sequence[SegmentEvidence]
) -> list[SegmentEvidence]:
    """Return both, without what is renamed to a thing that is at its place already."""
    known = list(whole)
    for segment in sorted(renamed, key=lambda segment: -segment.box.area):
        is_double = any(
            other.phrase == segment.phrase and same_place(segment.box, other.box) for other in known
        )
        if not is_double:
            known.append(segment)
    return known


def _ask_labels(
    inspection: ImageInspection, pairs: Sequence[tuple[SegmentEvidence, str]]
) -> PlanSteps[_Denials]:
    """Ask of each segment whether it is what a label says."""
    questions = [
        CropQuestion(
            about=(segment.name,),
            kind="name",
            value="",
            question=f"Is this {_with_article(label)}?",
            choices=YES_NO,
            region=segment.box,
        )
        for segment, label in pairs
    ]
    replies = (yield [inspection.ask(question) for question in questions]) if questions else []
    answers = [text_reply(reply, "judge") for reply in replies]
    failures = [answer for answer in answers if isinstance(answer, Failure)]
    return _Denials([_denial(answer) for answer in answers], next(iter(failures), None))


def _denial(answer: Answer | Failure) -> float | None:
    """Return how sure the judge is of No, in [0, 1]; None where it says neither yes nor no."""
    if isinstance(answer, Failure):
        return None
    choice = read_word_choice(answer.text, YES_NO)
    if choice not in YES_NO:
        return None
    probabilities = answer.probabilities or ()
    if len(probabilities) == len(YES_NO) and sum(probabilities) > 0:
        return probabilities[1] / sum(probabilities)
    return float(choice == "No")


def _notes(
    segments: Sequence[SegmentEvidence],
    believed: Sequence[SegmentEvidence],
    whole: Sequence[SegmentEvidence],
    renamed: Sequence[SegmentEvidence],
) -> tuple[str, ...]:
    """Return a sentence on what was left out, on what has another name, and on parts."""
    new_names = {segment.name: segment.phrase for segment in renamed}
    denied = [segment for segment in segments if segment not in believed]
    gone = [segment.phrase for segment in denied if segment.name not in new_names]
    parts = ", ".join(dict.fromkeys(segment.phrase for segment in believed if segment not in whole))
    notes = [f"The judge says that the detected {label} is no {label}: left out." for label in gone]
    notes += [
        f"The judge calls the detected {segment.phrase} {_with_article(new_names[segment.name])}."
        for segment in segments
        if segment.name in new_names
    ]
    if parts:
        notes.append(
            f"What was detected within a larger thing is a part of it, and was left out: {parts}."
        )
    return tuple(dict.fromkeys(notes))


def _with_article(label: str) -> str:
    """Return "a circle"; a name of the lexicon as it says it: "the planet Saturn"."""
    noun = noun_forms().get(label.casefold())
    return noun.thing.phrase if noun else with_article(label)
