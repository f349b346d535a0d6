"""Measures vision-language models at real sizes: adapter, batching, kernels and memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from bench.gpu.folders import (
    build_on_meta,
    check_replies,
    fill_randomly,
    in_folder,
    write_hollow,
)
from bench.gpu.rows import GIB, GpuRow, PeakMemory, Setup
from bench.gpu.timing import (
    Rates,
    compare,
    measure_rates,
    median_seconds,
    peak_bytes,
    ratio_text,
    reset_peak,
    seconds,
)
from hallascope.backends import registry
from hallascope.backends.base import NoRoom
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import LETTERS, Picture
from hallascope.data.requests import Ask, Setting

BAR = "at most 1.05"
WORDS = 32  # tokens of a reply
QUESTIONS, IMAGES = 5, 8
SIDE = 1024  # pixels of an image
CHOICES = ("Red", "Blue", "Green", "Black", "None of the above")
TEXT = "Tell me all that you see."
LEFT = 0.5  # of its weights is what the GPU has left where a model does not fit


@dataclass(frozen=True)
class _ChatSize:
    """Says how large a model is: its tiny maker, and sizes of its language and vision parts."""

    maker: str
    text: dict[str, Any]
    vision: dict[str, Any]
    sections: tuple[int, int, int]  # of the rotary positions
    tied: bool


_SIZES = {
    "qwen2-vl-2b": _ChatSize(
        "qwen2-vl",
        {
            "hidden_size": 1536,
            "intermediate_size": 8960,
            "num_hidden_layers": 28,
            "num_attention_heads": 12,
            "num_key_value_heads": 2,
            "vocab_size": 151_936,
        },
        {
            "depth": 32,
            "embed_dim": 1280,
            "hidden_size": 1536,
            "num_heads": 16,
            "patch_size": 14,
            "mlp_ratio": 4,
        },
        (16, 24, 24),
        tied=True,
    ),
    "qwen2.5-vl-7b": _ChatSize(
        "qwen2.5-vl",
        {
            "hidden_size": 3584,
            "intermediate_size": 18_944,
            "num_hidden_layers": 28,
            "num_attention_heads": 28,
            "num_key_value_heads": 4,
            "vocab_size": 152_064,
        },
        {
            "depth": 32,
            "hidden_size": 1280,
            "intermediate_size": 3420,
            "num_heads": 16,
            "patch_size": 14,
            "out_hidden_size": 3584,
            "window_size": 112,
            "fullatt_block_indexes": [7, 15, 23, 31],
        },
        (16, 24, 24),
        tied=False,
    ),
    "qwen3-vl-8b": _ChatSize(
        "qwen3-vl",
        {
            "hidden_size": 4096,
            "intermediate_size": 12_288,
            "num_hidden_layers": 36,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "vocab_size": 151_936,
        },
        {
            "depth": 27,
            "hidden_size": 1152,
            "intermediate_size": 4304,
            "num_heads": 16,
            "patch_size": 16,
            "out_hidden_size": 4096,
            "num_position_embeddings": 2304,
            "deepstack_visual_indexes": [8, 16, 24],
        },
        (24, 20, 20),
        tied=False,
    ),
}


def measure_qwen2_vl(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure a judge of the size of Qwen2-VL 2B."""
    yield from _measure_chat("qwen2-vl-2b", setup)


def measure_qwen25_vl(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure a judge of the size of Qwen2.5-VL 7B."""
    yield from _measure_chat("qwen2.5-vl-7b", setup)


def measure_qwen3_vl(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure a judge of the size of Qwen3-VL 8B."""
    yield from _measure_chat("qwen3-vl-8b", setup)


def measure_chat_kernels(setup: Setup) -> Iterator[GpuRow]:
    """Measure attention by SDPA, and compiled replies, of a Qwen2-VL 2B in the bare library."""
    chat = load_chat("qwen2-vl-2b", setup)
    given = _bare_inputs(chat, draw_picture(setup, 0), setup)
    model = chat.model

    def read() -> None:
        _infer(lambda: model(**given, logits_to_keep=1))

    def reply(**options: Any) -> None:
        model.generate(**given, max_new_tokens=WORDS, do_sample=False, **options)

    fused = median_seconds(read, setup.device)
    default = model.config._attn_implementation
    model.set_attn_implementation("eager")
    eager = median_seconds(read, setup.device)
    model.set_attn_implementation(default)
    yield GpuRow(
        f"Qwen2-VL 2B: reading an image with attention {default} (as loaded) to eager",
        ratio_text(fused, eager),
    )
    if setup.device == "cpu":
        yield GpuRow("Qwen2-VL 2B: replies with a compiled model", "skipped: for a GPU only")
        return
    usual = median_seconds(reply, setup.device, rounds=3)
    first = seconds(lambda: reply(cache_implementation="static"), setup.device)
    compiled = median_seconds(lambda: reply(cache_implementation="static"), setup.device, rounds=3)
    saved = usual - compiled
    pays = f"pays after {first / saved:.0f} replies" if saved > 0 else "never pays"
    yield GpuRow(
        f"Qwen2-VL 2B: a reply of {WORDS} tokens, compiled with a static cache to without",
        f"{ratio_text(compiled, usual)}; compiling took {first:.0f} s and {pays}",
    )


def measure_no_room(setup: Setup) -> Iterator[GpuRow]:
    """Measure what is said where a judge does not fit into the memory that the GPU has left."""
    what = "Qwen2-VL 2B where it does not fit alone"
    if setup.device == "cpu":
        yield GpuRow(what, "skipped: for a GPU only")
        return
    import torch

    folder = make_chat_folder("qwen2-vl-2b", setup)
    spec = chat_spec("qwen2-vl-2b", folder, setup)
    size = (folder / "model.safetensors").stat().st_size
    free, _ = torch.cuda.mem_get_info()
    ballast = torch.empty(free - int(LEFT * size), dtype=torch.uint8, device=setup.device)
    try:
        registry.load(spec)
        said = "LOADED"
    except NoRoom as error:
        said = f"NoRoom: {error}"
    del ballast
    yield GpuRow(f"{what} ({LEFT * size / GIB:.1f} GiB free)", said, "one sentence")


# --- a model of a size ----------------------------------------------------------------------------


def make_chat_folder(entry: str, setup: Setup) -> Path:
    """Make the folder of a model of an entry's size, weights of zeros, a tiny one's tokenizer."""
    import transformers

    size = _SIZES[entry]
    folder = setup.folder / entry
    from tests.support.tiny_models import chat_models

    chat_models.CHATS[size.maker](folder)
    config = transformers.AutoConfig.from_pretrained(folder)
    if not setup.is_tiny:
        _resize_config(config, size)
        _resize_processor(folder, size.vision["patch_size"])
    config.save_pretrained(folder)
    model = build_on_meta(getattr(transformers, config.architectures[0]), config)
    write_hollow(model, folder / "model.safetensors", "bfloat16")
    _let_replies_be_long(folder)
    return folder


def chat_spec(entry: str, folder: Path, setup: Setup) -> ModelSpec:
    """Return the entry with that folder in place of its repository."""
    settings: dict[str, Setting] = {"dtype": "bfloat16", "max_tokens": WORDS}
    return in_folder(read_models()[entry], folder, settings, setup.device)


def load_chat(entry: str, setup: Setup) -> Any:
    """Load a model of the size of an entry through its adapter, with random weights."""
    chat: Any = registry.load(chat_spec(entry, make_chat_folder(entry, setup), setup))
    fill_randomly([chat.model])
    return chat


def _resize_config(config: Any, size: _ChatSize) -> None:
    text, sight = config.text_config, config.vision_config
    for name, value in size.text.items():
        setattr(text, name, value)
    for name, value in size.vision.items():
        setattr(sight, name, value)
    text.max_position_embeddings = 32_768
    if getattr(text, "layer_types", None):
        text.layer_types = ["full_attention"] * text.num_hidden_layers
    text.rope_parameters = {**text.rope_parameters, "mrope_section": list(size.sections)}
    config.tie_word_embeddings = text.tie_word_embeddings = size.tied


def _resize_processor(folder: Path, patch: int) -> None:
    file = folder / "processor_config.json"
    fields = json.loads(file.read_text(encoding="utf-8"))
    size = {"shortest_edge": 56**2, "longest_edge": SIDE**2}
    fields["image_processor"] |= {"patch_size": patch, "size": size}
    file.write_text(json.dumps(fields), encoding="utf-8")


def _let_replies_be_long(folder: Path) -> None:
    """Let no token end a reply, so that all replies are of one length."""
    file = folder / "generation_config.json"
    fields = json.loads(file.read_text(encoding="utf-8"))
    fields["eos_token_id"] = None
    file.write_text(json.dumps(fields), encoding="utf-8")


# --- what is measured of it -----------------------------------------------------------------------


def _measure_chat(entry: str, setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    spec = read_models()[entry]
    title = spec.title
    reset_peak(setup)
    chat = load_chat(entry, setup)
    picture = draw_picture(setup, 0)
    inputs = _bare_inputs(chat, picture, setup)
    reply, bare = compare(
        lambda: _reply(chat, picture),
        lambda: _reply_bare(chat, picture, setup),
        setup.device,
    )
    yield GpuRow(
        f"{title}: a reply of {WORDS} tokens through the adapter to the library's",
        ratio_text(reply, bare),
        BAR,
    )
    peak = peak_bytes(setup)
    weights = sum(part.numel() for part in chat.model.parameters())
    rates = measure_rates(setup)
    preparing = median_seconds(lambda: _bare_inputs(chat, picture, setup), setup.device)
    yield GpuRow(f"{title}: of it, preparing the image on the host", f"{preparing * 1000:.0f} ms")
    yield from _speed_rows(title, chat, inputs, weights, rates, bare - preparing, setup)
    reset_peak(setup)
    for number in (1, IMAGES):
        pictures = [draw_picture(setup, i) for i in range(number)]
        asks = [lettered_ask(each, f"Question {i}?") for each in pictures for i in range(QUESTIONS)]
        yield _batching_row(title, chat, asks, inputs, rates, setup)
    yield PeakMemory(entry, spec.memory_gb, max(peak, peak_bytes(setup)), weights)


def _speed_rows(
    title: str,
    chat: Any,
    inputs: Any,
    weights: int,
    rates: Rates,
    reply: float,
    setup: Setup,
) -> Iterator[GpuRow]:
    """Yield how far reading and writing are from what the device allows.

    `reply`: seconds of a whole reply in the library, without preparing the image.
    """
    tokens = int(inputs["input_ids"].shape[1])
    reading = median_seconds(
        lambda: _infer(lambda: chat.model(**inputs, logits_to_keep=1)), setup.device
    )
    floor = _reading_floor(chat, inputs, rates)
    yield GpuRow(
        f"{title}: reading an image and text of {tokens} tokens, to the least time",
        ratio_text(reading, floor),
    )
    written = (reply - reading) / (WORDS - 1)
    least = rates.pass_seconds(weights, 1)
    yield GpuRow(
        f"{title}: a further token in the library, to reading all weights once",
        ratio_text(written, least),
    )


def _batching_row(
    title: str, chat: Any, asks: Sequence[Ask], inputs: Any, rates: Rates, setup: Setup
) -> GpuRow:
    """Compare questions one by one with all in a call, with the gain that the device allows."""

    def one_by_one() -> None:
        for ask in asks:
            chat.ask([ask])

    check_replies(chat.ask(asks))
    one, all_at_once = compare(one_by_one, lambda: chat.ask(asks), setup.device)
    tail = len(chat.tokenizer(asks[0].text)["input_ids"])
    language = _count(chat.model.base_model.language_model)
    beginning = _reading_floor(chat, inputs, rates)
    alone = QUESTIONS * (beginning + rates.pass_seconds(language, 1))
    shared = beginning + rates.pass_seconds(language, QUESTIONS * tail)
    return GpuRow(
        f"{title}: {len(asks)} questions about {len(asks) // QUESTIONS} image(s), one by one to"
        " together",
        ratio_text(one, all_at_once),
        f"limit {alone / shared:.1f}",
    )


def _reading_floor(chat: Any, inputs: Any, rates: Rates) -> float:
    """Return the least seconds of reading an image and its text on this device.

    Patches go through the vision part, tokens through the language part.
    """
    base = chat.model.base_model
    patches = int(inputs["pixel_values"].shape[0])
    tokens = int(inputs["input_ids"].shape[1])
    seen = rates.pass_seconds(_count(base.visual), patches)
    return seen + rates.pass_seconds(_count(base.language_model), tokens)


def _count(module: Any) -> int:
    return sum(part.numel() for part in module.parameters())


def _bare_inputs(chat: Any, picture: Picture, setup: Setup) -> Any:
    prompt = chat.processor.apply_chat_template(
        [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": TEXT}]}],
        add_generation_prompt=True,
    )
    with Image.open(picture.path) as image:
        return chat.processor(images=[image.convert("RGB")], text=[prompt], return_tensors="pt").to(
            setup.device
        )


def _reply(chat: Any, picture: Picture) -> None:
    replies = chat.ask([Ask(images=(picture,), text=TEXT, question=TEXT, choices=())])
    check_replies(replies, may_be_empty=True)


def _reply_bare(chat: Any, picture: Picture, setup: Setup) -> str:
    given = _bare_inputs(chat, picture, setup)
    said = chat.model.generate(**given, max_new_tokens=WORDS, do_sample=False)
    ids = said[0, given["input_ids"].shape[1] :]
    return str(chat.tokenizer.decode(ids, skip_special_tokens=True))


def draw_picture(setup: Setup, i: int) -> Picture:
    """Return an image of 1,024 px (tiny: 28) of one color, as a file."""
    side = 28 if setup.is_tiny else SIDE
    path = setup.folder / f"seen-{i}.png"
    Image.new("RGB", (side, side), (30 * i, 120, 255 - 30 * i)).save(path)
    return Picture(f"seen-{i}", path)


def lettered_ask(picture: Picture, question: str) -> Ask:
    """Return a question with five choices that its text lists by letters."""
    lines = "\n".join(
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, CHOICES, strict=True)
    )
    return Ask(images=(picture,), text=f"{question}\n{lines}", question=question, choices=CHOICES)


def _infer(call: Callable[[], Any]) -> Any:
    import torch

    with torch.inference_mode():
        return call()
