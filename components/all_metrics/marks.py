"""Puts the marks of several metrics into one image, each thing once."""

from collections.abc import Sequence
from dataclasses import replace

from hallascope.components.all_metrics.links import scoped_key
from hallascope.components.evidence.exhibit import ImageRegion, key, kind, wrong_first
from hallascope.components.evidence.exhibits import findings
from hallascope.data.evidence import Evidence
from hallascope.data.masks import overlap

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
    return overlap(mark.box, other.box) >= _SAME_BOX


def _joined(mark: ImageRegion, other: ImageRegion) -> ImageRegion:
    words = "; ".join(dict.fromkeys(filter(None, (mark.words, other.words))))
    return replace(mark, keys=(*mark.keys, *other.keys), words=words)
