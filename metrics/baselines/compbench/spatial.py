"""Plans T2I-CompBench's score of spatial relations from the boxes of a detector.

Huang et al., "T2I-CompBench", NeurIPS 2023, section 4.2, with the weights and thresholds of the
authors' public code. A relation counts half, the detector's confidence in its two things the other
half; what comes to less than 0.5 counts as 0.

The code measures "next to" in pixels, 150 of the 512 that its images have on a side;
here that is the same share of a side of any image. Of a thing that is detected several times the
surest box counts. "On top of" is read as "on the top of", which the code gives no score. A prompt
of several relations has the mean over them.
"""

from collections.abc import Sequence
from math import fsum
from pathlib import Path
from typing import NamedTuple

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.graphs import Edge
from hallascope.data.masks import overlap
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Detect, Detected, Failure
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, reply_of
from hallascope.metrics.baselines.number_report import missing_score, number
from hallascope.metrics.detection.geometry import middle
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph, make_prompt_graph

NAME = "compbench-spatial"
VERSION = "2"
MOST_OVERLAP = 0.1  # intersection over union up to which two things do not stand in each other
NEAR = 150 / 512  # of a side of the image
LEAST = 0.5  # what comes to less counts as 0
RELATIONS = ("left of", "right of", "above", "on", "below", "next to")
NO_RELATION = "The prompt says of no two different things how they stand to each other."


class PlacedPair(NamedTuple):
    """Holds a spatial relation of a prompt by the names of its two things."""

    subject: str
    relation: str
    anchor: str
    edge: Edge

    @property
    def words(self) -> str:
        return f"{self.subject} {self.relation} {self.anchor}"


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric, which has no templates."""
    return Metric(
        name=NAME,
        title="T2I-CompBench spatial",
        definition=(
            "Spatial: whether a detector finds the objects where the prompt says, half for "
            "the objects, half for their relation (0 to 1)."
        ),
        caveat="An object that the detector misses scores 0, like a wrong position.",
        version=VERSION,
        required_roles=("detector",),
        plan=plan,
        scores=(ScoreSpec("score", "Spatial score"),),
        presents="findings",
        needs_questions=False,
    )


def plan(case: Case) -> Plan:
    """Plan one look of the detector for the things of all spatial relations of the prompt.

    A prompt without such a relation has no score, nor has an image that the detector failed on.
    """
    prompt = make_prompt_graph(case.prompt)
    pairs = placed_pairs(prompt)
    if not pairs:
        return missing_score(NAME, VERSION, case, prompt.reading.unreadable or NO_RELATION)
    phrases = tuple(dict.fromkeys(name for pair in pairs for name in (pair.subject, pair.anchor)))
    (reply,) = yield [Detect(case.image, phrases)]
    detected = reply_of(reply, Detected, "detector")
    if isinstance(detected, Failure):
        return missing_score(NAME, VERSION, case, f"The detector gave nothing: {detected.message}")
    scores = [pair_score(pair, detected.detections) for pair in pairs]
    findings = tuple(
        _finding(pair, score, detected.detections)
        for pair, score in zip(pairs, scores, strict=True)
    )
    value = fsum(scores) / len(scores)
    return number(NAME, VERSION, case, value, evidence=Evidence(findings=findings))


def placed_pairs(prompt: PromptGraph) -> list[PlacedPair]:
    """Return the relations of a prompt that boxes can show, in its order.

    Boxes do not tell two things of one name apart.
    """
    labels = {node.name: node.label for node in prompt.graph.nodes if not node.absent}
    pairs = [
        PlacedPair(labels[edge.source], edge.relation, labels[edge.target], edge)
        for edge in prompt.graph.edges
        if edge.relation in RELATIONS and edge.source in labels and edge.target in labels
    ]
    return [pair for pair in pairs if pair.subject.casefold() != pair.anchor.casefold()]


def pair_score(pair: PlacedPair, detections: Sequence[Detection]) -> float:
    """Return the score of one relation in [0, 1]: 0, or at least 0.5."""
    subject = surest(pair.subject, detections)
    anchor = surest(pair.anchor, detections)
    score = 0.25 * fsum(each.score for each in (subject, anchor) if each)
    if subject and anchor:
        score += relation_score(pair.relation, subject.box, anchor.box) / 2
    return score if score >= LEAST else 0.0


def surest(phrase: str, detections: Sequence[Detection]) -> Detection | None:
    """Return the surest detection of a phrase, None where it was not detected."""
    own = [each for each in detections if each.phrase.casefold() == phrase.casefold()]
    return max(own, key=lambda each: each.score, default=None)


def relation_score(relation: str, subject: Box, anchor: Box) -> float:
    """Return how far two boxes stand in a relation, in [0, 1].

    By centers: the larger of the two distances must be in the right direction, and boxes that
    overlap by more than `MOST_OVERLAP` lower the score. "Next to" is full where one of the
    distances is under `NEAR`. Raises ValueError where boxes cannot show the relation.
    """
    across = middle(anchor).x - middle(subject).x
    down = middle(anchor).y - middle(subject).y
    match relation:
        case "next to":
            is_near = min(abs(across), abs(down)) < NEAR
            return 1.0 if is_near else NEAR / max(abs(across), abs(down))
        case "left of":
            stands = across > abs(down)
        case "right of":
            stands = -across > abs(down)
        case "above" | "on":
            stands = down > abs(across)
        case "below":
            stands = -down > abs(across)
        case _:
            raise ValueError(f"boxes do not show {relation!r}: choose one of {RELATIONS}")
    if not stands:
        return 0.0
    shared = overlap(subject, anchor)
    return 1.0 if shared < MOST_OVERLAP else MOST_OVERLAP / shared


def _finding(pair: PlacedPair, score: float, detections: Sequence[Detection]) -> Finding:
    seen = [name for name in (pair.subject, pair.anchor) if surest(name, detections)]
    missing = [name for name in (pair.subject, pair.anchor) if name not in seen]
    observed = f"not detected: {', '.join(missing)}" if missing else f"score {score:.3f}"
    return Finding(
        kind="relation",
        expected=pair.words,
        observed=observed,
        # a wrong place between two things that the detector is certain of comes to just 0.5
        state="correct" if score > LEAST else "incorrect",
        prompt_spans=pair.edge.spans,
    )
