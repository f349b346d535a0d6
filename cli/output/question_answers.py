"""Formats how well metrics answer questions as people do, as lines for people to read."""

from hallascope.cli.output import printing
from hallascope.cli.output.agreement import estimate_text, study_parts
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.output.problems import problem_lines
from hallascope.engine.human_agreement.question_answers import AnswerStudies
from hallascope.metrics.human_agreement.question_answers import AnswerAgreement

_COLUMNS = (
    TextColumn("metric", lambda row: row[0]),
    TextColumn("accuracy", lambda row: estimate_text(row[1].accuracy)),
    TextColumn("Cohen's kappa", lambda row: estimate_text(row[1].kappa)),
    TextColumn("sensitivity", lambda row: estimate_text(row[1].sensitivity)),
    TextColumn("specificity", lambda row: estimate_text(row[1].specificity)),
    TextColumn("n", lambda row: str(row[1].n)),
)
NOTE = (
    "Beside the answer that most people give. Sensitivity: of the questions that people answer"
    " otherwise than expected, those that the metric does, too; specificity: of the others, those"
    " that the metric answers as expected. 95 % intervals by group, or by item without groups."
)

ITEM_NOTE = (
    "The score of an item is the share of its questions that are answered as expected. A question"
    " that depends on one that is not answered as expected counts as not answered as expected, too."
)


def answer_text(studies: AnswerStudies) -> str:
    """Return the tables of questions and of items, and the rows that are left out."""
    rows = list(studies.questions.metrics().items())
    parts = [
        "Question by question",
        f"{printing.table(_COLUMNS, rows)}\n{NOTE}",
        people_sentences(studies.questions.people()),
        f"Item by item\n{ITEM_NOTE}",
    ]
    for study in studies.items.studies.values():
        parts += study_parts(study)
    return "\n\n".join(filter(None, [*parts, problem_lines(studies.left_out)]))


def people_sentences(people: AnswerAgreement) -> str:
    """Return what people's answers are about, and how far people agree."""
    return (
        f"{people.questions} questions about {people.items} items, {people.raters} raters;"
        f" {people.without_majority} questions have no answer of most people and are left out."
        " Always giving the most frequent answer is right in"
        f" {printing.number(people.most_frequent)}. Krippendorff's alpha among the raters: nominal"
        f" {printing.number(people.alpha)}."
    )
