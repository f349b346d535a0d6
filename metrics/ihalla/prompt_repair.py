"""Plans the repair of a prompt: a more explicit one, from the questions its image got wrong.

I-HallA's appendix A and figure 6: an image and its prompt are shown to GPT-4o, which suggests
another prompt; the image is made again, and the same is repeated while it stays hallucinated. Here
the writer is told which questions of the prompt were answered wrongly, what was expected and what
the judge saw; it sees no image. Nothing here calls a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hallascope.data.files.tidy import line
from hallascope.data.records import STATED_FACTS, Report, Verdict
from hallascope.data.requests import Answer, Failure, Reply, Request, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import PlanSteps, text_reply
from hallascope.metrics.replies.written_prompts import SCHEMA, read_written_prompt

MOST_CHARACTERS = 2000  # of a refined prompt
_UNREADABLE = (
    "The writer's reply holds no prompt: ask again, choose another writer, or leave the writer out,"
    " so that the facts are added by rule."
)
_SAME = "The writer gave the same prompt again: choose another writer."


@dataclass(frozen=True, kw_only=True)
class RefinedPrompt:
    """Holds a more explicit prompt; `text` is "" where `problem` says why there is none.

    `raw` is the reply, `templates` are versions by name.
    """

    text: str = ""
    problem: str = ""
    raw: str = ""
    templates: Mapping[str, str] = field(default_factory=dict)


def wrong_verdicts(report: Report) -> tuple[Verdict, ...]:
    """Return the questions that were answered wrongly; what has no answer is not wrong.

    Neither is a right answer that counts as incorrect because of a question that it depends on.
    """
    return tuple(
        verdict
        for verdict in report.verdicts
        if verdict.state in ("incorrect", "abstained") and verdict.answer != verdict.question.gold
    )


def add_facts(prompt: str, wrong: Sequence[Verdict]) -> str:
    """Return the prompt with the facts that its image got wrong, each once: a rule, no writer.

    Facts that the prompt states already stay. A prompt that would be too long stays as it is.
    """
    plain, separator, stated = prompt.partition(STATED_FACTS)
    facts = [fact for fact in stated.rstrip(".").split("; ") if fact] if separator else []
    for verdict in wrong:
        fact = _fact(verdict)
        if fact not in facts:
            facts.append(fact)
    if not facts:
        return prompt
    refined = f"{plain.rstrip('. ')}{STATED_FACTS}{'; '.join(facts)}."
    return refined if len(refined) <= MOST_CHARACTERS else prompt


def ask_refined_prompt(
    prompt: str, current: str, wrong: Sequence[Verdict], *, prompts: Path | None = None
) -> PlanSteps[RefinedPrompt]:
    """Plan one writing of a more explicit prompt.

    `prompt` is the one that was asked for first, `current` the one whose image got the questions
    `wrong`. `prompts`: a folder whose template goes before ours. Raises TemplateError, before
    anything is asked, where it cannot be used.
    """
    form = template("ihalla_repair", prompts)
    values = {"caption": line(prompt), "current": line(current), "wrong": _wrong_lines(wrong)}
    (reply,) = yield [Write(form.fill(values), form.version, SCHEMA)]
    versions = {form.path.stem: form.version}
    answer = text_reply(reply, "writer")
    if isinstance(answer, Failure):
        return RefinedPrompt(problem=answer.message, templates=versions)
    text = "" if answer.truncated else parse_refined_prompt(answer.text)
    problem = "" if text else _UNREADABLE
    if text and text.casefold() == line(current).casefold():
        text = ""
        problem = _SAME
    return RefinedPrompt(text=text, problem=problem, raw=answer.text, templates=versions)


def likely_request(prompt: str) -> Write:
    """Return a request as long as one that is likely to be sent, for an estimate."""
    form = template("ihalla_repair")
    values = {"caption": prompt, "current": prompt * 3, "wrong": "- What is it? A fact. " * 3}
    return Write(form.fill(values), form.version, SCHEMA)


def parse_refined_prompt(text: str) -> str:
    """Return the one prompt of a reply, "" where there is none, several, or one too long."""
    found = read_written_prompt(text)
    return found if len(found) <= MOST_CHARACTERS else ""


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a reply is worth keeping in a cache."""
    return (
        isinstance(reply, Answer) and not reply.truncated and bool(parse_refined_prompt(reply.text))
    )


def _fact(verdict: Verdict) -> str:
    question = verdict.question
    expected = line(question.choice(question.gold)).rstrip(".").replace("; ", ", ")
    return f"{line(question.text).replace('; ', ', ')} {expected}"


def _wrong_lines(wrong: Sequence[Verdict]) -> str:
    """Return each question with what is right and what the judge saw, a line each."""
    lines = []
    for verdict in wrong:
        question = verdict.question
        seen = "nothing that fits"
        if verdict.answer and verdict.state == "incorrect":
            seen = line(question.choice(verdict.answer))
        expected = line(question.choice(question.gold))
        lines.append(f"- {line(question.text)} It should show: {expected}. It shows: {seen}.")
    return "\n".join(lines)
