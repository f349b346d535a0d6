"""Shows what people said of a picture in counts, without names and beside no judge's answers."""

from collections import Counter
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from hallascope.components.html.markup import html_table, soft_line, table_row, tag
from hallascope.data.files.human_verdicts import CANNOT_BE_TOLD
from hallascope.data.records import Question
from hallascope.engine.ratings import GRADE
from hallascope.engine.storage.people.ratings import CHECK, IHALLA, QUESTION, Rating

TITLE = "What people say"
NOTE = "Not part of any score."
_KINDS = {
    IHALLA: "Answered without seeing the judge’s answers",
    CHECK: "Checked while seeing the judge’s answers",
}


def section(ratings: Sequence[Rating], questions: Sequence[Question]) -> Markup:
    """Return grades, then the answers to each question with how many people gave them.

    It is empty where nobody said anything of the kind. What people call fine among the findings
    stands with the finding.
    """
    shown = [rating for rating in ratings if rating.metric in (GRADE, *_KINDS)]
    if not shown:
        return Markup()
    number = len({rating.rater for rating in shown})
    people = f"{number} {'person' if number == 1 else 'people'}"
    tables = (
        _answers(title, [rating for rating in shown if rating.metric == kind], questions)
        for kind, title in _KINDS.items()
    )
    panel = tag(
        "div",
        soft_line(f"{people}. {NOTE}"),
        _grades([rating.value for rating in shown if rating.metric == GRADE]),
        *tables,
        class_="panel",
    )
    return tag("section", tag("h2", TITLE), panel, class_="section people", id="people")


def _grades(values: Sequence[str]) -> Markup:
    if not values:
        return Markup()
    grades = sorted(int(value) for value in values if value.isdecimal())
    words = f"Grade, 1 to 7: {', '.join(map(str, grades))}"
    if len(grades) > 1:
        words += f", mean {sum(grades) / len(grades):.1f}"
    if len(grades) < len(values):
        joined = ", and " if grades else ""
        words += f"{joined}{len(values) - len(grades)} could not tell"
    return tag("p", words)


def _answers(title: str, ratings: Sequence[Rating], questions: Sequence[Question]) -> Markup:
    answers: dict[str, list[str]] = {}
    for rating in ratings:
        if rating.finding.startswith(QUESTION):
            answers.setdefault(rating.finding.removeprefix(QUESTION), []).append(rating.value)
    if not answers:
        return Markup()
    known = {question.text: question for question in questions}
    order = [*(text for text in known if text in answers), *sorted(answers.keys() - known.keys())]
    lines = (_line(text, known.get(text), answers[text]) for text in order)
    heads = ("question", "a factual image", "people")
    return html_table(heads, lines, caption=title)


def _line(text: str, question: Question | None, answers: Iterable[str]) -> Markup:
    right = question.choice(question.gold) if question else "–"
    counted = Counter(
        "cannot be told" if answer == CANNOT_BE_TOLD else answer for answer in answers
    )
    counts = ", ".join(
        f"{answer} ({count})"
        for answer, count in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    return table_row(text, right, counts)
