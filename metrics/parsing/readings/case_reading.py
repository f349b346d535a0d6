"""Reads the prompt of a case: by rules, or by the parser of the line-up.

What a person corrected goes before both. A parser that fails is no score: the rules read the prompt
in its place, and a sentence says so.
"""

from dataclasses import dataclass, replace

from hallascope.data.prompt_reading import PromptReading
from hallascope.data.requests import Answer, Failure, ReadPrompt, Reply, Request
from hallascope.data.wordings.templates import Template
from hallascope.metrics.base import Case, PlanSteps, text_reply
from hallascope.metrics.parsing.confidence import doubt
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.readings.differences import reading_differences
from hallascope.metrics.parsing.readings.model_reading import parse_model_reading, reading_request
from hallascope.metrics.parsing.readings.scene_graph_text import parse_scene_graph_text

# after these the same run asks the parser again, so that no other reading may stand in its place
_LEFT_OPEN = ("stopped", "over_budget")


@dataclass(frozen=True)
class CaseReading:
    """Holds what the prompt of a case asks for, and a sentence for each thing to know about it.

    `version` is a part of the version of a report: that of the template where a model read the
    prompt, "" where rules or a person did.
    """

    reading: PromptReading
    notes: tuple[str, ...] = ()
    version: str = ""


def read_case(
    case: Case, form: Template, describing: frozenset[str] = frozenset()
) -> PlanSteps[CaseReading]:
    """Return what the prompt of a case asks for.

    `form` is the template ``prompt_reading``, `describing` is as in `parser.parse`. A reading that
    nobody could make is `unreadable`. Raises TextTooLong and ParserMissing.
    """
    if case.reading is not None:
        return CaseReading(case.reading)
    rules = read_prompt(case.prompt, describing)
    if "parser" not in case.roles:
        return with_doubt(rules)
    parsed = yield from ask_parser(case.prompt, form)
    return choose_reading(rules, parsed, form)


def with_doubt(reading: PromptReading) -> CaseReading:
    """Return a reading with a sentence where the rules, which made it, are not sure of it."""
    sentence = doubt(reading)
    return CaseReading(reading, (sentence,) if sentence else ())


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
    if rules.unreadable or parsed.kind in _LEFT_OPEN:
        sentence = f"The parser gave no reading of the prompt, so there is no score: {reason}"
        return CaseReading(PromptReading(prompt=rules.prompt, unreadable=sentence, language=""))
    sentence = f"The parser gave no reading, so the rules read the prompt: {reason}"
    return CaseReading(rules, (sentence, *with_doubt(rules).notes))


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
    reading = parse_scene_graph_text(prompt, answer.text) or parse_model_reading(
        prompt, answer.text
    )
    return reading or Failure("broken", "Its reply cannot be read.")


def is_readable_reading(request: Request, reply: Reply) -> bool:
    """Return whether the reply of a parser can be read, so that it is worth keeping."""
    if not isinstance(request, ReadPrompt) or not isinstance(reply, Answer):
        return False
    return isinstance(parse_reply(request.prompt, reply), PromptReading)
