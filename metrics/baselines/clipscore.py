"""Plans CLIPScore: how near the vector of a picture is to that of its prompt.

Hessel et al., "CLIPScore: A Reference-free Evaluation Metric for Image Captioning", EMNLP 2021,
section 3: w * max(cos, 0) with w = 2.5. Without the "A photo depicts" that they put before
captions, as with prompts nobody does.

Papers normalize the same cosine in several ways, and each has a score and an axis of its own: the
cosine itself, 100 * max(cos, 0) (TorchMetrics, and papers that print numbers near 30), and
min(1, 2.5 * max(cos, 0)), which stands beside scene-graph QA's numbers (section 4.2.1).
"""

from pathlib import Path

from hallascope.data.evidence import Evidence
from hallascope.data.requests import Embed, Failure
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec
from hallascope.metrics.baselines.number_report import cosine, cut_notes, missing_score, number

NAME = "clipscore"
VERSION = "3"
WEIGHT = 2.5
PERCENT = 100.0
SCORES = (
    ScoreSpec("score", "Score", (0.0, WEIGHT)),
    ScoreSpec("cosine", "Cosine", (-1.0, 1.0)),
    ScoreSpec("share", "Score from 0 to 1", (0.0, 1.0)),
    ScoreSpec("percent", "Cosine × 100", (0.0, PERCENT)),
)


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric, which has no templates."""
    return Metric(
        name=NAME,
        title="CLIPScore",
        definition="CLIPScore: 2.5 times the cosine similarity of image and prompt, at least 0.",
        caveat=(
            "It hardly notices wrong numbers and positions. Its useful range depends on the"
            " embedding model."
        ),
        version=VERSION,
        required_roles=("embedder",),
        plan=plan,
        scores=SCORES,
        needs_questions=False,
    )


def plan(case: Case) -> Plan:
    """Plan two vectors in one step.

    Scores: "score" in [0, 2.5], "cosine" in [-1, 1], "share" in [0, 1], "percent" in [0, 100].

    The picture is left out where a vector is missing.
    """
    seen, read = yield [Embed(case.image), Embed(text=case.prompt)]
    value = cosine(seen, read)
    if isinstance(value, Failure):
        why = f"There is no cosine: {value.message}"
        return missing_score(NAME, VERSION, case, why, ("cosine", "share", "percent"))
    positive = max(value, 0.0)
    others = {
        "cosine": value,
        "share": min(1.0, WEIGHT * positive),
        "percent": PERCENT * positive,
    }
    evidence = Evidence(notes=cut_notes(seen, read))
    return number(NAME, VERSION, case, WEIGHT * positive, others, evidence)
