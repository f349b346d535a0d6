"""Computes the baselines of T2I-FactualBench: cosines named CLIP-T, CLIP-I, DINO and DINO v1.

CLIP-T compares a picture with its prompt, the others with its references.

Huang et al. 2024, section 5.4 and table 4. A cosine says how near two vectors are, and nothing of
what is wrong. Which model makes the vectors is the line-up's: CLIP for the first two, DINO, which
reads no text, for the others (`hallascope.data.models.specs.OF_METRIC`). The paper cites the first
DINO (Caron et al., ICCV 2021), which is "dino-v1" here; "dino" is DINOv2 (Oquab et al., 2023).
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import Picture, Report
from hallascope.data.requests import Embed, Failure
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, mean_score
from hallascope.metrics.baselines.number_report import cosine, cut_notes

VERSION = "2"
SCORES = (ScoreSpec("score", "Mean cosine", (-1.0, 1.0)),)
_CAVEAT = (
    "It hardly notices wrong numbers and positions. Its useful range depends on the"
    " embedding model."
)
_NO_REFERENCE = (
    "There is no reference image to compare with: give one, or choose a prompt whose concepts"
    " have one."
)
# What the picture is compared with, by name; None where it is missing.
Others = Callable[[Case], tuple[tuple[str, Embed | None], ...]]


def _metric(
    name: str,
    title: str,
    definition: str,
    others: Others,
    concepts: bool,
    prompts: Path | None = None,
) -> Metric:
    """Return a metric, which has no templates; `concepts`: it compares with references."""
    start = partial(plan, name=name, others=others)
    return Metric(
        name=name,
        title=title,
        definition=definition,
        caveat=_CAVEAT,
        version=VERSION,
        required_roles=("embedder",),
        plan=start,
        scores=SCORES,
        needs_questions=False,
        needs_concepts=concepts,
        needs_reference=concepts,
    )


def plan(case: Case, name: str, others: Others) -> Plan:
    """Plan one step with the vectors of the picture and of all it is compared with.

    Score "score" is the mean cosine, in [-1, 1].
    """
    missing = Failure("empty", _NO_REFERENCE, attempts=0)
    compared = others(case)
    embeds = [embed for _, embed in compared if embed]
    # The picture's own vector comes first, then those of what there is to compare it with.
    given = (yield [Embed(image=case.image), *embeds]) if embeds else []
    replies = iter(given)
    own = next(replies, missing)
    values: list[float | None] = []
    notes: list[str] = []
    failures: list[Finding] = []
    for about, embed in compared:
        value = cosine(own, next(replies)) if embed else missing
        if isinstance(value, Failure):
            values.append(None)
            failures.append(
                Finding(kind=name, expected=about, observed="", state="failed", note=value.message)
            )
        else:
            values.append(value)
            notes.append(f"{about}: {value:.3f}")
    score = mean_score(values)
    evidence = Evidence(
        findings=tuple(failures), notes=(*cut_notes(*given), *(notes if len(compared) > 1 else ()))
    )
    return Report(
        metric=name,
        version=VERSION,
        prompt=case.prompt,
        image=case.image.sha256,
        scores={"score": score},
        published={"score": score.value},
        evidence=evidence,
    )


def _prompt(case: Case) -> tuple[tuple[str, Embed | None], ...]:
    return (("prompt", Embed(text=case.prompt)),)


def references(case: Case) -> tuple[tuple[str, Embed | None], ...]:
    """Return the reference of each concept; of a case without concepts its own."""
    concepts: Sequence[tuple[str, Picture | None]] = [("reference", case.reference)]
    if case.factual:
        concepts = [(concept.name, concept.reference) for concept in case.factual.concepts]
    return tuple((name, Embed(image=picture) if picture else None) for name, picture in concepts)


with_text = partial(
    _metric,
    "clip-t",
    "CLIP-T",
    "CLIP-T: the cosine similarity of image and prompt (-1 to 1).",
    _prompt,
    False,
)
with_references = partial(
    _metric,
    "clip-i",
    "CLIP-I",
    "CLIP-I: the cosine similarity of image and reference image (-1 to 1).",
    references,
    True,
)
dino = partial(
    _metric,
    "dino",
    "DINO",
    "DINO: the cosine similarity of image and reference image by DINO (-1 to 1).",
    references,
    True,
)
dino_v1 = partial(
    _metric,
    "dino-v1",
    "DINO v1",
    "DINO v1: the cosine similarity of image and reference image by the first DINO (-1 to 1).",
    references,
    True,
)
