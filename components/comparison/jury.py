"""Shows on which questions of a run the members of its jury disagree, and how often."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.evidence.exhibit import key
from hallascope.components.html.jury import (
    jury_answer_text,
    member_answer_text,
    member_name,
)
from hallascope.components.html.markup import (
    html_table,
    panel,
    scroll_region,
    soft_line,
    table_row,
    tag,
)
from hallascope.components.tiles.tile import Tile
from hallascope.data.nouns import count_noun
from hallascope.data.records import Verdict
from hallascope.metrics.juries.votes import (
    JuryAgreement,
    MemberAgreement,
    jury_agreement,
    members_disagree,
)

TITLE = "Where the members of the jury disagree"
ESTIMATE = (
    "Estimated accuracy: how often a member is right, estimated from the agreement of the members"
    " without the truth (Dawid and Skene)."
)


class _SplitQuestion(NamedTuple):
    """Names a question on which members of a jury disagree, by its image and its number."""

    tile: Tile
    number: int
    verdict: Verdict


def jury_panel(tiles: Sequence[Tile]) -> Markup:
    """Return the disagreements of the jury of a run, over all its images; nothing without one.

    Each question leads to its evidence.
    """
    agreement = jury_agreement(
        ((tile.key, trial, index), verdict)
        for tile in tiles
        for trial, report in enumerate(tile.reports)
        for index, verdict in enumerate(report.verdicts)
    )
    if agreement is None:
        return Markup()
    split = list(_split_questions(tiles))
    table = _split_table(split, [member.member for member in agreement.members])
    return panel(
        TITLE,
        tag("p", share_sentence(agreement)),
        _member_table(agreement),
        table if split else "",
        class_="jury-panel",
    )


def share_sentence(agreement: JuryAgreement) -> str:
    """Say on how many questions members differ, of those that two or more answered."""
    if agreement.share is None:
        return "No question was answered by two members, so nothing can be compared."
    return (
        f"Members differ on {agreement.disagreed} of {count_noun(agreement.compared, 'question')}"
        f" that two or more of them answered ({agreement.share:.0%})."
    )


def _member_table(agreement: JuryAgreement) -> Markup:
    has_estimates = any(member.estimated is not None for member in agreement.members)
    heads = ["answered", "same as the jury", *(["estimated accuracy"] if has_estimates else [])]
    head = ("member", *(tag("th", name, scope="col", class_="number") for name in heads))
    lines = (_member_line(member, has_estimates) for member in agreement.members)
    table = html_table(head, lines, class_="jury-members")
    note = soft_line(ESTIMATE) if has_estimates else Markup()
    return scroll_region(table, "Members of the jury") + note


def _member_line(member: MemberAgreement, has_estimates: bool) -> Markup:
    cells = [
        f"{member.answered} of {member.asked}",
        f"{member.with_jury} of {member.answered}",
    ]
    if has_estimates:
        cells.append("–" if member.estimated is None else f"{member.estimated:.2f}")
    return table_row(member.member, *(tag("td", cell, class_="number") for cell in cells))


def _split_questions(tiles: Sequence[Tile]) -> Iterator[_SplitQuestion]:
    """Yield the questions of the reports that are shown in full, on which members differ."""
    for tile in tiles:
        for index, verdict in enumerate(tile.verdicts):
            if members_disagree(verdict):
                yield _SplitQuestion(tile, index, verdict)


def _split_table(split: Sequence[_SplitQuestion], members: Sequence[str]) -> Markup:
    names = ["question", *map(member_name, members), "jury", "expected"]
    table = html_table(names, (_split_line(own, members) for own in split), class_="jury-split")
    return scroll_region(table, TITLE)


def _split_line(own: _SplitQuestion, members: Sequence[str]) -> Markup:
    verdict = own.verdict
    question = verdict.question
    button = tag(
        "button",
        f"{own.tile.name}: {question.text}",
        class_="jury-link",
        data_key=own.tile.key,
        data_chosen=key("question", own.number),
        aria_pressed="false",
    )
    answers = {member.member: member for member in verdict.members}
    cells = [
        tag(
            "td",
            member_answer_text(question, answers[name]) if name in answers else "–",
            class_="agrees"
            if name in answers and answers[name].answer in (None, verdict.answer)
            else None,
        )
        for name in members
    ]
    return table_row(
        button, *cells, tag("b", jury_answer_text(verdict)), question.choice(question.gold)
    )
