"""Measures adapters at real sizes against the bare libraries: ``make bench-gpu``.

The large models (`gpu_models.toml`) have the sizes of real ones and random weights, so nothing is
downloaded. Each adapter runs in a process of its own, which is ended at its time limit. Where there
is no GPU, one sentence says so; ``--device cpu --size tiny`` measures small models.
"""

import io
import json
import math
import multiprocessing
import struct
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
import transformers
import typer
from PIL import Image

from bench.measuring import Row, finish, in_turns, launch, ratio_row, seconds
from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.data.requests import Ask, Failure, Generate
from hallascope.engine.errors import BadRequest
from tests.support.tiny_models import language, pipeline_parts

BOUND = 1.05  # of an adapter to the bare library
GAIN_BOUND = 2  # of questions one by one to one call for all
NEAR = 0.15  # by which the memory of an entry may differ from what was measured
ROUNDS = 6
LIMIT = 100.0  # seconds of an adapter
TEXT, PROMPT, SEED, WORDS = "Tell me all that you see.", "the cat", 7, 32
MAKERS: Mapping[str, Callable[[Path], Path]] = {
    **language.TALKERS,
    "sdxl": pipeline_parts.stable_diffusion_xl,
    "flux": pipeline_parts.flux,
}
TYPES = {"float32": ("F32", 4), "float16": ("F16", 2), "bfloat16": ("BF16", 2)}
TYPES |= {"int64": ("I64", 8), "int32": ("I32", 4), "bool": ("BOOL", 1)}
SPAWN = multiprocessing.get_context("spawn")
Size = Literal["full", "tiny"]
# the same work through the adapter and in the bare library
Calls = tuple[Callable[[], object], Callable[[], object]]


@dataclass(frozen=True)
class Adapter:
    """Is a row of the table: what is measured of which model, and the sizes of the real one."""

    title: str
    kind: Literal["draw", "chat"]
    tiny: str
    entries: Sequence[str]
    dtype: str = "float32"
    settings: Mapping[str, Any] = field(default_factory=dict)
    images: Mapping[str, Any] = field(default_factory=dict)
    sizes: Mapping[str, Any] = field(default_factory=dict)


def read_adapters() -> dict[str, Adapter]:
    """Return the table of adapters by name."""
    text = Path(__file__).with_name("gpu_models.toml").read_text(encoding="utf-8")
    return {name: Adapter(**fields) for name, fields in tomllib.loads(text).items()}


# --- models of a size ---


def make_folder(adapter: Adapter, folder: Path, size: Size) -> Path:
    """Make a model's folder: the tiny one, whose configuration gets the sizes, without weights.

    The file of the weights has a hole where the numbers stand: it takes no time and no space, is
    read as zeros, and every adapter loads it as any other.
    """
    MAKERS[adapter.tiny](folder)
    index = folder / "model_index.json"
    if size == "tiny":
        return folder
    if not index.exists():
        for name in ("processor_config.json", "preprocessor_config.json"):
            if (file := folder / name).exists():
                fields = json.loads(file.read_text())
                fields.get("image_processor", fields).update(adapter.images)
                file.write_text(json.dumps(fields))
        (kind,) = transformers.AutoConfig.from_pretrained(folder).architectures
        enlarge(getattr(transformers, kind), folder, adapter.sizes, adapter.dtype)
    for name, part in json.loads(index.read_text()).items() if index.exists() else ():
        if name in adapter.sizes:
            model_class = getattr(import_module(part[0]), part[1])
            enlarge(model_class, folder / name, adapter.sizes[name], adapter.dtype)
    return folder


def enlarge(model_class: Any, folder: Path, sizes: Mapping[str, Any], dtype: str) -> None:
    """Put a model of other sizes, without numbers, in the place of the one in a folder."""
    (old,) = folder.glob("*.safetensors")
    if hasattr(model_class, "load_config"):
        with torch.device("meta"):
            model = model_class.from_config({**model_class.load_config(folder), **sizes})
        model.save_config(folder)
    else:
        config = model_class.config_class.from_pretrained(folder)
        resize(config, sizes)
        config.save_pretrained(folder)
        with torch.device("meta"):
            model = model_class(config)
    write_hollow(model, old, dtype)


def resize(config: Any, sizes: Mapping[str, Any]) -> None:
    """Set the sizes in a configuration and its parts."""
    for name, value in sizes.items():
        own = getattr(config, name, None)
        if isinstance(value, dict) and not isinstance(own, dict):
            resize(own, value)
        else:
            setattr(config, name, {**own, **value} if isinstance(own, dict) else value)
    if getattr(config, "layer_types", None):
        config.layer_types = ["full_attention"] * config.num_hidden_layers


def write_hollow(model: Any, file: Path, dtype: str) -> None:
    """Write the safetensors of a model with zeros for all weights; shared ones are written once.

    `dtype` is that of the weights; whole numbers keep theirs.
    """
    shared = {name for name, _ in model.named_parameters(remove_duplicate=False)}
    kept = {name: tensor for name, tensor in model.state_dict().items() if name not in shared}
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, tensor in {**dict(model.named_parameters()), **kept}.items():
        kind = dtype if tensor.is_floating_point() else str(tensor.dtype).removeprefix("torch.")
        label, size = TYPES[kind]
        start, end = end, end + size * math.prod(tensor.shape)
        header[name] = {"dtype": label, "shape": list(tensor.shape), "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with file.open("wb") as stream:
        stream.write(struct.pack("<Q", len(text)) + text)
        stream.truncate(8 + len(text) + end)


def fill_randomly(modules: Sequence[Any]) -> None:
    """Fill weights with random numbers where they lie, as wide as PyTorch's own start."""
    with torch.no_grad():
        for module in modules:
            for name, weights in module.named_parameters():
                if weights.ndim < 2:
                    weights.fill_(1.0 if name.endswith("weight") else 0.0)
                else:
                    generator = torch.Generator(weights.device).manual_seed(weights.numel())
                    weights.normal_(0.0, (3 * weights[0].numel()) ** -0.5, generator=generator)


# --- the calls of each kind ---


def checked(replies: Sequence[object]) -> Sequence[Any]:
    """Return replies. Raises RuntimeError where one failed: then its work was not measured.

    Random words that no tokenizer can write are no failure.
    """
    for reply in replies:
        if isinstance(reply, Failure) and reply.kind != "empty":
            raise RuntimeError(reply.message)
    return replies


def opened(picture: Picture) -> Image.Image:
    with Image.open(picture.path) as image:
        return image.convert("RGB")


def chat_calls(model: Any, picture: Picture, device: str) -> Calls:
    content = [{"type": "image"}, {"type": "text", "text": TEXT}]
    prompt = model.processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True
    )

    def bare() -> object:
        given = model.processor(images=[opened(picture)], text=[prompt], return_tensors="pt").to(
            device
        )
        words = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)
        return model.tokenizer.decode(words[0, given["input_ids"].shape[1] :])

    ask = Ask(images=(picture,), text=TEXT, question=TEXT, choices=())
    return lambda: checked(model.ask([ask])), bare


def draw_calls(model: Any) -> Calls:
    settings = model.spec.settings

    def bare() -> object:
        (image,) = model.pipeline(
            PROMPT,
            num_inference_steps=settings["steps"],
            guidance_scale=settings["guidance"],
            width=settings["size"],
            height=settings["size"],
            generator=torch.Generator("cpu").manual_seed(SEED),
        ).images
        return image.save(io.BytesIO(), "PNG")

    return lambda: checked(model.generate([Generate(PROMPT, SEED)])), bare


# --- measurements ---


def measure(name: str, device: str, size: Size) -> list[Row]:
    """Measure one adapter of the table in this process."""
    with tempfile.TemporaryDirectory() as folder:
        return list(adapter_rows(read_adapters()[name], Path(folder), device, size))


def load(adapter: Adapter, folder: Path, device: str, size: Size) -> Any:
    """Load a model of the table through its adapter, with random weights."""
    settings = {**adapter.settings, "device": device, "dtype": adapter.dtype}
    if adapter.kind == "draw":
        settings["size"] = 1024 if size == "full" else 32
        settings["dtype"] = "float32" if device == "cpu" else adapter.dtype
    entry = read_models()[adapter.entries[0]]
    spec = replace(
        entry,
        repository=str(make_folder(adapter, folder, size)),
        revision=None,
        needs=(),
        settings=settings,
        memory_gb=None if device == "cpu" else entry.memory_gb,
    )
    model: Any = registry.load(spec)
    parts = model.pipeline.components.values() if adapter.kind == "draw" else [model.model]
    fill_randomly([part for part in parts if isinstance(part, torch.nn.Module)])
    return model


def adapter_rows(
    adapter: Adapter, folder: Path, device: str, size: Size, rounds: int = ROUNDS
) -> Iterator[Row]:
    """Yield the ratio to the bare library, the gain of one call for many, and the memory."""
    model = load(adapter, folder / "model", device, size)
    picture = Picture("0", folder / "0.png")
    Image.new("RGB", (1024, 1024) if size == "full" else (96, 64), "navy").save(picture.path)

    def timed(call: Callable[[], object]) -> Callable[[], float]:
        wait: Callable[[], object] = torch.cuda.synchronize if device == "cuda" else bool
        return lambda: seconds(lambda: (call(), wait()))

    is_chat = adapter.kind == "chat"
    adapted, bare = chat_calls(model, picture, device) if is_chat else draw_calls(model)
    pairs = in_turns(timed(adapted), timed(torch.inference_mode()(bare)), rounds)
    own = ratio_row(
        f"{adapter.title} ({size}) through the adapter to the bare library", pairs, BOUND
    )
    # of a tiny model the adapter is a large part
    yield own if size == "full" else own._replace(bar="", holds=None)
    if is_chat:
        texts = [f"Question {number}? A) Red B) Blue C) Green" for number in range(5)]
        choices = ("Red", "Blue", "Green")
        asks = [Ask(images=(picture,), text=text, question=text, choices=choices) for text in texts]
        checked(model.ask(asks))
        one_by_one = timed(lambda: [model.ask([ask]) for ask in asks])
        gains = in_turns(one_by_one, timed(lambda: model.ask(asks)), rounds)
        what = f"{adapter.title} ({size}): {len(asks)}, one by one to together"
        yield ratio_row(what, gains, GAIN_BOUND, at_most=False)
    peak = torch.cuda.max_memory_allocated() / 1e9 if device == "cuda" else 0
    for name in adapter.entries if peak and size == "full" else ():
        stated = read_models()[name].memory_gb or 0
        bar = f"entry: {stated} GB, within 15 %"
        is_near = abs(stated - peak) <= NEAR * peak
        yield Row(f"{name}: peak memory", f"{peak:.1f} GB", bar, is_near)


def main(
    device: Literal["cuda", "cpu"] = "cuda",
    size: Size = "full",
    only: Annotated[list[str] | None, typer.Option(help="Measure these; may be repeated.")] = None,
) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        print("There is no NVIDIA GPU here, so nothing was measured: run it on a machine with one.")
        return
    names = list(read_adapters())
    if unknown := [name for name in only or () if name not in names]:
        raise BadRequest(f"There is no adapter {unknown[0]!r}: choose one of {', '.join(names)}.")
    finish(rows_of(only or names, device, size))


def rows_of(names: Sequence[str], device: str, size: Size, limit: float = LIMIT) -> Iterator[Row]:
    """Yield the rows of each adapter, or one that says why there are none."""
    where = torch.cuda.get_device_name() if device == "cuda" else "CPU"
    yield Row("device", f"{where}; PyTorch {torch.__version__}")
    for name in names:
        with SPAWN.Pool(1) as pool:
            try:
                yield from pool.apply_async(measure, (name, device, size)).get(limit)
            except multiprocessing.TimeoutError:
                yield Row(name, f"stopped after {limit:.0f} s", "", False)
            # a row says so, and the next adapter is measured
            except Exception as error:
                yield Row(name, f"failed: {type(error).__name__}: {error}", "", False)


if __name__ == "__main__":
    launch(main)
