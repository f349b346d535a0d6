"""Runs generators that are Python objects: functions, or pipelines of diffusers."""

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from hallascope.backends.base import CallLimits, HallaScopeError, ModelSpec, OnStep
from hallascope.backends.images import to_rgb
from hallascope.data.requests import Failure, Generate, Generated

if TYPE_CHECKING:
    from PIL.Image import Image

DrawFunction = Callable[[str, int], "Image"]


class FunctionGenerator:
    """Generates by calling a function with prompt and seed.

    Nobody can tell whether two functions draw alike. So `revision` is new for every object, unless
    one is passed: then images that a function of the same name and revision drew are taken from the
    cache.
    """

    def __init__(self, name: str, draw: DrawFunction, revision: str | None = None) -> None:
        self.spec = ModelSpec(
            id=name, title=name, roles=("generator",), backend="in_memory", kind="local"
        )
        self.limits = CallLimits()
        self.revision = revision or uuid4().hex
        self._draw = draw

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Draw each request. What the function raises becomes the failure of that image alone."""
        replies: list[Generated | Failure] = []
        for request in requests:
            try:
                replies.append(Generated(_png(self._draw(request.prompt, request.seed))))
            except HallaScopeError:
                raise
            except Exception as error:
                sentence = f"{self.spec.id!r} failed with {type(error).__name__}: {error}"
                replies.append(Failure("cannot_draw", sentence[:500]))
        return replies


def pipeline_function(pipeline: Any) -> DrawFunction:
    """Return the function that draws with a loaded diffusers pipeline, seeded on the processor."""

    def draw(prompt: str, seed: int) -> "Image":
        from torch import Generator

        image: Image = pipeline(prompt=prompt, generator=Generator().manual_seed(seed)).images[0]
        return image

    return draw


def is_pipeline(thing: object) -> bool:
    """Tell whether an object is a pipeline of diffusers, without importing the library."""
    return any(base.__name__ == "DiffusionPipeline" for base in type(thing).__mro__)


def _png(image: "Image") -> bytes:
    """Return an image as PNG bytes without metadata. Raises TypeError where it is no PIL image."""
    if not hasattr(image, "convert"):
        raise TypeError(f"it returned {type(image).__name__}, not a PIL image")
    out = io.BytesIO()
    to_rgb(image).save(out, "PNG")
    return out.getvalue()
