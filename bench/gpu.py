"""Measures the paths of a GPU: ``make bench-gpu``; one sentence where there is none.

The large models have the sizes of real ones and random weights, so nothing is downloaded. Times are
medians of one run on one card; ratios compare with the bare library in the same run.
"""

from __future__ import annotations

import gc
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from hallascope.backends import registry
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import LETTERS, Picture
from hallascope.data.requests import Answer, Ask, Embed, Generate, Setting
from hallascope.primer import scenes
from tests.support.tiny_models import language, pipelines, vision

IMAGES, QUESTIONS, WORDS, ROUNDS = 40, 5, 32, 3
SIDE = 512  # pixels of an image that a chat judge is shown
STEPS = 10  # of a diffusion model
CHOICES = ("Red", "Blue", "Green", "Black", "None of the above")


class GpuRow(NamedTuple):
    """Holds a line of the table: what was measured, the result, and what it should be."""

    what: str
    result: str
    bar: str


def main() -> None:
    import torch

    if not torch.cuda.is_available():
        print("There is no NVIDIA GPU here, so nothing was measured: run it on a machine with one.")
        return
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}\n")
    print("| what | measured | bar |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for measure in (embedded_judge, chat_judge, embedder, diffusion):
            for row in _rows(measure, Path(folder)):
                print(f"| {row.what} | {row.result} | {row.bar} |", flush=True)
            gc.collect()
            torch.cuda.empty_cache()


def _rows(measure: Callable[[Path], Iterator[GpuRow]], folder: Path) -> Iterator[GpuRow]:
    """Yield the rows of a measurement; one that fails has a row that says so."""
    try:
        yield from measure(folder)
    # one model that does not run must not hide the others
    except Exception as error:
        yield GpuRow(measure.__name__, f"failed: {type(error).__name__}: {error}"[:300], "")


# --- the judge that ships -------------------------------------------------------------------------


def embedded_judge(folder: Path) -> Iterator[GpuRow]:
    """Compare the embedded judge's answers on the GPU with those on the CPU."""
    asks = list(_primer_asks(folder))
    answers, seconds = {}, {}
    for device in ("cpu", "cuda"):
        judge: Any = registry.load(_changed(read_models()["primer/judge"], device=device))
        judge.ask(asks[:QUESTIONS])  # the first call is slow in any order
        started = time.perf_counter()
        answers[device] = judge.ask(asks)
        seconds[device] = (time.perf_counter() - started) / len(asks)
    pairs = [
        (one, other)
        for one, other in zip(answers["cpu"], answers["cuda"], strict=True)
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
        f"{seconds['cpu'] * 1000:.1f} ms, {seconds['cuda'] * 1000:.1f} ms",
        "",
    )


def _primer_asks(folder: Path) -> Iterator[Ask]:
    painter: Any = registry.load(read_models()["primer/hasty"])
    for i, prompt in enumerate(scenes.prompts()[:IMAGES]):
        path = folder / f"{i}.png"
        path.write_bytes(painter.generate([Generate(prompt, i)])[0].png)
        for question in scenes.parse(prompt).questions().questions:
            yield Ask(
                images=(Picture(str(i), path),),
                text=question.text,
                question=question.text,
                choices=question.choices,
            )


# --- a vision-language model of 2 billion parameters ----------------------------------------------


def chat_judge(folder: Path) -> Iterator[GpuRow]:
    """Measure a judge of the size of Qwen2-VL 2B against the library's own generation."""
    import torch

    spec = read_models()["qwen2-vl-2b"]
    _make_qwen2_vl_2b(folder / "qwen")
    torch.cuda.reset_peak_memory_stats()
    chat: Any = registry.load(
        _changed(spec, repository=str(folder / "qwen"), dtype="bfloat16", max_tokens=WORDS)
    )
    picture = vision.picture(folder, size=(SIDE, SIDE))
    text = "Tell me all that you see."

    def adapted() -> None:
        chat.ask([Ask(images=(picture,), text=text, question=text)])

    bare = _bare_chat(chat, picture, text)
    yield GpuRow(
        "Qwen2-VL 2B: a reply through the adapter to the library's", _ratio(adapted, bare), "1.05"
    )
    for number in (1, 8):
        pictures = [_recolored(folder, i) for i in range(number)]
        asks = [_choice_ask(each, f"Question {i}?") for each in pictures for i in range(QUESTIONS)]

        def one_by_one(asks: Sequence[Ask] = asks) -> None:
            for ask in asks:
                chat.ask([ask])

        def together(asks: Sequence[Ask] = asks) -> None:
            chat.ask(asks)

        yield GpuRow(
            f"Qwen2-VL 2B: {len(asks)} questions about {number} images, one by one to together",
            _ratio(one_by_one, together),
            "",
        )
    yield _memory_row("Qwen2-VL 2B", spec)


def _make_qwen2_vl_2b(folder: Path, device: str = "cuda") -> None:
    """Save a Qwen2-VL of 2 B random parameters, with the tokenizer of a tiny one."""
    import torch
    import transformers as hf

    language.qwen2_vl(folder)
    config = hf.Qwen2VLConfig.from_pretrained(folder)
    text, sight = config.text_config, config.vision_config
    text.hidden_size, text.intermediate_size, text.num_hidden_layers = 1536, 8960, 28
    text.num_attention_heads, text.num_key_value_heads, text.vocab_size = 12, 2, 151_936
    text.max_position_embeddings = 32_768
    text.layer_types = ["full_attention"] * text.num_hidden_layers
    text.rope_parameters = {**text.rope_parameters, "mrope_section": [16, 24, 24]}
    sight.depth, sight.embed_dim, sight.hidden_size, sight.num_heads = 32, 1280, 1536, 16
    sight.patch_size, sight.mlp_ratio = 14, 4
    with torch.device(device):
        torch.set_default_dtype(torch.bfloat16)
        try:
            model = hf.Qwen2VLForConditionalGeneration(config)
        finally:
            torch.set_default_dtype(torch.float32)
    model.generation_config.eos_token_id = None
    model.save_pretrained(folder)
    file = folder / "processor_config.json"
    prepares = json.loads(file.read_text(encoding="utf-8"))
    size = {"shortest_edge": 56**2, "longest_edge": 1024**2}
    prepares["image_processor"] |= {"patch_size": 14, "size": size}
    file.write_text(json.dumps(prepares), encoding="utf-8")


def _bare_chat(chat: Any, picture: Picture, text: str) -> Callable[[], None]:
    prompt = chat.processor.apply_chat_template(
        [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": text}]}],
        add_generation_prompt=True,
    )

    def bare() -> None:
        with Image.open(picture.path) as image:
            given = chat.processor(
                images=[image.convert("RGB")], text=[prompt], return_tensors="pt"
            ).to("cuda")
        said = chat.model.generate(**given, max_new_tokens=WORDS, do_sample=False)
        chat.tokenizer.decode(said[0, given["input_ids"].shape[1] :], skip_special_tokens=True)

    return bare


def _recolored(folder: Path, i: int) -> Picture:
    path = folder / f"color-{i}.png"
    Image.new("RGB", (SIDE, SIDE), (30 * i, 120, 255 - 30 * i)).save(path)
    return Picture(f"color-{i}", path)


def _choice_ask(picture: Picture, question: str) -> Ask:
    lines = "\n".join(
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, CHOICES, strict=True)
    )
    return Ask(images=(picture,), text=f"{question}\n{lines}", question=question, choices=CHOICES)


# --- vectors and images ---------------------------------------------------------------------------


def embedder(folder: Path) -> Iterator[GpuRow]:
    """Measure the embedder that ships: vectors of images in one call to one by one."""
    spec = _changed(read_models()["primer/embedder"], device="cuda")
    model: Any = registry.load(spec)
    requests = [Embed(image=_recolored(folder, i % 8)) for i in range(32)]

    def one_by_one() -> None:
        for request in requests:
            model.embed([request])

    yield GpuRow(
        "primer/embedder: 32 images, one by one to together",
        _ratio(one_by_one, lambda: model.embed(requests)),
        "",
    )


def diffusion(folder: Path) -> Iterator[GpuRow]:
    """Measure a generator of the size of SDXL against its bare pipeline."""
    import torch

    spec = read_models()["sdxl-base"]
    _make_sdxl(folder / "sdxl")
    torch.cuda.reset_peak_memory_stats()
    settings: dict[str, Setting] = {"steps": STEPS, "guidance": 5.0, "size": 1024}
    painter: Any = registry.load(
        _changed(spec, repository=str(folder / "sdxl"), only=True, **settings)
    )
    prompt = "the cat"

    def adapted() -> None:
        painter.generate([Generate(prompt, 0)])

    def bare() -> None:
        made = painter.pipeline(
            prompt, num_inference_steps=STEPS, guidance_scale=5.0, width=1024, height=1024
        )
        made.images[0].save(folder / "bare.png")

    yield GpuRow(
        "SDXL: an image through the adapter to the bare pipeline", _ratio(adapted, bare), "1.05"
    )
    yield _memory_row("SDXL", spec)


def _make_sdxl(folder: Path, device: str = "cuda") -> None:
    """Save an SDXL of random weights in float16, with the tokenizers of a tiny one."""
    import torch
    from diffusers import (
        AutoencoderKL,
        EulerDiscreteScheduler,
        StableDiffusionXLPipeline,
        UNet2DConditionModel,
    )
    from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

    words = pipelines.clip_tokenizer(folder.with_name("sdxl-words"))
    shared = {"vocab_size": 49_408, "bos_token_id": 0, "eos_token_id": 2}
    with torch.device(device):
        torch.set_default_dtype(torch.float16)
        try:
            unet = UNet2DConditionModel(
                sample_size=128,
                block_out_channels=(320, 640, 1280),
                layers_per_block=2,
                attention_head_dim=[5, 10, 20],
                transformer_layers_per_block=[1, 2, 10],
                down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
                up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
                cross_attention_dim=2048,
                addition_embed_type="text_time",
                addition_time_embed_dim=256,
                projection_class_embeddings_input_dim=2816,
                use_linear_projection=True,
            )
            vae = AutoencoderKL(
                block_out_channels=(128, 256, 512, 512),
                down_block_types=("DownEncoderBlock2D",) * 4,
                up_block_types=("UpDecoderBlock2D",) * 4,
                layers_per_block=2,
                latent_channels=4,
                sample_size=1024,
                scaling_factor=0.13025,
            )
            first = CLIPTextModel(
                CLIPTextConfig(
                    hidden_size=768,
                    intermediate_size=3072,
                    num_hidden_layers=12,
                    num_attention_heads=12,
                    projection_dim=768,
                    **shared,
                )
            )
            second = CLIPTextModelWithProjection(
                CLIPTextConfig(
                    hidden_size=1280,
                    intermediate_size=5120,
                    num_hidden_layers=32,
                    num_attention_heads=20,
                    projection_dim=1280,
                    **shared,
                )
            )
        finally:
            torch.set_default_dtype(torch.float32)
    StableDiffusionXLPipeline(
        vae=vae,
        text_encoder=first,
        text_encoder_2=second,
        tokenizer=words,
        tokenizer_2=words,
        unet=unet,
        scheduler=EulerDiscreteScheduler(),
    ).save_pretrained(folder, variant="fp16")


# --- measuring ------------------------------------------------------------------------------------


def _changed(
    spec: ModelSpec, repository: str | None = None, *, only: bool = False, **settings: Setting
) -> ModelSpec:
    """Return an entry of a local folder, with these settings beside its own (`only`: without)."""
    own = {"variant": "fp16"} if only else dict(spec.settings)
    changed = replace(spec, settings={**own, **settings})
    if repository is None:
        return changed
    return replace(changed, repository=repository, revision=None, needs=())


def _seconds(call: Callable[[], None]) -> float:
    import torch

    started = time.perf_counter()
    call()
    torch.cuda.synchronize()
    return time.perf_counter() - started


def _ratio(one: Callable[[], None], other: Callable[[], None]) -> str:
    """Return the ratio of the median seconds of two calls that take turns, with both."""
    one()
    other()
    turns = [(_seconds(one), _seconds(other)) for _ in range(ROUNDS)]
    first, second = (statistics.median(times) for times in zip(*turns, strict=True))
    return f"{first / second:.2f} ({first * 1000:.0f} ms, {second * 1000:.0f} ms)"


def _memory_row(title: str, spec: ModelSpec) -> GpuRow:
    import torch

    peak = torch.cuda.max_memory_allocated() / 1e9
    return GpuRow(f"{title}: peak memory", f"{peak:.1f} GB", f"entry: {spec.memory_gb} GB")


if __name__ == "__main__":
    main()
