"""Measures generators of diffusers against their bare pipelines, and with too little memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from bench.gpu.folders import fill_randomly, in_folder
from bench.gpu.pipelines import make_flux, make_sdxl
from bench.gpu.rows import GIB, GpuRow, PeakMemory, Setup
from bench.gpu.timing import compare, median_seconds, peak_bytes, ratio_text, reset_peak, seconds
from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Failure, Generate, Setting

BAR = "at most 1.05"
PROMPT = "the cat"
SEED = 7
SPARE = 1.1  # times its weights is what the GPU has left where a pipeline does not fit
PARTS = ("transformer", "unet", "vae", "text_encoder", "text_encoder_2")


@dataclass(frozen=True)
class _Painter:
    """Holds a loaded generator, its settings, and the number of its weights."""

    backend: Any
    steps: int
    guidance: float
    side: int
    weights: int

    def generate(self) -> bytes:
        """Draw through the adapter. Raises RuntimeError where it draws nothing."""
        (reply,) = self.backend.generate([Generate(PROMPT, SEED)])
        if isinstance(reply, Failure):
            raise RuntimeError(reply.message)
        return bytes(reply.png)

    def draw(self, output: str = "pil") -> Any:
        """Draw through the bare pipeline, from the same noise."""
        import torch

        return self.backend.pipeline(
            PROMPT,
            num_inference_steps=self.steps,
            guidance_scale=self.guidance,
            width=self.side,
            height=self.side,
            generator=torch.Generator("cpu").manual_seed(SEED),
            output_type=output,
        ).images

    def draw_file(self) -> bytes:
        """Draw through the bare pipeline and write a PNG."""
        stream = io.BytesIO()
        self.draw()[0].save(stream, "PNG")
        return stream.getvalue()


def measure_sdxl(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure a generator of the size of SDXL, 1,024 px in ten steps, in float16."""
    folder = make_sdxl(setup.folder / "sdxl", setup.size)
    dtype = {"dtype": "float32"} if setup.device == "cpu" else {}
    reset_peak(setup)
    painter = _load(
        "sdxl-base", folder, setup, {"steps": 10, "guidance": 5.0, "variant": "fp16", **dtype}
    )
    yield from _compare(painter, "SDXL", setup)
    yield from _measure_parts(painter, "SDXL", setup)
    yield _peak(painter, "sdxl-base", setup)


def measure_flux(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure a generator of the size of FLUX.1 schnell at full depth, 1,024 px in four steps."""
    folder = make_flux(setup.folder / "flux", setup.size)
    reset_peak(setup)
    painter = _load("flux-schnell", folder, setup, {"steps": 4, "guidance": 0.0})
    yield from _compare(painter, "FLUX.1 schnell", setup)
    yield _peak(painter, "flux-schnell", setup)
    yield PeakMemory("flux-dev", read_models()["flux-dev"].memory_gb, peak_bytes(setup), 0, "same")


def measure_offload(setup: Setup) -> Iterator[GpuRow]:
    """Measure SDXL where the GPU has too little memory left: how it is placed, and how fast."""
    folder = make_sdxl(setup.folder / "sdxl", setup.size)
    settings: dict[str, Setting] = {"steps": 2, "guidance": 5.0, "variant": "fp16"}
    if setup.device == "cpu":
        painter = _load("sdxl-base", folder, setup, {**settings, "dtype": "float32"})
        painter.generate()
        yield GpuRow("SDXL with little memory", "skipped: parts wait on the host of a GPU only")
        return
    import torch

    usual, weights = _measure_with_room(folder, setup, settings)
    reset_peak(setup)
    free, _ = torch.cuda.mem_get_info()
    ballast = torch.empty(free - int(SPARE * weights), dtype=torch.uint8, device=setup.device)
    reset_peak(setup)
    # parts on the host keep their zeros: filling them there would take longer than all the rest
    painter = _load("sdxl-base", folder, setup, settings, fill=False)
    painter.draw("np")
    slow = seconds(lambda: painter.draw("np"), setup.device)
    peak = (peak_bytes(setup) - ballast.numel()) / GIB
    yield GpuRow(
        f"SDXL with {SPARE * weights / GIB:.1f} GiB free: what waits on the host, pixels of an"
        " image in two steps to those with room for all",
        f"{painter.backend._offload or 'nothing'}, {ratio_text(slow, usual)}, peak {peak:.1f} GiB",
    )


def _measure_with_room(
    folder: Path, setup: Setup, settings: dict[str, Setting]
) -> tuple[float, int]:
    """Return the seconds to the pixels of an image, and the bytes of the weights."""
    painter = _load("sdxl-base", folder, setup, settings)
    return median_seconds(lambda: painter.draw("np"), setup.device, rounds=2), 2 * painter.weights


def measure_compiled_flux(setup: Setup) -> Iterator[GpuRow]:
    """Measure the blocks of a FLUX.1 of half its depth compiled, to the same as they are."""
    folder = make_flux(setup.folder / "flux", setup.size, is_half=True)
    painter = _load("flux-schnell", folder, setup, {"steps": 4, "guidance": 0.0})

    def denoise() -> None:
        painter.draw("latent")

    eager = median_seconds(denoise, setup.device, rounds=3)
    painter.backend.pipeline.transformer.compile_repeated_blocks(fullgraph=True)
    first = seconds(denoise, setup.device)
    compiled = median_seconds(denoise, setup.device, rounds=3)
    saved = eager - compiled
    pays = f"pays after {first / saved:.0f} images" if saved > 0 else "never pays"
    yield GpuRow(
        "FLUX.1 schnell at half depth: denoising with compiled blocks to without",
        f"{ratio_text(compiled, eager)}; compiling took {first:.0f} s and {pays}",
    )


def _load(
    entry: str,
    folder: Path,
    setup: Setup,
    settings: dict[str, Setting],
    *,
    fill: bool = True,
) -> _Painter:
    spec = in_folder(read_models()[entry], folder, settings, setup.device)
    side = 32 if setup.is_tiny else 1024
    backend: Any = registry.load(in_folder(spec, folder, {**settings, "size": side}, setup.device))
    modules = [part for name in PARTS if (part := getattr(backend.pipeline, name, None))]
    return _Painter(
        backend,
        int(settings["steps"] or 0),
        float(settings["guidance"] or 0),
        side,
        fill_randomly(modules) if fill else 0,
    )


def _compare(painter: _Painter, title: str, setup: Setup) -> Iterator[GpuRow]:
    with Image.open(io.BytesIO(painter.generate())) as ours:
        is_same = ours.convert("RGB").tobytes() == painter.draw()[0].tobytes()
    ratio = ratio_text(*compare(painter.generate, painter.draw_file, setup.device))
    same = "the same pixels" if is_same else "OTHER PIXELS"
    yield GpuRow(
        f"{title}: an image as PNG through the adapter to the bare pipeline",
        f"{ratio}, {same}",
        BAR,
    )


def _measure_parts(painter: _Painter, title: str, setup: Setup) -> Iterator[GpuRow]:
    """Measure where the seconds of an image go: denoising, decoding, and writing the PNG."""
    latents = median_seconds(lambda: painter.draw("latent"), setup.device, rounds=3)
    pixels = median_seconds(lambda: painter.draw("np"), setup.device, rounds=3)
    (image,) = painter.draw()
    png = median_seconds(lambda: image.save(io.BytesIO(), "PNG"), setup.device, rounds=3)
    whole = median_seconds(painter.generate, setup.device, rounds=3)
    own = whole - pixels - png
    yield GpuRow(
        f"{title}: reading and denoising, decoding to pixels, PNG, the rest of the adapter",
        f"{latents * 1000:.0f} ms, {(pixels - latents) * 1000:.0f} ms, {png * 1000:.0f} ms,"
        f" {own * 1000:.0f} ms",
    )


def _peak(painter: _Painter, entry: str, setup: Setup) -> PeakMemory:
    return PeakMemory(entry, read_models()[entry].memory_gb, peak_bytes(setup), painter.weights)
