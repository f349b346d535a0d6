"""Shows what people say of a judge's answer, beside the truth and the judge."""

from collections.abc import Mapping

from markupsafe import Markup

from hallascope.components.html.markup import icon, tag
from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.data.records import Verdict

HumanAnswers = Mapping[str, str]  # by rater the choice in words, or "?" where it cannot be told
UNNAMED = "not named"


def human_lines(verdict: Verdict, answers: HumanAnswers) -> Markup:
    """Return one line a person: the answer, and whether the judge is right by it."""
    return Markup().join(_line(verdict, rater, answer) for rater, answer in answers.items())


def human_place(verdict: Verdict, answers: HumanAnswers) -> Markup:
    """Return the lines, and the button with which a person gives a verdict of their own."""
    button = tag("button", "Your verdict", class_="override", data_override=True)
    lines = tag("div", human_lines(verdict, answers), class_="human-lines", role="status")
    return tag("div", lines, button, class_="human")


def _line(verdict: Verdict, rater: str, answer: str) -> Markup:
    words, name = _words(verdict, answer)
    return tag(
        "p",
        icon(name),
        " ",
        tag("span", tag("b", rater or UNNAMED), f": {words}"),
        class_=f"human-line {'wrong' if name == 'warning' else 'right'}",
    )


def _words(verdict: Verdict, answer: str) -> tuple[str, str]:
    """Return what a person says in words, and the icon of it."""
    if answer == CANNOT_BE_TOLD:
        return "not visible", "question"
    if verdict.answer is None:
        return f"{answer} · the judge gave no answer", "question"
    if verdict.question.choice(verdict.answer) == answer:
        return f"{answer} · the judge is right", "check"
    return f"{answer} · the judge is wrong", "warning"
