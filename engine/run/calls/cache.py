"""Tells when two requests are the same request, and which replies may be kept."""

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Protocol

from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    CacheableReply,
    Failure,
    Generate,
    ReadPrompt,
    Request,
    Setting,
    fits,
)
from hallascope.metrics.replies.limits import limit_length


class Cache(Protocol):
    """Holds replies by key; the driver keeps failures and unreadable replies out."""

    def replies(self, keys: Iterable[str]) -> Mapping[str, CacheableReply]: ...

    def keep_replies(self, replies: Mapping[str, CacheableReply]) -> None:
        """Keep replies by key, in place of those that are there."""


class MemoryCache(dict[str, CacheableReply]):
    """Keeps replies for as long as the program runs."""

    def replies(self, keys: Iterable[str]) -> Mapping[str, CacheableReply]:
        return {key: self[key] for key in keys if key in self}

    def keep_replies(self, replies: Mapping[str, CacheableReply]) -> None:
        self.update(replies)


_LOG = logging.getLogger(__name__)


def kept_replies(
    cache: Cache, keyed_requests: Iterable[tuple[str, Request]]
) -> Mapping[str, CacheableReply]:
    """Return the replies that are kept under these keys and can answer these requests.

    One of another type than its request asks for, or over the limit of its role, counts as not
    there, and is logged.
    """
    requests = dict(keyed_requests)
    replies: dict[str, CacheableReply] = {}
    for name, reply in cache.replies(requests).items():
        request = requests[name]
        is_too_long = isinstance(limit_length(reply, request.role, request.role), Failure)
        if fits(request, reply) and not is_too_long:
            replies[name] = reply
        else:
            _LOG.warning(
                "The kept reply %s does not answer what is asked (%s): it is asked again.",
                name,
                type(request).__name__,
            )
    return replies


def key(
    request: Request, model: str, revision: str, settings: Mapping[str, Setting], trial: int = 0
) -> str:
    """Return the SHA-256 (hex) of all that a reply depends on.

    It is the request, its images' bytes, model, revision, settings, template and trial.

    The version of the template is a field of the request. Where an image lies does not matter. A
    prompt is read once for all trials.
    """
    values = {f.name: _plain(getattr(request, f.name)) for f in fields(request)}
    # of the whole picture: the key it had when requests had settings, but no regions or references
    if values.get("region", ...) is None:
        del values["region"]
    if isinstance(request, Generate):
        values["settings"] = {}
    for added in ("references", "free"):
        if not values.get(added, ...):
            del values[added]
    if isinstance(request, ReadPrompt):
        trial = 0
    whole = [type(request).__name__, values, model, revision, dict(settings), trial]
    text = json.dumps(
        whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def repeatable(request: Request, settings: Mapping[str, Setting]) -> bool:
    """Return whether a model with these settings replies the same again.

    Its temperature is 0 (or not given), or its seed is fixed.

    What the request itself says goes before the settings, but where they say null: such a model
    takes none, and draws as it likes. What a prompt asks for is always kept, so that all its images
    are held against the same reading.
    """
    if isinstance(request, ReadPrompt):
        return True
    if settings.get("temperature", 0) is None:
        return settings.get("seed") is not None
    own = {name: getattr(request, name, None) for name in ("temperature", "seed")}
    whole = {**settings, **{name: value for name, value in own.items() if value is not None}}
    return not whole.get("temperature") or whole.get("seed") is not None


def _plain(value: object) -> Any:
    if isinstance(value, Picture):
        return value.sha256
    if isinstance(value, Box):
        return list(value.sides)
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value
