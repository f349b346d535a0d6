"""Makes the report of a baseline: one number of a picture and its prompt, or why there is none."""

import math
from collections.abc import Iterable, Mapping

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Report
from hallascope.data.requests import Embedded, Failure, Matched, Reply
from hallascope.metrics.base import Case, mean_score, reply_of


def number(
    name: str,
    version: str,
    case: Case,
    value: float | None,
    more: Mapping[str, float | None] | None = None,
    evidence: Evidence | None = None,
) -> Report:
    """Return a report with one score of one picture, left out where the value is None.

    `more` are further scores, left out likewise. `published` holds the same value: none of the
    papers counts a missing score as 0.
    """
    values = {"score": value, **(more or {})}
    return Report(
        metric=name,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores={each: mean_score([own]) for each, own in values.items()},
        published={"score": value},
        evidence=evidence,
    )


def cosine(first: Reply, second: Reply) -> float | Failure:
    """Return the cosine of two vectors of unit length, or why there is none."""
    one = reply_of(first, Embedded, "embedder")
    other = reply_of(second, Embedded, "embedder")
    if isinstance(one, Failure):
        return one
    if isinstance(other, Failure):
        return other
    if len(one.vector) != len(other.vector):
        lengths = "The embedder's vectors have two lengths: choose one with a common space."
        return Failure("broken", lengths)
    total = math.fsum(a * b for a, b in zip(one.vector, other.vector, strict=True))
    if not math.isfinite(total):
        return Failure("broken", "The embedder's vectors hold no numbers: choose another embedder.")
    return max(-1.0, min(1.0, total))


def cut_notes(*replies: Reply) -> tuple[str, ...]:
    """Return a sentence where the prompt was cut, () where it was read whole."""
    return tuple(
        f"The model reads {reply.cut_after} tokens of a prompt: the rest of this one was cut off"
        " and counts for nothing."
        for reply in replies
        if isinstance(reply, Embedded | Matched) and reply.cut_after is not None
    )


def missing_score(
    name: str, version: str, case: Case, why: str, more: Iterable[str] = ()
) -> Report:
    """Return the report of a picture without a score, with the reason. `more`: further scores."""
    finding = Finding(kind="score", expected=case.prompt, observed="", state="failed", note=why)
    further = dict.fromkeys(more)
    return number(name, version, case, None, further, Evidence(findings=(finding,)))
