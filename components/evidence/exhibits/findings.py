"""Shows an image with findings as an exhibit, a row for everything that was asked.

It has its segments, and the marked words of prompt and caption. Kinds of findings that it does not
know are shown under their own name.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from markupsafe import Markup

from hallascope import metrics
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
from hallascope.components.evidence.exhibits.asked import asked_group
from hallascope.components.evidence.exhibits.fig_steps import steps
from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.markup import (
    html_table,
    icon,
    join,
    key_attributes,
    side_note,
    soft_line,
    table_row,
    tag,
)
from hallascope.components.html.signs import SIGNS, sign
from hallascope.components.tiles.scores import answered_text, number_text
from hallascope.components.tiles.tile import EXTRA, Tile
from hallascope.data import outlines
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, State
from hallascope.data.lexicon import capitalize
from hallascope.data.records import Report, Score
from hallascope.data.regions import Span
from hallascope.data.wordings.packs import version_facts
from hallascope.metrics.reading.differences import is_reading_difference

# kind of finding -> heading; in this order, the extras last
TITLES: Mapping[str, str] = {
    "object": "Objects",
    "color": "Color",
    "number": "Number",
    "position": "Position",
    "text": "Text",
    EXTRA: "Not in the prompt",
}
# headings of scores that have one beside their soft twin
_STAGES: Mapping[str, str] = {
    **TITLES,
    "score": "All",
    "chair_i": "CHAIR i (0 is best)",
    "chair_s": "CHAIR s (0 is best)",
}
_COUNTING = "number"
# the keys with which the row of a finding lights up beside its own, by the index of the finding
RelatedKeys = Callable[[int], EvidenceKeys]
_HINT = "Select a row, a word or a region to see what belongs to it."
_FINE = "Kept as a person’s verdict: it stands beside the score, which does not count it."
_NOT_FINE = "Taken back: this is not marked as fine."
_ASKED_SOFTLY = "By the soft rule it is something that was asked for."
_NONE = "Nothing in this image could be marked."


def exhibit(
    tile: Tile, facts: Sequence[tuple[str, str]] = (), fine: Collection[int] = ()
) -> Exhibit:
    """Return the image with its findings.

    `facts`: what is said beside the scores, e.g. who did what. `fine`: the findings that a person
    does not mind, by index.
    """
    report = tile.report
    evidence = report.evidence if report and report.evidence else Evidence()
    regions = marks(evidence)
    hint = _HINT if regions else _NONE
    if not report:
        hint = tile.doing or "Not judged yet."
    summary = findings_summary(evidence.findings) if report else "not judged yet"
    return Exhibit(
        run=tile.run,
        key=tile.key,
        name=tile.name,
        path=tile.path,
        alt=f"{tile.prompt}, by {tile.model}: {summary}",
        placeholder=tile.why or tile.doing,
        hint=hint,
        revised=tile.revised,
        metric=report.metric if report else "",
        marks=regions,
        texts=texts(tile.prompt, evidence) if report else (),
        groups=groups(evidence, fine),
        numbers=numbers(report, facts),
    )


# --- in words ---


def findings_summary(findings: Sequence[Finding]) -> str:
    """Say what is wrong: "2 of 5 wrong: blue circle instead of red circle; no tulip"."""
    requested = [finding for finding in findings if finding.kind != EXTRA]
    extras = [finding.observed for finding in findings if finding.kind == EXTRA]
    wrong = [sentence(finding) for finding in requested if kind(finding.state) == "incorrect"]
    left_out = sum(kind(finding.state) == "left-out" for finding in requested)
    count = f"{len(wrong)} of {len(requested) - left_out} wrong"
    parts = [f"{count}: {'; '.join(wrong)}" if wrong else count]
    if left_out:
        parts.append(f"{left_out} left out")
    if extras:
        parts.append(f"not in the prompt: {', '.join(extras)}")
    return "; ".join(parts)


def sentence(finding: Finding) -> str:
    """Return one finding in words."""
    if finding.kind == EXTRA:
        return f"not in the prompt {finding.observed}"
    match kind(finding.state):
        case "correct":
            return f"{finding.expected}, as in the prompt"
        case "left-out":
            return f"{finding.expected}: could not be checked"
        case _:
            if finding.observed:
                return f"{finding.observed} instead of {finding.expected}"
            return f"no {finding.expected}"


# --- in the image and in the texts ---


def marks(evidence: Evidence) -> tuple[ImageRegion, ...]:
    """Return every segment, with the worst state of what it has part in.

    Its own row comes last of what it leads to.
    """
    return tuple(
        _region(i, segment, evidence.findings) for i, segment in enumerate(evidence.segments)
    )


def _region(index: int, segment: SegmentEvidence, findings: Sequence[Finding]) -> ImageRegion:
    about = [i for i, finding in enumerate(findings) if segment.name in finding.segments]
    kinds = {key("finding", i): kind(findings[i].state) for i in about}
    return ImageRegion(
        name=segment.phrase,
        keys=(*wrong_first(list(kinds), kinds), key("segment", index)),
        polygons=outlines.polygons(segment.mask) if segment.mask else (),
        box=segment.box,
        kind=worst(kinds.values()),
        words="; ".join(f"{findings[i].kind} {SIGNS[findings[i].state].word}" for i in about)
        or "no question is about it",
    )


def texts(prompt: str, evidence: Evidence) -> tuple[AnnotatedText, ...]:
    """Return prompt and caption, each with the words that findings point at."""
    prompt_spans = [finding.prompt_spans for finding in evidence.findings]
    caption_spans = [finding.caption_spans for finding in evidence.findings]
    return (
        AnnotatedText("Prompt", prompt, _words(prompt_spans, evidence.findings)),
        AnnotatedText(
            "Caption rebuilt from the image",
            evidence.caption,
            _words(caption_spans, evidence.findings),
            "There is no caption of this image.",
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


# --- rows ---


def groups(evidence: Evidence, fine: Collection[int] = ()) -> tuple[EvidenceGroup, ...]:
    """Return a table for each kind of finding, then how all was seen.

    `fine`: the extras that a person does not mind, by index.
    """
    result = reading_groups(evidence)
    result += tables(evidence.findings, fine)
    if evidence != Evidence():
        result.append(steps(evidence))
    result += other_notes(evidence)
    return tuple(result)


def reading_groups(evidence: Evidence) -> list[EvidenceGroup]:
    """Return what the prompt was read to ask for, where the metric reads it."""
    if evidence.reading is None:
        return []
    return [asked_group(evidence.reading, evidence.findings, evidence.notes)]


def other_notes(evidence: Evidence) -> list[EvidenceGroup]:
    """Return the notes, without those that stand with what the prompt asks for."""
    reading = evidence.reading
    sentences = [
        note
        for note in evidence.notes
        if reading is None or not (note == reading.unreadable or is_reading_difference(note))
    ]
    return [notes(sentences)] if sentences else []


def tables(
    findings: Sequence[Finding],
    fine: Collection[int] = (),
    omitted: Collection[int] = (),
    under: RelatedKeys = lambda _: (),
) -> Iterator[EvidenceGroup]:
    """Yield a table for each kind of finding, without those that are `omitted`, by index."""
    by_kind: dict[str, list[int]] = {}
    for i, finding in enumerate(findings):
        if i not in omitted:
            by_kind.setdefault(finding.kind, []).append(i)
    known = [name for name in TITLES if name != EXTRA]
    others = [name for name in by_kind if name not in TITLES]
    for name in (*known, *others, EXTRA):
        if name not in by_kind:
            continue
        title = TITLES.get(name, name.capitalize())
        indices = by_kind[name]
        if name == EXTRA:
            rows = [_extra(i, findings[i], i in fine, under(i)) for i in indices]
            yield EvidenceGroup(title, table(("seen", ""), rows, "extras"))
        else:
            rows = [_row(i, findings[i], under(i)) for i in indices]
            body = table(("asked", "seen", "strict", "soft"), rows, "findings")
            yield EvidenceGroup(title, body, tally(findings[i].state for i in indices))


def tally(states: Iterable[State]) -> str:
    """Say how many are met of those that count: "1 of 2, 1 left out"."""
    kinds = [kind(state) for state in states]
    left_out = kinds.count("left-out")
    met = f"{kinds.count('correct')} of {len(kinds) - left_out}"
    return f"{met}, {left_out} left out" if left_out else met


def table(heads: Sequence[str], rows: Sequence[Markup], name: str) -> Markup:
    """Return rows that belong to something under the names of their columns."""
    return html_table(heads, rows, class_=f"rows {name}")


def _row(index: int, finding: Finding, under: EvidenceKeys) -> Markup:
    lenient = finding.lenient_state
    return tag(
        "tr",
        tag("td", _lead(finding.expected, finding), side_note(finding.note)),
        tag("td", finding.observed or "–"),
        tag("td", sign(finding.state, "Strict:")),
        tag("td", sign(lenient, "Soft:") if lenient else "–"),
        **_attributes(index, finding, under),
    )


def _extra(index: int, finding: Finding, fine: bool, under: EvidenceKeys) -> Markup:
    lenient = _ASKED_SOFTLY if finding.lenient_state == "correct" else ""
    note = side_note(" ".join(filter(None, (finding.note, lenient))))
    button = tag(
        "button",
        icon("check"),
        tag("span", "this is fine"),
        class_="fine",
        data_verdict="fine",
        aria_pressed=str(fine).lower(),
        data_said=_FINE,
        data_taken=_NOT_FINE,
        aria_label=f"{finding.observed} is fine",
    )
    return tag(
        "tr",
        tag("td", _lead(finding.observed, finding), note),
        tag("td", button),
        **_attributes(index, finding, under),
    )


def _attributes(index: int, finding: Finding, under: EvidenceKeys) -> dict[str, str | bool]:
    state = kind(finding.state)
    return {
        "class_": f"finding {state}",
        **key_attributes((key("finding", index),), under),
        "data_kind": str(state),
        "data_said": f"{capitalize(sentence(finding))}.",
        "data_counts": finding.kind == _COUNTING,
    }


def _lead(words: str, finding: Finding) -> Markup:
    return lead_button(words, f"{sentence(finding)}: {SIGNS[finding.state].word}")


def lead_button(words: str, label: str) -> Markup:
    """Return the button of a row that leads to its evidence; `label` is its accessible name."""
    return tag("button", words, class_="lead-button", aria_pressed="false", aria_label=label)


def notes(sentences: Sequence[str]) -> EvidenceGroup:
    """Return what else is to be known, a sentence each."""
    return EvidenceGroup(
        "Notes", tag("ul", *(tag("li", note) for note in sentences), class_="notes")
    )


# --- numbers ---


def numbers(report: Report | None, facts: Sequence[tuple[str, str]] = ()) -> Markup:
    """Return the scores by name, each with what it counted and its soft one; then the facts."""
    if report is None:
        return join(tag("h2", "Score"), soft_line("Not judged yet."))
    answered = answered_text(report.score.counted, report.score.left_out, "findings")
    return join(
        tag("h2", "Score"),
        tag("p", number_text(report.score.value), class_="value"),
        soft_line(f"{answered}."),
        stages(report),
        fact_table([*facts, *version_facts(report.version), ("metric version", report.version)]),
    )


def score_title(metric: str, name: str) -> str:
    """Return the heading of a score: that of its stage, else the title that the metric declares."""
    return _STAGES.get(name) or metrics.score(metric, name).title


def stages(report: Report) -> Markup:
    """Return one line a score by each rule that the metric has, and what was counted."""
    names = [name for name in strict_names(report.scores) if name != "score"]
    if not names:
        return Markup()
    rules = [
        rule for rule in ("soft", "published") if any(name.endswith(rule) for name in report.scores)
    ]
    lines = (_stage_row(report, name, rules) for name in names)
    return html_table(("", "strict", *rules, "of"), lines, class_="stages")


def _stage_row(report: Report, name: str, rules: Sequence[str]) -> Markup:
    score = report.scores[name]
    left_out = f"{score.left_out} left out" if score.left_out else ""
    return table_row(
        score_title(report.metric, name),
        number_text(score.value),
        *(_cell_by_rule(score, score_by_rule(report, name, rule)) for rule in rules),
        tag("td", score.counted, side_note(left_out)),
    )


def _cell_by_rule(score: Score, other: Score | None) -> Markup:
    """Return the cell of a score by another rule, with what it counts where that differs."""
    if other is None:
        return tag("td", number_text(None))
    basis = "" if other.counted in (0, score.counted) else f"of {other.counted}"
    return tag("td", number_text(other.value), side_note(basis))


def strict_names(names: Iterable[str]) -> list[str]:
    """Return the names of scores without those of the same by another rule ("color_soft")."""
    return [name for name in names if name.rpartition("_")[2] not in ("soft", "published")]


def score_by_rule(report: Report, name: str, rule: str) -> Score | None:
    """Return a score by another rule, "soft" or "published"; None where there is none."""
    return report.scores.get(rule if name == "score" else f"{name}_{rule}")
