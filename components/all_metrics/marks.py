"""Puts the marks of several metrics into one image, each thing once."""

from collections.abc import Sequence
from dataclasses import replace

from hallascope.components.all_metrics.links import scoped_key
from hallascope.components.evidence.exhibit import ImageRegion, key, kind, wrong_first
from hallascope.components.evidence.exhibits import findings
from hallascope.data.evidence import Evidence
from hallascope.data.regions import Box

_SAME_BOX = 0.9  # intersection over union from which two detectors mean the same thing


def scoped_marks(metric: str, evidence: Evidence) -> tuple[ImageRegion, ...]:
    """Return the segments of a further metric; each leads to its findings, faults first.

    Nothing is drawn of them before they are pointed at or chosen.
    """
    kinds = {key("finding", i): kind(finding.state) for i, finding in enumerate(evidence.findings)}
    return tuple(
        replace(
            mark,
            keys=tuple(
                scoped_key(metric, own)
                for own in wrong_first([each for each in mark.keys if each in kinds], kinds)
            ),
            quiet=True,
        )
        for mark in findings.marks(evidence)
    )


def merge_marks(lists: Sequence[Sequence[ImageRegion]]) -> tuple[ImageRegion, ...]:
    """Return all marks; those of one name and nearly one box become one, with the keys of all."""
    merged: list[ImageRegion] = []
    for marks in lists:
        for mark in marks:
            at = next((i for i, other in enumerate(merged) if _is_same(mark, other)), None)
            if at is None:
                merged.append(mark)
            else:
                merged[at] = _joined(merged[at], mark)
    return tuple(mark for mark in merged if mark.keys)


def _is_same(mark: ImageRegion, other: ImageRegion) -> bool:
    if mark.name != other.name or mark.box is None or other.box is None:
        return False
    return _share_in_common(mark.box, other.box) >= _SAME_BOX


def _joined(mark: ImageRegion, other: ImageRegion) -> ImageRegion:
    words = "; ".join(dict.fromkeys(filter(None, (mark.words, other.words))))
    return replace(mark, keys=(*mark.keys, *other.keys), words=words)


def _share_in_common(one: Box, other: Box) -> float:
    """Return the intersection over union of two boxes, in [0, 1]."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / (one.area + other.area - both)
