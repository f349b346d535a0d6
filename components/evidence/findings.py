"""Shows a picture with findings as an exhibit, a row for everything that was asked.

It has its segments, and the marked words of prompt and caption.

It knows `hallascope.data.evidence`, whatever the metric; kinds of findings it has never heard of
are shown under their own name.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from hallascope import metrics
from hallascope.components.cards import cards
from hallascope.components.cards.cards import EXTRA, Tile
from hallascope.components.evidence.exhibit import (
    AnnotatedSpan,
    AnnotatedText,
    EvidenceGroup,
    EvidenceKeys,
    Exhibit,
    ImageRegion,
    key,
    kind,
    worst,
    wrong_first,
)
from hallascope.components.evidence.fig_steps import steps
from hallascope.components.html.markup import icon, keyed, text
from hallascope.data import outlines
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, Span, State
from hallascope.data.records import Report, Score

# kind of finding -> heading; in this order, the extras last
TITLES: Mapping[str, str] = {
    "object": "Objects",
    "color": "Colour",
    "number": "Number",
    "position": "Position",
    "text": "Text",
    EXTRA: "Nobody asked for",
}
# headings of scores that have one beside their soft twin
_STAGES: Mapping[str, str] = {**TITLES, "score": "All", "chair_i": "CHAIR i", "chair_s": "CHAIR s"}
_COUNTING = "number"
RelatedKeys = Callable[
    [int], EvidenceKeys
]  # the keys with which the row of a finding lights up beside its own, by the index of the finding
_HINT = "Choose a row, a word or a part of the picture: what belongs together lights up."
_KEPT = "Kept as a person’s verdict: it stands beside the score, which does not count it."
_TAKEN = "Taken back: nobody has said that this is fine."
_ASKED_SOFTLY = "By the soft rule it is something that was asked for."
_NONE = "Nothing in this picture could be marked."


def _alone(finding: int) -> EvidenceKeys:
    return ()


def _hint(tile: Tile, marked: bool) -> str:
    if marked:
        return _HINT
    if tile.reports:
        return _NONE
    return tile.doing or "Not judged yet."


def exhibit(
    tile: Tile, facts: Sequence[tuple[str, str]] = (), fine: Collection[int] = ()
) -> Exhibit:
    """The picture with its findings.

    `facts`: what is said beside the scores, e.g. who did what. `fine`: the findings that a person
    does not mind, by index.
    """
    report = tile.reports[0] if tile.reports else None
    evidence = report.evidence if report and report.evidence else Evidence()
    found = marks(evidence)
    return Exhibit(
        run=tile.run,
        key=tile.key,
        name=tile.name,
        path=tile.path,
        alt=(
            f"{tile.prompt}, by {tile.model}:"
            f" {findings_summary(evidence.findings) if report else 'not judged yet'}"
        ),
        placeholder=tile.why or tile.doing,
        hint=_hint(tile, marked=bool(found)),
        revised=tile.revised,
        metric=report.metric if report else "",
        marks=found,
        texts=texts(tile.prompt, evidence) if report else (),
        groups=groups(evidence, fine),
        numbers=numbers(report, facts),
    )


# --- in words
# --------------------------------------------------------------------------------------------------


def findings_summary(findings: Sequence[Finding]) -> str:
    """What was found wrong, in one breath: "2 of 5 wrong: blue circle instead of red circle.

    No tulip".
    """
    asked = [finding for finding in findings if finding.kind != EXTRA]
    extras = [finding.observed for finding in findings if finding.kind == EXTRA]
    wrong = [sentence(finding) for finding in asked if kind(finding.state) == "incorrect"]
    left_out = sum(kind(finding.state) == "left-out" for finding in asked)
    said = [
        f"{len(wrong)} of {len(asked) - left_out} wrong"
        + (f": {'; '.join(wrong)}" if wrong else "")
    ]
    said += [f"{left_out} left out"] if left_out else []
    said += [f"nobody asked for: {', '.join(extras)}"] if extras else []
    return "; ".join(said)


def sentence(finding: Finding) -> str:
    """One finding in words."""
    if finding.kind == EXTRA:
        return f"nobody asked for {finding.observed}"
    match kind(finding.state):
        case "correct":
            return f"{finding.expected}, as asked for"
        case "left-out":
            return f"{finding.expected}: could not be told"
        case _:
            return (
                f"{finding.observed} instead of {finding.expected}"
                if finding.observed
                else f"no {finding.expected}"
            )


# --- in the picture and in the texts
# ---------------------------------------------------------------------------------------


def marks(evidence: Evidence) -> tuple[ImageRegion, ...]:
    """Every segment, with the worst state of what it has part in.

    Its own row comes last of what it leads to.
    """
    return tuple(
        _mark(i, segment, evidence.findings) for i, segment in enumerate(evidence.segments)
    )


def _mark(index: int, segment: SegmentEvidence, findings: Sequence[Finding]) -> ImageRegion:
    about = [i for i, finding in enumerate(findings) if segment.name in finding.segments]
    kinds = {key("finding", i): kind(findings[i].state) for i in about}
    return ImageRegion(
        name=segment.phrase,
        keys=(*wrong_first(list(kinds), kinds), key("segment", index)),
        polygons=outlines.polygons(segment.mask) if segment.mask else (),
        box=segment.box,
        kind=worst(kinds.values()),
        words="; ".join(f"{findings[i].kind} {cards.SIGNS[findings[i].state].word}" for i in about)
        or "nothing rests on it",
    )


def texts(prompt: str, evidence: Evidence) -> tuple[AnnotatedText, ...]:
    """The prompt and the caption of what was seen, each with the words that findings point at."""
    asking = [finding.prompt_spans for finding in evidence.findings]
    saying = [finding.caption_spans for finding in evidence.findings]
    return (
        AnnotatedText("Prompt", prompt, _words(asking, evidence.findings)),
        AnnotatedText(
            "What was seen",
            evidence.caption,
            _words(saying, evidence.findings),
            "There is no caption of this picture.",
        ),
    )


def _words(
    spans: Sequence[Sequence[Span]], findings: Sequence[Finding]
) -> tuple[AnnotatedSpan, ...]:
    return tuple(
        AnnotatedSpan(span, (key("finding", i),), kind(finding.state))
        for i, (finding, own) in enumerate(zip(findings, spans, strict=True))
        for span in own
    )


# --- rows
# --------------------------------------------------------------------------------------------------


def groups(evidence: Evidence, fine: Collection[int] = ()) -> tuple[EvidenceGroup, ...]:
    """A table for each kind of finding, then how all was seen.

    `fine`: the extras that a person does not mind, by index.
    """
    seen = [steps(evidence)] if evidence != Evidence() else []
    return (
        *tables(evidence.findings, fine),
        *seen,
        *([notes(evidence.notes)] if evidence.notes else []),
    )


def tables(
    findings: Sequence[Finding],
    fine: Collection[int] = (),
    told: Collection[int] = (),
    under: RelatedKeys = _alone,
) -> Iterator[EvidenceGroup]:
    """A table for each kind of finding, without those that are `told` elsewhere, by index."""
    kinds = dict.fromkeys(finding.kind for i, finding in enumerate(findings) if i not in told)
    for wanted in sorted(
        kinds, key=lambda one: list(TITLES).index(one) if one in TITLES else len(TITLES) - 1.5
    ):
        yield _group(
            wanted,
            [(i, one) for i, one in enumerate(findings) if one.kind == wanted and i not in told],
            fine,
            under,
        )


def _group(
    wanted: str, of_kind: Sequence[tuple[int, Finding]], fine: Collection[int], under: RelatedKeys
) -> EvidenceGroup:
    title = TITLES.get(wanted, wanted.capitalize())
    if wanted == EXTRA:
        return EvidenceGroup(
            title,
            table(
                ("seen", ""),
                [_extra(i, finding, i in fine, under(i)) for i, finding in of_kind],
                "extras",
            ),
        )
    rows = [_row(i, finding, under(i)) for i, finding in of_kind]
    return EvidenceGroup(
        title,
        table(("asked", "seen", "strict", "soft"), rows, "findings"),
        tally(finding.state for _, finding in of_kind),
    )


def tally(states: Iterable[State]) -> str:
    """How many are met of those that count: "1 of 2, left out 1"."""
    kinds = [kind(state) for state in states]
    left_out = kinds.count("left-out")
    return f"{kinds.count('correct')} of {len(kinds) - left_out}" + (
        f", left out {left_out}" if left_out else ""
    )


def table(heads: Sequence[str], rows: Sequence[str], name: str) -> str:
    """Rows that belong to something under the names of their columns."""
    head = "".join(f'<th scope="col">{text(one)}</th>' for one in heads)
    return (
        '<table class="rows'
        f' {name}"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _row(index: int, finding: Finding, under: EvidenceKeys) -> str:
    states = "".join(
        f"<td>{cards.sign(state, label) if state else '–'}</td>"
        for state, label in _strict_and_lenient(finding)
    )
    note = f'<span class="about">{text(finding.note)}</span>' if finding.note else ""
    return (
        f"<tr {_attributes(key('finding', index), finding, under)}>"
        f"<td>{_lead(finding.expected, finding)}{note}</td>"
        f"<td>{text(finding.observed or '–')}</td>{states}</tr>"
    )


def _strict_and_lenient(finding: Finding) -> tuple[tuple[State | None, str], ...]:
    return (finding.state, "Strict:"), (finding.lenient_state, "Soft:")


def _extra(index: int, finding: Finding, fine: bool, under: EvidenceKeys) -> str:
    words = " ".join(
        filter(None, (finding.note, _ASKED_SOFTLY if finding.lenient_state == "correct" else ""))
    )
    note = f'<span class="about">{text(words)}</span>' if words else ""
    return (
        f"<tr {_attributes(key('finding', index), finding, under)}>"
        f"<td>{_lead(finding.observed, finding)}{note}</td>"
        '<td><button type="button" class="fine" data-verdict="fine"'
        f' aria-pressed="{str(fine).lower()}" data-said="{text(_KEPT)}" '
        f'data-taken="{text(_TAKEN)}" aria-label="{text(finding.observed)} is fine">{icon("check")}'
        "<span>this is fine</span></button></td></tr>"
    )


def _attributes(own: str, finding: Finding, under: EvidenceKeys) -> str:
    shown = kind(finding.state)
    said = f"{upper(sentence(finding))}."
    counts = " data-counts" if finding.kind == _COUNTING else ""
    return (
        f'class="finding {shown}" {keyed((own,), under)} data-kind="{shown}"'
        f' data-said="{text(said)}"{counts}'
    )


def _lead(words: str, finding: Finding) -> str:
    label = f"{sentence(finding)}: {cards.SIGNS[finding.state].word}"
    return (
        '<button type="button" class="lead-button" aria-pressed="false"'
        f' aria-label="{text(label)}">{text(words)}</button>'
    )


def upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def notes(said: Sequence[str]) -> EvidenceGroup:
    """What else is to be known, a sentence each."""
    return EvidenceGroup(
        "Notes", f'<ul class="notes">{"".join(f"<li>{text(note)}</li>" for note in said)}</ul>'
    )


# --- numbers
# --------------------------------------------------------------------------------------------------


def numbers(report: Report | None, facts: Sequence[tuple[str, str]] = ()) -> str:
    """The scores by name, each with what it counted, the soft one beside it; then the facts."""
    if report is None:
        return '<h2>Score</h2><p class="soft">Not judged yet.</p>'
    value = "–" if report.score.value is None else f"{report.score.value:.2f}"
    return (
        f'<h2>Score</h2><p class="value">{value}</p>'
        f'<p class="soft">counted {report.score.counted}, left out {report.score.left_out}</p>'
        f"{stages(report)}{cards.facts([*facts, ('rules', report.version)])}"
    )


def score_title(metric: str, name: str) -> str:
    """Return the heading of a score: that of its stage, else the title that the metric declares."""
    return _STAGES.get(name) or metrics.score(metric, name).title


def stages(report: Report) -> str:
    """One line a score: strict, soft, and what was counted."""
    scores = report.scores
    names = [
        name for name in scores if name not in ("score", "soft") and not name.endswith("_soft")
    ]
    if not names:
        return ""
    lines = "".join(
        "<tr><th"
        f' scope="row">{text(score_title(report.metric, name))}</th><td>{_value(scores[name])}</td>'
        f"<td>{_value(scores.get(f'{name}_soft'))}</td><td>{_count_cell(scores[name])}</td></tr>"
        for name in names
    )
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("", "strict", "soft", "of"))
    return f'<table class="stages"><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>'


def _value(score: Score | None) -> str:
    return "–" if score is None or score.value is None else f"{score.value:.2f}"


def _count_cell(score: Score) -> str:
    return f"{score.counted}" + (
        f'<span class="about">left out {score.left_out}</span>' if score.left_out else ""
    )
