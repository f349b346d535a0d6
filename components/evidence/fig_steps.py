"""Shows step by step how a picture was inspected, as HTML.

The steps go from phrases over boxes, outlines and captions to the pairs that were compared.

Whoever reads it can tell a wrong detection from a wrong picture. It knows
`hallascope.data.evidence` and no metric.
"""

from collections.abc import Iterator, Sequence

from hallascope.components.cards.cards import EXTRA, SIGNS
from hallascope.components.evidence.exhibit import EvidenceGroup, EvidenceKeys, key
from hallascope.components.html.markup import data, icon, text
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence


def steps(evidence: Evidence) -> EvidenceGroup:
    """All steps; what went wrong in a step is said there, with a sign."""
    return _group([*_looking(evidence), *_describing(evidence)])


def detection_steps(evidence: Evidence) -> EvidenceGroup:
    """The first steps, of metrics that describe nothing: what was looked for and what was found."""
    return _group([*_looking(evidence)])


def _group(done: Sequence[tuple[str, str]]) -> EvidenceGroup:
    items = "".join(
        f'<li><h3>{text(title)}</h3><div class="step">{body}</div></li>' for title, body in done
    )
    return EvidenceGroup("Step by step", f'<ol class="steps">{items}</ol>')


def _looking(evidence: Evidence) -> Iterator[tuple[str, str]]:
    yield (
        "Phrases looked for",
        _phrase_list(evidence.phrases) or _nothing("No phrases were looked for."),
    )
    yield "Boxes", _boxes(evidence)
    yield "Outlines", _outlines(evidence.segments)


def _describing(evidence: Evidence) -> Iterator[tuple[str, str]]:
    yield (
        "Captions",
        _segments(evidence) if evidence.segments else _nothing("There is nothing to describe."),
    )
    yield "Caption of the whole", _whole(evidence.caption)
    yield "Pairs compared", _pairs(evidence.findings)


def keys(index: int, segment: SegmentEvidence, findings: Sequence[Finding]) -> EvidenceKeys:
    """What the row of a segment belongs to, its own key first: it leads to the segment alone."""
    return key("segment", index), *(
        key("finding", i) for i, finding in enumerate(findings) if segment.name in finding.segments
    )


def _phrase_list(words: Sequence[str]) -> str:
    return (
        f'<ul class="phrases">{"".join(f"<li>{text(word)}</li>" for word in words)}</ul>'
        if words
        else ""
    )


def _nothing(said: str) -> str:
    return f'<p class="soft">{text(said)}</p>'


def _whole(caption: str) -> str:
    words = len(caption.split())
    return (
        f"<p>{words} words, marked above under What was seen</p>"
        if words
        else _nothing("None was written.")
    )


def _failed(said: str) -> str:
    return f'<p class="failed">{icon("question")} {text(said)}</p>'


def _boxes(evidence: Evidence) -> str:
    """How often every phrase was found and how sure the detector is.

    Those that were not looked for come after them.
    """
    found = {
        phrase: [one.score for one in evidence.segments if one.phrase == phrase]
        for phrase in evidence.phrases
    }
    found |= {
        one.phrase: [s.score for s in evidence.segments if s.phrase == one.phrase]
        for one in evidence.segments
    }
    lines = "".join(
        f"<li><span>{text(phrase)}</span> {_scores(scores)}"
        f"{'' if phrase in evidence.phrases else ' <i>not in the prompt</i>'}</li>"
        for phrase, scores in found.items()
    )
    return f'<ul class="boxes">{lines}</ul>' if lines else _nothing("No boxes were found.")


def _scores(scores: Sequence[float]) -> str:
    if not scores:
        return f'<span class="none">{icon("cross")} not found</span>'
    sure = ", ".join(f"{score:.0%}" for score in sorted(scores, reverse=True))
    return (
        f'<span class="soft">{len(scores)} {"box" if len(scores) == 1 else "boxes"}, sure to'
        f" {sure}</span>"
    )


def _outlines(segments: Sequence[SegmentEvidence]) -> str:
    outlined = sum(one.mask is not None for one in segments)
    said = (
        f"<p>{outlined} of {len(segments)} outlined</p>"
        if segments
        else _nothing("There is nothing to outline.")
    )
    return said + "".join(
        _failed(f"{one.name}, {one.phrase}: {one.failure}") for one in segments if one.failure
    )


def _segments(evidence: Evidence) -> str:
    read = any(segment.written for segment in evidence.segments)
    rows = "".join(
        _segment(segment, keys(i, segment, evidence.findings), read)
        for i, segment in enumerate(evidence.segments)
    )
    heads = ("segment", "said of it", "read in it") if read else ("segment", "said of it")
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    return (
        f'<table class="rows segments"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    )


def _segment(segment: SegmentEvidence, own: EvidenceKeys, read: bool) -> str:
    written = f"<td>{text(segment.written or '–')}</td>" if read else ""
    return (
        f'<tr class="segment" data-keys="{data(own)}" data-own="{own[0]}"'
        f' data-said="{text(f"Segment {segment.name}: {segment.phrase}.")}">'
        '<td><button type="button" class="lead-button"'
        f' aria-pressed="false">{text(segment.phrase)}</button>'
        f'<span class="about">{text(segment.name)}</span></td>'
        f"<td>{text(segment.caption or '–')}</td>{written}</tr>"
    )


def _pairs(findings: Sequence[Finding]) -> str:
    counted = [SIGNS[finding.state].kind for finding in findings if finding.kind != EXTRA]
    left_out = counted.count("left-out")
    if not counted:
        return _nothing("The prompt names nothing to compare.")
    said = f"{counted.count('correct')} of {len(counted) - left_out} met" + (
        f", {left_out} left out" if left_out else ""
    )
    return f"<p>{said}</p>"
