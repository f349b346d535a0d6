"""Formats how well metrics agree with people's choices between two items, as lines for people."""

from hallascope.cli.output import printing
from hallascope.cli.output.agreement import count_more, estimate_text
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.output.problems import problem_lines
from hallascope.data.files.preferences import CHOICES
from hallascope.engine.human_agreement.preferences import PreferenceResult
from hallascope.metrics.human_agreement.preferences import ChoiceShares
from hallascope.metrics.statistics.intervals import IntervalEstimate

_COLUMNS = (
    TextColumn("metric", lambda row: row[0]),
    TextColumn("pairwise accuracy", lambda row: estimate_text(row[1].accuracy)),
    TextColumn("of decided pairs", lambda row: estimate_text(row[1].order_accuracy)),
    TextColumn(
        "tie threshold",
        lambda row: "-" if row[1].threshold is None else f"{row[1].threshold:.4g}",
    ),
    TextColumn("ties", lambda row: printing.number(row[1].ties)),
    TextColumn("n", lambda row: str(row[1].n)),
    TextColumn("decided", lambda row: str(row[1].decided)),
)
_DIFFERENCE_COLUMNS = (
    TextColumn("metrics", lambda pair: f"{pair.one} less {pair.other}"),
    TextColumn(
        "pairwise accuracy",
        lambda pair: estimate_text(
            IntervalEstimate(pair.value, pair.low, pair.high, pair.interval_method)
        ),
    ),
    TextColumn("corrected p", lambda pair: printing.number(pair.corrected_p)),
    TextColumn("", lambda pair: pair.words),
)
NOTE = (
    "Pairwise accuracy: choices that a metric predicts, ties among them; scores that differ by at"
    " most the threshold are ties. For the accuracy it is chosen on other clusters than those that"
    " are counted, and the table shows the one chosen on all. Of decided pairs: those in which a"
    " person prefers one item; equal scores are wrong. Higher scores are better. 95 % intervals by"
    " cluster."
)
DIFFERENCE_NOTE = (
    "Differences in pairwise accuracy, on the choices that all metrics predict, by {n} clusters; p"
    " by sign flips, corrected by Holm's method."
)
ONE_CLUSTER = (
    "All choices are of one cluster, so that no threshold can be chosen on others and there are no"
    " intervals: bring choices of more prompts."
)


def preference_text(result: PreferenceResult) -> str:
    """Return the tables of metrics and of people, and the rows that are left out."""
    parts = [f"{printing.table(_COLUMNS, list(result.metrics.items()))}\n{NOTE}"]
    if result.differences:
        shown, more = count_more(result.differences)
        parts.append(
            f"{printing.table(_DIFFERENCE_COLUMNS, shown)}{more}\n"
            f"{DIFFERENCE_NOTE.format(n=result.differences[0].n)}"
        )
    if result.people.clusters < 2:
        parts.append(ONE_CLUSTER)
    parts += [_of_people(result.people), problem_lines(result.left_out)]
    return "\n\n".join(filter(None, parts))


def _of_people(people: ChoiceShares) -> str:
    shares = {choice: estimate_text(share) for choice, share in people.shares.items()}
    columns = (
        TextColumn("people choose", lambda choice: choice),
        TextColumn("share", lambda choice: shares.get(choice, "-")),
    )
    return f"{printing.table(columns, CHOICES)}\n{people_sentences(people)}"


def people_sentences(people: ChoiceShares) -> str:
    """Return what people's choices are about, and how far people agree."""
    raters = f" by {people.raters} raters" if people.raters else ""
    return (
        f"{people.judgments} choices{raters} between"
        f" {people.pairs} pairs of items, in {people.clusters} clusters. Always predicting the most"
        f" frequent choice is right in {printing.number(people.most_frequent)} of those that could"
        " be read."
        f" Krippendorff's alpha among the raters: nominal {printing.number(people.alpha)}."
    )
