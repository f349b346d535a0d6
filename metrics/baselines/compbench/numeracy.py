"""Plans T2I-CompBench++'s score of numbers from the boxes of a detector.

Huang et al., "T2I-CompBench++", TPAMI 2025, and the authors' public code: each thing of the prompt
has the same weight, half of it for being detected and half for being detected as often as the
prompt says. Boxes of one name that overlap by more than 0.9, or cover 0.9 of each other, are one.

"A cat" says one, as in the code; things of one name are counted together. A thing whose number the
prompt leaves open ("cats", "two or three cats") is not counted.
"""

from collections.abc import Sequence
from math import fsum
from pathlib import Path
from typing import NamedTuple

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.graphs import Node
from hallascope.data.masks import overlap
from hallascope.data.regions import Box, Detection, Span
from hallascope.data.requests import Detect, Detected, Failure
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, reply_of
from hallascope.metrics.baselines.number_report import missing_score, number
from hallascope.metrics.detection.geometry import covered_share
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph, make_prompt_graph

NAME = "compbench-numeracy"
VERSION = "2"
SAME_BOX = 0.9  # overlap, or covered share, from which two boxes of one name are one thing
ARTICLES = ("a ", "an ", "another ")
NO_NUMBER = "The prompt says of no thing how many of it there are."


class CountedThing(NamedTuple):
    """Holds a thing of a prompt with how many of it the prompt asks for."""

    name: str
    wanted: int
    spans: tuple[Span, ...]


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric, which has no templates."""
    return Metric(
        name=NAME,
        title="T2I-CompBench numeracy",
        definition=(
            "Numeracy: whether a detector finds as many objects as the prompt says, half "
            "for each object, half for its number (0 to 1)."
        ),
        caveat=(
            "Overlapping objects are miscounted, and a number that is off by one scores "
            "like one that is off by ten."
        ),
        version=VERSION,
        required_roles=("detector",),
        plan=plan,
        scores=(ScoreSpec("score", "Numeracy score"),),
        presents="findings",
        needs_questions=False,
    )


def plan(case: Case) -> Plan:
    """Plan one look of the detector for every thing whose number the prompt says.

    A prompt without such a thing has no score, nor has an image that the detector failed on.
    """
    prompt = make_prompt_graph(case.prompt)
    things = counted_things(prompt)
    if not things:
        return missing_score(NAME, VERSION, case, prompt.reading.unreadable or NO_NUMBER)
    phrases = tuple(dict.fromkeys(thing.name for thing in things))
    (reply,) = yield [Detect(case.image, phrases)]
    detected = reply_of(reply, Detected, "detector")
    if isinstance(detected, Failure):
        return missing_score(NAME, VERSION, case, f"The detector gave nothing: {detected.message}")
    counts = [count_boxes(thing.name, detected.detections) for thing in things]
    scores = [
        (int(count > 0) + int(count == thing.wanted)) / 2
        for thing, count in zip(things, counts, strict=True)
    ]
    findings = tuple(
        Finding(
            kind="number",
            expected=f"{thing.wanted} {thing.name}",
            observed=f"{count} detected",
            state="correct" if count == thing.wanted else "incorrect",
            prompt_spans=thing.spans,
        )
        for thing, count in zip(things, counts, strict=True)
    )
    value = fsum(scores) / len(scores)
    return number(NAME, VERSION, case, value, evidence=Evidence(findings=findings))


def counted_things(prompt: PromptGraph) -> list[CountedThing]:
    """Return the things of a prompt whose exact number it says, in its order.

    Things of one name are one, whose number is left open where that of one of them is.
    """
    by_name: dict[str, list[Node]] = {}
    for node in prompt.graph.nodes:
        if not (node.absent or prompt.asked_object(node.name).one_of):
            by_name.setdefault(node.label.casefold(), []).append(node)
    things = []
    for nodes in by_name.values():
        numbers = [_exact_number(prompt, node) for node in nodes]
        if all(numbers):
            spans = tuple(span for node in nodes for span in node.spans)
            things.append(CountedThing(nodes[0].label, sum(numbers), spans))
    return things


def _exact_number(prompt: PromptGraph, node: Node) -> int:
    """Return how many of a thing the prompt asks for, 0 where it leaves that open."""
    count = prompt.count(node.name)
    return (count.exact or 0) if count else int(_has_article(prompt, node))


def _has_article(prompt: PromptGraph, node: Node) -> bool:
    """Return whether the prompt first names a thing with "a", "an" or "another"."""
    if not node.spans:
        return False
    start = node.spans[0][0]
    text = prompt.text
    return any(
        text.text_at(phrase.span).casefold().startswith(ARTICLES)
        for phrase in text.objects
        if phrase.span[0] <= start < phrase.span[1]
    )


def count_boxes(name: str, detections: Sequence[Detection]) -> int:
    """Return how many things of a name were detected, one for boxes at the same place."""
    distinct: list[Box] = []
    for each in sorted(detections, key=lambda each: -each.score):
        is_named = each.phrase.casefold() == name.casefold()
        if is_named and not any(_is_same(each.box, other) for other in distinct):
            distinct.append(each.box)
    return len(distinct)


def _is_same(box: Box, other: Box) -> bool:
    shares = (overlap(box, other), covered_share(box, other), covered_share(other, box))
    return max(shares) > SAME_BOX
