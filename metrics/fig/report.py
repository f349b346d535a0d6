"""Builds the report of FiG: every row of the stages, its segments, and the scores.

What the prompt asks of a thing that was detected and could not be looked at is left out, unless
another segment settles it; so is what nothing in the line-up can tell.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, State
from hallascope.data.lexicon import capitalize
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import Report, Score
from hallascope.metrics.base import Case, ScoreSpec, mean_score
from hallascope.metrics.fig.groups import subject
from hallascope.metrics.fig.matching import OBJECT, StageRow, Stages, chair, is_named
from hallascope.metrics.reading.names import alike, name_phrase
from hallascope.metrics.reading.parsed import Parsed, Phrase
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.words.language import COLORS
from hallascope.metrics.reading.words.relations import relation_words

NAME = "fig"
_STAGES = ("object", "color", "number", "position", "text")
SCORES = (
    ScoreSpec("score", "Stages 1 and 2, strict"),
    ScoreSpec("soft", "Stages 1 and 2, soft"),
    *(ScoreSpec(stage, f"{stage.capitalize()}, strict") for stage in _STAGES),
    *(ScoreSpec(f"{stage}_soft", f"{stage.capitalize()}, soft") for stage in _STAGES),
    ScoreSpec("published", "Stages 1 and 2, as published"),
    *(ScoreSpec(f"{stage}_published", f"{stage.capitalize()}, as published") for stage in _STAGES),
    ScoreSpec("chair_i", "CHAIR_i", higher_is_better=False),
    ScoreSpec("chair_i_pooled", "CHAIR_i, pooled", higher_is_better=False, pools="chair_i"),
    ScoreSpec("chair_s", "CHAIR_s", higher_is_better=False),
)
# The template writer cannot tell these from boxes.
DEPTH = ("in front of", "behind")


@dataclass(frozen=True, kw_only=True)
class InspectionResult:
    """Holds what came of looking at a picture.

    `phrases` are what was looked for, `notes` a sentence for each thing done otherwise.

    `caption` is the meta-caption; `lost`: why there is none, "" where there is one. `template`: it
    is the template writer's. `lines` were read, None where nobody could read; `unread`: why nothing
    was read, "" where something was or nobody was asked. `labels`: by the name of a segment all
    phrases under which something was detected there.
    """

    segments: tuple[SegmentEvidence, ...] = ()
    phrases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lost: str = ""
    unread: str = ""
    template: bool = True
    caption: str = ""
    lines: tuple[str, ...] | None = None
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class RowVerdict:
    """Holds a row with its states by each rule, and why it was left out where it was."""

    row: StageRow
    state: State
    soft: State
    note: str = ""


def report(case: Case, version: str, stages: Stages, inspection: InspectionResult) -> Report:
    """Return the scores of one picture and the evidence they rest on.

    Scores are "object" and one for each attribute, each also "..._soft" and "..._published" (the
    paper's own rule, see `as_published`), "score", "soft" and "published" over all rows of stages 1
    and 2, "chair_i" and "chair_s" of the meta-caption. `Report.published` is by the paper's own
    rule, with what was left out as wrong.
    """
    kinds = (OBJECT, *stages.pairs)
    verdicts = [_row_verdict(row, stages, inspection) for row in stages.rows]
    # the paper reads what is written in the caption, never in the image
    by_paper = replace(inspection, unread="")
    published = _by_kind([_row_verdict(row, stages, by_paper) for row in stages.published], kinds)
    extras, notes = _extras(stages, inspection)
    return Report(
        metric=NAME,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores=_scores(_by_kind(verdicts, kinds), published, stages.prompt.reading)
        | _chair_scores(stages.caption, inspection),
        published={name: _met_share(named) for name, named in published.items()},
        evidence=Evidence(
            segments=inspection.segments,
            findings=tuple(
                _finding(verdict, stages, inspection.segments) for verdict in (*verdicts, *extras)
            ),
            phrases=inspection.phrases,
            caption=stages.caption.text,
            notes=(*inspection.notes, *notes, *_published_note(published, kinds)),
            reading=stages.prompt.reading,
        ),
    )


# --- states


def _row_verdict(row: StageRow, stages: Stages, inspection: InspectionResult) -> RowVerdict:
    reason = _left_out_reason(row, stages, inspection)
    if reason:
        return RowVerdict(row, "failed", "failed", reason)
    return RowVerdict(row, _state(row.strict), _state(row.soft), row.note)


def _state(met: bool) -> State:
    return "correct" if met else "incorrect"


def _left_out_reason(row: StageRow, stages: Stages, inspection: InspectionResult) -> str:
    """Return why a row cannot be judged, "" where it can."""
    if inspection.lost:
        return inspection.lost
    # A captioner invents the letters that are asked for, so that its words settle no text.
    if row.kind == "text" and (inspection.unread or inspection.lines is not None):
        return inspection.unread
    # Another segment settles it; a number, and that something is not there, only where all were
    # looked at.
    if row.strict and row.kind != "number" and not row.forbidden:
        return ""
    for segment in inspection.segments:
        if segment.failure and any(_is_label_of(segment.phrase, noun) for noun in row.nouns):
            return f"{capitalize(segment.phrase)} was detected and not looked at: {segment.failure}"
    is_depth = row.kind == "position" and row.value in DEPTH
    are_named = all(is_named(noun, stages.caption) for noun in row.nouns)
    if inspection.template and is_depth and are_named and not row.soft:
        return (
            f"The template writer does not say what stands {relation_words(row.value)} what: a"
            " writer among the models can."
        )
    return ""


def _extras(stages: Stages, inspection: InspectionResult) -> tuple[list[RowVerdict], list[str]]:
    """Return what nobody asked for, and a sentence on what the captioner alone names."""
    if inspection.lost:
        return [], []
    detected = [
        row for row in stages.extras if row.forbidden or _is_detected(row, stages, inspection)
    ]
    undetected = dict.fromkeys(row.observed for row in stages.extras if row not in detected)
    notes = []
    if undetected:
        notes.append(
            "Named only by the captioner, not found by the detector, so not counted:"
            f" {', '.join(undetected)}."
        )
    return [RowVerdict(row, "incorrect", _state(row.soft)) for row in detected], notes


def _is_detected(row: StageRow, stages: Stages, inspection: InspectionResult) -> bool:
    """Return whether the detector names what nobody asked for as the captioner does.

    A captioner names whatever it is shown. Where the detector says nothing of
    the place, the captioner is believed.
    """
    labels = [
        name_phrase(label)
        for name in _row_segments(row, stages, inspection.segments)
        for label in inspection.labels.get(name, ())
    ]
    named = [stages.caption.phrases[at] for at in row.phrases]
    return not labels or any(alike(phrase, label) for phrase in named for label in labels)


def _is_label_of(label: str, expected: Phrase) -> bool:
    """Return whether what was looked for is a thing of the prompt."""
    return alike(expected, name_phrase(label))


# --- scores


def _by_kind(
    verdicts: Sequence[RowVerdict], kinds: Sequence[str]
) -> dict[str, Sequence[RowVerdict]]:
    """Return all verdicts as "score", then those of each kind by its name."""
    return {
        "score": verdicts,
        **{kind: [verdict for verdict in verdicts if verdict.row.kind == kind] for kind in kinds},
    }


def _scores(
    by_name: Mapping[str, Sequence[RowVerdict]],
    by_paper: Mapping[str, Sequence[RowVerdict]],
    reading: PromptReading,
) -> dict[str, Score]:
    """Return the share of what was judged that is met, by each rule.

    `by_paper` are the verdicts by the paper's own rule, which has pairs of its own. A prompt that
    cannot be read counts as left out itself.
    """
    if reading.unreadable:
        names = [name for name in by_name if name != "score"]
        rules = [f"{name}_{rule}" for rule in ("soft", "published") for name in names]
        return {name: Score(None, 0, 1) for name in ("score", "soft", "published", *names, *rules)}
    scores = {}
    for name, verdicts in by_name.items():
        scores[name] = _share([verdict.state for verdict in verdicts])
        soft = "soft" if name == "score" else f"{name}_soft"
        scores[soft] = _share([verdict.soft for verdict in verdicts])
        published = "published" if name == "score" else f"{name}_published"
        scores[published] = _share([verdict.state for verdict in by_paper[name]])
    return scores


def _met_share(verdicts: Sequence[RowVerdict]) -> float | None:
    """Return the share of rows that is met; what was left out is wrong."""
    return mean_score([float(verdict.state == "correct") for verdict in verdicts]).value


def _published_note(
    by_paper: Mapping[str, Sequence[RowVerdict]], kinds: Sequence[str]
) -> Iterator[str]:
    """Yield a sentence with the pairs of the paper's own rule, and which of them are missing."""
    parts = []
    for kind in kinds:
        judged = [verdict for verdict in by_paper[kind] if verdict.state != "failed"]
        missing = [verdict.row.expected for verdict in judged if verdict.state == "incorrect"]
        without = f" (missing: {', '.join(missing)})" if missing else ""
        if judged:
            parts.append(f"{kind} {len(judged) - len(missing)} of {len(judged)}{without}")
    if parts:
        yield f"By the paper's rule: {'; '.join(parts)}."


def _share(states: Sequence[State]) -> Score:
    return mean_score(
        [None if state == "failed" else float(state == "correct") for state in states]
    )


def _chair_scores(caption: Parsed, inspection: InspectionResult) -> dict[str, Score]:
    """Return CHAIR_i over the things that the caption names, and CHAIR_s of this one caption.

    Lower is better.
    """
    if inspection.lost:
        return {"chair_i": Score(None, 0, 1), "chair_s": Score(None, 0, 1)}
    labels = {segment.phrase for segment in inspection.segments}
    counts = chair(caption, [name_phrase(label) for label in sorted(labels)])
    if not counts.named:
        return {"chair_i": Score(None, 0, 0), "chair_s": Score(None, 0, 0)}
    return {
        "chair_i": Score(counts.hallucinated / counts.named, counts.named, 0),
        "chair_s": Score(float(counts.hallucinated > 0), 1, 0),
    }


# --- findings


def _finding(verdict: RowVerdict, stages: Stages, segments: Sequence[SegmentEvidence]) -> Finding:
    row = verdict.row
    return Finding(
        kind=row.kind,
        expected=row.expected,
        observed=row.observed,
        state=verdict.state,
        lenient_state=verdict.soft,
        prompt_spans=tuple(sorted(set(row.prompt_spans))),
        caption_spans=tuple(sorted(set(row.caption_spans))),
        segments=tuple(_row_segments(row, stages, segments)),
        note=verdict.note,
    )


def _row_segments(row: StageRow, stages: Stages, segments: Sequence[SegmentEvidence]) -> list[str]:
    """Return the segments whose captions say it; else those in which it was looked for."""
    phrases = [stages.caption.phrases[at] for at in row.phrases]
    about = [
        segment.name
        for segment in segments
        if any(_is_about(segment, phrase) for phrase in phrases)
    ]
    if about:
        return about
    mentioning = [
        segment.name
        for segment in segments
        if any(
            alike(phrase, thing) for phrase in phrases for thing in parse(segment.caption).objects
        )
    ]
    if mentioning:
        return mentioning
    return [
        segment.name
        for segment in segments
        if any(_is_label_of(segment.phrase, noun) for noun in row.nouns)
    ]


def _is_about(segment: SegmentEvidence, phrase: Phrase) -> bool:
    """Return whether a segment's caption is about what a phrase of the meta-caption names.

    Its color counts where it says one.
    """
    thing = subject(parse(segment.caption))
    if thing is None or not alike(phrase, thing):
        return False
    colors = _phrase_colors(phrase)
    thing_colors = _phrase_colors(thing)
    return not colors or not thing_colors or bool(colors & thing_colors)


def _phrase_colors(phrase: Phrase) -> set[str]:
    return {word.text for word in phrase.modifiers} & COLORS
