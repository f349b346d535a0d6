"""Computes the baselines of T2I-FactualBench: cosines named CLIP-T, CLIP-I and DINO.

CLIP-T compares a picture with its prompt, the others with its references.

Huang et al. 2024, section 5.4 and table 4. A cosine says how near two vectors are, and nothing of
what is wrong. Which model makes the vectors is the line-up's: CLIP for the first two, DINO, which
reads no text, for the third (`hallascope.data.models.specs.OF_METRIC`).
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Picture, Report, Score
from hallascope.data.requests import Embed, Embedded, Failure, Reply, Request
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, reply_of

VERSION = "1"
SCORES = (ScoreSpec("score", "Mean cosine", (-1.0, 1.0)),)
_NO_REFERENCE = (
    "There is no reference picture to compare with: give one, or choose a prompt whose concepts"
    " have one."
)
# what the picture is compared with, by name; None where it is missing
Others = Callable[[Case], tuple[tuple[str, Embed | None], ...]]


def with_text(prompts: Path | None = None) -> Metric:
    """Return CLIP-T, which compares the picture with the prompt."""
    return _metric("clip-t", "CLIP-T", _prompt)


def with_references(prompts: Path | None = None) -> Metric:
    """Return CLIP-I: the mean over the references of the concepts."""
    return _metric("clip-i", "CLIP-I", references, concepts=True)


def dino(prompts: Path | None = None) -> Metric:
    """Return DINO, which is CLIP-I by a model that was trained on pictures alone."""
    return _metric("dino", "DINO", references, concepts=True)


def _metric(name: str, title: str, others: Others, concepts: bool = False) -> Metric:
    start = partial(plan, name=name, others=others)
    return Metric(
        name=name,
        title=title,
        version=VERSION,
        required_roles=("embedder",),
        plan=start,
        scores=SCORES,
        presents="number",
        needs_questions=False,
        needs_concepts=concepts,
        needs_reference=concepts,
    )


def plan(case: Case, name: str, others: Others) -> Plan:
    """Plan one step with the vectors of the picture and of all it is compared with.

    Score "score" is the mean cosine, in [-1, 1].
    """
    wanted = others(case)
    asked: list[Request] = [Embed(image=case.image), *(embed for _, embed in wanted if embed)]
    own, *replies = (
        (yield asked) if len(asked) > 1 else [Failure("empty", _NO_REFERENCE, attempts=0)]
    )
    rest = iter(replies)
    found = [
        (about, _cosine(own, next(rest)) if embed else Failure("empty", _NO_REFERENCE, attempts=0))
        for about, embed in wanted
    ]
    values = [value for _, value in found if isinstance(value, float)]
    lost = [
        Finding(kind=name, expected=about, observed="", state="failed", note=value.message)
        for about, value in found
        if isinstance(value, Failure)
    ]
    score = Score(sum(values) / len(values) if values else None, len(values), len(lost))
    evidence = Evidence(findings=tuple(lost), notes=tuple(_notes(found)))
    return Report(
        metric=name,
        version=VERSION,
        prompt=case.prompt,
        image=case.image.sha256,
        scores={"score": score},
        published={"score": score.value},
        evidence=evidence,
    )


def _notes(found: Sequence[tuple[str, float | Failure]]) -> list[str]:
    """Return each cosine by itself, where there are several things to compare with."""
    return (
        [f"{about}: {value:.3f}" for about, value in found if isinstance(value, float)]
        if len(found) > 1
        else []
    )


def _prompt(case: Case) -> tuple[tuple[str, Embed | None], ...]:
    return (("prompt", Embed(text=case.prompt)),)


def references(case: Case) -> tuple[tuple[str, Embed | None], ...]:
    """Return the reference of each concept; of a case without concepts its own."""
    concepts: Sequence[tuple[str, Picture | None]] = [("reference", case.reference)]
    if case.factual:
        concepts = [(concept.name, concept.reference) for concept in case.factual.concepts]
    return tuple((name, Embed(image=picture) if picture else None) for name, picture in concepts)


def _cosine(one: Reply, other: Reply) -> float | Failure:
    """Return the cosine of two vectors of unit length, or the first failure."""
    vectors = [reply_of(reply, Embedded, "embedder") for reply in (one, other)]
    for vector in vectors:
        if isinstance(vector, Failure):
            return vector
    first, second = (vector.vector for vector in vectors if isinstance(vector, Embedded))
    return max(-1.0, min(1.0, sum(a * b for a, b in zip(first, second, strict=True))))
