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

from hallascope.backends.openai.error_replies import ServiceErrorReply, error_in_reply
from hallascope.data.records import LETTERS
from hallascope.data.requests import Usage

_FILTERED = frozenset(
    {"content_filter", "safety", "prohibited_content", "blocklist", "recitation", "image_safety"}
)
# Where a reply names its letter, the surest place first.
_ANSWERS = (
    re.compile(r"[\"']?answer[\"']?\s*:\s*[\"'(\s]*([A-E])(?!\w)", re.IGNORECASE),
    re.compile(r"\A[\s\"'(\[{*]*([A-E])(?:[)\]}.:,\"'*]|\s*\Z)"),
    re.compile(r"\banswer\s+is\W*([A-E])(?!\w)"),
)
# The "A" of "A bird" is no letter of an answer.
_LETTER = re.compile(r"(?<!\w)([B-E]|A(?!\s+[a-z]))(?!\w)")
# More tokens than this are no count.
_MAX_TOKENS = 1e12


class MalformedReply(Exception):
    """Says why what came is no reply, as the end of a sentence.

    `usage`: what the service counted all the same.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage


class ServiceError(Exception):
    """Holds an error that came in place of a reply, or within it, after status 200."""

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
        self._raise_error(piece)
        body = _object(piece)
        self.usage = usage(body.get("usage")) or self.usage
        choice = _first(body.get("choices"))
        self._raise_error(choice)
        message = _object(choice.get("message")) or _object(choice.get("delta"))
        self.text += _text(message.get("content"))
        self.refusal += _text(message.get("refusal"))
        self.finish = _text(choice.get("finish_reason")) or self.finish
        tokens = _object(choice.get("logprobs")).get("content")
        if isinstance(tokens, list):
            self.tokens += tokens

    def _raise_error(self, body: object) -> None:
        """Raise the error of a service with what came of the reply before it, which is charged."""
        error = error_in_reply(body)
        if error:
            raise ServiceError(replace(error, is_partial=bool(self.text), usage=self.usage))


@dataclass(frozen=True)
class PictureReply:
    """Holds the first picture of an image generation as it came, and the tokens it took.

    `picture` is {} where there is none.
    """

    picture: Mapping[str, Any]
    usage: Usage | None


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
    counts = _object(body)
    input_tokens = _first_count(counts, "prompt_tokens", "input_tokens")
    output_tokens = _first_count(counts, "completion_tokens", "output_tokens")
    if input_tokens is None and output_tokens is None:
        return None
    return Usage(input_tokens or 0, output_tokens or 0)


def read_picture(data: bytes) -> PictureReply:
    """Parse a reply with a picture. Raises MalformedReply, ServiceError."""
    body = document(data)
    error = error_in_reply(body)
    if error:
        raise ServiceError(error)
    fields = _object(body)
    return PictureReply(_first(fields.get("data")), usage(fields.get("usage")))


def read_models(data: bytes) -> tuple[dict[str, Any], ...]:
    """Parse a list of models, each with its `id`. Raises MalformedReply, ServiceError."""
    body = document(data)
    error = error_in_reply(body)
    if error:
        raise ServiceError(error)
    listed = _object(body).get("data")
    if not isinstance(listed, list):
        raise MalformedReply("holds no list of models")
    models = (_object(model) for model in listed)
    # Google's names begin with "models/"
    return tuple(
        {**model, "id": model["id"].removeprefix("models/")}
        for model in models
        if isinstance(model.get("id"), str)
    )


# --- probabilities ---


def probabilities(tokens: Sequence[object], count: int) -> tuple[float, ...] | None:
    """Return the probability of each of `count` choices, in [0, 1], sum 1.

    None where the letter of the answer is not found.

    The letter's token has the probabilities of other tokens in its place; a letter that is not
    among them counts as 0, being less likely than all of them.
    """
    texts = [_text(_object(token).get("token")) for token in tokens]
    position = _answer_position("".join(texts), count)
    if position is None:
        return None
    for text, token in zip(texts, tokens, strict=True):
        if position < len(text):
            return _choice_probabilities(_object(token), count) if _letter(text, count) else None
        position -= len(text)
    return None


def _answer_position(text: str, count: int) -> int | None:
    """Find the letter of the answer in the text; None where there is none, or several."""
    letters = LETTERS[:count]
    for pattern in _ANSWERS:
        match = pattern.search(text)
        if match and match[1] in letters:
            return match.start(1)
    matches = [match for match in _LETTER.finditer(text) if match[1] in letters]
    if len({match[1] for match in matches}) != 1:
        return None
    return matches[0].start(1)


def _choice_probabilities(token: Mapping[str, Any], count: int) -> tuple[float, ...] | None:
    """Share 1 among the letters by the probabilities of the tokens in a place."""
    alternatives = token.get("top_logprobs")
    if not isinstance(alternatives, list) or not alternatives:
        return None
    logprobs = {
        _text(_object(alternative).get("token")): _object(alternative).get("logprob")
        for alternative in alternatives
    }
    logprobs.setdefault(_text(token.get("token")), token.get("logprob"))
    sums: dict[str, float] = dict.fromkeys(LETTERS[:count], 0.0)
    for text, logprob in logprobs.items():
        letter = _letter(text, count)
        if letter and isinstance(logprob, int | float) and not math.isnan(logprob):
            sums[letter] += math.exp(min(0.0, logprob))
    total = sum(sums.values())
    if not total or len(sums) != count:
        return None
    return tuple(probability / total for probability in sums.values())


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


def _first_count(counts: Mapping[str, Any], *names: str) -> int | None:
    """Return the first of these fields that is a count, or None."""
    for name in names:
        value = counts.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if 0 <= value < _MAX_TOKENS:
            return int(value)
    return None


def _data(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        if line.startswith(b"data:"):
            data = line.removeprefix(b"data:").strip()
            if data:
                yield data.decode("utf-8", "replace")
