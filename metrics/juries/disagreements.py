"""Counts on which questions the members of a jury disagree, and how far each goes with the jury."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from hallascope.data.records import Letter, Verdict
from hallascope.metrics.juries.dawid_skene import ItemAnswer, estimate_truth

# answered questions under which the answers alone tell nothing of how good a judge is
LEAST_ESTIMATED = 30


@dataclass(frozen=True, kw_only=True)
class MemberAgreement:
    """Counts the questions that a member answered, and those where its answer is the jury's.

    `estimated`: its accuracy as the answers of all members let it be estimated without the truth
    (`dawid_skene`), None under `LEAST_ESTIMATED` questions that two members answered.
    """

    member: str
    asked: int
    answered: int
    with_jury: int
    estimated: float | None = None


@dataclass(frozen=True, kw_only=True)
class JuryAgreement:
    """Counts the questions that two members answered or more, and those where two differ."""

    compared: int
    disagreed: int
    members: tuple[MemberAgreement, ...]

    @property
    def share(self) -> float | None:
        """Return the share of the compared questions with different answers; None without any."""
        return self.disagreed / self.compared if self.compared else None


def member_letters(verdict: Verdict) -> list[Letter]:
    """Return the letters that the members of a jury answered, without those that abstained."""
    return [member.answer for member in verdict.members if member.answer is not None]


def members_disagree(verdict: Verdict) -> bool:
    """Return whether two members of a jury gave different answers to a question."""
    return len(set(member_letters(verdict))) > 1


def jury_agreement(verdicts: Iterable[tuple[Hashable, Verdict]]) -> JuryAgreement | None:
    """Return how far the members agree over verdicts, each with what names its question.

    None where no jury answered any.
    """
    of_juries = [(item, verdict) for item, verdict in verdicts if verdict.members]
    if not of_juries:
        return None
    compared = [verdict for _, verdict in of_juries if len(member_letters(verdict)) > 1]
    names = list(dict.fromkeys(m.member for _, verdict in of_juries for m in verdict.members))
    estimates = _estimates(of_juries) if len(compared) >= LEAST_ESTIMATED else {}
    return JuryAgreement(
        compared=len(compared),
        disagreed=sum(map(members_disagree, compared)),
        members=tuple(
            _member_agreement(name, [verdict for _, verdict in of_juries], estimates.get(name))
            for name in names
        ),
    )


def _estimates(verdicts: Sequence[tuple[Hashable, Verdict]]) -> dict[str, float]:
    answers = [
        ItemAnswer(item, member.member, member.answer)
        for item, verdict in verdicts
        for member in verdict.members
        if member.answer is not None
    ]
    return dict(estimate_truth(answers).accuracies)


def _member_agreement(
    name: str, verdicts: Sequence[Verdict], estimated: float | None
) -> MemberAgreement:
    own = [
        (member.answer, verdict.answer)
        for verdict in verdicts
        for member in verdict.members
        if member.member == name
    ]
    given = [(answer, of_jury) for answer, of_jury in own if answer is not None]
    return MemberAgreement(
        member=name,
        asked=len(own),
        answered=len(given),
        with_jury=sum(answer == of_jury for answer, of_jury in given),
        estimated=estimated,
    )
