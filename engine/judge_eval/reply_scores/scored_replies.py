"""Scores the replies of a HaloQuest trial by their words, beside people's and Auto-Eval's verdicts.

It knows no table of a paper and asks no model.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hallascope.engine.judge_eval.haloquest import HaloResult
from hallascope.metrics.haloquest.text_overlap import (
    OVERLAPS,
    OverlapSpec,
    ReferencedReply,
    TextOverlap,
    score_overlaps,
)
from hallascope.metrics.statistics.correlation import MIN_ITEMS, draw_statistics
from hallascope.metrics.statistics.intervals import IntervalEstimate


@dataclass(frozen=True, kw_only=True)
class ScoredReply:
    """Holds one reply with its scores.

    `model` gave it, "" where nobody says; `image` is what it is about. `right` is what people say
    of it and `auto_eval` what the grader says, None without a verdict. `overlap` is None where the
    question has no reference.
    """

    source: str
    model: str
    image: str
    reply: str
    overlap: TextOverlap | None
    auto_eval: bool | None
    right: bool | None

    def value(self, score: str) -> float | None:
        """Return a text overlap score by name, or 1 or 0 for `auto_eval`; None where it has none.

        Raises AttributeError where there is no such score.
        """
        if score == "auto_eval":
            return None if self.auto_eval is None else float(self.auto_eval)
        return None if self.overlap is None else float(getattr(self.overlap, score))


@dataclass(frozen=True, kw_only=True)
class OverlapSummary:
    """Holds a text overlap score over `n` replies: its mean, and how it correlates with people.

    `mean` is None where no reply has the score. The correlations are over the `rated` replies, with
    a 95 % interval by image; None under three of them.
    """

    spec: OverlapSpec
    mean: float | None
    n: int
    rated: int
    pearson: IntervalEstimate | None = None
    spearman: IntervalEstimate | None = None
    kendall: IntervalEstimate | None = None


def score_replies(trial: HaloResult) -> list[ScoredReply]:
    """Return every reply of a trial with its scores; questions without a reply are left out."""
    replied = []
    for item in trial.items:
        evidence = trial.reports[item.source].evidence
        finding = evidence.findings[0] if evidence and evidence.findings else None
        reply = item.reply or (finding.observed if finding else "")
        if finding and reply:
            replied.append((item, reply, finding.state))
    overlaps = score_overlaps(
        [ReferencedReply(reply, item.question.references) for item, reply, _ in replied]
    )
    verdicts = {"correct": True, "incorrect": False}
    return [
        ScoredReply(
            source=item.source,
            model=item.model or trial.judge,
            image=item.image,
            reply=reply,
            overlap=overlap,
            auto_eval=verdicts.get(state),
            right=item.right,
        )
        for (item, reply, state), overlap in zip(replied, overlaps, strict=True)
    ]


def summarize_overlaps(replies: Sequence[ScoredReply]) -> list[OverlapSummary]:
    """Return each text overlap score over the replies, in the order of `OVERLAPS`."""
    return [_summary(spec, replies) for spec in OVERLAPS]


def _summary(spec: OverlapSpec, replies: Sequence[ScoredReply]) -> OverlapSummary:
    values = [value for each in replies if (value := each.value(spec.name)) is not None]
    mean = sum(values) / len(values) if values else None
    pairs = rated_pairs(replies, spec.name)
    if len(pairs) < MIN_ITEMS:
        return OverlapSummary(spec=spec, mean=mean, n=len(values), rated=len(pairs))
    scores, verdicts, images = zip(*pairs, strict=True)
    draws = draw_statistics(scores, verdicts, groups=images)
    return OverlapSummary(
        spec=spec,
        mean=mean,
        n=len(values),
        rated=len(pairs),
        pearson=draws.estimate("pearson"),
        spearman=draws.estimate("spearman"),
        kendall=draws.estimate("kendall"),
    )


def rated_pairs(replies: Iterable[ScoredReply], score: str) -> list[tuple[float, float, str]]:
    """Return score, people's verdict (1 or 0) and image of each reply that has both."""
    return [
        (value, float(each.right), each.image)
        for each in replies
        if each.right is not None and (value := each.value(score)) is not None
    ]


def model_pairs(replies: Iterable[ScoredReply], score: str) -> list[tuple[float, float]]:
    """Return the mean score and the share right by people of each model that is named."""
    by_model: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for each in replies:
        value = each.value(score)
        if each.model and each.right is not None and value is not None:
            by_model[each.model].append((value, float(each.right)))
    return [
        (
            sum(value for value, _ in pairs) / len(pairs),
            sum(right for _, right in pairs) / len(pairs),
        )
        for pairs in by_model.values()
    ]
