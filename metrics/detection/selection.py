"""Selects the detected things a metric looks at, and finds which are one and the same."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from hallascope.data import masks
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.lexicon import vocabulary
from hallascope.data.masks import overlap
from hallascope.data.regions import Box, Detection
from hallascope.metrics.detection.geometry import (
    COVERED,
    covered_share,
    mask_within,
    masks_cover,
    mostly_covered,
    same_box,
)
from hallascope.metrics.reading.parsed import Parsed

MOST = 40  # things of one picture that are looked at
LIE_APART = 0.1  # intersection over union below which two boxes are of two things


def select_detections(
    detections: Sequence[Detection], phrases: Sequence[str], most: int = MOST
) -> tuple[list[Detection], list[str]]:
    """Return what is looked at, and a sentence on what was left out.

    Things of the prompt come first, the surest of each first.

    `phrases` are those of the prompt; others are of a general list. Two boxes of one
    name are one thing where they overlap by more than `geometry.SAME`, or one mostly covers the
    other; a box around several of its name is none of them; a thing of the general list is one of
    the prompt, or a surer one of the list, where they overlap as much.
    """
    names = {phrase.casefold() for phrase in phrases}
    ranked = sorted(
        detections,
        key=lambda detection: (detection.phrase.casefold() not in names, -detection.score),
    )
    selected: list[Detection] = []
    for detection in ranked:
        if _surrounds_several(detection, detections):
            continue
        if not any(_is_same_thing(detection, other, names) for other in selected):
            selected.append(detection)
    if len(selected) <= most:
        return selected, []
    note = (
        f"{len(selected) - most} more things were detected and left out: the surest {most} are"
        " looked at."
    )
    return selected[:most], [note]


def _is_same_thing(detection: Detection, surer: Detection, names: set[str]) -> bool:
    if detection.phrase.casefold() == surer.phrase.casefold():
        return same_place(detection.box, surer.box)
    return detection.phrase.casefold() not in names and same_box(detection.box, surer.box)


def same_place(box: Box, other: Box) -> bool:
    """Return whether two boxes are of one thing, or one mostly covers the other."""
    return same_box(box, other) or mostly_covered(box, other)


def _surrounds_several(detection: Detection, detections: Sequence[Detection]) -> bool:
    """Return whether a box holds others of its name that lie apart and fill half of it."""
    inner = [
        other.box
        for other in detections
        if other.phrase == detection.phrase
        and other.box != detection.box
        and covered_share(other.box, detection.box) > COVERED
    ]
    apart = [
        box
        for at, box in enumerate(inner)
        if all(overlap(box, before) < LIE_APART for before in inner[:at])
    ]
    return len(apart) > 1 and sum(box.area for box in apart) >= 0.5 * detection.box.area


def labels_at(box: Box, detections: Sequence[Detection]) -> tuple[str, ...]:
    """Return under which phrases something was detected at a place, the surest first."""
    there = [detection for detection in detections if same_box(detection.box, box)]
    there.sort(key=lambda detection: -detection.score)
    return tuple(dict.fromkeys(detection.phrase for detection in there))


# --- segments


def merge_same(
    segments: Sequence[SegmentEvidence],
    has_same_name: Callable[[SegmentEvidence, SegmentEvidence], bool],
) -> tuple[list[SegmentEvidence], list[str]]:
    """Return the segments without those that a surer one shows, and a sentence on it.

    They show the same by place and by what their captions call them. What failed is left as it is.

    Two detections under two names whose captions name one thing, at one place, are
    that thing.
    """
    distinct: list[SegmentEvidence] = []
    for segment in segments:
        surer = [] if segment.failure else [other for other in distinct if not other.failure]
        if not any(
            _shows_same(segment, other) and has_same_name(segment, other) for other in surer
        ):
            distinct.append(segment)
    fewer = len(segments) - len(distinct)
    if not fewer:
        return distinct, []
    boxes = "1 box shows" if fewer == 1 else f"{fewer} boxes show"
    return distinct, [f"{boxes} a thing that another box shows already, and was left out."]


def _shows_same(segment: SegmentEvidence, other: SegmentEvidence) -> bool:
    if same_box(segment.box, other.box):
        return True
    return (
        mostly_covered(segment.box, other.box)
        and segment.mask is not None
        and other.mask is not None
        and masks_cover(segment.mask, other.mask)
    )


def is_part(segment: SegmentEvidence, others: Sequence[SegmentEvidence]) -> bool:
    """Return whether a larger thing covers most of it.

    It goes by masks alone, as the box of a bed also holds the cat on it.
    """
    if segment.mask is None:
        return False
    area = masks.area(segment.mask)
    return any(
        other.mask is not None
        and masks.area(other.mask) > area
        and mask_within(segment.mask, other.mask)
        for other in others
    )


def without_parts(
    segments: Sequence[SegmentEvidence], phrases: Sequence[str]
) -> tuple[list[SegmentEvidence], list[str]]:
    """Return the segments without unasked ones within a larger one, and a sentence on it.

    `phrases` are those of the prompt.
    """
    names = {phrase.casefold() for phrase in phrases}
    whole = [
        segment
        for segment in segments
        if segment.phrase.casefold() in names or not is_part(segment, segments)
    ]
    parts = dict.fromkeys(segment.phrase for segment in segments if segment not in whole)
    if not parts:
        return whole, []
    note = (
        "What was detected within a larger thing is a part of it, and was left out:"
        f" {', '.join(parts)}."
    )
    return whole, [note]


def number_segments(segments: Sequence[SegmentEvidence]) -> tuple[SegmentEvidence, ...]:
    """Return the segments with the names s1, s2, ... in their order."""
    return tuple(replace(segment, name=f"s{at}") for at, segment in enumerate(segments, 1))


def distractors(prompt: Parsed, phrases: Sequence[str], vocabulary_name: str) -> tuple[str, ...]:
    """Return what else is looked for beside the prompt, of the names of a vocabulary.

    So things are found that the prompt does not ask for.

    The vocabulary is that of the detector that answers (`Case.vocabulary`), whatever the words of
    the prompt are.
    """
    in_prompt = {phrase.casefold() for phrase in phrases}
    in_prompt |= {thing.concept.casefold() for thing in prompt.objects}
    return tuple(name for name in vocabulary(vocabulary_name) if name.casefold() not in in_prompt)
