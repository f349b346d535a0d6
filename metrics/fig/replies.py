"""Reading a writer's reply as the things that a prompt names, for FiG.

It knows no picture and no model.
"""

from collections.abc import Mapping

from hallascope.data.files.tidy import line
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking

MOST = 40
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"phrases": {"type": "array", "items": {"type": "string"}}},
    "required": ["phrases"],
    "additionalProperties": False,
}


def parse_phrases(text: str) -> tuple[str, ...] | None:
    """The phrases of a reply, each once, at most `MOST`.

    () where it says that there are none, None where nothing can be read.
    """
    for piece in structured.objects(strip_thinking(text), ("phrases",)):
        phrases = piece.fields.get("phrases")
        if isinstance(phrases, list) and all(isinstance(phrase, str) for phrase in phrases):
            each = {
                line(phrase).casefold(): line(phrase)[:100] for phrase in phrases if line(phrase)
            }
            return tuple(each.values())[:MOST] if each or not phrases else None
    return None
