"""Compares what a metric found in a picture with its known errors, row by row.

It counts, and runs nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from hallascope.data.evidence import Evidence, Finding, Span
from hallascope.data.masks import overlap
from hallascope.primer.claims import Claim, claims
from hallascope.primer.composition_truth import Composition, DrawnThing
from hallascope.primer.truth import is_called

ErrorRowKind = Literal["object", "color", "number", "position", "extraneous"]
# what metrics call their findings -> the row it is about; findings of other kinds are left aside
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
SAME_PLACE = 0.5  # intersection over union from which on two boxes hold the same thing


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
    """Errors by what became of them: `found` (true positives), `false` alarms, `missed`.

    `right` rows that were left in peace.

    `left_out` rows have no verdict and count nowhere else; `unasked` are rows on which the metric
    has no finding at all: they count as not flagged.
    """

    found: int = 0
    false: int = 0
    missed: int = 0
    right: int = 0
    left_out: int = 0
    unasked: int = 0

    @property
    def n(self) -> int:
        """Rows that were counted."""
        return self.found + self.false + self.missed + self.right

    @property
    def precision(self) -> float | None:
        """Of what was flagged, what is wrong; None where nothing was flagged."""
        return _share(self.found, self.found + self.false)

    @property
    def recall(self) -> float | None:
        """Of what is wrong, what was flagged; None where nothing is wrong."""
        return _share(self.found, self.found + self.missed)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of the two; None where nothing is wrong and nothing was flagged."""
        return _share(2 * self.found, 2 * self.found + self.false + self.missed)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def tally(rows: Sequence[ErrorRow]) -> ErrorTally:
    """What became of these rows, counted."""
    fates = [row.fate for row in rows]
    found, false, missed, right, left_out = (fates.count(fate) for fate in get_args(MatchOutcome))
    return ErrorTally(
        found=found,
        false=false,
        missed=missed,
        right=right,
        left_out=left_out,
        unasked=sum(not row.asked_about for row in rows),
    )


# --- rows of one picture
# -------------------------------------------------------------------------------------------------


def rows(made: Composition, shown: Sequence[DrawnThing], evidence: Evidence) -> list[ErrorRow]:
    """Return every row that counts: claims about things, extra things, and false alarms.

    Claims are about things that are drawn or left out; alarms are about nothing known.

    What the prompt says of things that are not drawn at all makes no row: only their omission is
    one.
    """
    said = claims(made)
    found = [_of_claim(made, claim, evidence) for claim in said if claim.holds is not None]
    return [*found, *_alarms(said, evidence), *_extras(made, shown, evidence)]


def unjudged_rows(made: Composition) -> list[ErrorRow]:
    """The rows of a picture of which the metric could say nothing: all left out."""
    found = [
        ErrorRow(kind=claim.kind, subject=claim.subject, truth="", said="", fate="left out")
        for claim in claims(made)
        if claim.holds is not None
    ]
    return [*found, *_extras_left_out(made)]


def _of_claim(made: Composition, claim: Claim, evidence: Evidence) -> ErrorRow:
    about = [
        finding
        for finding in evidence.findings
        if KINDS.get(finding.kind) == claim.kind and _is_about(finding, claim)
    ]
    truth = next(
        (e.drawn for e in made.errors if e.subject == claim.subject and e.kind == claim.kind),
        "" if not claim.holds else claim.asked,
    )
    state = _state(about)
    seen = "; ".join(dict.fromkeys(finding.observed for finding in about if finding.observed))
    return ErrorRow(
        kind=claim.kind,
        subject=f"{claim.subject}: {claim.asked}",
        truth=truth,
        said=seen,
        fate=_fate(bool(claim.holds), state),
        asked_about=bool(about),
    )


def _is_about(finding: Finding, claim: Claim) -> bool:
    return any(_touch(one, other) for one in finding.prompt_spans for other in claim.spans)


def _touch(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _state(about: Sequence[Finding]) -> Literal["flagged", "passed", "none"]:
    """What several findings on one row come to: one that says it is wrong is enough."""
    states = {finding.state for finding in about}
    if "incorrect" in states:
        return "flagged"
    if not about or "correct" in states:
        return "passed"
    return "none"


def _fate(holds: bool, state: Literal["flagged", "passed", "none"]) -> MatchOutcome:
    if state == "none":
        return "left out"
    if state == "flagged":
        return "false alarm" if holds else "found"
    return "right" if holds else "missed"


def _alarms(said: Sequence[Claim], evidence: Evidence) -> Iterator[ErrorRow]:
    """Findings that something is wrong which the prompt does not say."""
    for finding in evidence.findings:
        kind = KINDS.get(finding.kind)
        known = any(claim.kind == kind and _is_about(finding, claim) for claim in said)
        if kind and kind != "extraneous" and finding.state == "incorrect" and not known:
            yield ErrorRow(
                kind=kind,
                subject=finding.expected,
                truth="",
                said=finding.observed,
                fate="false alarm",
            )


# --- things that nobody asked for
# -----------------------------------------------------------------------------------------


def _extraneous_things(made: Composition) -> dict[str, str]:
    """The things that nobody asked for, in words, by name."""
    return {error.subject: error.drawn for error in made.errors if error.kind == "extraneous"}


def _extras_left_out(made: Composition) -> list[ErrorRow]:
    return [
        ErrorRow(kind="extraneous", subject=name, truth=words, said="", fate="left out")
        for name, words in (_extraneous_things(made) or {"": ""}).items()
    ]


def _extras(
    made: Composition, shown: Sequence[DrawnThing], evidence: Evidence
) -> Iterator[ErrorRow]:
    """A row for each kind of thing that nobody asked for, and for each alarm without one.

    A right picture without an alarm has one.
    """
    drawn = _extraneous_things(made)
    judged = [finding for finding in evidence.findings if finding.state in ("correct", "incorrect")]
    if evidence.findings and not judged:
        yield from _extras_left_out(made)
        return
    told = [
        finding
        for finding in judged
        if KINDS.get(finding.kind) == "extraneous" and finding.state == "incorrect"
    ]
    alarms = [(finding, _meant(finding, shown, evidence, drawn)) for finding in told]
    for name, words in drawn.items():
        seen = [finding.observed for finding, meant in alarms if name in meant]
        if seen:
            fate: MatchOutcome = "found"
        elif _is_lost(name, shown, evidence):
            fate = "left out"
        else:
            fate = "missed"
        yield ErrorRow(
            kind="extraneous",
            subject=name,
            truth=words,
            said="; ".join(dict.fromkeys(seen)),
            fate=fate,
        )
    yield from (
        ErrorRow(
            kind="extraneous",
            subject=finding.observed,
            truth="",
            said=finding.observed,
            fate="false alarm",
        )
        for finding, meant in alarms
        if not meant
    )
    if not drawn and not alarms:
        yield ErrorRow(kind="extraneous", subject="", truth="", said="", fate="right")


def _is_lost(name: str, shown: Sequence[DrawnThing], evidence: Evidence) -> bool:
    """Whether a thing of that name could not be looked at to the end."""
    boxes = [segment.box for segment in evidence.segments if segment.failure]
    return any(
        thing.name == name and overlap(thing.box, box) >= SAME_PLACE
        for thing in shown
        for box in boxes
    )


def _meant(
    finding: Finding, shown: Sequence[DrawnThing], evidence: Evidence, extras: Mapping[str, str]
) -> set[str]:
    """Return the extra things, by name, that a finding calls so or points at."""
    boxes = [segment.box for segment in evidence.segments if segment.name in finding.segments]
    return {
        thing.name
        for thing in shown
        if thing.name in extras
        and (
            is_called(finding.observed, thing)
            or any(overlap(thing.box, box) >= SAME_PLACE for box in boxes)
        )
    }
