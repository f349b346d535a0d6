"""Makes one reply of those of the members of a jury."""

from collections.abc import Mapping, Sequence

from hallascope.data.records import LETTERS
from hallascope.data.requests import LEFT_OPEN, Answer, Ask, Failure, MemberReply, Reply
from hallascope.metrics.juries.members import choice_answer
from hallascope.metrics.juries.votes import Vote, VoteRule, winning_choice
from hallascope.metrics.replies.letters import read_letter
from hallascope.metrics.scene_graph.words.replies import read_word_choice

NO_CHOICES = "A jury votes among choices, and this question has none: ask it of a single judge."
TIED = "The votes of the jury are tied."


def jury_reply(
    ask: Ask,
    members: Sequence[str],
    replies: Sequence[Reply],
    rule: VoteRule = "majority",
    accuracies: Mapping[str, float] | None = None,
) -> Answer | Failure:
    """Return what a jury replies to a question, of one reply of each member, in their order.

    The members that answered decide; where none did, the reply is a failure with the reason of the
    first. It is a failure too while a member has not been asked to the end, as the run was stopped
    or its budget used up. A tie that nobody breaks (`winning_choice`) is an answer that names no
    choice, and so counts neither as right nor as wrong.
    """
    if not ask.choices:
        return Failure("refused", NO_CHOICES)
    failures = [reply for reply in replies if isinstance(reply, Failure)]
    for failure in failures:
        if failure.kind in LEFT_OPEN:
            return failure
    answers = tuple(
        _member_reply(member, reply) for member, reply in zip(members, replies, strict=True)
    )
    if len(failures) == len(answers):
        first = failures[0]
        message = f"No member of the jury answered. {answers[0].member}: {first.message}"
        return Failure(first.kind, message, first.attempts)
    votes = [
        Vote(member, choice, reply.probabilities or ())
        for member, reply in zip(members, replies, strict=True)
        if isinstance(reply, Answer)
        and (choice := voted_choice(reply.text, ask.choices, ask.question)) is not None
    ]
    winner = winning_choice(votes, len(ask.choices), rule, accuracies)
    text = TIED if votes else next(answer.text for answer in answers if not answer.failure)
    if winner is not None:
        text = choice_answer(ask.choices, winner).text
    return Answer(text, members=answers)


def voted_choice(text: str, choices: Sequence[str], question: str = "") -> int | None:
    """Return the place of the choice that a member's reply names, None where it names none."""
    plain = [choice.strip(" .").casefold() for choice in choices]
    own = text.strip(" .").casefold()
    if plain.count(own) == 1:
        return plain.index(own)
    if not text:
        return None
    if len(choices) > len(LETTERS):  # choices without letters, as of a color
        named = read_word_choice(text, choices)
        return choices.index(named) if named in choices else None
    letter = read_letter(text, choices, question)
    return None if letter is None else LETTERS.index(letter)


def _member_reply(member: str, reply: Reply) -> MemberReply:
    if isinstance(reply, Answer):
        return MemberReply(member, reply.text)
    message = reply.message if isinstance(reply, Failure) else f"It gave {type(reply).__name__}."
    return MemberReply(member, failure=message)
