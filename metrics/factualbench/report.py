"""Reports what T2I-FactualBench says of one picture: scores, findings and JSON.

It asks nothing and reads no reply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from hallascope.data.concept_mentions import mentions
from hallascope.data.concepts import FactualPrompt
from hallascope.data.evidence import Evidence, Finding, SegmentEvidence
from hallascope.data.records import Report, Score
from hallascope.data.regions import Span
from hallascope.metrics.base import Case, ScoreSpec, mean_score
from hallascope.metrics.factualbench.replies import COMPOSITION, CONCEPT, MOST
from hallascope.metrics.factualbench.verdicts import ANSWERED, Rounds, RoundVerdict, TaskVerdict

SCORES = (
    ScoreSpec("score", "Score"),
    ScoreSpec("concept", "Concepts"),
    ScoreSpec("task", "Task"),
    ScoreSpec("composition", "Composition"),
)


def report(case: Case, prompt: FactualPrompt, rounds: Rounds, name: str, version: str) -> Report:
    """Score "concept", "task" and "composition", each in [0, 1], and "score", their mean.

    One that the level does not have counts nothing. "score" says how many concepts, tasks and
    compositions it counts and leaves out.

    A prompt has at least one concept, and every concept a name. The mean of the rounds is that of
    the public code; the paper prints the three alone. `published`: what is unanswered is 0.
    """
    scores = {
        "concept": mean_score([verdict.score for verdict in rounds.concepts]),
        "task": mean_score([rounds.task.score] if rounds.task else []),
        "composition": mean_score([rounds.composition.score] if rounds.composition else []),
    }
    published = {kind: _published(score) for kind, score in scores.items()}
    of_level = [score for score in scores.values() if score.counted + score.left_out]
    scores["score"] = Score(
        mean_score([score.value for score in of_level]).value,
        sum(score.counted for score in of_level),
        sum(score.left_out for score in of_level),
    )
    published["score"] = mean_score(list(published.values())).value
    return Report(
        metric=name,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores=scores,
        published=published,
        evidence=_evidence(case, prompt, rounds),
    )


def _published(score: Score) -> float | None:
    """Unanswered counts 0, as in the public code; None where nothing was to be answered."""
    count = score.counted + score.left_out
    return (score.value or 0.0) * score.counted / count if count else None


def _evidence(case: Case, prompt: FactualPrompt, rounds: Rounds) -> Evidence:
    """Return what the scores rest on; a segment lights up with the findings of its concept."""
    segments = tuple(
        SegmentEvidence(name=f"s{number}", phrase=concept, box=place.box, score=place.score)
        for number, (concept, place) in enumerate(rounds.places.items(), 1)
    )
    segments_by_concept = {segment.phrase: (segment.name,) for segment in segments}
    spans = [(span,) if span else () for span in mentions(case.prompt, prompt.concepts)]
    with_segments = tuple(
        finding
        if finding.kind == "task"
        else replace(finding, segments=segments_by_concept.get(finding.expected, ()))
        for finding in findings(rounds, spans)
    )
    return Evidence(
        segments=segments,
        findings=with_segments,
        phrases=tuple(concept.name for concept in prompt.concepts),
        notes=tuple(_notes(rounds)),
    )


def _notes(rounds: Rounds) -> Iterable[str]:
    yield from rounds.notes
    for verdict in rounds.rated:
        if verdict.note:
            yield f"{verdict.name or 'Composition'}: {verdict.note}"
    if rounds.task and rounds.task.note:
        yield f"Task: {rounds.task.note}"


# --- findings


def findings(rounds: Rounds, spans: Sequence[tuple[Span, ...]]) -> Iterable[Finding]:
    """Yield the rating and the criteria of each concept, the task, and those of the composition.

    What is of a concept has its words in the prompt; what is of the composition names no concept.
    """
    for verdict, words in zip(rounds.concepts, spans, strict=True):
        for finding in _round_findings(verdict):
            yield replace(finding, prompt_spans=words)
    if rounds.task:
        yield Finding(
            kind="task",
            expected=rounds.task.wanted,
            observed=rounds.task.raw or _task_summary(rounds.task),
            state=rounds.task.state,
            note=rounds.task.reason or rounds.task.note,
        )
    if rounds.composition:
        yield from _round_findings(rounds.composition)


def _task_summary(task: TaskVerdict) -> str:
    if task.score is None:
        return ""
    if task.absent:
        return f"not there: {', '.join(task.absent)}"
    if task.score:
        return "done"
    return "not done"


def _round_findings(verdict: RoundVerdict) -> Iterable[Finding]:
    """Yield the rating, then the criteria; a round that failed as a whole has a rating alone."""
    if verdict.score is None:
        rating = ""
    elif verdict.answered == MOST:
        rating = str(verdict.met)
    else:
        rating = f"{verdict.met} of {verdict.answered}"
    yield Finding(
        kind="rating",
        expected=verdict.name,
        observed=verdict.raw or rating,
        state=verdict.state,
        note=verdict.note,
    )
    words = {"correct": "met", "incorrect": "not met"}
    for kind, criterion in verdict.criteria.items():
        yield Finding(
            kind=kind,
            expected=verdict.name,
            observed=words.get(criterion.state, ""),
            state=criterion.state,
            note=criterion.reason,
        )


# --- JSON


def as_json(report: Report) -> dict[str, object]:
    """Return the rounds of a report with states, reasons and flags.

    A round that the level does not have is None.
    """
    if report.evidence is None:
        return {"concepts": [], "task": None, "composition": None, "notes": []}
    groups = _rated_groups(report.evidence.findings)
    concepts = [
        {"concept": group.rating.expected, **_group_json(group, CONCEPT)}
        for group in groups
        if group.rating.expected
    ]
    compositions = [
        _group_json(group, COMPOSITION) for group in groups if not group.rating.expected
    ]
    tasks = [_task_json(finding) for finding in report.evidence.findings if finding.kind == "task"]
    return {
        "concepts": concepts,
        "task": next(iter(tasks), None),
        "composition": next(iter(compositions), None),
        "notes": list(report.evidence.notes),
    }


def shares(report: Report) -> list[float | None]:
    """Return the score of each concept in the order of the prompt; None where it has no answer."""
    groups = _rated_groups(report.evidence.findings if report.evidence else ())
    return [_share(group.rating) for group in groups if group.rating.expected]


def _share(rating: Finding) -> float | None:
    """Return a rating as a share of 1: "3" is 3 of 4, "2 of 3" is what it says."""
    if rating.state not in ANSWERED:
        return None
    met, _, answered = rating.observed.partition(" of ")
    return int(met) / int(answered or MOST)


@dataclass
class _RatedGroup:
    """Holds the findings of a concept, or of the composition: its rating and its criteria."""

    rating: Finding
    criteria: list[Finding] = field(default_factory=list)


def _rated_groups(findings: Iterable[Finding]) -> list[_RatedGroup]:
    """Return the findings of the first and third round in groups: a rating begins each."""
    groups: list[_RatedGroup] = []
    for finding in findings:
        if finding.kind == "rating":
            groups.append(_RatedGroup(finding))
        elif finding.kind != "task":
            groups[-1].criteria.append(finding)
    return groups


def _group_json(group: _RatedGroup, kinds: Sequence[str]) -> dict[str, object]:
    rating = group.rating
    answered = rating.state in ANSWERED
    unanswered = {"met": None, "state": rating.state, "reason": ""}
    criteria: dict[str, object] = {kind: dict(unanswered) for kind in kinds}
    for finding in group.criteria:
        met = {"met": True, "not met": False}.get(finding.observed)
        criteria[finding.kind] = {"met": met, "state": finding.state, "reason": finding.note}
    return {
        "rating": int(rating.observed) if answered and rating.observed.isdigit() else None,
        "score": _share(rating),
        "state": rating.state,
        "criteria": criteria,
        "flag": (rating.note or None) if answered else None,
        "failure": None if answered else rating.note,
    }


def _task_json(task: Finding) -> dict[str, object]:
    return {
        "asked": task.expected,
        "score": int(task.state == "correct") if task.state in ANSWERED else None,
        "state": task.state,
        "seen": task.observed,
        "reason": task.note,
    }
