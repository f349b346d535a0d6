"""Shows how well metrics answer questions about items as people do."""

from hallascope.cli.output.agreement import ANSWER_NOTE, ITEM_NOTE, answer_sentences
from hallascope.components.html.markup import join, soft_line, tag
from hallascope.components.labels.agreement import estimate_text, table
from hallascope.components.labels.interval_dots import interval_dots
from hallascope.data.nouns import count_noun
from hallascope.engine.human_agreement.comparison import AnswerStudies, answer_document
from hallascope.metrics.human_agreement.question_answers import QuestionAgreement
from hallascope.metrics.statistics.intervals import IntervalEstimate
from hallascope.pages.agreement.agreement_view import (
    AgreementView,
    left_out_list,
    left_out_words,
)
from hallascope.pages.agreement.rating_view import rater_table, study_tables

STATISTICS = ("accuracy", "Cohen’s kappa", "sensitivity", "specificity")
HEADS = ("metric", *STATISTICS, "n")


def answer_view(studies: AnswerStudies) -> AgreementView:
    """Return the tables of questions and of items, and a figure of the agreement by question."""
    metrics = studies.questions.metrics()
    people = studies.questions.people()
    dots = {name: _by_statistic(value) for name, value in metrics.items()}
    rows = [
        (name, *(estimate_text(*value) for value in values.values()), f"{metrics[name].n:,}")
        for name, values in dots.items()
    ]
    parts = [
        table("Question by question", HEADS, rows, f"{ANSWER_NOTE} {answer_sentences(people)}"),
        tag("h2", "Item by item", class_="part"),
        soft_line(ITEM_NOTE),
    ]
    for study in studies.items.studies.values():
        parts += study_tables(study, "", grouped=bool(studies.items.groups))
        parts.append(tag("div", rater_table(study.raters, ""), class_="side"))
    figure = interval_dots(
        dots,
        "agreement by question",
        "accuracy of always the most frequent answer",
        people.most_frequent,
    )
    words = (
        f"{count_noun(len(metrics), 'metric')}, {count_noun(people.questions, 'question')} about"
        f" {count_noun(people.items, 'item')}, {count_noun(people.raters, 'rater')}"
        f"{left_out_words(studies.left_out)}."
    )
    tables = join(*parts, left_out_list(studies.left_out))
    return AgreementView(words, tables, figure, answer_document(studies))


def _by_statistic(value: QuestionAgreement) -> dict[str, IntervalEstimate]:
    estimates = (value.accuracy, value.kappa, value.sensitivity, value.specificity)
    return dict(zip(STATISTICS, estimates, strict=True))
