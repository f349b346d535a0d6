"""Plans the writing of other versions of a prompt that ask for the same image.

A probe uses them: the words or the language of a prompt vary, and its facts stay. Nothing here
calls a model.
"""

from collections.abc import Mapping
from pathlib import Path

from hallascope.data.files.tidy import line
from hallascope.data.requests import Answer, Reply, Request, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import PlanSteps
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, array_of, object_schema
from hallascope.metrics.written import Written, ask_writer

MOST_CHARACTERS = 2000  # of one version
FEWEST = 2  # versions that a reply must hold
SCHEMA = object_schema(versions=array_of(object_schema(label=TEXT, prompt=TEXT)))
_UNREADABLE = (
    "The writer's reply holds fewer than two versions of the prompt: ask again, or choose another"
    " writer."
)


PromptVariants = Written[Mapping[str, str]]  # by label


def ask_prompt_variants(
    prompt: str, versions: Mapping[str, str], *, texts: Path | None = None
) -> PlanSteps[PromptVariants]:
    """Plan one writing of versions; `versions` says by label how each differs.

    `texts`: a folder whose template goes before ours. Raises TemplateError, before anything is
    asked, where it cannot be used.
    """
    return ask_writer(
        _request(prompt, versions, texts),
        lambda answer: _wanted(prompt, versions, answer),
        _UNREADABLE,
    )


def likely_variants_request(prompt: str, versions: Mapping[str, str]) -> Write:
    """Return a request as long as one that is likely to be sent, for an estimate."""
    return _request(prompt, versions, None)


def parse_prompt_variants(text: str) -> dict[str, str]:
    """Return the versions of a reply by their label; those that are no short text are left out.

    Where a label stands twice, the first counts. Never raises.
    """
    versions: dict[str, str] = {}
    for each in structured.objects(strip_thinking(text), ("label",)):
        try:
            label = line(structured.text_of(each.fields, "label"))
            prompt = line(structured.text_of(each.fields, "prompt"))
        except ValueError:
            continue
        if label and prompt and len(prompt) <= MOST_CHARACTERS:
            versions.setdefault(label, prompt)
    return versions


def are_readable_variants(
    request: Request, reply: Reply, *, prompt: str, versions: Mapping[str, str]
) -> bool:
    """Return whether a reply holds enough of what was asked for to be kept in a cache."""
    return isinstance(reply, Answer) and _wanted(prompt, versions, reply) is not None


def _request(prompt: str, versions: Mapping[str, str], texts: Path | None) -> Write:
    form = template("prompt_variants", texts)
    lines = "\n".join(f"- {label}: {how}" for label, how in versions.items())
    return Write(form.fill({"caption": line(prompt), "versions": lines}), form.version, SCHEMA)


def _wanted(prompt: str, versions: Mapping[str, str], answer: Answer) -> Mapping[str, str] | None:
    """Return the versions that were asked for, in their order, each text once.

    None where there are fewer than two, as in a reply that was cut off.
    """
    found = {} if answer.truncated else parse_prompt_variants(answer.text)
    by_name = {label.casefold(): text for label, text in found.items()}
    seen = {line(prompt).casefold()}
    wanted: dict[str, str] = {}
    for label in versions:
        text = by_name.get(label.casefold(), "")
        if text and text.casefold() not in seen:
            seen.add(text.casefold())
            wanted[label] = text
    return wanted if len(wanted) >= FEWEST else None
