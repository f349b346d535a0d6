"""Has an embedder embed judged images: each once, in batches, with progress and a stop."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hallascope.backends.base import Stopped
from hallascope.data.models.specs import DEFAULTS
from hallascope.data.requests import Embed, Embedded, Failure, Reply, Request
from hallascope.engine.error_analysis.error_map.clusters import cluster_images
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.roles import BoundModel, ask
from hallascope.engine.services import Services

DEFAULT_EMBEDDER = DEFAULTS["embedder"]
BATCH = 32  # images that are embedded, and kept, at once


@dataclass(frozen=True)
class EmbeddingProgress:
    """Says how many of the images that lack a vector have been asked for.

    `failed` of them cannot be embedded; `reason` is the sentence of the first, "" without any.
    """

    done: int
    total: int
    failed: int = 0
    reason: str = ""

    @property
    def sentence(self) -> str:
        """Return what came of it, for people."""
        if not self.total:
            return "All images of this choice have embeddings."
        embedded = self.done - self.failed
        words = f"{embedded:,} of {self.total:,} images embedded."
        if self.failed:
            words += f" {self.failed:,} cannot be embedded and are not on the map: {self.reason}"
        return words


@dataclass(frozen=True)
class _LocalCall:
    """Observes calls of a model that costs nothing: it only stops them."""

    stop: threading.Event
    run: str = ""

    def begin(self, requests: Sequence[Request]) -> None:
        if self.stop.is_set():
            raise Stopped

    def on_replies(self, replies: Sequence[Reply]) -> None: ...

    def on_error(self, error: BaseException) -> None: ...

    def on_step(self, step: int, steps: int) -> None:
        self.begin(())


def usable_embedders(services: Services) -> tuple[str, ...]:
    """Return the embedders that can run here without a service, the default first."""
    names = [
        model.spec.id
        for model in services.registry.models("embedder")
        if model.reason is None and model.spec.kind != "api" and not model.spec.family
    ]
    return tuple(sorted(names, key=lambda name: (name != DEFAULT_EMBEDDER, name)))


def bind_embedder(services: Services, name: str = DEFAULT_EMBEDDER) -> BoundModel:
    """Return an embedder bound to its calls.

    Raises UnknownModel, Unavailable, and BadRequest where the model is no embedder or is a service,
    which would be sent all images.
    """
    spec = services.registry.require(name, "embedder")
    if spec.kind == "api":
        raise BadRequest(
            f"{name!r} is a service, and a map embeds all images: choose an embedder that runs"
            f" here, such as {DEFAULT_EMBEDDER}."
        )
    return services.registry.bind(name)


def embedder_key(embedder: BoundModel) -> str:
    """Return the embedder with its revision, under which the store keeps its vectors."""
    return f"{embedder.model}@{embedder.revision}"


def embed_images(
    services: Services,
    embedder: BoundModel,
    images: Sequence[str],
    stop: threading.Event | None = None,
) -> Iterator[EmbeddingProgress]:
    """Embed those of the images (SHA-256) that have no vector yet, and yield progress.

    Each batch is kept at once, so that the next call goes on where this one was stopped. An image
    whose file is missing, or that the embedder refuses, is counted as failed. In the end, or where
    it is stopped, new images are put into clusters.
    """
    key = embedder_key(embedder)
    missing = services.store.embeddings.find_missing(key, images)
    try:
        yield from _embed_missing(services, embedder, missing, stop or threading.Event())
    finally:
        cluster_images(services.store, key)


def _embed_missing(
    services: Services, embedder: BoundModel, missing: Sequence[str], stop: threading.Event
) -> Iterator[EmbeddingProgress]:
    progress = EmbeddingProgress(0, len(missing))
    yield progress
    for start in range(0, len(missing), BATCH):
        if stop.is_set():
            return
        batch = missing[start : start + BATCH]
        replies = _embed_batch(services, embedder, batch, stop)
        if any(isinstance(reply, Failure) and reply.kind == "stopped" for reply in replies):
            return
        vectors = {
            image: reply.vector
            for image, reply in zip(batch, replies, strict=True)
            if isinstance(reply, Embedded)
        }
        services.store.embeddings.add(embedder_key(embedder), vectors)
        failures = [reply for reply in replies if isinstance(reply, Failure)]
        progress = EmbeddingProgress(
            done=start + len(batch),
            total=len(missing),
            failed=progress.failed + len(failures),
            reason=progress.reason or (failures[0].message if failures else ""),
        )
        yield progress


def _embed_batch(
    services: Services, embedder: BoundModel, images: Sequence[str], stop: threading.Event
) -> list[Reply]:
    pictures = [services.store.picture(image) for image in images]
    requests = [Embed(image=picture) for picture in pictures if picture]
    replies = iter(ask(embedder, requests, _LocalCall(stop)) if requests else ())
    no_file = Failure(
        "broken", "The file of an image is not in the store: bring the folder of images back."
    )
    return [next(replies) if picture else no_file for picture in pictures]
