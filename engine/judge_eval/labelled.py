"""Tries a judge against labels given by hand: on how many questions it says the same."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hallascope.backends.base import Judge
from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, Label, LabelItem, LabelMark
from hallascope.data.files.sheets import Complaint
from hallascope.data.prompts.templates import template
from hallascope.data.records import COIS, CoI, Letter, Picture, Question
from hallascope.data.requests import Ask, Failure
from hallascope.metrics.base import Case
from hallascope.metrics.ihalla import plan
from hallascope.metrics.replies.letters import read_letter
from hallascope.metrics.statistics.intervals import bootstrap
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa


@dataclass(frozen=True)
class LabelAgreement:
    """On so many of `n` labelled and answered questions the judge says what the label says.

    The 95 % interval is a bootstrap by picture; it is None under two pictures, `value` where
    nothing was counted.
    """

    same: int
    n: int
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        return self.same / self.n if self.n else None


@dataclass(frozen=True, kw_only=True)
class LabeledTrial:
    """A judge against labels, over all and by composition of interest.

    `baseline` is what always giving the expected answer would reach on the same questions: a judge
    at or below it tells nothing. `sensitivity`: of the questions where the person does not see the
    expected answer, those where the judge does not see it either; `specificity`: of those where the
    person sees it, those where the judge does. `kappa` is Cohen's, on "sees the expected answer or
    not".

    Counted apart and in no share: what by the label cannot be told, what is not labelled yet, what
    the judge left unanswered. `pictures` were asked about; `labellers`: how many of them each has
    labelled. `complaints`: what was wrong in the folder.
    """

    judge: str
    folder: str
    pictures: int
    overall: LabelAgreement
    baseline: LabelAgreement
    sensitivity: LabelAgreement
    specificity: LabelAgreement
    kappa: Kappa
    by_coi: Mapping[CoI, LabelAgreement]
    cannot_be_told: int
    not_labelled: int
    unanswered: int
    labellers: Mapping[str, int]
    complaints: tuple[Complaint, ...] = ()


class LabeledAnswer(NamedTuple):
    """One labelled question of one picture with the letter the judge gave.

    None where it gave none that could be read.

    `gold` is the expected answer, `mark` the person's.
    """

    item: str
    coi: CoI
    gold: Letter
    mark: LabelMark
    letter: Letter | None


def try_on_labels(
    judge: Judge,
    folder: Path,
    labeller: str | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> LabeledTrial:
    """Ask the judge every question that a person (`labeller`, or anyone) could answer.

    `tell`: pictures done, of how many.

    A picture that is not the one that was labelled is left out and named. Raises NotALabelFolder.
    """
    items, complaints = label_folder.read_items(folder)
    given, wrong = label_folder.read_labels(folder, items, labeller)
    complaints += wrong
    asked = [item for item in items if item.id in given and _there(folder, item, complaints)]
    if not asked:
        whose = f" by {labeller!r}" if labeller else ""
        raise label_folder.NotALabelFolder(
            f"the folder {str(folder)!r} holds no labels{whose}: label with `hallascope label page`"
        )
    told: list[LabeledAnswer] = []
    for done, item in enumerate(asked):
        tell(done, len(asked))
        told += _labeled_answers(judge, folder, item, given[item.id])
    tell(len(asked), len(asked))
    marks = [mark for item in asked for mark in given[item.id].answers]
    return LabeledTrial(
        judge=judge.spec.id,
        folder=str(folder),
        pictures=len(asked),
        overall=agreement(told),
        baseline=agreement([one._replace(letter=one.gold) for one in told if one.letter]),
        sensitivity=_same_side([one for one in told if one.mark != one.gold]),
        specificity=_same_side([one for one in told if one.mark == one.gold]),
        kappa=cohens_kappa(
            [one.mark == one.gold for one in told],
            [one.letter and one.letter == one.gold for one in told],
        ),
        by_coi={
            coi: agreement(some)
            for coi in COIS
            if (some := [one for one in told if one.coi == coi])
        },
        cannot_be_told=marks.count(CANNOT_BE_TOLD),
        not_labelled=marks.count(None)
        + sum(len(item.questions) for item in items if item.id not in given),
        unanswered=sum(one.letter is None for one in told),
        labellers=dict(Counter(given[item.id].labeller for item in asked)),
        complaints=tuple(complaints),
    )


def _there(folder: Path, item: LabelItem, complaints: list[Complaint]) -> bool:
    """Whether the picture of an item is there and the one that was labelled."""
    path = label_folder.picture(folder, item.id)
    if not path.is_file():
        problem = "is not there"
    elif sha256(path.read_bytes()).hexdigest() == item.sha256:
        problem = ""
    else:
        problem = "was changed"
    if problem:
        complaints.append(
            Complaint(
                f"{label_folder.PICTURES}/{path.name}",
                None,
                None,
                f"{problem}; its labels are left out",
            )
        )
    return not problem


def _labeled_answers(
    judge: Judge, folder: Path, item: LabelItem, label: Label
) -> list[LabeledAnswer]:
    """What the judge says to the questions that the label answers."""
    shown = Picture(item.sha256, label_folder.picture(folder, item.id))
    pairs = [
        (question, mark)
        for question, mark in zip(item.questions, label.answers, strict=True)
        if mark not in (None, CANNOT_BE_TOLD)
    ]
    replies = judge.ask([_ask(shown, question) for question, _ in pairs]) if pairs else []
    return [
        LabeledAnswer(
            item.id,
            question.coi,
            question.gold,
            mark,
            None if isinstance(reply, Failure) else read_letter(reply.text, question.choices),
        )
        for (question, mark), reply in zip(pairs, replies, strict=True)
        if mark
    ]


def _ask(shown: Picture, question: Question) -> Ask:
    """As I-HallA asks it, without the prompt."""
    return plan.request(Case(prompt="", image=shown), question, template("ihalla_ask"))


def agreement(told: Sequence[LabeledAnswer]) -> LabelAgreement:
    """The share of the answered on which both give the same letter, resampled by picture."""
    return _share(told, lambda one: one.letter == one.mark)


def _same_side(told: Sequence[LabeledAnswer]) -> LabelAgreement:
    """The share of the answered on which both see the expected answer, or both do not."""
    return _share(told, lambda one: (one.letter == one.gold) == (one.mark == one.gold))


def _share(told: Sequence[LabeledAnswer], same: Callable[[LabeledAnswer], bool]) -> LabelAgreement:
    clusters: dict[str, list[bool]] = defaultdict(list)
    for one in told:
        if one.letter:
            clusters[one.item].append(same(one))
    matching = [sum(some) for some in clusters.values()]
    counts = [len(some) for some in clusters.values()]
    low, high = bootstrap(matching, counts) or (None, None)
    return LabelAgreement(sum(matching), sum(counts), low, high)
