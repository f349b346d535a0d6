"""Makes entries of tiny vision models, and checks what their replies hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hallascope.backends.base import Detector, Embedder, Segmenter
from hallascope.data import masks
from hallascope.data.models.specs import ModelSpec
from hallascope.data.regions import Box
from hallascope.data.requests import Detected, Embedded, Failure, Role, Segmented

ROLES: dict[str, tuple[str, tuple[Role, ...]]] = {
    "grounding-dino": ("transformers-detector", ("detector",)),
    "owlv2": ("transformers-detector", ("detector",)),
    "sam": ("transformers-segmenter", ("segmenter",)),
    "sam2": ("transformers-segmenter", ("segmenter",)),
    "clipseg": ("clipseg", ("detector", "segmenter")),
    "clip": ("transformers-embedder", ("embedder",)),
    "siglip": ("transformers-embedder", ("embedder",)),
    "dinov2": ("transformers-embedder", ("embedder",)),
    "dino": ("transformers-embedder", ("embedder",)),
}
PROTOCOLS: dict[Role, type] = {"detector": Detector, "segmenter": Segmenter, "embedder": Embedder}
BOXES = (Box(0, 0, 0.5, 0.5), Box(0.25, 0.25, 1, 1), Box(0.4, 0.3, 0.95, 0.9))
Tiny = Callable[[str], Path]


def vision_spec(kind: str, folder: Path, **settings: Any) -> ModelSpec:
    backend, roles = ROLES[kind]
    return ModelSpec(
        id=f"test/{kind}",
        title=f"Tiny {kind}",
        roles=roles,
        backend=backend,
        repository=str(folder),
        settings=settings,
    )


def only_detection(replies: list[Detected | Failure]) -> Detected:
    (reply,) = replies
    assert isinstance(reply, Detected), reply
    return reply


def only_masks(replies: list[Segmented | Failure]) -> list[Any]:
    (reply,) = replies
    assert isinstance(reply, Segmented), reply
    return [masks.array(mask) for mask in reply.masks]


def vectors_of(replies: list[Embedded | Failure]) -> np.ndarray:
    assert all(isinstance(reply, Embedded) for reply in replies), replies
    return np.array([reply.vector for reply in replies if isinstance(reply, Embedded)])
