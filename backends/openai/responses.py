"""Parses replies of a service: whole or streamed, with probabilities and token usage.

Any JSON is taken: what has another form than expected counts as missing. Only `MalformedReply` and
`ServiceError` are raised.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hallascope.backends.openai.errors import ServiceErrorReply, error_in_reply
from hallascope.data.records import LETTERS
from hallascope.data.requests import Usage

_FILTERED = frozenset(
    {"content_filter", "safety", "prohibited_content", "blocklist", "recitation", "image_safety"}
)
# where a reply names its letter, the surest place first
_ANSWERS = (
    re.compile(r"[\"']?answer[\"']?\s*:\s*[\"'(\s]*([A-E])(?!\w)", re.IGNORECASE),
    re.compile(r"\A[\s\"'(\[{*]*([A-E])(?:[)\]}.:,\"'*]|\s*\Z)"),
    re.compile(r"\banswer\s+is\W*([A-E])(?!\w)"),
)
_LETTER = re.compile(r"(?<!\w)([B-E]|A(?!\s+[a-z]))(?!\w)")  # "A bird" is no A


class MalformedReply(Exception):
    """Says why what came is no reply, as the end of a sentence.

    `usage`: what the service counted all the same.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage


class ServiceError(Exception):
    """Holds a complaint that came in place of a reply, or within it, after status 200."""

    def __init__(self, error: ServiceErrorReply) -> None:
        super().__init__()
        self.error = error


@dataclass
class ChatCompletion:
    """Holds a chat completion as it comes in, whole or piece by piece.

    `tokens` have their log-probabilities, as they came.
    """

    text: str = ""
    refusal: str = ""
    finish: str = ""
    usage: Usage | None = None
    tokens: list[object] = field(default_factory=list)

    @property
    def filtered(self) -> bool:
        """Return whether the service withheld the reply, or a part of it."""
        return bool(self.refusal) or self.finish.casefold() in _FILTERED

    @property
    def cut(self) -> bool:
        """Return whether it was truncated at the limit of tokens."""
        return self.finish == "length"

    def add(self, piece: object) -> None:
        """Add a reply or the next piece of one. Raises ServiceError where it is an error."""
        if error := error_in_reply(piece):
            raise ServiceError(self._add_usage(error))
        body = _object(piece)
        self.usage = usage(body.get("usage")) or self.usage
        choice = _first(body.get("choices"))
        if error := error_in_reply(choice):
            raise ServiceError(self._add_usage(error))
        part = _object(choice.get("message")) or _object(choice.get("delta"))
        self.text += _text(part.get("content"))
        self.refusal += _text(part.get("refusal"))
        self.finish = _text(choice.get("finish_reason")) or self.finish
        if isinstance(tokens := _object(choice.get("logprobs")).get("content"), list):
            self.tokens += tokens

    def _add_usage(self, error: ServiceErrorReply) -> ServiceErrorReply:
        """Return the complaint with the part of the reply before it, which is charged."""
        return replace(error, begun=bool(self.text), usage=self.usage)


def read_completion(data: bytes) -> ChatCompletion:
    """Parse a reply that came whole. Raises MalformedReply, ServiceError."""
    body = document(data)
    completion = ChatCompletion()
    completion.add(body)
    if not _first(_object(body).get("choices")):
        raise MalformedReply("holds no answer", completion.usage)
    return completion


def read_stream(chunks: Iterable[bytes], on_piece: Callable[[int], None]) -> ChatCompletion:
    """Parse a streamed reply; `on_piece` is called with the number of pieces after each.

    Raises MalformedReply, ServiceError.

    The reply is complete where its end is marked: by a finish reason or by ``[DONE]``; services
    send one, or both.
    """
    completion = ChatCompletion()
    done = False
    try:
        for count, data in enumerate(events(chunks), 1):
            if data.startswith("[DONE]"):
                done = True
                break
            completion.add(document(data))
            on_piece(count)
    except MalformedReply as error:
        raise MalformedReply(str(error), completion.usage) from None
    if not (done or completion.finish):
        raise MalformedReply("broke off in the middle", completion.usage)
    return completion


def document(data: bytes | str) -> object:
    """Parse any JSON. Raises MalformedReply."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise MalformedReply("is not whole, or no JSON") from None


def limit_bytes(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Yield the same chunks. Raises MalformedReply above so many bytes in all."""
    left = most
    for chunk in chunks:
        left -= len(chunk)
        if left < 0:
            raise MalformedReply(f"is longer than {most // 2**20} MB")
        yield chunk


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the data of server-sent events, one line each, without comments."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from _data(lines)
    yield from _data([rest])


def usage(body: object) -> Usage | None:
    """Return the tokens that a service counted.

    Chats say prompt and completion, images say input and output.
    """
    counted = _object(body)
    read, written = (
        next((number for name in names if (number := _count(counted.get(name))) is not None), None)
        for names in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
    )
    return None if read is None and written is None else Usage(read or 0, written or 0)


def picture(body: object) -> Mapping[str, Any]:
    """Return the first picture of an image generation, or {}. Raises ServiceError."""
    if error := error_in_reply(body):
        raise ServiceError(error)
    return _first(_object(body).get("data"))


# --- probabilities ---


def probabilities(tokens: Sequence[object], count: int) -> tuple[float, ...] | None:
    """Return the probability of each of `count` choices, in [0, 1], sum 1.

    None where the letter of the answer is not found.

    The letter's token has the probabilities of other tokens in its place; a letter that is not
    among them counts as 0, being less likely than all of them.
    """
    read = [(_text(_object(token).get("token")), _object(token)) for token in tokens]
    place = _place("".join(text for text, _ in read), count)
    if place is None:
        return None
    for text, token in read:
        if place < len(text):
            return _shares(token, count) if _letter(text, count) else None
        place -= len(text)
    return None


def _place(text: str, count: int) -> int | None:
    """Find the letter of the answer in the text; None where there is none, or several."""
    for pattern in _ANSWERS:
        found = pattern.search(text)
        if found and found[1] in LETTERS[:count]:
            return found.start(1)
    named = [found for found in _LETTER.finditer(text) if found[1] in LETTERS[:count]]
    return named[0].start(1) if len({found[1] for found in named}) == 1 else None


def _shares(token: Mapping[str, Any], count: int) -> tuple[float, ...] | None:
    beside = token.get("top_logprobs")
    logprobs = (
        {_text(_object(each).get("token")): _object(each).get("logprob") for each in beside}
        if isinstance(beside, list)
        else {}
    )
    if not logprobs:
        return None
    logprobs.setdefault(_text(token.get("token")), token.get("logprob"))
    sums: dict[str, float] = dict.fromkeys(LETTERS[:count], 0.0)
    for text, logprob in logprobs.items():
        letter = _letter(text, count)
        if letter and isinstance(logprob, int | float) and not math.isnan(logprob):
            sums[letter] += math.exp(min(0.0, logprob))
    total = sum(sums.values())
    return tuple(share / total for share in sums.values()) if total and len(sums) == count else None


def _letter(token: str, count: int) -> str | None:
    """Return the letter of a token, without what is attached to it: ``B``, `` b``, ``"B"}``."""
    bare = re.sub(r"[\W_▁Ġ]+", "", token).upper()
    return bare if bare in LETTERS[:count] else None


# --- any JSON ---


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(value: object) -> Mapping[str, Any]:
    return _object(value[0]) if isinstance(value, list) and value else {}


def _text(value: object) -> str:
    """Return a text, or the joined parts of one."""
    if isinstance(value, list):
        return "".join(
            part["text"]
            for part in value
            if isinstance(part, Mapping) and isinstance(part.get("text"), str)
        )
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        return None
    return int(value)


def _data(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        if line.startswith(b"data:") and (data := line[5:].strip()):
            yield data.decode("utf-8", "replace")
