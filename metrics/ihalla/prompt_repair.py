"""Plans the repair of a prompt: a more explicit one, from the questions its image got wrong.

I-HallA's appendix A and figure 6: an image and its prompt are shown to GPT-4o, which suggests
another prompt; the image is made again, and the same is repeated while it stays hallucinated. Here
the writer is told which questions of the prompt were answered wrongly, what was expected and what
the judge saw; it sees no image. Nothing here calls a model.
"""

from collections.abc import Sequence
from pathlib import Path

from hallascope.data.files.tidy import line
from hallascope.data.records import STATED_FACTS, Report, Verdict
from hallascope.data.requests import Answer, Reply, Request, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import PlanSteps
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, label_pattern, object_schema
from hallascope.metrics.written import Written, ask_writer

SCHEMA = object_schema(prompt=TEXT)
MOST_CHARACTERS = 2000  # of a refined prompt
_LABEL = label_pattern(r"[\"']?(?:(?:new|refined|alternative) )?prompt[\"']?")
_QUOTES = "\"'“”‘’` "
_UNREADABLE = (
    "The writer's reply holds no prompt: ask again, choose another writer, or leave the writer out,"
    " so that the facts are added by rule."
)
_SAME = "The writer gave the same prompt again: choose another writer."


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
) -> PlanSteps[Written[str]]:
    """Plan one writing of a more explicit prompt.

    `prompt` is the one that was asked for first, `current` the one whose image got the questions
    `wrong`. `prompts`: a folder whose template goes before ours. Raises TemplateError, before
    anything is asked, where it cannot be used.
    """
    form = template("ihalla_repair", prompts)
    values = {"caption": line(prompt), "current": line(current), "wrong": _wrong_lines(wrong)}
    written = yield from ask_writer(
        Write(form.fill(values), form.version, SCHEMA),
        lambda answer: None if answer.truncated else parse_refined_prompt(answer.text) or None,
        _UNREADABLE,
    )
    if written.value and written.value.casefold() == line(current).casefold():
        return Written(problem=_SAME)
    return written


def likely_request(prompt: str) -> Write:
    """Return a request as long as one that is likely to be sent, for an estimate."""
    form = template("ihalla_repair")
    values = {"caption": prompt, "current": prompt * 3, "wrong": "- What is it? A fact. " * 3}
    return Write(form.fill(values), form.version, SCHEMA)


def parse_refined_prompt(text: str) -> str:
    """Return the one prompt of a reply: in JSON, after a label, or as its one line.

    "" where there is none, several, or one too long. Never raises.
    """
    text = strip_thinking(text)
    objects = structured.objects(text, ("prompt",))
    if objects:
        try:
            prompts = {_unquoted(structured.text_of(item.fields, "prompt")) for item in objects}
        except ValueError:
            return ""
    else:
        labeled = [words for _, words in structured.labeled_texts(_LABEL, text)] or [text]
        lines = [text_line for text_line in labeled[0].splitlines() if text_line.strip("`*# ")]
        if len(labeled) > 1 or len(lines) != 1 or lines[0].lstrip().startswith(("{", "[")):
            return ""
        prompts = {_unquoted(lines[0])}
    found = prompts.pop() if len(prompts) == 1 else ""
    return found if len(found) <= MOST_CHARACTERS else ""


def _unquoted(text: str) -> str:
    return line(text).strip(_QUOTES)


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
