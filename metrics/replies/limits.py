"""How long the reply of each role may be, and what becomes of a longer one.

It knows no metric and no model.

A reply over its limit is a `Failure` that shows how it begins: what was asked is left out and
counted, and the rest of the run goes on. It is not cut and read, as what stands behind the cut may
say the opposite.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from hallascope.data.files.tidy import line
from hallascope.data.requests import Answer, Failure, Reply, TextRead
from hallascope.metrics.replies.letters import strip_thinking

# characters, without what a reasoning model thinks aloud; many times what the templates ask for
LONGEST: Mapping[str, int] = {
    "judge": 20_000,
    "captioner": 4_000,
    "writer": 40_000,
    "reader": 10_000,
}
WITH_THOUGHTS = 400_000  # characters of a whole reply, thoughts among them
SHOWN = 200  # characters of a reply over its limit that are kept
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of surrogate pairs


def bounded(reply: Reply, role: str, who: str) -> Reply:
    """Return the reply of a role, or a Failure ("broken") where it exceeds its `LONGEST`.

    `who` names the model in the sentence of the failure. Characters that no store can keep become
    U+FFFD.
    """
    match reply:
        case Answer():
            text = _storable(reply.text)
            over = _excess(text, role)
            return _too_long(over, text, role, who, reply) if over else _with_text(reply, text)
        case TextRead():
            lines = tuple(replace(one, text=_storable(one.text)) for one in reply.lines)
            length = sum(len(one.text) for one in lines)
            if length > LONGEST.get(role, length):
                return _too_long(
                    length, " ".join(one.text for one in lines[:SHOWN]), role, who, reply
                )
            return reply if lines == reply.lines else replace(reply, lines=lines)
        case _:
            return reply


def _excess(text: str, role: str) -> int:
    """The length of a reply that is over its limit, in characters; 0 where it is not."""
    if len(text) > WITH_THOUGHTS:
        return len(text)
    longest = LONGEST.get(role, WITH_THOUGHTS)
    length = len(text) if len(text) <= longest else len(strip_thinking(text))
    return length if length > longest else 0


def _too_long(length: int, text: str, role: str, who: str, reply: Answer | TextRead) -> Failure:
    most = LONGEST.get(role, WITH_THOUGHTS)
    start = line(text[:SHOWN])
    message = (
        f"The reply of the {who} has {length:,} characters and at most {most:,} are read: it was"
        f" left out. It begins “{start}”."
    )
    return Failure("broken", message, usage=reply.usage)


def _with_text(reply: Answer, text: str) -> Answer:
    return reply if text == reply.text else replace(reply, text=text)


def _storable(text: str) -> str:
    return _UNSTORABLE.sub("\ufffd", text)
