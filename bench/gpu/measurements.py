"""Lists what is measured, in order of importance, with the seconds that each may take."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from bench.gpu import chats, embedded, generators, pool, vision
from bench.gpu.rows import GpuRow, PeakMemory, Setup
from bench.gpu.timing import measure_rates


@dataclass(frozen=True)
class Measurement:
    """Holds what measures, by name, and the seconds after which it is stopped."""

    name: str
    measure: Callable[[Setup], Iterator[GpuRow | PeakMemory]]
    limit: float


def measure_device(setup: Setup) -> Iterator[GpuRow]:
    """Name the device and the libraries, and measure its rates."""
    import diffusers
    import torch
    import transformers

    name = torch.cuda.get_device_name() if setup.device == "cuda" else platform.processor()
    versions = (
        f"PyTorch {torch.__version__}, transformers {transformers.__version__}, diffusers"
        f" {diffusers.__version__}"
    )
    yield GpuRow("device", f"{name or 'CPU'}, {os.cpu_count()} cores of the host; {versions}")
    rates = measure_rates(setup)
    yield GpuRow(
        "products of matrices in bfloat16, copies in its memory",
        f"{rates.flops / 1e12:.1f} TFLOP/s, {rates.bandwidth / 1e9:.0f} GB/s",
    )


def measure_ray(setup: Setup) -> Iterator[GpuRow]:
    """Measure two Ray workers that share the GPU."""
    what = "Ray with half a GPU a worker"
    if not find_spec("ray"):
        yield GpuRow(what, "skipped: the package ray is not installed here")
        return
    if setup.device == "cpu":
        yield GpuRow(what, "skipped: there is no GPU to share")
        return
    import ray

    def name_device() -> str:
        import torch

        return str(torch.cuda.get_device_name())

    ray.init(num_gpus=1, include_dashboard=False, log_to_driver=False)
    try:
        worker = ray.remote(num_gpus=0.5)(name_device)
        names = ray.get([worker.remote() for _ in range(2)])
    finally:
        ray.shutdown()
    yield GpuRow(what, f"{len(names)} workers on {', '.join(sorted(set(names)))}", "2 workers")


MEASUREMENTS = (
    Measurement("device", measure_device, 30),
    Measurement("clip", vision.measure_clip, 30),
    Measurement("dino", vision.measure_dino, 30),
    Measurement("sam2", vision.measure_sam2, 40),
    Measurement("grounding-dino", vision.measure_grounding_dino, 40),
    Measurement("sdxl", generators.measure_sdxl, 60),
    Measurement("qwen2-vl", chats.measure_qwen2_vl, 75),
    Measurement("flux", generators.measure_flux, 100),
    Measurement("qwen2.5-vl", chats.measure_qwen25_vl, 90),
    Measurement("pool", pool.measure_pool, 60),
    Measurement("offload", generators.measure_offload, 120),
    Measurement("no-room", chats.measure_no_room, 30),
    Measurement("primer-judge", embedded.measure_judge, 40),
    Measurement("primer-embedder", embedded.measure_embedder, 20),
    Measurement("chat-kernels", chats.measure_chat_kernels, 80),
    Measurement("compiled-flux", generators.measure_compiled_flux, 90),
    Measurement("qwen3-vl", chats.measure_qwen3_vl, 90),
    Measurement("ray", measure_ray, 60),
)
