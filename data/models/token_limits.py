"""Limits what one call may take: the tokens of its reply, and what a service may count for it."""

import json
from collections.abc import Mapping

from hallascope.data.models.specs import Price
from hallascope.data.requests import (
    Ask,
    Describe,
    Detect,
    Embed,
    Generate,
    Match,
    ReadPrompt,
    ReadText,
    Request,
    Segment,
    Setting,
    Usage,
    Write,
    request_pictures,
)

# how long a reply may be where the settings do not say: a letter with its form, or a text
LETTER_TOKENS = 300
TEXT_TOKENS = 4000
# how much longer it may be where a model reasons before it writes
REASONING_TOKENS = 2000
# A model that reasons and used up its tokens before it wrote is asked once more with so many times
# the limit.
LARGER = 2
FORM_TOKENS = 200  # what services add to a request: the roles of its messages, the form of a letter
# A picture that is not square counts for up to 1.9 times what one of 1024 x 1024 counts for
# (OpenAI: 2048 x 768 against 1024 x 1024).
WIDE = 2
UNKNOWN_PICTURE_TOKENS = 3000  # where a price does not say what one picture counts for


def drawn_tokens(price: Price) -> int:
    """Return how many tokens a picture that is made counts for; 0: it is not sold by tokens."""
    is_by_tokens = price.output and not price.picture
    return price.picture_tokens or (UNKNOWN_PICTURE_TOKENS if is_by_tokens else 0)


def token_limit(request: Request, settings: Mapping[str, Setting]) -> int:
    """Return how many tokens the reply to a request may have; 0 for what is no text."""
    if not isinstance(request, Ask | Describe | Write | ReadPrompt):
        return 0
    stated = settings.get("max_tokens")
    if stated:
        return int(stated)
    room = REASONING_TOKENS if settings.get("reasoning_effort") else 0
    is_letter = isinstance(request, Ask) and request.offered
    return room + (LETTER_TOKENS if is_letter else TEXT_TOKENS)


def most_usage(request: Request, price: Price, settings: Mapping[str, Setting]) -> Usage:
    """Return the most tokens and pictures that a service may count for a request.

    It is known before the request is sent.

    A token of a text is at least one byte of it.
    """
    picture = WIDE * (price.picture_tokens or UNKNOWN_PICTURE_TOKENS)
    if isinstance(request, Generate):
        read = _bytes(request.prompt) + len(request.references) * picture + FORM_TOKENS
        return Usage(read, WIDE * drawn_tokens(price), 1)
    read = _bytes(_text(request)) + len(request_pictures(request)) * picture + FORM_TOKENS
    written = token_limit(request, settings)
    if settings.get("reasoning_effort"):
        return Usage(2 * read, (1 + LARGER) * written)
    return Usage(read, written)


def _text(request: Request) -> str:
    match request:
        case Ask() | Write() | ReadPrompt():
            return request.text + (json.dumps(request.schema) if request.schema else "")
        case Describe() | Match():
            return request.text
        case Detect() | Segment():
            return "\n".join(request.phrases)
        case Embed():
            return request.text or ""
        case ReadText() | Generate():
            return ""


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
