"""Plans T2I-CompBench's 3-in-1, the mean of its three scores for complex prompts.

Huang et al., "T2I-CompBench", NeurIPS 2023, section 4.4: BLIP-VQA for attributes, the detector's
score for spatial relations, CLIP's cosine for other relations. As in the authors' public code a
part that the prompt does not ask for is left out: with a spatial relation alone the mean of
BLIP-VQA and the spatial score, with an action alone that of BLIP-VQA and the cosine, else of all.

The authors list which prompts have which relations, here the parser says it; a prompt
with neither has the mean of BLIP-VQA and the cosine; a cosine below 0 counts as 0.
"""

from math import fsum
from pathlib import Path

from hallascope.data.evidence import Evidence
from hallascope.data.records import Report
from hallascope.data.requests import Reply, Request
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec
from hallascope.metrics.baselines import blip, clipscore
from hallascope.metrics.baselines.compbench import spatial
from hallascope.metrics.baselines.number_report import missing_score, number
from hallascope.metrics.scene_graph.prompt_graph import make_prompt_graph

NAME = "compbench-3-in-1"
VERSION = "1"
SCORES = (
    ScoreSpec("score", "3-in-1"),
    ScoreSpec("attributes", "BLIP-VQA"),
    ScoreSpec("spatial", "Spatial score"),
    ScoreSpec("action", "Cosine, never under 0"),
)
_PARTS_VERSION = f"{VERSION}+{blip.VQA_VERSION}+{spatial.VERSION}+{clipscore.VERSION}"


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric, which has no templates."""
    return Metric(
        name=NAME,
        title="T2I-CompBench 3-in-1",
        definition=(
            "3-in-1: the mean of BLIP-VQA, the spatial score and the similarity of image "
            "and prompt, of those that the prompt calls for (0 to 1)."
        ),
        caveat=(
            "Do not compare prompts of different kinds: the three scores have different "
            "useful ranges."
        ),
        version=_PARTS_VERSION,
        required_roles=("judge", "detector", "embedder"),
        plan=plan,
        scores=SCORES,
        presents="findings",
        readable=readable,
        needs_questions=False,
    )


def readable(request: Request, reply: Reply) -> bool:
    """Return whether the judge answered at all; boxes and vectors are always read."""
    return request.role != "judge" or blip.readable(request, reply)


def plan(case: Case) -> Plan:
    """Plan the scores that the prompt asks for, one after the other.

    The image is left out where one of them is missing, or the prompt cannot be read; the findings
    hold the reason.
    """
    prompt = make_prompt_graph(case.prompt)
    if prompt.reading.unreadable:
        return missing_score(NAME, _PARTS_VERSION, case, prompt.reading.unreadable)
    pairs = spatial.placed_pairs(prompt)
    has_other_relations = len(prompt.graph.edges) > len(pairs)
    parts: dict[str, Report] = {"attributes": (yield from blip.ask(case))}
    if pairs:
        parts["spatial"] = yield from spatial.plan(case)
    if has_other_relations or not pairs:
        parts["action"] = yield from clipscore.plan(case)
    values = {name: _value(name, report) for name, report in parts.items()}
    evidences = [report.evidence for report in parts.values() if report.evidence]
    evidence = Evidence(
        findings=tuple(finding for each in evidences for finding in each.findings),
        notes=tuple(note for each in evidences for note in each.notes),
    )
    known = [value for value in values.values() if value is not None]
    value = fsum(known) / len(known) if len(known) == len(values) else None
    return number(NAME, _PARTS_VERSION, case, value, values, evidence)


def _value(part: str, report: Report) -> float | None:
    """Return the value of a part in [0, 1], None where it has none."""
    if part != "action":
        return report.score.value
    cosine = report.scores.get("cosine")
    return None if cosine is None or cosine.value is None else max(0.0, cosine.value)
