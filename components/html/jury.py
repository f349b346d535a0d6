"""Says in one line what each member of a jury answered to a question, and what the jury did."""

from markupsafe import Markup

from hallascope.components.html.markup import icon, join, tag
from hallascope.components.html.signs import SIGNS
from hallascope.data.records import MemberAnswer, Question, Verdict
from hallascope.metrics.juries.votes import members_disagree

SPLIT = "split"  # the class of what the members of a jury disagree on
DIFFER = "The members disagree:"


def member_name(judge: str) -> str:
    """Return a judge's name without its service or family: "judge" of "primer/judge"."""
    return judge.rpartition("/")[2] or judge


def member_answer_text(question: Question, member: MemberAnswer) -> str:
    """Return the choice of a member in words, or that it abstains."""
    if member.answer is not None:
        return question.choice(member.answer)
    return "abstains" if member.failure is not None else SIGNS["unreadable"].word


def jury_answer_text(verdict: Verdict) -> str:
    """Return the choice of the jury in words; "no majority" where the votes are tied."""
    if verdict.answer is not None:
        return verdict.question.choice(verdict.answer)
    return "no answer" if verdict.state == "failed" else "no majority"


def member_line(verdict: Verdict | None) -> Markup:
    """Return what every member answered and then the jury; nothing of a single judge.

    A line on which two members differ begins with a sign and says so.
    """
    if verdict is None or not verdict.members:
        return Markup()
    question = verdict.question
    parts = [
        _part(
            member_name(member.member),
            member_answer_text(question, member),
            title=member.failure,
            kind="silent" if member.answer is None else None,
        )
        for member in verdict.members
    ]
    parts.append(_part("jury", jury_answer_text(verdict), kind="of-jury"))
    differ = members_disagree(verdict)
    lead = join(icon("warning"), " ", tag("span", DIFFER)) if differ else Markup()
    kind = f"jury-line {SPLIT}" if differ else "jury-line"
    return tag("p", lead, *parts, class_=kind)


def split_class(verdict: Verdict | None) -> str:
    """Return the class of a card on which the members of a jury disagree, "" of any other."""
    return SPLIT if verdict is not None and members_disagree(verdict) else ""


def _part(name: str, answer: str, title: str | None = None, kind: str | None = None) -> Markup:
    classes = "jury-part" if kind is None else f"jury-part {kind}"
    return tag("span", tag("b", f"{name}:"), f" {answer}", class_=classes, title=title)
