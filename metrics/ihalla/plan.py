"""Plans I-HallA: multiple-choice questions to a judge about one picture.

The source is Lim, Choi and Shim, AAAI 2025.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

from hallascope.data.records import (
    LETTERS,
    NONE_OF_THE_ABOVE,
    Difficulty,
    Letter,
    MemberAnswer,
    Question,
    Report,
    Score,
    State,
    Verdict,
)
from hallascope.data.requests import Answer, Ask, Failure, MemberReply, Reply, Request
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, text_reply
from hallascope.metrics.replies.letters import read_letter, unread_reason

NAME = "ihalla"
SCORES = (ScoreSpec("score", "Score"), ScoreSpec("strict", "Strict"))
READING = 4  # raise it with every change of a reading or scoring rule


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Its version is `READING` and the template's.

    Raises TemplateError where the folder's ``ihalla_ask.txt`` cannot be used.
    """
    ask = template("ihalla_ask", prompts)
    return Metric(
        name=NAME,
        title="I-HallA",
        definition=(
            "I-HallA: the share of questions where the judge saw what a correct image would"
            " show (0 to 1)."
        ),
        caveat="Errors that no question covers are not found.",
        version=version(ask),
        required_roles=("judge",),
        plan=partial(plan, ask=ask),
        scores=SCORES,
        presents="questions",
        readable=readable,
        judge_template="ihalla_ask",
    )


def version(ask: Template) -> str:
    """Return the version of the metric with this template."""
    return f"{READING}+{ask.version}"


def plan(case: Case, ask: Template | None = None) -> Plan:
    """Plan one step: every question of the case to the judge, image first.

    The prompt is not shown (paper, appendix J).

    Raises ValueError where a question has five choices without "None of the above".
    """
    ask = ask or template("ihalla_ask")
    questions = [add_none_of_the_above(question) for question in case.questions]
    replies = yield [request(case, question, ask) for question in questions]
    verdicts = tuple(
        question_verdict(question, reply)
        for question, reply in zip(questions, replies, strict=True)
    )
    return report(case, tuple(_with_parents(own, verdicts) for own in verdicts), version(ask))


def _with_parents(verdict: Verdict, verdicts: tuple[Verdict, ...]) -> Verdict:
    """Return the verdict of a question, incorrect where one that it depends on is not answered so.

    As in DSG (Cho et al., ICLR 2024, section 3): "is the car red?" is wrong where there is no car.
    """
    waiting, seen = list(verdict.question.parents), set[int]()
    while waiting:
        number = waiting.pop()
        if number in seen or not 1 <= number <= len(verdicts):
            continue
        seen.add(number)
        parent = verdicts[number - 1]
        if is_answered(verdict) and parent.state in ("incorrect", "abstained"):
            reason = f"Question {number}, on which it depends, is answered otherwise."
            return replace(verdict, state="incorrect", failure=reason)
        waiting += parent.question.parents
    return verdict


def request(case: Case, question: Question, ask: Template) -> Ask:
    """Return the request of one question about the picture, with a letter before each choice."""
    choices = "\n".join(
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, question.choices, strict=False)
    )
    values = {"question": question.text, "choices": choices, "none": none_letter(question) or ""}
    return Ask(
        images=(case.image,),
        text=ask.fill(values),
        question=question.text,
        choices=question.choices,
        template=ask.version,
    )


def question_verdict(question: Question, reply: Reply) -> Verdict:
    """Return what became of a question: the letter as read, its state, and the raw reply.

    Raises TypeError where the reply is no text, which no judge gives.
    """
    answer = text_reply(reply, "judge")
    if isinstance(answer, Failure):
        return Verdict(
            question=question, answer=None, state="failed", raw="", failure=answer.message
        )
    letter = read_letter(answer.text, question.choices, question.text)
    return Verdict(
        question=question,
        answer=letter,
        state=state(question, letter),
        raw=answer.text,
        failure=None if letter else unread_reason(answer.text, truncated=answer.truncated),
        probability=probability(question, letter, answer),
        members=tuple(member_answer(question, reply) for reply in answer.members),
    )


def member_answer(question: Question, reply: MemberReply) -> MemberAnswer:
    """Return what a member of a jury answered to a question, with its letter as read."""
    return MemberAnswer(
        member=reply.member,
        answer=read_letter(reply.text, question.choices, question.text),
        raw=reply.text,
        failure=reply.failure or None,
    )


def readable(request: Request, reply: Reply) -> bool:
    """Return whether the reply to one of our questions names one choice."""
    return (
        isinstance(request, Ask)
        and isinstance(reply, Answer)
        and read_letter(reply.text, request.choices, request.question) is not None
    )


def state(question: Question, letter: Letter | None) -> State:
    """Return the state of a question answered with a letter, None where none could be read.

    The letter of "None of the above" abstains where it is not the right answer.
    """
    if letter is None:
        return "unreadable"
    if letter == question.gold:
        return "correct"
    if letter == none_letter(question):
        return "abstained"
    return "incorrect"


def probability(question: Question, letter: Letter | None, answer: Answer) -> float | None:
    """Return the judge's own probability of the letter, where it has one for every choice."""
    probabilities = answer.probabilities
    if letter is None or probabilities is None or len(probabilities) != len(question.choices):
        return None
    return probabilities[LETTERS.index(letter)]


def report(case: Case, verdicts: tuple[Verdict, ...], of_version: str, name: str = NAME) -> Report:
    """Return the scores of one image: "score" and "strict", and both as published.

    The first two are over what was answered, the others under the published policy.
    """
    scores = {"score": score(verdicts), "strict": strict(verdicts)}
    return Report(
        metric=name,
        version=of_version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores=scores,
        verdicts=verdicts,
        published=published_scores(verdicts),
    )


def score(verdicts: tuple[Verdict, ...]) -> Score:
    """Return correct / answered, in [0, 1] (paper, equation 1, inner mean).

    None where nothing was answered. Counts questions.
    """
    answered = sum(map(is_answered, verdicts))
    value = correct(verdicts) / answered if answered else None
    return Score(value, answered, len(verdicts) - answered)


def strict(verdicts: tuple[Verdict, ...]) -> Score:
    """Return 1 where every question is correct, else 0 (the dagger of table 3). Counts the image.

    The image is left out where any question is unanswered, also where another is wrong already.
    """
    if not verdicts:
        return Score(None, 0, 0)
    if not all(map(is_answered, verdicts)):
        return Score(None, 0, 1)
    return Score(float(correct(verdicts) == len(verdicts)), 1, 0)


def published_scores(verdicts: tuple[Verdict, ...]) -> dict[str, float | None]:
    """Return both scores as the paper counts: an unreadable or failed answer is wrong."""
    if not verdicts:
        return {"score": None, "strict": None}
    right = correct(verdicts)
    return {"score": right / len(verdicts), "strict": float(right == len(verdicts))}


def correct(verdicts: tuple[Verdict, ...]) -> int:
    """Return how many verdicts are correct."""
    return sum(verdict.state == "correct" for verdict in verdicts)


def is_answered(verdict: Verdict) -> bool:
    """Return whether the judge gave an answer, "None of the above" included."""
    return verdict.state in ("correct", "incorrect", "abstained")


def is_none_of_the_above(choice: str) -> bool:
    """Return whether a choice is "None of the above", in any case and with a full stop or not."""
    return choice.strip().strip(".").casefold() == NONE_OF_THE_ABOVE.casefold()


def none_letter(question: Question) -> Letter | None:
    """Return the letter of "None of the above", None where the question lacks that choice."""
    for letter, choice in zip(LETTERS, question.choices, strict=False):
        if is_none_of_the_above(choice):
            return letter
    return None


def add_none_of_the_above(question: Question) -> Question:
    """Return the question with "None of the above" as its last choice, added where it lacks it.

    Raises ValueError where five other choices leave no letter for it.
    """
    if none_letter(question):
        return question
    if len(question.choices) >= len(LETTERS):
        raise ValueError(
            f"the question {question.text!r} has five choices without {NONE_OF_THE_ABOVE!r}: give"
            " at most four others"
        )
    return replace(question, choices=(*question.choices, NONE_OF_THE_ABOVE))


def difficulty(right: int) -> Difficulty:
    """Return the difficulty of a picture that a judge called "Normal" or "Weird" five times.

    Paper, table 1: 0-1 right is hard, 2-3 medium, 4-5 easy.

    Raises ValueError outside 0 to 5.
    """
    if not 0 <= right <= 5:
        raise ValueError(
            f"{right!r} of five answers cannot be right: give a whole number from 0 to 5"
        )
    if right < 2:
        return "hard"
    if right < 4:
        return "medium"
    return "easy"
