"""Reads what a service sends: replies whole or in pieces, probabilities, tokens used.

It takes any JSON: what is not as it should be counts as not there. Nothing here raises but
`MalformedReply` and `ServiceError`.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hallascope.backends.openai.errors import ServiceErrorReply, of_reply
from hallascope.data.records import LETTERS
from hallascope.data.requests import Usage

_FILTERED = frozenset(
    {"content_filter", "safety", "prohibited_content", "blocklist", "recitation", "image_safety"}
)
# where a reply says its letter, the surest place first
_SAID = (
    re.compile(r"[\"']?answer[\"']?\s*:\s*[\"'(\s]*([A-E])(?!\w)", re.IGNORECASE),
    re.compile(r"\A[\s\"'(\[{*]*([A-E])(?:[)\]}.:,\"'*]|\s*\Z)"),
    re.compile(r"\banswer\s+is\W*([A-E])(?!\w)"),
)
_LETTER = re.compile(r"(?<!\w)([B-E]|A(?!\s+[a-z]))(?!\w)")  # "A bird" is no A


class MalformedReply(Exception):
    """What came is no reply; the message says what is wrong, as the end of a sentence.

    `usage`: what the service counted all the same.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage


class ServiceError(Exception):
    """A complaint came in place of a reply, or within it, after status 200."""

    def __init__(self, said: ServiceErrorReply) -> None:
        super().__init__()
        self.said = said


@dataclass
class ChatCompletion:
    """A chat completion as it comes in, whole or piece by piece.

    `tokens` with their log-probabilities, as they came.
    """

    text: str = ""
    refusal: str = ""
    finish: str = ""
    usage: Usage | None = None
    tokens: list[object] = field(default_factory=list)

    @property
    def filtered(self) -> bool:
        """Whether the service withheld the reply, or a part of it."""
        return bool(self.refusal) or self.finish.casefold() in _FILTERED

    @property
    def cut(self) -> bool:
        """Whether it was broken off at the limit of tokens."""
        return self.finish == "length"

    def add(self, piece: object) -> None:
        """Take in a reply or the next piece of one. Raises Complained where it is an error."""
        if error := of_reply(piece):
            raise ServiceError(self._add_usage(error))
        body = _object(piece)
        self.usage = usage(body.get("usage")) or self.usage
        choice = _first(body.get("choices"))
        if error := of_reply(choice):
            raise ServiceError(self._add_usage(error))
        part = _object(choice.get("message")) or _object(choice.get("delta"))
        self.text += _text(part.get("content"))
        self.refusal += _text(part.get("refusal"))
        self.finish = _text(choice.get("finish_reason")) or self.finish
        if isinstance(tokens := _object(choice.get("logprobs")).get("content"), list):
            self.tokens += tokens

    def _add_usage(self, error: ServiceErrorReply) -> ServiceErrorReply:
        """The complaint, with what was begun before it came: that is charged."""
        return replace(error, begun=bool(self.text), usage=self.usage)


def whole(data: bytes) -> ChatCompletion:
    """A reply that came at once. Raises Garbled, Complained."""
    body = document(data)
    said = ChatCompletion()
    said.add(body)
    if not _first(_object(body).get("choices")):
        raise MalformedReply("holds no answer", said.usage)
    return said


def streamed(chunks: Iterable[bytes], on_piece: Callable[[int], None]) -> ChatCompletion:
    """A reply in pieces; `on_piece` is called with their number after each.

    Raises Garbled, Complained.

    It is complete where its end is marked: by a reason to finish or by ``[DONE]``; services send
    one, or both.
    """
    said = ChatCompletion()
    done = False
    try:
        for count, data in enumerate(events(chunks), 1):
            if data.startswith("[DONE]"):
                done = True
                break
            said.add(document(data))
            on_piece(count)
    except MalformedReply as error:
        raise MalformedReply(str(error), said.usage) from None
    if not (done or said.finish):
        raise MalformedReply("broke off in the middle", said.usage)
    return said


def document(data: bytes | str) -> object:
    """Any JSON. Raises Garbled."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise MalformedReply("is not whole, or no JSON") from None


def bounded(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """The same chunks, up to so many bytes in all. Raises Garbled where there are more."""
    left = most
    for chunk in chunks:
        left -= len(chunk)
        if left < 0:
            raise MalformedReply(f"is longer than {most // 2**20} MB")
        yield chunk


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of server-sent events, one line each.

    The comments that keep a connection open are left out.
    """
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from _data(lines)
    yield from _data([rest])


def usage(body: object) -> Usage | None:
    """Return tokens as a service counts them.

    Chat says prompt and completion, pictures say input and output.
    """
    counted = _object(body)
    read, written = (
        next((number for name in names if (number := _count(counted.get(name))) is not None), None)
        for names in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
    )
    return None if read is None and written is None else Usage(read or 0, written or 0)


def picture(body: object) -> Mapping[str, Any]:
    """The first picture of an image generation, {} where there is none. Raises Complained."""
    if error := of_reply(body):
        raise ServiceError(error)
    return _first(_object(body).get("data"))


# --- probabilities
# --------------------------------------------------------------------------------------------------


def probabilities(tokens: Sequence[object], count: int) -> tuple[float, ...] | None:
    """The probability of each of `count` choices, in [0, 1], sum 1.

    None where the letter of the answer is not found.

    The letter's token tells how likely the other letters were in its place; one that is not among
    those told is taken as 0, being less likely than all of them.
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
    """Where in the text the letter of the answer stands; None where it names none or several."""
    for pattern in _SAID:
        found = pattern.search(text)
        if found and found[1] in LETTERS[:count]:
            return found.start(1)
    named = [found for found in _LETTER.finditer(text) if found[1] in LETTERS[:count]]
    return named[0].start(1) if len({found[1] for found in named}) == 1 else None


def _shares(token: Mapping[str, Any], count: int) -> tuple[float, ...] | None:
    beside = token.get("top_logprobs")
    told = (
        {_text(_object(each).get("token")): _object(each).get("logprob") for each in beside}
        if isinstance(beside, list)
        else {}
    )
    if not told:
        return None
    told.setdefault(_text(token.get("token")), token.get("logprob"))
    sums: dict[str, float] = dict.fromkeys(LETTERS[:count], 0.0)
    for text, logprob in told.items():
        letter = _letter(text, count)
        if letter and isinstance(logprob, int | float) and not math.isnan(logprob):
            sums[letter] += math.exp(min(0.0, logprob))
    total = sum(sums.values())
    return tuple(share / total for share in sums.values()) if total and len(sums) == count else None


def _letter(token: str, count: int) -> str | None:
    """The letter a token is, with what is glued to it taken off: ``B``, `` b``, ``"B"}``."""
    bare = re.sub(r"[\W_▁Ġ]+", "", token).upper()
    return bare if bare in LETTERS[:count] else None


# --- any JSON
# --------------------------------------------------------------------------------------------------


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(value: object) -> Mapping[str, Any]:
    return _object(value[0]) if isinstance(value, list) and value else {}


def _text(value: object) -> str:
    """A text, or a text in parts."""
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
