"""Corrects the scores of a leaderboard by what people say of some of its images.

People answer the judge's questions on the *Labels* tab without its answers in sight; answers that
they gave with these in sight, or after, count nowhere here. Or labels come from a folder, for the
images that are the same. The statistics are those of
`hallascope.metrics.statistics.prediction_powered`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.engine.errors import BadRequest
from hallascope.engine.labeling.labels import (
    JudgedQuestion,
    Labels,
    LabelSample,
    LabelUse,
    PlanLabels,
    QuestionLabel,
    count_told,
    read_folder_labels,
    read_people_labels,
    sum_labels,
)
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import Board
from hallascope.engine.leaderboard.comparisons import MOST_PAIRS
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.engine.storage.scores import prompt_key
from hallascope.engine.storage.store import Store
from hallascope.metrics.ihalla.plan import is_answered
from hallascope.metrics.running_sums import ALL
from hallascope.metrics.statistics.corrected_scores import (
    DRAWN_SAMPLE,
    RANDOM_SAMPLE,
    CorrectedDifference,
    CorrectedScore,
    correct_difference,
    correct_score,
)
from hallascope.metrics.statistics.intervals import IntervalMethod
from hallascope.metrics.statistics.prediction_powered import labels_needed

CORRECTION_METHOD: IntervalMethod = "prediction-powered"


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
        name = f"{self.model}, {self.group}" if self.group else self.model
        if self.score is None:
            prompts = "prompt" if self.needed == 1 else "prompts"
            return f"{name}: label {self.needed} more {prompts} to correct its score."
        score = self.score
        ends = f"{score.bias_low:+.2f} to {score.bias_high:+.2f}"
        if not score.bias_low <= 0 <= score.bias_high:
            low, high = sorted((abs(score.bias_low), abs(score.bias_high)))
            ends = f"{low:.2f} to {high:.2f}"
        return (
            f"{name}: the judge says {abs(score.bias):.2f} {'more' if score.bias >= 0 else 'less'}"
            f" than people ({ends}; {score.labeled} prompts labeled)."
        )


@dataclass(frozen=True, kw_only=True)
class CorrectedPair:
    """Holds by how much people would put model `one` above `other` (in a group, "" by model).

    `difference` is None where fewer than 10 prompts are labeled for both: `needed` says how many
    are missing. Pairs are not corrected for their number.
    """

    one: str
    other: str
    group: str
    difference: CorrectedDifference | None
    needed: int


@dataclass(frozen=True, kw_only=True)
class LabelCorrection:
    """Holds a leaderboard as people's labels correct it: its rows, and all pairs of models.

    `pairs` are those of models in the same group; `left_out_pairs` counts them where they are too
    many. `labels` says which labels these are, None where the score cannot be corrected.
    """

    rows: tuple[CorrectedRow, ...] = ()
    pairs: tuple[CorrectedPair, ...] = ()
    left_out_pairs: int = 0
    labels: LabelUse | None = None
    by_probability: bool = False  # it is known how likely each prompt was to be labeled
    method: IntervalMethod = CORRECTION_METHOD

    @property
    def sampling(self) -> str:
        """Return the condition under which the correction holds, in a sentence."""
        return DRAWN_SAMPLE if self.by_probability else RANDOM_SAMPLE


def is_correctable(query: Query) -> bool:
    """Return whether people answer the questions that a leaderboard's score rests on."""
    return query.metric == IHALLA and query.score == "score" and query.by in ("model", "coi")


def correct_by_people(
    store: Store,
    shown: Board,
    folder: Path | None = None,
    plan: PlanLabels | None = None,
) -> LabelCorrection:
    """Return a leaderboard corrected by people's labels.

    They are those of a plan or of a label folder, else the answers of the Labels tab.

    Its rows are in the order of the leaderboard's. There are none but for I-HallA by model or by
    composition of interest (`is_correctable`): other scores rest on other questions than people
    answer.

    The labels of a plan count by the inverse of how likely each prompt was to be labeled, and a
    score is of the plan's prompts alone. Other labels are taken to have been as likely.

    Raises BadRequest where the folder holds no labels, or none of its images was judged.
    """
    query = shown.query
    if not is_correctable(query):
        return LabelCorrection()
    source = plan or (read_folder_labels(store, folder) if folder else read_people_labels(store))
    by_coi = query.by == "coi"
    labels: list[QuestionLabel] = []
    images: set[str] = set()
    for about, label in _labeled_questions(store, shown, source):
        labels.append(label if by_coi else label._replace(group=ALL))
        images.add(about.image)
    use = replace(source.use, judged=len(images))
    if folder and not images:
        raise BadRequest(_no_image_judged(use, shown))
    if not shown.instrument_keys:
        return LabelCorrection(labels=use)
    judged = queries.read_group_scores(store, query, shown.instrument_keys)
    probabilities = None
    if plan:
        judged = _select_frame(judged, plan)
        probabilities = {
            (model, prompt_key(prompt)): p for (model, prompt), p in plan.probabilities.items()
        }
    samples = sum_labels(labels, over_questions=by_coi, probabilities=probabilities)
    rows = [row for row in shown.rows if row.value is not None]
    pairs = [
        (one.model, other.model, one.group)
        for one, other in combinations(rows, 2)
        if one.group == other.group
    ]
    left_out = len(pairs) if len(pairs) > MOST_PAIRS else 0
    return LabelCorrection(
        rows=tuple(_correct_row(row.model, row.group, judged, samples) for row in rows),
        pairs=() if left_out else tuple(_correct_pair(*pair, judged, samples) for pair in pairs),
        left_out_pairs=left_out,
        labels=use,
        by_probability=plan is not None,
    )


def _select_frame(judged: queries.GroupScores, plan: PlanLabels) -> queries.GroupScores:
    """Return the scores of the plan's prompts; models that it leaves out have none."""
    frame = {(model, prompt_key(prompt)) for model, prompt in plan.frame}
    return {
        group: {
            model: {prompt: pair for prompt, pair in scores.items() if (model, prompt) in frame}
            for model, scores in models.items()
        }
        for group, models in judged.items()
    }


def _no_image_judged(use: LabelUse, shown: Board) -> str:
    judge = shown.instrument.judge if shown.instrument else None
    who = f" by {judge}" if judge else ""
    return (
        f"No labeled image of {use.source} (there are {use.images:,}) was judged{who} on this"
        " leaderboard: evaluate the same prompts, models and seeds by `hallascope sweep`, or run"
        f" `hallascope trial --labeled {use.source}`, which has the judge answer the questions of"
        " the folder's own images."
    )


Samples = Mapping[tuple[str, str], LabelSample]


def _correct_row(
    model: str, group: str, judged: queries.GroupScores, samples: Samples
) -> CorrectedRow:
    sample = samples.get((model, group), {})
    return CorrectedRow(
        model=model,
        group=group,
        score=correct_score(judged[group][model], sample),
        labeled=len(sample),
        needed=labels_needed(count_told(sample)),
    )


def _correct_pair(
    one: str, other: str, group: str, judged: queries.GroupScores, samples: Samples
) -> CorrectedPair:
    scores = judged[group]
    first = samples.get((one, group), {})
    second = samples.get((other, group), {})
    told = sum(
        min(first[prompt].people[1], second[prompt].people[1]) > 0
        for prompt in first.keys() & second.keys()
    )
    return CorrectedPair(
        one=one,
        other=other,
        group=group,
        difference=correct_difference(scores[one], scores[other], first, second),
        needed=labels_needed(told),
    )


# --- what people say ---


def _labeled_questions(
    store: Store, shown: Board, source: Labels | PlanLabels
) -> Iterator[tuple[JudgedQuestion, QuestionLabel]]:
    """Yield the labeled questions of images that the leaderboard counts, by model.

    Where a judge answered one several times, in trials, its answers are averaged.
    """
    counted = queries.read_counted_evaluations(
        store, shown.query, shown.instrument_keys, source.prompts
    )
    answers = defaultdict[tuple[str, JudgedQuestion], list[bool]](list)
    for model, evaluation in counted:
        for verdict in evaluation.report.verdicts:
            if is_answered(verdict):
                about = JudgedQuestion(evaluation.image, evaluation.report.prompt, verdict.question)
                answers[model, about].append(verdict.state == "correct")
    for (model, about), sees in answers.items():
        marks = source.marks(about)
        if not marks:
            continue
        told = [mark == about.question.gold for mark in marks if mark != CANNOT_BE_TOLD]
        prompt = prompt_key(about.prompt)
        yield about, QuestionLabel(model, about.question.coi, prompt, told, fmean(sees))
