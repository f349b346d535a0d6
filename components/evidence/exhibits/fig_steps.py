"""Shows step by step how an image was inspected.

The steps go from phrases over boxes, outlines and captions to the pairs that were compared, so that
a wrong detection can be told from a wrong image.
"""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibit import EvidenceGroup, EvidenceKeys, key
from hallascope.components.html.markup import html_table, icon, join, key_attributes, soft_line, tag
from hallascope.components.html.signs import SIGNS
from hallascope.components.tiles.tile import EXTRA
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence


def steps(evidence: Evidence) -> EvidenceGroup:
    """Return all steps; what went wrong in a step is said there, with a sign."""
    return _group([*_detection(evidence), *_description(evidence)])


def detection_steps(evidence: Evidence) -> EvidenceGroup:
    """Return the first steps, of metrics that describe nothing: phrases, boxes and outlines."""
    return _group([*_detection(evidence)])


def _group(titled: Sequence[tuple[str, Markup]]) -> EvidenceGroup:
    items = (tag("li", tag("h3", title), tag("div", body, class_="step")) for title, body in titled)
    return EvidenceGroup("Step by step", tag("ol", *items, class_="steps"))


def _detection(evidence: Evidence) -> Iterator[tuple[str, Markup]]:
    phrases = soft_line("There are no noun phrases.")
    if evidence.phrases:
        phrases = tag("ul", *(tag("li", phrase) for phrase in evidence.phrases), class_="phrases")
    yield "Noun phrases", phrases
    yield "Boxes", _boxes(evidence)
    yield "Masks", _outlines(evidence.segments)


def _description(evidence: Evidence) -> Iterator[tuple[str, Markup]]:
    captions = soft_line("There is nothing to describe.")
    if evidence.segments:
        captions = _segments(evidence)
    yield "Captions", captions
    number = len(evidence.caption.split())
    whole = soft_line("No caption was written.")
    if number:
        whole = tag("p", f"{number} words, marked above under Caption rebuilt from the image")
    yield "Full caption", whole
    yield "Attribute pairs", _pairs(evidence.findings)


def keys(index: int, segment: SegmentEvidence, findings: Sequence[Finding]) -> EvidenceKeys:
    """Return what a segment's row belongs to, its own key first: it leads to the segment alone."""
    return key("segment", index), *(
        key("finding", i) for i, finding in enumerate(findings) if segment.name in finding.segments
    )


def _boxes(evidence: Evidence) -> Markup:
    """Say how often every phrase was found and how sure the detector is.

    Those that were not looked for come after them.
    """
    scores: dict[str, list[float]] = {phrase: [] for phrase in evidence.phrases}
    for segment in evidence.segments:
        scores.setdefault(segment.phrase, []).append(segment.score)
    if not scores:
        return soft_line("No boxes were found.")
    lines = (
        tag(
            "li",
            tag("span", phrase),
            " ",
            _box_scores(of_phrase),
            "" if phrase in evidence.phrases else join(" ", tag("i", "not in the prompt")),
        )
        for phrase, of_phrase in scores.items()
    )
    return tag("ul", *lines, class_="boxes")


def _box_scores(scores: Sequence[float]) -> Markup:
    if not scores:
        return tag("span", icon("cross"), " not found", class_="none")
    sure = ", ".join(f"{score:.0%}" for score in sorted(scores, reverse=True))
    boxes = "1 box" if len(scores) == 1 else f"{len(scores)} boxes"
    return tag("span", f"{boxes}, sure to {sure}", class_="soft")


def _outlines(segments: Sequence[SegmentEvidence]) -> Markup:
    if not segments:
        return soft_line("There is nothing to mask.")
    outlined = sum(segment.mask is not None for segment in segments)
    failures = (
        tag(
            "p",
            icon("question"),
            f" {segment.name}, {segment.phrase}: {segment.failure}",
            class_="failed",
        )
        for segment in segments
        if segment.failure
    )
    return join(tag("p", f"{outlined} of {len(segments)} outlined"), *failures)


def _segments(evidence: Evidence) -> Markup:
    """Return a table of the segments: what was said of each, and what was read in it if any was."""
    read = any(segment.written for segment in evidence.segments)
    rows = (
        _segment(segment, keys(i, segment, evidence.findings), read)
        for i, segment in enumerate(evidence.segments)
    )
    heads = ["segment", "said of it", *(["read in it"] if read else [])]
    return html_table(heads, rows, class_="rows segments")


def _segment(segment: SegmentEvidence, own: EvidenceKeys, read: bool) -> Markup:
    button = tag("button", segment.phrase, class_="lead-button", aria_pressed="false")
    return tag(
        "tr",
        tag("td", button, tag("span", segment.name, class_="about")),
        tag("td", segment.caption or "–"),
        tag("td", segment.written or "–") if read else "",
        class_="segment",
        **key_attributes(own),
        data_own=own[0],
        data_said=f"Segment {segment.name}: {segment.phrase}.",
    )


def _pairs(findings: Sequence[Finding]) -> Markup:
    counted = [SIGNS[finding.state].kind for finding in findings if finding.kind != EXTRA]
    if not counted:
        return soft_line("The prompt names nothing to compare.")
    left_out = counted.count("left-out")
    met = f"{counted.count('correct')} of {len(counted) - left_out} met"
    return tag("p", f"{met}, {left_out} left out" if left_out else met)
