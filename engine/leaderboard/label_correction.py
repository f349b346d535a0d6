"""Corrects the scores of a leaderboard by what people say of some of its images.

People answer the judge's questions on the *People* tab without its answers in sight; answers that
they gave with these in sight are kept under another metric and count nowhere here. The statistics
are those of `hallascope.metrics.statistics.prediction_powered`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import Verdict
from hallascope.engine.events import Evaluation
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import Board
from hallascope.engine.ratings import answer_mark
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION
from hallascope.engine.storage.scores import prompt_key
from hallascope.engine.storage.store import Store
from hallascope.metrics.running_sums import ALL
from hallascope.metrics.statistics.intervals import FloatPair
from hallascope.metrics.statistics.prediction_powered import (
    CorrectedScore,
    LabeledPrompt,
    correct_score,
    labels_needed,
)


@dataclass(frozen=True, kw_only=True)
class CorrectedRow:
    """Holds the score of a model (in a group, "" by model) as people's labels correct it.

    `score` is None where fewer than 10 of its prompts are labeled: `needed` says how many are
    missing.
    """

    model: str
    group: str
    score: CorrectedScore | None
    labeled: int
    needed: int

    @property
    def sentence(self) -> str:
        """Return what the judge says beside people, in words."""
        if self.score is None:
            prompts = "prompt" if self.needed == 1 else "prompts"
            return f"{self._name}: label {self.needed} more {prompts} to correct its score."
        score = self.score
        way = "more" if score.bias >= 0 else "less"
        ends = sorted((abs(score.bias_low), abs(score.bias_high)))
        if score.bias_low <= 0 <= score.bias_high:
            amount = (
                f"{abs(score.bias):.2f} {way} than people"
                f" ({score.bias_low:+.2f} to {score.bias_high:+.2f}; "
            )
        else:
            amount = f"{abs(score.bias):.2f} {way} than people ({ends[0]:.2f} to {ends[1]:.2f}; "
        return f"{self._name}: the judge says {amount}{score.labeled} prompts labeled)."

    @property
    def _name(self) -> str:
        return f"{self.model}, {self.group}" if self.group else self.model


def correct_board(store: Store, shown: Board) -> tuple[CorrectedRow, ...]:
    """Return the corrected scores of a leaderboard's rows, in their order.

    There are none but for I-HallA by model or by composition of interest: other scores rest on
    other questions than people answer.
    """
    query = shown.query
    if query.metric != IHALLA or query.score != "score" or query.by not in ("model", "coi"):
        return ()
    if not shown.instrument_keys or shown.instrument is None:
        return ()
    judged = queries.read_group_scores(store, query, shown.instrument_keys)
    labeled = _labeled_prompts(store, shown.instrument.judge, over_questions=query.by == "coi")
    return tuple(
        _correct_row(row.model, row.group, judged, labeled)
        for row in shown.rows
        if row.value is not None
    )


def _correct_row(
    model: str,
    group: str,
    judged: queries.GroupScores,
    labeled: Mapping[tuple[str, str], Mapping[str, LabeledPrompt]],
) -> CorrectedRow:
    scores = judged[group][model]
    sample = {
        prompt: said
        for prompt, said in labeled.get((model, group), {}).items()
        if prompt in scores and said.people[1] > 0
    }
    return CorrectedRow(
        model=model,
        group=group,
        score=correct_score(scores, sample),
        labeled=len(sample),
        needed=labels_needed(len(sample)),
    )


# --- what people say ---


@dataclass
class _PromptAnswers:
    """Sums what people and the judge say of the labeled questions of a prompt."""

    people: list[float] = field(default_factory=list)
    judge: list[float] = field(default_factory=list)
    untold: int = 0

    def add(self, marks: Sequence[bool], verdict: Verdict) -> None:
        """Add one question: whether each person who could tell sees the expected answer."""
        if not marks:
            self.untold += 1
            return
        self.people.append(fmean(marks))
        self.judge.append(float(verdict.state == "correct"))

    def summary(self, over_questions: bool) -> LabeledPrompt:
        """Return the sums; every prompt weighs the same unless questions count."""
        right = sum(self.people)
        told = len(self.people)
        asked = told + self.untold
        return LabeledPrompt(
            people=_pair(right, told, over_questions),
            judge=_pair(sum(self.judge), told, over_questions),
            lowest=_pair(right, asked, over_questions),
            highest=_pair(right + self.untold, asked, over_questions),
            questions=told,
        )


def _pair(total: float, count: int, over_questions: bool) -> FloatPair:
    if over_questions or not count:
        return total, float(count)
    return total / count, 1.0


def _labeled_prompts(
    store: Store, judge: str | None, *, over_questions: bool
) -> dict[tuple[str, str], dict[str, LabeledPrompt]]:
    """Return by model and group, and by prompt (a hash), what people say beside a judge.

    By composition of interest the groups are these, and questions count; else the group is "".
    """
    sums = defaultdict[tuple[str, str], defaultdict[str, _PromptAnswers]](
        lambda: defaultdict(_PromptAnswers)
    )
    for evaluation, verdict, marks in _answered_questions(store, judge):
        group = verdict.question.coi if over_questions else ALL
        prompt = prompt_key(evaluation.report.prompt)
        sums[evaluation.model, group][prompt].add(marks, verdict)
    return {
        key: {prompt: answers.summary(over_questions) for prompt, answers in prompts.items()}
        for key, prompts in sums.items()
    }


def _answered_questions(
    store: Store, judge: str | None
) -> Iterator[tuple[Evaluation, Verdict, list[bool]]]:
    """Yield the questions that people answered of images this judge judged, each image once.

    With them whether each person sees the expected answer; those who could not tell are left out.
    """
    said = _people_answers(store)
    counted = set[tuple[str, str]]()
    for evaluation in store.evaluations_of({image for image, _, _ in said}):
        about = evaluation.image, evaluation.report.prompt
        if (evaluation.metric, evaluation.judge) != (IHALLA, judge) or about in counted:
            continue
        counted.add(about)
        for verdict in evaluation.report.verdicts:
            words = said.get((*about, verdict.question.text))
            if words and verdict.state in ("correct", "incorrect"):
                marks = [answer_mark(verdict.question, word) for word in words]
                told = [mark for mark in marks if mark not in (None, CANNOT_BE_TOLD)]
                yield evaluation, verdict, [mark == verdict.question.gold for mark in told]


def _people_answers(store: Store) -> dict[tuple[str, str, str], list[str]]:
    """Return by image, prompt and question what each person answered."""
    answers = defaultdict[tuple[str, str, str], list[str]](list)
    for rating in store.ratings.all(IHALLA):
        about = rating.subject
        if about.finding.startswith(QUESTION):
            question = about.finding.removeprefix(QUESTION)
            answers[about.image, about.prompt, question].append(rating.value)
    return dict(answers)
