"""Holds what T2I-FactualBench says of one picture: rounds, findings, scores and JSON.

It asks nothing and reads no reply.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hallascope.data.concept_mentions import mentions
from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, State
from hallascope.data.records import Report, Score
from hallascope.data.regions import Detection
from hallascope.data.spans import Span
from hallascope.metrics.base import Case, ScoreSpec
from hallascope.metrics.factualbench.replies import (
    COMPOSITION,
    CONCEPT,
    MOST,
    RatingReply,
    TaskReply,
)

SCORES = (
    ScoreSpec("score", "Score"),
    ScoreSpec("concept", "Concepts"),
    ScoreSpec("task", "Task"),
    ScoreSpec("composition", "Composition"),
)
_ANSWERED = ("correct", "incorrect")  # who cannot tell is left out: that is no false picture


@dataclass(frozen=True)
class CriterionVerdict:
    """One criterion as judged: correct is met, incorrect is not met."""

    state: State
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class RoundVerdict:
    """Holds the first round of one concept, or the third round (without a name).

    `met` of `told` criteria make the score; with a rating by the judge that is rating of 4. `score`
    is None where nothing was answered. `note` is a flag, or the sentence of a failure; `raw` is a
    reply that could not be read.
    """

    name: str
    criteria: Mapping[str, CriterionVerdict]
    state: State
    met: int = 0
    told: int = MOST
    note: str = ""
    raw: str = ""

    @property
    def score(self) -> float | None:
        return self.met / self.told if self.state in _ANSWERED else None


@dataclass(frozen=True, kw_only=True)
class TaskVerdict:
    """The second round: whether the task counts as done, which concepts are absent, and why."""

    wanted: str
    state: State
    absent: tuple[str, ...] = ()
    reason: str = ""
    note: str = ""
    raw: str = ""

    @property
    def score(self) -> float | None:
        return float(self.state == "correct") if self.state in _ANSWERED else None


@dataclass(frozen=True)
class Rounds:
    """Holds all that was judged of a picture.

    `task` and `composition` are None where the level has no such round (paper, table 2).

    `places`: where a detector found the concepts that were judged there, by name.
    """

    concepts: tuple[RoundVerdict, ...]
    task: TaskVerdict | None = None
    composition: RoundVerdict | None = None
    notes: tuple[str, ...] = ()
    places: Mapping[str, Detection] = field(default_factory=dict)


# --- from replies


def rated_round(name: str, told: RatingReply, raw: str) -> RoundVerdict:
    """Return the verdict of a first or third round whose reply was read.

    Without a rating it is unreadable, whatever the criteria say.
    """
    criteria = {
        kind: CriterionVerdict(state(each.met), each.reason) for kind, each in told.criteria.items()
    }
    if told.rating is None:
        return RoundVerdict(
            name=name,
            criteria=criteria,
            state="unreadable",
            note="The reply holds no rating from 0 to 4.",
            raw=raw,
        )
    return RoundVerdict(
        name=name,
        criteria=criteria,
        state="correct" if told.rating == MOST else "incorrect",
        met=told.rating,
        note=told.flag,
    )


def failed_round(name: str, why: str) -> RoundVerdict:
    """Return the verdict of a round that was not answered at all."""
    return RoundVerdict(name=name, criteria={}, state="failed", note=why)


def missing_reference(concept: ConceptRef) -> RoundVerdict:
    """Return the verdict of a concept without its reference picture, which was not asked for."""
    where = f" at {str(concept.file)!r}" if concept.file else ""
    why = (
        f"There is no reference picture{where}, so it was left out: give one, or judge without"
        " references."
    )
    return failed_round(concept.name, why)


def task_verdict(wanted: str, told: TaskReply, raw: str) -> TaskVerdict:
    """Return the verdict of a second round whose reply was read.

    An absent concept makes it 0, whatever else is said (paper, section 4.3).
    """
    if told.met is None:
        return TaskVerdict(
            wanted=wanted,
            state="unreadable",
            reason=told.reason,
            note="The reply does not say whether the task is done.",
            raw=raw,
        )
    flag = (
        f"The task is called done although {' and '.join(told.absent)} is not there; it counts as"
        " not done."
        if told.done
        else ""
    )
    return TaskVerdict(
        wanted=wanted,
        state=state(told.met),
        absent=told.absent,
        reason=told.reason,
        note=flag if told.absent else "",
    )


def state(met: bool | None) -> State:
    if met is None:
        return "unreadable"
    if met:
        return "correct"
    return "incorrect"


# --- scores


def report(case: Case, prompt: FactualPrompt, rounds: Rounds, name: str, version: str) -> Report:
    """Scores "concept", "task", "composition" and "score", their mean.

    One that the level does not have counts nothing. "score" says how many concepts, tasks and
    compositions it counts and leaves out.

    A prompt has at least one concept, and every concept a name. The mean of the rounds is that of
    the public code; the paper prints the three alone. `published`: what is unanswered is 0.
    """
    scores = {
        "concept": _score([judged.score for judged in rounds.concepts]),
        "task": _score([rounds.task.score] if rounds.task else []),
        "composition": _score([rounds.composition.score] if rounds.composition else []),
    }
    asked = [score for score in scores.values() if score.counted + score.left_out]
    scores["score"] = Score(
        _score([score.value for score in asked]).value,
        sum(score.counted for score in asked),
        sum(score.left_out for score in asked),
    )
    published = {each: _published(score) for each, score in scores.items() if each != "score"}
    strict = [value for value in published.values() if value is not None]
    published["score"] = sum(strict) / len(strict) if strict else None
    spans = [(span,) if span else () for span in mentions(case.prompt, prompt.concepts)]
    phrases = tuple(concept.name for concept in prompt.concepts)
    segments = tuple(
        SegmentEvidence(name=f"s{i}", phrase=name, box=place.box, score=place.score)
        for i, (name, place) in enumerate(rounds.places.items(), 1)
    )
    named = {segment.phrase: (segment.name,) for segment in segments}
    found = tuple(
        replace(one, segments=named.get(one.expected, ())) if one.kind != "task" else one
        for one in findings(rounds, spans)
    )
    evidence = Evidence(
        segments=segments, findings=found, phrases=phrases, notes=tuple(_notes(rounds))
    )
    return Report(
        metric=name,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores=scores,
        published=published,
        evidence=evidence,
    )


def _score(values: Sequence[float | None]) -> Score:
    told = [value for value in values if value is not None]
    return Score(sum(told) / len(told) if told else None, len(told), len(values) - len(told))


def _published(score: Score) -> float | None:
    """Unanswered counts 0, as in the public code; None where nothing was to be answered."""
    count = score.counted + score.left_out
    return (score.value or 0.0) * score.counted / count if count else None


def _notes(rounds: Rounds) -> Iterable[str]:
    yield from rounds.notes
    for judged in (*rounds.concepts, *([rounds.composition] if rounds.composition else ())):
        if judged.note:
            yield f"{judged.name or 'Composition'}: {judged.note}"
    if rounds.task and rounds.task.note:
        yield f"Task: {rounds.task.note}"


# --- findings


def findings(rounds: Rounds, spans: Sequence[tuple[Span, ...]]) -> Iterable[Finding]:
    """Yield the rating and the criteria of each concept, with its words in the prompt; the task.

    Those of the composition, of no concept.
    """
    for judged, words in zip(rounds.concepts, spans, strict=True):
        yield from (replace(finding, prompt_spans=words) for finding in _findings(judged))
    if task := rounds.task:
        seen = task.raw or ("" if task.score is None else _task_summary(task))
        yield Finding(
            kind="task",
            expected=task.wanted,
            observed=seen,
            state=task.state,
            note=task.reason or task.note,
        )
    if rounds.composition:
        yield from _findings(rounds.composition)


def _task_summary(task: TaskVerdict) -> str:
    if task.absent:
        return f"not there: {', '.join(task.absent)}"
    if task.score:
        return "done"
    return "not done"


def _findings(judged: RoundVerdict) -> Iterable[Finding]:
    """One that was lost as a whole is one finding, not five."""
    rating = str(judged.met) if judged.told == MOST else f"{judged.met} of {judged.told}"
    yield Finding(
        kind="rating",
        expected=judged.name,
        observed=judged.raw or ("" if judged.score is None else rating),
        state=judged.state,
        note=judged.note,
    )
    said = {"correct": "met", "incorrect": "not met"}
    for kind, one in judged.criteria.items():
        yield Finding(
            kind=kind,
            expected=judged.name,
            observed=said.get(one.state, ""),
            state=one.state,
            note=one.reason,
        )


# --- JSON


def as_json(report: Report) -> dict[str, object]:
    """Return the rounds of a report with states, reasons and flags.

    A round that the level does not have is None.
    """
    found = report.evidence.findings if report.evidence else ()
    groups = _groups(found)
    composition = next(
        (_rounded(group, COMPOSITION) for group in groups if not group[0].expected), None
    )
    return {
        "concepts": [
            {"concept": group[0].expected, **_rounded(group, CONCEPT)}
            for group in groups
            if group[0].expected
        ],
        "task": next((_task(each) for each in found if each.kind == "task"), None),
        "composition": composition,
        "notes": list(report.evidence.notes) if report.evidence else [],
    }


def shares(report: Report) -> list[float | None]:
    """Return the score of each concept in the order of the prompt; None where it has no answer."""
    groups = _groups(report.evidence.findings if report.evidence else ())
    return [_share(group[0]) for group in groups if group[0].expected]


def _share(rating: Finding) -> float | None:
    """Return a rating as a share of 1: "3" is 3 of 4, "2 of 3" is what it says."""
    met, _, told = rating.observed.partition(" of ")
    return int(met) / int(told or MOST) if rating.state in _ANSWERED else None


def _groups(found: Iterable[Finding]) -> list[list[Finding]]:
    """The findings of the first and third round: each begins with its rating."""
    groups: list[list[Finding]] = []
    for finding in found:
        if finding.kind == "rating":
            groups.append([])
        if finding.kind != "task":
            groups[-1].append(finding)
    return groups


def _rounded(group: Sequence[Finding], kinds: Sequence[str]) -> dict[str, object]:
    rating, *criteria = group
    answered = rating.state in _ANSWERED
    said: dict[str, object] = {
        kind: {"met": None, "state": rating.state, "reason": ""} for kind in kinds
    }
    said |= {
        one.kind: {"met": _met(one), "state": one.state, "reason": one.note} for one in criteria
    }
    return {
        "rating": int(rating.observed) if answered and rating.observed.isdigit() else None,
        "score": _share(rating),
        "state": rating.state,
        "criteria": said,
        "flag": rating.note if answered and rating.note else None,
        "failure": None if answered else rating.note,
    }


def _task(task: Finding) -> dict[str, object]:
    answered = task.state in _ANSWERED
    score = int(task.state == "correct") if answered else None
    return {
        "asked": task.expected,
        "score": score,
        "state": task.state,
        "seen": task.observed,
        "reason": task.note,
    }


def _met(finding: Finding) -> bool | None:
    return {"met": True, "not met": False}.get(finding.observed)
