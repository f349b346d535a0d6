"""Limits how long the reply of each role may be.

A reply over its limit becomes a `Failure` that shows how it begins: its question is left out and
counted, and the rest of the run goes on. Such a reply is not cut and read, as what comes after the
cut may say the opposite.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from hallascope.data.files.tidy import line as one_line
from hallascope.data.requests import Answer, Failure, Reply, TextRead
from hallascope.metrics.replies.letters import strip_thinking

# Characters, without the thoughts of a reasoning model; many times what the templates ask for.
LONGEST: Mapping[str, int] = {
    "judge": 20_000,
    "captioner": 4_000,
    "writer": 40_000,
    "parser": 40_000,
    "reader": 10_000,
}
WITH_THOUGHTS = 400_000  # characters of a whole reply with its thoughts
SHOWN = 200  # characters of a reply over its limit that are kept
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of surrogate pairs


def limit_length(reply: Reply, role: str, who: str) -> Reply:
    """Return the reply of a role, or a Failure ("broken") where it exceeds its `LONGEST`.

    `who` names the model in the sentence of the failure. Characters that no store can keep become
    U+FFFD.
    """
    match reply:
        case Answer():
            text = _storable(reply.text)
            length = _excessive_length(text, role)
            if length:
                return _too_long(length, text, role, who, reply)
            return reply if text == reply.text else replace(reply, text=text)
        case TextRead():
            lines = tuple(replace(line, text=_storable(line.text)) for line in reply.lines)
            length = sum(len(line.text) for line in lines)
            if length > LONGEST.get(role, length):
                text = " ".join(line.text for line in lines[:SHOWN])
                return _too_long(length, text, role, who, reply)
            return reply if lines == reply.lines else replace(reply, lines=lines)
        case _:
            return reply


def _excessive_length(text: str, role: str) -> int:
    """Return the length in characters of a reply that is over its limit, 0 of any other."""
    if len(text) > WITH_THOUGHTS:
        return len(text)
    longest = LONGEST.get(role, WITH_THOUGHTS)
    length = len(text) if len(text) <= longest else len(strip_thinking(text))
    return length if length > longest else 0


def _too_long(length: int, text: str, role: str, who: str, reply: Answer | TextRead) -> Failure:
    most = LONGEST.get(role, WITH_THOUGHTS)
    start = one_line(text[:SHOWN])
    message = (
        f"The reply of the {who} has {length:,} characters and at most {most:,} are read: it was"
        f" left out. It begins “{start}”."
    )
    return Failure("broken", message, usage=reply.usage)


def _storable(text: str) -> str:
    return _UNSTORABLE.sub("\ufffd", text)
