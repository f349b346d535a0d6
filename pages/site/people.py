"""Shows what people said of a picture in counts, without names; it asks no model.

No answer of a judge stands beside theirs.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from hallascope.components.html.markup import text
from hallascope.data.files.human_verdicts import CANNOT_BE_TOLD
from hallascope.data.records import Question
from hallascope.engine.export.records import SharedRating
from hallascope.engine.ratings import CHECK, GRADE, IHALLA, QUESTION

TITLE = "What people say"
NOTE = "In no score, and apart from what any judge says."
_KINDS = {
    IHALLA: "Asked without a judge’s answers in sight",
    CHECK: "Checked with a judge’s answers in sight",
}


def section(said: Sequence[SharedRating], questions: Sequence[Question]) -> str:
    """Grades, then the answers to each question with how many people gave them.

    "" where nobody said anything of the kind.

    What people call fine among the findings stands with the finding.
    """
    told = [one for one in said if one.metric in (GRADE, *_KINDS)]
    if not told:
        return ""
    many = len({one.rater for one in told})
    who = f"{many} {'person' if many == 1 else 'people'}"
    tables = "".join(
        _answers(title, [one for one in told if one.metric == kind], questions)
        for kind, title in _KINDS.items()
    )
    return (
        f'<section class="section people" id="people"><h2>{TITLE}</h2><div class="panel"><p'
        f' class="soft">{who}. {NOTE}</p>'
        f"{_grades([one.value for one in told if one.metric == GRADE])}{tables}</div></section>"
    )


def _grades(values: Sequence[str]) -> str:
    if not values:
        return ""
    grades = sorted(int(value) for value in values if value.isdecimal())
    mean = f", mean {sum(grades) / len(grades):.1f}" if len(grades) > 1 else ""
    open_ = len(values) - len(grades)
    joined = ", and " if grades else ""
    unsure = f"{joined}{open_} could not tell" if open_ else ""
    return f"<p>Grade, 1 to 7: {text(', '.join(map(str, grades)))}{mean}{unsure}</p>"


def _answers(title: str, said: Sequence[SharedRating], questions: Sequence[Question]) -> str:
    asked = {one.finding.removeprefix(QUESTION) for one in said if one.finding.startswith(QUESTION)}
    known = {question.text: question for question in questions}
    order = [*(name for name in known if name in asked), *sorted(asked - known.keys())]
    if not order:
        return ""
    lines = "".join(
        _line(
            name, known.get(name), [one.value for one in said if one.finding == f"{QUESTION}{name}"]
        )
        for name in order
    )
    heads = "".join(
        f'<th scope="col">{name}</th>' for name in ("question", "a factual picture", "people")
    )
    return (
        f"<table><caption>{title}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
    )


def _line(asked: str, question: Question | None, answers: Iterable[str]) -> str:
    right = question.choice(question.gold) if question else "–"
    counted = Counter(
        "cannot be told" if answer == CANNOT_BE_TOLD else answer for answer in answers
    )
    given = ", ".join(
        f"{answer} ({count})"
        for answer, count in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    return (
        f'<tr><th scope="row">{text(asked)}</th><td>{text(right)}</td><td>{text(given)}</td></tr>'
    )
