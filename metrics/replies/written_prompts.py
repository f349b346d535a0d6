"""Reads a prompt that a writer wrote: in JSON, after a label, or as the one line of a reply."""

from hallascope.data.files.tidy import line
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, label_pattern, object_schema

SCHEMA = object_schema(prompt=TEXT)
_LABEL = label_pattern(r"[\"']?(?:(?:new|refined|alternative) )?prompt[\"']?")
_QUOTES = "\"'“”‘’` "


def read_written_prompt(text: str) -> str:
    """Return the one prompt of a reply, "" where it holds none or several. Never raises."""
    text = strip_thinking(text)
    objects = structured.objects(text, ("prompt",))
    if objects:
        try:
            prompts = {_unquoted(structured.text_of(item.fields, "prompt")) for item in objects}
        except ValueError:
            return ""
        return prompts.pop() if len(prompts) == 1 else ""
    labeled = [words for _, words in structured.labeled_texts(_LABEL, text)] or [text]
    lines = [text_line for text_line in labeled[0].splitlines() if text_line.strip("`*# ")]
    if len(labeled) > 1 or len(lines) != 1 or lines[0].lstrip().startswith(("{", "[")):
        return ""
    return _unquoted(lines[0])


def _unquoted(text: str) -> str:
    return line(text).strip(_QUOTES)
