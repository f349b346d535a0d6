"""Reads the prompt of a case: by rules, or by the parser of the line-up.

What a person corrected goes before both. Where a parser fails, the rules read the prompt in its
place, and a sentence says so. What the rules are not sure of has no score.
"""

from dataclasses import dataclass, replace

from hallascope.data.prompt_reading import PromptReading
from hallascope.data.requests import LEFT_OPEN, Answer, Failure, ReadPrompt, Reply, Request
from hallascope.data.wordings.templates import Template
from hallascope.metrics.base import Case, PlanSteps, text_reply
from hallascope.metrics.reading.confidence import System, doubt, is_sure
from hallascope.metrics.reading.differences import reading_differences
from hallascope.metrics.reading.model_reading import parse_model_reading, reading_request
from hallascope.metrics.reading.prompt import read_prompt

ACCEPTED = "The rules are not sure of this reading of the prompt; it was accepted unseen."


@dataclass(frozen=True)
class CaseReading:
    """Holds what the prompt of a case asks for, and a sentence for each thing to know about it.

    `version` is a part of the version of a report: that of the template where a model read the
    prompt, or might have read it before a person did; "" where rules alone did.
    """

    reading: PromptReading
    notes: tuple[str, ...] = ()
    version: str = ""


def read_case(
    case: Case, form: Template, system: System, describing: frozenset[str] = frozenset()
) -> PlanSteps[CaseReading]:
    """Return what the prompt of a case asks for.

    What a person says goes before all. The parser of the line-up reads what the rules cannot read
    or are not sure of for a system, and everything where the case asks for a model. Where the rules
    alone are left and not sure, the reading is `unreadable`, unless the case accepts it.

    `form` is the template ``prompt_reading``, `describing` is as in `parser.parse`. A reading that
    nobody could make is `unreadable`. Raises ParserMissing.
    """
    has_parser = "parser" in case.roles and case.prompt_reader != "rules"
    # one version, whoever read: the scores of a run are averaged over its prompts
    version = parser_version(form) if has_parser else ""
    if has_parser and case.prompt_reader == "auto":
        version += "-auto"
    if case.reading is not None:
        return CaseReading(case.reading, version=version)
    rules = read_prompt(case.prompt, describing)
    is_settled = not rules.unreadable and is_sure(rules, system)
    if has_parser and (case.prompt_reader == "model" or not is_settled):
        parsed = yield from ask_parser(case.prompt, form)
        read = choose_reading(rules, parsed, form)
    else:
        read = CaseReading(rules)
    if case.prompt_reader == "auto":
        read = replace(read, version=version)
    return score_if_sure(read, system, accepted=case.accept_readings)


def score_if_sure(read: CaseReading, system: System, *, accepted: bool) -> CaseReading:
    """Return a reading as it is scored: not at all where the rules made it and are not sure."""
    sentence = doubt(read.reading, system)
    if not sentence:
        return read
    if accepted:
        return replace(read, notes=(*read.notes, ACCEPTED))
    reading = PromptReading(prompt=read.reading.prompt, unreadable=sentence)
    return replace(read, reading=reading)


def ask_parser(prompt: str, form: Template) -> PlanSteps[PromptReading | Failure]:
    """Return what the parser of the line-up reads from a prompt, or why it reads nothing."""
    (reply,) = yield [reading_request(prompt, form)]
    return parse_reply(prompt, reply)


def choose_reading(
    rules: PromptReading, parsed: PromptReading | Failure, form: Template
) -> CaseReading:
    """Return the reading of a parser, with what the rules read otherwise.

    Where there is none, it is that of the rules. A parser that does not say in which language a
    prompt is knows English alone.
    """
    if isinstance(parsed, PromptReading) and not parsed.language:
        if rules.language:
            parsed = replace(parsed, language=rules.language)
        else:
            parsed = Failure("outside", "It reads English only, and the prompt is not English.")
    if isinstance(parsed, PromptReading):
        notes = reading_differences(rules, parsed)
        return CaseReading(parsed, notes, parser_version(form))
    reason = parsed.message
    # where the same run asks the parser again, no other reading may stand in its place
    if rules.unreadable or parsed.kind in LEFT_OPEN:
        sentence = f"The parser gave no reading of the prompt, so there is no score: {reason}"
        return CaseReading(PromptReading(prompt=rules.prompt, unreadable=sentence, language=""))
    sentence = f"The parser gave no reading, so the rules read the prompt: {reason}"
    return CaseReading(rules, (sentence,))


def parser_version(form: Template) -> str:
    """Return the part of a version that says with which template a model read the prompt."""
    return f"+parser-{form.version}"


def parse_reply(prompt: str, reply: Reply) -> PromptReading | Failure:
    """Return the reading of a parser's reply, or why there is none.

    Raises TypeError where the reply is no text.
    """
    answer = text_reply(reply, "parser")
    if isinstance(answer, Failure):
        return answer
    if answer.truncated:
        return Failure("broken", "Its reply was cut off at its limit of tokens.")
    reading = parse_model_reading(prompt, answer.text)
    return reading or Failure("broken", "Its reply cannot be read.")


def is_readable_reading(request: Request, reply: Reply) -> bool:
    """Return whether the reply of a parser can be read, so that it is worth keeping."""
    if not isinstance(request, ReadPrompt) or not isinstance(reply, Answer):
        return False
    return isinstance(parse_reply(request.prompt, reply), PromptReading)
