"""Builds the report of FiG: every row of the stages, its segments, and the scores.

It knows no model.

Our reading, where a row cannot be judged: what the prompt asks of a thing that was detected and
could not be looked at is left out, unless another segment settles it; so is what nothing in the
line-up can tell.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, State
from hallascope.data.records import Report, Score
from hallascope.metrics.base import Case, ScoreSpec
from hallascope.metrics.fig.matching import OBJECT, StageRow, Stages, chair
from hallascope.metrics.parsing import positions
from hallascope.metrics.parsing.name_matching import alike
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import COLORS, parse

NAME = "fig"
_STAGES = ("object", "color", "number", "position", "text")
SCORES = (
    ScoreSpec("score", "Stages 1 and 2, strict"),
    ScoreSpec("soft", "Stages 1 and 2, soft"),
    *(ScoreSpec(stage, f"{stage.capitalize()}, strict") for stage in _STAGES),
    *(ScoreSpec(f"{stage}_soft", f"{stage.capitalize()}, soft") for stage in _STAGES),
    ScoreSpec("chair_i", "CHAIR_i", higher_is_better=False),
    ScoreSpec("chair_s", "CHAIR_s", higher_is_better=False),
)
DEPTH = ("in front of", "behind")  # what the template writer cannot tell from boxes


@dataclass(frozen=True, kw_only=True)
class InspectionResult:
    """Holds what was inspected and what came of it: segments, targets, and notes.

    Targets are what was looked for; a note is one sentence for each thing done otherwise.

    `lost`: why there is no meta-caption at all, "" where there is one. `unread`: why nothing was
    read, "" where something was or nobody was asked. `template`: the meta-caption is the template
    writer's. `lines` were read, None where nobody could read. `called`: by the name of a segment
    all phrases under which something was detected there.
    """

    segments: tuple[SegmentEvidence, ...] = ()
    phrases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lost: str = ""
    unread: str = ""
    template: bool = True
    caption: str = ""
    lines: tuple[str, ...] | None = None
    called: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class RowVerdict:
    """A row with its states by both rules, and why it was left out where it was."""

    row: StageRow
    state: State
    soft: State
    note: str = ""


def report(case: Case, version: str, stages: Stages, looked: InspectionResult) -> Report:
    """The scores of one picture and the evidence they rest on.

    Scores are "object" and one for each attribute, each also "..._soft", "score" and "soft" over
    all rows of stages 1 and 2, "chair_i" and "chair_s" of the meta-caption. `published` counts what
    was left out as wrong.
    """
    judged = [_row_verdict(row, stages, looked) for row in stages.rows]
    kinds = (OBJECT, *stages.pairs)
    scores = {"score": _score(judged), "soft": _score(judged, soft=True)}
    for kind in kinds:
        of_kind = [one for one in judged if one.row.kind == kind]
        scores |= {kind: _score(of_kind), f"{kind}_soft": _score(of_kind, soft=True)}
    scores |= _chair(stages.caption, looked)
    published = {name: _published(judged, name, kinds) for name in ("score", *kinds)}
    seen = [] if looked.lost else [row for row in stages.extras if _is_seen(row, stages, looked)]
    extras = [RowVerdict(row, "incorrect", "correct" if row.soft else "incorrect") for row in seen]
    findings = tuple(_finding(one, stages, looked.segments) for one in (*judged, *extras))
    alone = ", ".join(
        dict.fromkeys(row.seen for row in stages.extras if not looked.lost and row not in seen)
    )
    notes = (
        [f"Nobody asked for it and only the captioner names it, so it is no finding: {alone}."]
        if alone
        else []
    )
    evidence = Evidence(
        segments=looked.segments,
        findings=findings,
        phrases=looked.phrases,
        caption=stages.caption.text,
        notes=(*looked.notes, *notes),
    )
    return Report(
        metric=NAME,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores=scores,
        verdicts=(),
        published=published,
        evidence=evidence,
    )


# --- states
# --------------------------------------------------------------------------------------------------


def _row_verdict(row: StageRow, stages: Stages, looked: InspectionResult) -> RowVerdict:
    why = _left_out(row, stages, looked)
    if why:
        return RowVerdict(row, "failed", "failed", why)
    return RowVerdict(
        row,
        "correct" if row.strict else "incorrect",
        "correct" if row.soft else "incorrect",
        row.note,
    )


def _is_seen(row: StageRow, stages: Stages, looked: InspectionResult) -> bool:
    """Whether the detector saw it too, what nobody asked for.

    Our reading: a captioner names whatever it is shown.
    """
    said = [stages.caption.phrases[at] for at in row.phrases]
    there = [
        _subject(phrase)
        for name in _segments(row, stages, looked.segments)
        for phrase in looked.called.get(name, ())
    ]
    return not there or any(alike(one, named) for one in said for named in there if named)


def _left_out(row: StageRow, stages: Stages, looked: InspectionResult) -> str:
    """Why a row cannot be judged, "" where it can."""
    if looked.lost:
        return looked.lost
    # another segment settles it; a number, and that something is not there, only where all were
    # looked at
    if row.strict and row.kind != "number" and not row.forbidden:
        return ""
    if row.kind == "text" and looked.unread:
        return looked.unread
    lost = next(
        (
            one
            for one in looked.segments
            if one.failure
            and any(_is_of(one.phrase, stages.prompt.phrases[at]) for at in row.nouns)
        ),
        None,
    )
    if lost:
        return (
            f"{lost.phrase[:1].upper()}{lost.phrase[1:]} was detected and not looked at:"
            f" {lost.failure}"
        )
    named = all(
        any(alike(stages.prompt.phrases[at], said) for said in stages.caption.things)
        for at in row.nouns
    )
    if looked.template and row.kind == "position" and row.value in DEPTH and named and not row.soft:
        return (
            f"The template writer does not say what stands {positions.words(row.value)} what: a"
            " writer among the models can."
        )
    return ""


def _is_of(phrase: str, asked: Phrase) -> bool:
    """Whether what was looked for is a thing of the prompt."""
    named = _subject(phrase)
    return alike(asked, named) if named else phrase.casefold() == asked.name.casefold()


def _subject(text: str) -> Phrase | None:
    return next(iter(parse(text).things), None)


# --- scores
# --------------------------------------------------------------------------------------------------


def _score(judged: Sequence[RowVerdict], soft: bool = False) -> Score:
    """The share of what was judged that is met; None where nothing was."""
    states = [one.soft if soft else one.state for one in judged]
    counted = [state for state in states if state != "failed"]
    return Score(
        counted.count("correct") / len(counted) if counted else None,
        len(counted),
        len(states) - len(counted),
    )


def _published(judged: Sequence[RowVerdict], name: str, kinds: Sequence[str]) -> float | None:
    rows = [one for one in judged if name not in kinds or one.row.kind == name]
    return sum(one.state == "correct" for one in rows) / len(rows) if rows else None


def _chair(caption: Parsed, looked: InspectionResult) -> dict[str, Score]:
    """CHAIR_i over the things that the caption names, and CHAIR_s of this one caption.

    Lower is better.
    """
    if looked.lost:
        return {"chair_i": Score(None, 0, 1), "chair_s": Score(None, 0, 1)}
    found = chair(caption, [phrase for one in looked.segments if (phrase := _subject(one.phrase))])
    if not found.named:
        return {"chair_i": Score(None, 0, 0), "chair_s": Score(None, 0, 0)}
    return {
        "chair_i": Score(found.hallucinated / found.named, found.named, 0),
        "chair_s": Score(float(found.hallucinated > 0), 1, 0),
    }


# --- findings
# --------------------------------------------------------------------------------------------------


def _finding(one: RowVerdict, stages: Stages, segments: Sequence[SegmentEvidence]) -> Finding:
    row = one.row
    asking = tuple(sorted(set(row.asking)))
    saying = tuple(sorted(set(row.saying)))
    return Finding(
        kind=row.kind,
        expected=row.asked,
        observed=row.seen,
        state=one.state,
        lenient_state=one.soft,
        prompt_spans=asking,
        caption_spans=saying,
        segments=tuple(_segments(row, stages, segments)),
        note=one.note,
    )


def _segments(row: StageRow, stages: Stages, segments: Sequence[SegmentEvidence]) -> list[str]:
    """The segments whose captions say it; where none does, those in which it was looked for."""
    said = [stages.caption.phrases[at] for at in row.phrases]
    named = [one.name for one in segments if any(_tells(one, phrase) for phrase in said)]
    mentioned = named or [
        one.name
        for one in segments
        if any(alike(phrase, each) for phrase in said for each in parse(one.caption).things)
    ]
    asked = [stages.prompt.phrases[at] for at in row.nouns]
    return mentioned or [
        one.name for one in segments if any(_is_of(one.phrase, noun) for noun in asked)
    ]


def _tells(segment: SegmentEvidence, phrase: Phrase) -> bool:
    """Return whether a segment's caption is about what a phrase of the meta-caption names.

    Its color counts where it says one.
    """
    subject = _subject(segment.caption)
    if subject is None or not alike(phrase, subject):
        return False
    colours = _phrase_colors(phrase)
    return not colours or not _phrase_colors(subject) or bool(colours & _phrase_colors(subject))


def _phrase_colors(phrase: Phrase) -> set[str]:
    return {word.text for word in phrase.words} & COLORS
