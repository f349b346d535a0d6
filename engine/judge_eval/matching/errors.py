"""Compares what a metric found in a picture with its known errors, row by row."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.masks import overlap
from hallascope.data.regions import Box
from hallascope.primer.claims import Claim, claims
from hallascope.primer.truth.compositions import Composition, DrawnThing
from hallascope.primer.truth.perfect_models import is_called

ErrorRowKind = Literal["object", "color", "number", "position", "extraneous"]
# the kind of row that each kind of finding is about; findings of other kinds are left aside
KINDS: Mapping[str, ErrorRowKind] = {
    "object": "object",
    "omission": "object",
    "color": "color",
    "attribute": "color",
    "number": "number",
    "count": "number",
    "position": "position",
    "relation": "position",
    "extraneous": "extraneous",
}
MatchOutcome = Literal["found", "false alarm", "missed", "right", "left out"]
# the least intersection over union of two boxes of the same thing
SAME_PLACE = 0.5


class ErrorRow(NamedTuple):
    """Holds one row and what became of it: a claim of the prompt, or an extra kind of thing.

    Nobody asked for an extra kind.

    `truth` is what is drawn in words, `said` what the metric saw. `asked_about`: whether the metric
    has a finding on it.
    """

    kind: ErrorRowKind
    subject: str
    truth: str
    said: str
    fate: MatchOutcome
    asked_about: bool = True


@dataclass(frozen=True, kw_only=True)
class ErrorTally:
    """Counts errors by what became of them: `found` (true positives), `false` alarms, `missed`.

    `right` rows were rightly not flagged. `left_out` rows have no verdict and count nowhere else;
    `unasked` are rows on which the metric has no finding at all: they count as not flagged.
    """

    found: int = 0
    false: int = 0
    missed: int = 0
    right: int = 0
    left_out: int = 0
    unasked: int = 0

    @property
    def n(self) -> int:
        """Count the rows that have a verdict."""
        return self.found + self.false + self.missed + self.right

    @property
    def precision(self) -> float | None:
        """Return, of what was flagged, what is wrong; None where nothing was flagged."""
        return _share(self.found, self.found + self.false)

    @property
    def recall(self) -> float | None:
        """Return, of what is wrong, what was flagged; None where nothing is wrong."""
        return _share(self.found, self.found + self.missed)

    @property
    def f1(self) -> float | None:
        """Return the harmonic mean of both; None where nothing is wrong and nothing was flagged."""
        return _share(2 * self.found, 2 * self.found + self.false + self.missed)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def tally(rows: Sequence[ErrorRow]) -> ErrorTally:
    """Count what became of these rows."""
    counts = Counter(row.fate for row in rows)
    return ErrorTally(
        found=counts["found"],
        false=counts["false alarm"],
        missed=counts["missed"],
        right=counts["right"],
        left_out=counts["left out"],
        unasked=sum(not row.asked_about for row in rows),
    )


# --- rows of one picture


def rows(
    composition: Composition, drawn: Sequence[DrawnThing], evidence: Evidence
) -> list[ErrorRow]:
    """Return every row that counts: claims about things, extra things, and false alarms.

    Claims are about things that are drawn or left out; alarms are about nothing known.

    What the prompt says of things that are not drawn at all makes no row: only their omission is
    one.
    """
    every = claims(composition)
    own = [_claim_row(composition, claim, evidence) for claim in every if claim.holds is not None]
    return [*own, *_false_alarms(every, evidence), *_extra_rows(composition, drawn, evidence)]


def unjudged_rows(composition: Composition) -> list[ErrorRow]:
    """Return the rows of a picture of which the metric could say nothing: all left out."""
    own = [
        ErrorRow(kind=claim.kind, subject=claim.subject, truth="", said="", fate="left out")
        for claim in claims(composition)
        if claim.holds is not None
    ]
    return [*own, *_extras_left_out(composition)]


def _claim_row(composition: Composition, claim: Claim, evidence: Evidence) -> ErrorRow:
    findings = [
        finding
        for finding in evidence.findings
        if KINDS.get(finding.kind) == claim.kind and _is_about(finding, claim)
    ]
    drawn_instead = [
        error.drawn
        for error in composition.errors
        if error.subject == claim.subject and error.kind == claim.kind
    ]
    expected = claim.asked if claim.holds else ""
    observed = dict.fromkeys(finding.observed for finding in findings if finding.observed)
    return ErrorRow(
        kind=claim.kind,
        subject=f"{claim.subject}: {claim.asked}",
        truth=drawn_instead[0] if drawn_instead else expected,
        said="; ".join(observed),
        fate=_outcome(bool(claim.holds), findings),
        asked_about=bool(findings),
    )


def _is_about(finding: Finding, claim: Claim) -> bool:
    """Return whether a finding and a claim are about words of the prompt that overlap."""
    return any(
        start < claim_end and claim_start < end
        for start, end in finding.prompt_spans
        for claim_start, claim_end in claim.spans
    )


def _outcome(holds: bool, findings: Sequence[Finding]) -> MatchOutcome:
    """Return what became of a claim; one finding that says it is wrong is enough to flag it."""
    states = {finding.state for finding in findings}
    if "incorrect" in states:
        return "false alarm" if holds else "found"
    if findings and "correct" not in states:
        return "left out"
    return "right" if holds else "missed"


def _false_alarms(every: Sequence[Claim], evidence: Evidence) -> Iterator[ErrorRow]:
    """Yield the findings that something is wrong which the prompt does not say."""
    for finding in evidence.findings:
        kind = KINDS.get(finding.kind)
        if kind is None or kind == "extraneous" or finding.state != "incorrect":
            continue
        if not any(claim.kind == kind and _is_about(finding, claim) for claim in every):
            yield ErrorRow(
                kind=kind,
                subject=finding.expected,
                truth="",
                said=finding.observed,
                fate="false alarm",
            )


# --- things that nobody asked for


def _extras(composition: Composition) -> dict[str, str]:
    """Return the extraneous things of a picture by name, described in words."""
    return {
        error.subject: error.drawn for error in composition.errors if error.kind == "extraneous"
    }


def _extra_row(subject: str, truth: str, observed: str, fate: MatchOutcome) -> ErrorRow:
    return ErrorRow(kind="extraneous", subject=subject, truth=truth, said=observed, fate=fate)


def _extras_left_out(composition: Composition) -> list[ErrorRow]:
    extras = _extras(composition) or {"": ""}
    return [_extra_row(name, words, "", "left out") for name, words in extras.items()]


def _extra_rows(
    composition: Composition, drawn: Sequence[DrawnThing], evidence: Evidence
) -> list[ErrorRow]:
    """Return a row for each kind of thing that nobody asked for, and for each alarm without one.

    A right picture without an alarm has one.
    """
    judged = [finding for finding in evidence.findings if finding.state in ("correct", "incorrect")]
    if evidence.findings and not judged:
        return _extras_left_out(composition)
    extras = _extras(composition)
    alarms = [
        (finding.observed, _extras_meant(finding, drawn, evidence, extras))
        for finding in judged
        if KINDS.get(finding.kind) == "extraneous" and finding.state == "incorrect"
    ]
    own = []
    for name, words in extras.items():
        observed = list(dict.fromkeys(text for text, meant in alarms if name in meant))
        if observed:
            fate: MatchOutcome = "found"
        elif _is_lost(name, drawn, evidence):
            fate = "left out"
        else:
            fate = "missed"
        own.append(_extra_row(name, words, "; ".join(observed), fate))
    false = [_extra_row(text, "", text, "false alarm") for text, meant in alarms if not meant]
    if not extras and not alarms:
        return [_extra_row("", "", "", "right")]
    return [*own, *false]


def _is_lost(name: str, drawn: Sequence[DrawnThing], evidence: Evidence) -> bool:
    """Return whether a thing of that name could not be looked at to the end."""
    boxes = [segment.box for segment in evidence.segments if segment.failure]
    return any(thing.name == name and _is_in_any(thing, boxes) for thing in drawn)


def _extras_meant(
    finding: Finding, drawn: Sequence[DrawnThing], evidence: Evidence, extras: Mapping[str, str]
) -> set[str]:
    """Return the extra things, by name, that a finding calls so or points at."""
    boxes = [segment.box for segment in evidence.segments if segment.name in finding.segments]
    return {
        thing.name
        for thing in drawn
        if thing.name in extras and (is_called(finding.observed, thing) or _is_in_any(thing, boxes))
    }


def _is_in_any(thing: DrawnThing, boxes: Sequence[Box]) -> bool:
    return any(overlap(thing.box, box) >= SAME_PLACE for box in boxes)
