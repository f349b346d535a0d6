"""Plans CLIPScore: how near the vector of a picture is to that of its prompt.

Hessel et al., "CLIPScore: A Reference-free Evaluation Metric for Image Captioning", EMNLP 2021,
section 3: w * max(cos, 0) with w = 2.5. Without the "A photo depicts" that they put before
captions, as with prompts nobody does; the raw cosine is told, too.
"""

from math import fsum
from pathlib import Path

from hallascope.data.requests import Embed, Embedded, Failure
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, reply_of
from hallascope.metrics.baselines.number_report import missing_score, number

NAME = "clipscore"
VERSION = "1"
WEIGHT = 2.5
SCORES = (ScoreSpec("score", "Score", (0.0, WEIGHT)), ScoreSpec("cosine", "Cosine", (-1.0, 1.0)))
TWO_SPACES = "The embedder's vectors of images and of texts have two lengths"


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric, which has no templates."""
    return Metric(
        name=NAME,
        title="CLIPScore",
        version=VERSION,
        required_roles=("embedder",),
        plan=plan,
        scores=SCORES,
        presents="number",
        needs_questions=False,
    )


def plan(case: Case) -> Plan:
    """Plan two vectors in one step. Scores: "score" in [0, 2.5], "cosine" in [-1, 1].

    The picture is left out where a vector is missing.
    """
    replies = yield [Embed(case.image), Embed(text=case.prompt)]
    vectors = []
    for reply in replies:
        embedded = reply_of(reply, Embedded, "embedder")
        if isinstance(embedded, Failure):
            return missing_score(
                NAME, VERSION, case, f"The embedder gave no vector: {embedded.message}"
            )
        vectors.append(embedded.vector)
    if len(vectors[0]) != len(vectors[1]):
        return missing_score(NAME, VERSION, case, f"{TWO_SPACES}: choose one with a common space.")
    cosine = min(1.0, max(-1.0, fsum(a * b for a, b in zip(*vectors, strict=True))))
    return number(NAME, VERSION, case, WEIGHT * max(cosine, 0.0), {"cosine": cosine})
