"""Says why a prompt that names nothing, or only asks a question, cannot be read.

Other languages and gibberish are told by `words.english`.
"""

import re

from hallascope.data.prompt_reading import PromptReading

NO_OBJECT = (
    "The prompt names no object that an image could show, so there is no score: name what the"
    " image shows."
)
QUESTION = (
    "The prompt asks a question and does not say what the image shows, so there is no score:"
    " write what the image shows."
)
_QUESTION = re.compile(
    r"\s*(?:why|how|when|where|who|whose|whom|which|what|is|are|was|were|do|does|did|has|have|had"
    r"|can|could|will|would|shall|should|may|might|am)\b[^.!?\"“]*\?\s*",
    re.IGNORECASE,
)
# these ask for a picture: "can you draw a cat?", "what would a cat on Mars look like?"
_REQUEST = re.compile(
    r"\s*(?:(?:can|could|will|would|may|might)\s+(?:you|i|we)\b|(?:what|how)\s+(?:about|if)\b"
    r"|[^?]*\blooks?\s+like\b)",
    re.IGNORECASE,
)


def unreadable_reason(reading: PromptReading) -> str:
    """Return why a reading is of no use: it has no object and no text, or is of a question.

    "" where it is of use.
    """
    if _QUESTION.fullmatch(reading.prompt) and not _REQUEST.match(reading.prompt):
        return QUESTION
    return "" if reading.objects or reading.texts else NO_OBJECT
