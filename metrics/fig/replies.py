"""Reads replies for FiG: the things that a prompt names, descriptions, and the meta-caption."""

import re

from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.requests import Answer, Failure
from hallascope.metrics.reading import parser
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, array_of, object_schema

MOST = 40
LONGEST = 100  # characters of a phrase
SCHEMA = object_schema(phrases=array_of(TEXT))
_MARKS = re.compile(r"[*_`#]+")
_RUN_ON = re.compile(r"(?<![.!?,;:])\n")


def parse_phrases(text: str) -> tuple[str, ...] | None:
    """Return the phrases of a reply, each once, at most `MOST`.

    () where it says that there are none, None where nothing can be read.
    """
    for item in structured.objects(strip_thinking(text), ("phrases",)):
        phrases = item.fields.get("phrases")
        if isinstance(phrases, list) and all(isinstance(phrase, str) for phrase in phrases):
            names = [line(phrase) for phrase in phrases]
            distinct = {name.casefold(): name[:LONGEST] for name in names if name}
            return tuple(distinct.values())[:MOST] if distinct or not phrases else None
    return None


def reply_text(answer: Answer) -> str:
    """Return the words of a reply on one line, without marks of emphasis and of lists."""
    text = paragraphs(strip_thinking(answer.text))
    lines = [_MARKS.sub("", part).strip(" -•\t") for part in text.splitlines()]
    return _RUN_ON.sub(", ", "\n".join(part for part in lines if part)).replace("\n", " ")


def read_meta_caption(answer: Answer) -> str | Failure:
    """Return a writer's meta-caption, or what is wrong with it."""
    text = reply_text(answer)
    if answer.truncated:
        return Failure("broken", "its reply breaks off.")
    if len(text) > parser.LONGEST:
        return Failure(
            "broken",
            f"its reply has {len(text):,} characters, and at most {parser.LONGEST:,} are read.",
        )
    return text or Failure("empty", "its reply is empty.")
