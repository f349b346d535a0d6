"""Formats how well metrics agree with people: ratings, choices between two items, answers."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from hallascope.cli.output import printing
from hallascope.cli.output.printing import number, problem_lines, spread
from hallascope.data.files.preferences import CHOICES
from hallascope.data.published.numbers import human_agreement
from hallascope.engine.human_agreement.comparison import (
    AnswerStudies,
    PreferenceResult,
    RatingStudies,
)
from hallascope.metrics.human_agreement.preferences import ChoiceShares
from hallascope.metrics.human_agreement.question_answers import AnswerAgreement
from hallascope.metrics.statistics.agreement import MetricAgreement, Raters, Study
from hallascope.metrics.statistics.correlation import MIN_ITEMS
from hallascope.metrics.statistics.intervals import RESAMPLES, IntervalEstimate
from hallascope.metrics.statistics.reliability import LEVELS

Row = TypeVar("Row")
_TITLES = {
    "pearson": "Pearson r",
    "spearman": "Spearman rho",
    "kendall": "Kendall tau-b",
    "pairwise_accuracy": "pairwise accuracy",
}
_MOST_LINES = 100  # of one list for people; --out has all of them
_FEWER_DRAWS = (
    "Tables of more than 5,000 items get fewer draws, and more than 5,000 groups (or items without"
    " groups) are drawn by subsets (bag of little bootstraps)."
)
_TIES = (
    "Ties: values equal to 12 significant digits. Spearman: mean ranks. Tau-b: left out of that"
    " side's pairs. Pairwise accuracy: a pair tied on both sides counts as right, on one side as"
    " wrong."
)
ANSWER_NOTE = (
    "Compared with the answer of most people. Sensitivity: of the questions that people answer"
    " differently than expected, those that the metric does, too. Specificity: of the others, those"
    " that the metric answers as expected. 95 % intervals by group, or by item without groups."
)
ITEM_NOTE = (
    "The score of an item is the share of its questions that are answered as expected. A question"
    " that depends on one that is not answered as expected counts as not answered as expected, too."
)
CHOICE_NOTE = (
    "Pairwise accuracy: choices that a metric predicts, including ties; scores that differ by at"
    " most the threshold are ties. For the accuracy the threshold is chosen on other clusters than"
    " those counted; the table shows the one chosen on all. Of decided pairs: choices of one item;"
    " equal scores are wrong. Higher scores are better. 95 % intervals by cluster."
)
DIFFERENCE_NOTE = (
    "Differences in pairwise accuracy, on the choices that all metrics predict, by {n} clusters; p"
    " by sign flips, corrected by Holm's method."
)
ONE_CLUSTER = (
    "All choices are of one cluster, so there is no threshold and no interval. Add choices of more"
    " prompts."
)


# --- ratings ---


def agreement_text(studies: RatingStudies) -> str:
    """Return all tables of all dimensions, and the rows that are left out."""
    parts: list[str] = []
    for dimension, study in studies.studies.items():
        parts += [dimension and f"Dimension: {dimension}", *_study_parts(study)]
    published = human_agreement()
    statistics = ", ".join(f"{_TITLES[row.statistic]} {row.value:.3f}" for row in published)
    return printing.join_parts(
        *parts,
        f"Published: I-HallA with people, {statistics}; n = {published[0].n} images"
        f" only, {published[0].raters} raters.",
        problem_lines(studies.left_out),
    )


def _study_parts(study: Study) -> list[str]:
    """Return the tables and sentences of one study."""
    agreements = study.metrics()
    metrics = [
        _estimate_row("metric", name, agreement.statistics, agreement.n)
        for name, agreement in agreements.items()
    ]
    parts = [printing.table(metrics), f"{_resampling(agreements)} {_TIES}"]
    within = [
        _estimate_row("within groups", name, agreement.within.statistics, agreement.within.groups)
        for name, agreement in agreements.items()
        if agreement.within
    ]
    if within:
        parts.append(
            f"{printing.table(within)}\nMeans over n groups of at least {MIN_ITEMS} items that"
            " differ, correlations through Fisher's z."
        )
    pairs = [
        _estimate_row("metrics", f"{pair.one} minus {pair.other}", pair.differences, pair.n)
        for pair in study.differences()
    ]
    if pairs:
        shown, more = _count_more(pairs)
        parts.append(f"{printing.table(shown)}{more}\nDifferences, on the items of both.")
    parts += [agreement.note for agreement in agreements.values()]
    return [*parts, _raters_text(study.raters)]


def _estimate_row(
    heading: str, name: str, estimates: Mapping[str, IntervalEstimate], n: int
) -> dict[str, object]:
    shown = {title: spread(estimates[key]) for key, title in _TITLES.items()}
    return {heading: name, **shown, "n": n}


def _count_more(rows: Sequence[Row]) -> tuple[Sequence[Row], str]:
    """Return the rows that are printed of a long list, and a line that counts the others, or ""."""
    more = len(rows) - _MOST_LINES
    words = f"\nand {more:,} more; --out FILE writes all of them" if more > 0 else ""
    return rows[:_MOST_LINES], words


def _resampling(agreements: Mapping[str, MetricAgreement]) -> str:
    """Return how the intervals came about, in one sentence."""
    unit = "group" if any(agreement.within for agreement in agreements.values()) else "item"
    draws = sorted({agreement.draws for agreement in agreements.values() if agreement.draws})
    number = f"{' or '.join(f'{count:,}' for count in draws)} draws, " if draws else ""
    sentence = f"95 % bootstrap intervals, {number}resampled by {unit}."
    return f"{sentence} {_FEWER_DRAWS}" if draws and draws[0] < RESAMPLES else sentence


def _raters_text(raters: Raters) -> str:
    alpha = ", ".join(f"{level} {number(value)}" for level, value in raters.alpha.items())
    alone = f"; {raters.alone} items have one rating only" if raters.alone else ""
    scale = f"the scale is {raters.level}."
    if raters.level_reason:
        others = ", ".join(level for level in LEVELS if level != raters.level)
        scale = f"the scale is guessed ({raters.level_reason}); --scale names another ({others})."
    sentences = [
        f"Krippendorff's alpha among the raters: {alpha}.",
        f"{raters.items} items, {raters.ratings} ratings{alone}.",
        raters.note,
        f"Use {raters.level}: {scale}",
    ]
    return " ".join(filter(None, sentences))


# --- choices between two items ---


def preference_text(result: PreferenceResult) -> str:
    """Return the tables of metrics and of people, and the rows that are left out."""
    metrics = printing.table(
        {
            "metric": name,
            "pairwise accuracy": spread(row.accuracy),
            "of decided pairs": spread(row.order_accuracy),
            "tie threshold": None if row.threshold is None else f"{row.threshold:.4g}",
            "ties": row.ties,
            "n": row.n,
            "decided": row.decided,
        }
        for name, row in result.metrics.items()
    )
    shown, more = _count_more(result.differences)
    differences = printing.table(
        {
            "metrics": f"{pair.one} minus {pair.other}",
            "pairwise accuracy": spread(pair),
            "corrected p": pair.corrected_p,
            "": pair.words,
        }
        for pair in shown
    )
    shares = result.people.shares
    people = printing.table(
        {"people choose": choice, "share": spread(shares[choice]) if choice in shares else "-"}
        for choice in CHOICES
    )
    return printing.join_parts(
        f"{metrics}\n{CHOICE_NOTE}",
        differences and f"{differences}{more}\n{DIFFERENCE_NOTE.format(n=result.differences[0].n)}",
        ONE_CLUSTER if result.people.clusters < 2 else "",
        f"{people}\n{choice_sentences(result.people)}",
        problem_lines(result.left_out),
    )


def choice_sentences(people: ChoiceShares) -> str:
    """Return what people's choices are about, and how far people agree."""
    raters = f" by {people.raters} raters" if people.raters else ""
    return (
        f"{people.judgments} choices{raters} between"
        f" {people.pairs} pairs of items, in {people.clusters} clusters. Always predicting the most"
        f" frequent choice is right in {number(people.most_frequent)} of those that could"
        " be read."
        f" Krippendorff's alpha among the raters: nominal {number(people.alpha)}."
    )


# --- answers to questions ---


def answer_text(studies: AnswerStudies) -> str:
    """Return the tables of questions and of items, and the rows that are left out."""
    table = printing.table(
        {
            "metric": name,
            "accuracy": spread(row.accuracy),
            "Cohen's kappa": spread(row.kappa),
            "sensitivity": spread(row.sensitivity),
            "specificity": spread(row.specificity),
            "n": row.n,
        }
        for name, row in studies.questions.metrics().items()
    )
    return printing.join_parts(
        "Question by question",
        f"{table}\n{ANSWER_NOTE}",
        answer_sentences(studies.questions.people()),
        f"Item by item\n{ITEM_NOTE}",
        *(part for study in studies.items.studies.values() for part in _study_parts(study)),
        problem_lines(studies.left_out),
    )


def answer_sentences(people: AnswerAgreement) -> str:
    """Return what people's answers are about, and how far people agree."""
    return (
        f"{people.questions} questions about {people.items} items, {people.raters} raters;"
        f" {people.without_majority} questions without a majority are left out."
        " Always giving the most frequent answer is right in"
        f" {number(people.most_frequent)}. Krippendorff's alpha among the raters: nominal"
        f" {number(people.alpha)}."
    )
