"""Runs text-to-image pipelines of diffusers, from the Hub, a folder, or the package itself.

It knows no architecture. Settings of an entry: steps,
guidance, size or width and height, scheduler (a class of diffusers), negative_prompt, and whatever
else the pipeline's call takes by that name; of an entry alone: dtype, device, variant, cpu_offload
(true or sequential), safety_checker (false: none), vocabulary (primer), and those of
`hallascope.backends.diffusers.ip_adapter`, for requests with reference images.
"""

from __future__ import annotations

import io
import math
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PIL import Image

from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.backends.diffusers import loading, placement
from hallascope.backends.diffusers.ip_adapter import ImagePromptAdapter
from hallascope.backends.diffusers.settings import (
    BadSetting,
    GenerationSettings,
    call_parameters,
    make_scheduler,
    read_settings,
)
from hallascope.backends.quiet import quiet
from hallascope.data.requests import Failure, Generate, Generated, Setting
from hallascope.primer import scenes


class TextToImage:
    """Draws one image at a time with a pipeline.

    Images do not go through it in batches, or their bytes would depend on their neighbors (on a
    CPU by a level of a color, and a batch is no faster there). Each has a generator of its own on
    the CPU, whatever the device.
    """

    limits = CallLimits()

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self.revision = self.fingerprint(spec)
        loaded = loading.load(spec)
        self.pipeline = loaded.pipeline
        self._device = loaded.device
        self._dtype = loaded.dtype
        self._offload = loaded.offload
        self._parameters = call_parameters(type(self.pipeline))
        self._scheduler = getattr(self.pipeline, "scheduler", None)
        self._adapter = ImagePromptAdapter(spec, loaded.device)
        self._lock = threading.Lock()

    fingerprint = staticmethod(loading.fingerprint)
    check = staticmethod(loading.check)

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Draw one image a request, in order, with `on_step` after each step. Raises Stopped.

        A prompt outside the entry's vocabulary, a wrong setting, an image that the safety checker
        holds back and one that no memory is left for are Failures that say what to do.
        """
        pictures = [self._generation_settings(request) for request in requests]
        total = sum(picture.steps for picture in pictures if not isinstance(picture, Failure))
        done = 0

        def report(step: int) -> None:
            if on_step is not None:
                on_step(done + step, total)

        replies: list[Generated | Failure] = []
        for request, picture in zip(requests, pictures, strict=True):
            if isinstance(picture, Failure):
                replies.append(picture)
                continue
            if on_step is not None:
                on_step(0, 0)
            with self._lock, quiet(*placement.LIBRARIES):
                replies.append(self._draw(request, picture, report))
            done += picture.steps
        return replies

    def _generation_settings(self, request: Generate) -> GenerationSettings | Failure:
        try:
            if self.spec.settings.get("vocabulary") == "primer":
                scenes.parse(request.prompt)
            return read_settings(self.spec.settings, self._parameters)
        except scenes.CannotDraw as error:
            return Failure("cannot_draw", str(error))
        except BadSetting as error:
            return self._cannot_draw(str(error))

    def _draw(
        self, request: Generate, settings: GenerationSettings, report: Callable[[int], None]
    ) -> Generated | Failure:
        import torch

        generator = torch.Generator("cpu").manual_seed(request.seed)
        try:
            if self._scheduler is not None or settings.scheduler:
                self.pipeline.scheduler = make_scheduler(self._scheduler, settings.scheduler)
            with self._adapter.attached(self.pipeline, request.references) as reference_arguments:
                output = self.pipeline(
                    request.prompt,
                    generator=generator,
                    output_type="np",
                    **settings.arguments,
                    **self._callback_arguments(settings.steps, report),
                    **reference_arguments,
                )
        except ValueError as error:
            # Pipelines raise it over their arguments, and BadSetting and NoAdapter derive from it.
            return self._cannot_draw(" ".join(str(error).split())[:300].rstrip("."))
        except Exception as error:
            if not placement.is_out_of_memory(error):
                raise
            placement.release_memory(self._device)
            return self._out_of_memory()
        finally:
            # Parts that were moved to the device go back to the host, also after a stop.
            self.pipeline.maybe_free_model_hooks()
        return self._reply(output, settings)

    def _callback_arguments(self, steps: int, report: Callable[[int], None]) -> dict[str, Any]:
        """Return the arguments by which a pipeline of its generation reports its steps.

        Some pipelines report none.
        """

        def on_step_end(pipeline: Any, step: int, timestep: Any, tensors: Any) -> Any:
            # A scheduler of second order takes two timesteps for a step.
            timesteps = getattr(pipeline, "num_timesteps", None) or steps
            report(min(steps, math.ceil((step + 1) * steps / timesteps)) if timesteps else 0)
            return tensors

        def callback(step: int, timestep: Any, latents: Any) -> None:
            report(min(steps, step + 1))

        if "callback_on_step_end" in self._parameters:
            return {"callback_on_step_end": on_step_end}
        arguments: dict[str, Any] = {"callback": callback, "callback_steps": 1}
        return {name: value for name, value in arguments.items() if name in self._parameters}

    def _reply(self, output: Any, settings: GenerationSettings) -> Generated | Failure:
        if any(getattr(output, "nsfw_content_detected", None) or ()):
            remedy = "change the prompt or the seed, or choose another model"
            return Failure(
                "refused",
                f"The safety checker of {self.spec.title} holds this image back: {remedy}.",
            )
        pixels = output.images[0]  # in [0, 1], shape (height, width, 3)
        if not np.isfinite(pixels).all():
            remedy = "write `dtype: bfloat16` or `dtype: float32` into the settings of its entry"
            return self._cannot_draw(
                f"the numbers of this image ran out of the range of {self._dtype}: {remedy}"
            )
        stream = io.BytesIO()
        Image.fromarray((pixels * 255).round().astype("uint8")).save(stream, "PNG")
        return Generated(stream.getvalue(), self._notes(settings, pixels))

    def _notes(self, settings: GenerationSettings, pixels: np.ndarray) -> dict[str, Setting]:
        """Return how an image was made, as far as it is known."""
        height, width = pixels.shape[:2]
        notes: dict[str, Setting] = {"steps": settings.steps or None, "guidance": settings.guidance}
        if self._scheduler is not None:
            notes["scheduler"] = type(self.pipeline.scheduler).__name__
        notes |= {"width": width, "height": height, "dtype": self._dtype, "device": self._device}
        return {name: value for name, value in notes.items() if value is not None}

    def _out_of_memory(self) -> Failure:
        remedy = "ask for a smaller image (width, height)"
        if self._device != "cpu" and not self._offload:
            remedy += ", write `cpu_offload: true` into the settings of its entry"
        return self._cannot_draw(f"{self._device} has no memory left for it; {remedy}")

    def _cannot_draw(self, reason: str) -> Failure:
        end = "" if reason.endswith("?") else "."
        return Failure("broken", f"{self.spec.title} cannot draw this: {reason}{end}")
