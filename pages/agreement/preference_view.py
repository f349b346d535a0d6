"""Shows how well metrics agree with people's choices between two items."""

from hallascope.cli.output.agreement import (
    CHOICE_NOTE,
    DIFFERENCE_NOTE,
    ONE_CLUSTER,
    choice_sentences,
)
from hallascope.components.html.markup import join, tag
from hallascope.components.labels.agreement import UNKNOWN, estimate_text, table
from hallascope.components.labels.interval_dots import interval_dots
from hallascope.data.files.preferences import CHOICES
from hallascope.data.nouns import count_noun
from hallascope.engine.human_agreement.comparison import PreferenceResult, preference_document
from hallascope.metrics.human_agreement.preferences import PreferenceAgreement
from hallascope.pages.agreement.agreement_view import (
    AgreementView,
    left_out_list,
    left_out_words,
)

ACCURACY = "pairwise accuracy"
DECIDED = "of decided pairs"
HEADS = ("metric", ACCURACY, DECIDED, "tie threshold", "ties", "n", "decided")
DIFFERENCE_HEADS = ("metrics", ACCURACY, "corrected p", "result")


def preference_view(result: PreferenceResult) -> AgreementView:
    """Return the tables of metrics and of people, and a figure of the accuracies."""
    people = result.people
    clusters = [ONE_CLUSTER] if people.clusters < 2 else []
    rows = [_metric_row(name, value) for name, value in result.metrics.items()]
    parts = [table("Metrics vs. people’s choices", HEADS, rows, CHOICE_NOTE, clusters)]
    if result.differences:
        differences = [
            (
                f"{pair.one} minus {pair.other}",
                estimate_text(pair.value, pair.low, pair.high),
                estimate_text(pair.corrected_p),
                pair.words,
            )
            for pair in result.differences
        ]
        note = DIFFERENCE_NOTE.format(n=result.differences[0].n)
        parts.append(table("Metric against metric", DIFFERENCE_HEADS, differences, note))
    shares = [
        (choice, estimate_text(*people.shares[choice]))
        for choice in CHOICES
        if choice in people.shares
    ]
    parts.append(
        tag(
            "div",
            table("What people choose", ("choice", "share"), shares, choice_sentences(people)),
            class_="side",
        )
    )
    dots = {
        name: {ACCURACY: value.accuracy, DECIDED: value.order_accuracy}
        for name, value in result.metrics.items()
    }
    figure = interval_dots(
        dots,
        "share that is right",
        "always the most frequent choice",
        people.most_frequent,
    )
    words = (
        f"{count_noun(len(result.metrics), 'metric')}, {count_noun(people.judgments, 'choice')}"
        f" between {count_noun(people.pairs, 'pair')} of items in"
        f" {count_noun(people.clusters, 'cluster')}"
        f"{left_out_words(result.left_out)}."
    )
    tables = join(*parts, left_out_list(result.left_out))
    return AgreementView(words, tables, figure, preference_document(result))


def _metric_row(name: str, value: PreferenceAgreement) -> tuple[str, ...]:
    return (
        name,
        estimate_text(*value.accuracy),
        estimate_text(*value.order_accuracy),
        UNKNOWN if value.threshold is None else f"{value.threshold:.4g}",
        estimate_text(value.ties),
        f"{value.n:,}",
        f"{value.decided:,}",
    )
