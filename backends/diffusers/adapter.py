"""Runs text-to-image pipelines of diffusers, from the Hub, a folder, or the package itself.

It knows no architecture. Settings of an entry, or of a request (which go before them): steps,
guidance, size or width and height, scheduler (a class of diffusers), negative_prompt, and whatever
else the pipeline's call takes by that name; of an entry alone: dtype, device, variant, cpu_offload
(true or sequential), safety_checker (false: none), vocabulary (primer), and those of
`hallascope.backends.diffusers.ip_adapter`, for requests with reference pictures.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.backends.diffusers import loading, placement
from hallascope.backends.diffusers.ip_adapter import Adapter
from hallascope.backends.diffusers.settings import BadSetting, GenerationSettings, merge_settings
from hallascope.backends.quiet import quiet
from hallascope.data.requests import Failure, Generate, Generated, Setting
from hallascope.primer import scenes

if TYPE_CHECKING:
    import numpy as np


class TextToImage:
    """Draws one picture at a time with a pipeline.

    Pictures do not go through it in batches, or their bytes would depend on their neighbors (on a
    CPU by a level of a color, and a batch is no faster there). Each has a generator of its own on
    the CPU, whatever the device.
    """

    limits = CallLimits(batch=1, concurrency=1)

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self.revision = self.fingerprint(spec)
        loaded = loading.load(spec)
        self.pipeline = loaded.pipeline
        self._device = loaded.device
        self._dtype = loaded.dtype
        self._offload = loaded.offload
        self._takes = loading.call_parameters(type(self.pipeline))
        self._scheduler = getattr(self.pipeline, "scheduler", None)
        self._adapter = Adapter(spec)
        self._lock = threading.Lock()

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the revision that the loaded model will have, without loading it."""
        return loading.fingerprint(spec)

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Return why the model cannot be loaded from its folder or the Hub's cache, if so."""
        return loading.check(spec)

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Draw one picture a request, in order, with `on_step` after each step. Raises Stopped.

        A prompt outside the entry's vocabulary, a wrong setting, a picture that the safety checker
        holds back and one that no memory is left for are Failures that say what to do.
        """
        tell = on_step or _go_on
        asked = [self._generation_settings(request) for request in requests]
        steps = [0 if isinstance(found, Failure) else found.steps for found in asked]
        replies: list[Generated | Failure] = []
        for n, (request, found) in enumerate(zip(requests, asked, strict=True)):
            if isinstance(found, Failure):
                replies.append(found)
                continue
            tell(0, 0)
            with self._lock, quiet(*placement.LIBRARIES):
                replies.append(
                    self._draw(request, found, partial(_tell, tell, sum(steps[:n]), sum(steps)))
                )
        return replies

    def _generation_settings(self, request: Generate) -> GenerationSettings | Failure:
        try:
            if self.spec.settings.get("vocabulary") == "primer":
                scenes.parse(request.prompt)
            return merge_settings(self.spec.settings, request.settings, self._takes)
        except scenes.CannotDraw as sentence:
            return Failure("cannot_draw", str(sentence))
        except BadSetting as error:
            return self._refuse(str(error))

    def _draw(
        self, request: Generate, asked: GenerationSettings, each: Callable[[int], None]
    ) -> Generated | Failure:
        import torch

        generator = torch.Generator("cpu").manual_seed(request.seed)
        try:
            if (
                self._scheduler is not None or asked.scheduler
                # a new one each time: they remember the steps of the picture before, or of half of
                # one
            ):
                self.pipeline.scheduler = loading.scheduler(self._scheduler, asked.scheduler)
            watched = self._watched(asked.steps, each)
            with self._adapter.attached(self.pipeline, request.references) as shown:
                made = self.pipeline(
                    request.prompt,
                    generator=generator,
                    output_type="np",
                    **asked.arguments,
                    **watched,
                    **shown,
                )
        except (
            ValueError
        ) as error:  # what pipelines raise over what they are asked, BadSetting among them
            return self._refuse(" ".join(str(error).split())[:300].rstrip("."))
        except Exception as error:
            if not placement.out_of_memory(error):
                raise
            return self._full()
        finally:
            # where models are moved to and fro, they go back also after a stop
            self.pipeline.maybe_free_model_hooks()
        return self._reply(made, asked)

    def _reply(self, made: Any, asked: GenerationSettings) -> Generated | Failure:
        import numpy as np

        if any(getattr(made, "nsfw_content_detected", None) or ()):
            remedy = "change the prompt or the seed, or choose another model"
            return Failure(
                "refused",
                f"The safety checker of {self.spec.title} holds this picture back: {remedy}.",
            )
        pixels = made.images[0]
        if not np.isfinite(pixels).all():
            remedy = "write `dtype: bfloat16` or `dtype: float32` into the settings of its entry"
            return self._refuse(
                f"the numbers of this picture ran out of the range of {self._dtype}: {remedy}"
            )
        return Generated(_png(pixels), self._notes(asked, *pixels.shape[:2]))

    def _notes(self, asked: GenerationSettings, height: int, width: int) -> dict[str, Setting]:
        said: dict[str, Setting] = {
            "steps": asked.steps or None,
            "guidance": asked.guidance,
            "scheduler": (
                type(self.pipeline.scheduler).__name__ if self._scheduler is not None else None
            ),
            "width": width,
            "height": height,
            "dtype": self._dtype,
            "device": self._device,
        }
        return {name: value for name, value in said.items() if value is not None}

    def _watched(self, steps: int, each: Callable[[int], None]) -> dict[str, Any]:
        """Return the arguments by which a pipeline is watched, as its generation calls back.

        Some pipelines do not call back at all.
        """

        def ended(pipeline: Any, step: int, time: Any, tensors: Any) -> Any:
            of = (
                getattr(pipeline, "num_timesteps", None) or steps
            )  # a scheduler of second order takes two for a step
            each(min(steps, -(-(step + 1) * steps // of)) if of else 0)
            return tensors

        def done(step: int, time: Any, latents: Any) -> None:
            each(min(steps, step + 1))

        if "callback_on_step_end" in self._takes:
            return {"callback_on_step_end": ended}
        watched: dict[str, Any] = {"callback": done, "callback_steps": 1}
        return {name: value for name, value in watched.items() if name in self._takes}

    def _refuse(self, why: str) -> Failure:
        return Failure(
            "broken", f"{self.spec.title} cannot draw this: {why}{'' if why.endswith('?') else '.'}"
        )

    def _full(self) -> Failure:
        placement.free(self._device)
        offloads = self._device == "cpu" or self._offload
        more = "" if offloads else ", write `cpu_offload: true` into the settings of its entry"
        return self._refuse(
            f"{self._device} has no memory left for it; ask for a smaller picture (width,"
            f" height){more}"
        )


def _png(pixels: np.ndarray) -> bytes:
    """Encode pixels in [0, 1], shape (height, width, 3), as a PNG without metadata."""
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray((pixels * 255).round().astype("uint8")).save(stream, "PNG")
    return stream.getvalue()


def _tell(on_step: OnStep, before: int, of: int, step: int) -> None:
    on_step(before + step, of)


def _go_on(step: int, steps: int) -> None:
    """Does nothing: nobody follows the steps or stops the run."""
