"""Measures the models that ship: answers on CPU and GPU, vectors in batches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.gpu.folders import on_device
from bench.gpu.rows import GpuRow, Setup
from bench.gpu.vision import batching_row
from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Generate
from hallascope.primer import scenes

IMAGES, QUESTIONS = 40, 5


def measure_judge(setup: Setup) -> Iterator[GpuRow]:
    """Compare the embedded judge's answers on the device with those on the CPU."""
    asks = list(_primer_asks(setup.folder, 2 if setup.is_tiny else IMAGES))
    answers, seconds = {}, {}
    for place, device in (("cpu", "cpu"), ("device", setup.device)):
        judge: Any = registry.load(on_device(read_models()["primer/judge"], device))
        judge.ask(asks[:QUESTIONS])  # the first call is slow in any order
        started = time.perf_counter()
        answers[place] = judge.ask(asks)
        seconds[place] = (time.perf_counter() - started) / len(asks)
    pairs = [
        (one, other)
        for one, other in zip(answers["cpu"], answers["device"], strict=True)
        if isinstance(one, Answer) and isinstance(other, Answer)
    ]
    same = sum(one.text == other.text for one, other in pairs)
    apart = max(
        abs(p - q)
        for one, other in pairs
        for p, q in zip(one.probabilities or (), other.probabilities or (), strict=True)
    )
    yield GpuRow("primer/judge: same answer on CPU and GPU", f"{same} of {len(asks)}", "all")
    yield GpuRow("primer/judge: largest difference of a probability", f"{apart:.4f}", "0.05")
    yield GpuRow(
        "primer/judge: a question on CPU, on GPU",
        f"{seconds['cpu'] * 1000:.1f} ms, {seconds['device'] * 1000:.1f} ms",
    )


def measure_embedder(setup: Setup) -> Iterator[GpuRow]:
    """Measure the embedder that ships: vectors of images in one call to one by one."""
    model: Any = registry.load(on_device(read_models()["primer/embedder"], setup.device))
    pictures = [picture for _, picture in _draw_prompts(setup.folder, 8)]
    yield batching_row("primer/embedder", model, pictures, setup)


def _draw_prompts(folder: Path, images: int) -> Iterator[tuple[str, Picture]]:
    painter: Any = registry.load(read_models()["primer/hasty"])
    for i, prompt in enumerate(scenes.prompts()[:images]):
        path = folder / f"{i}.png"
        path.write_bytes(painter.generate([Generate(prompt, i)])[0].png)
        yield prompt, Picture(str(i), path)


def _primer_asks(folder: Path, images: int) -> Iterator[Ask]:
    for prompt, picture in _draw_prompts(folder, images):
        for question in scenes.parse(prompt).questions().questions:
            yield Ask(
                images=(picture,),
                text=question.text,
                question=question.text,
                choices=question.choices,
            )
