"""Holds what the trainings of embedder and segmenter share: inputs, optimizers, towers."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import AttentionInterface, CLIPTokenizer

from hallascope.backends.embedded.training import loop
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training.dataset import phrases
from hallascope.backends.embedded.training.dataset.labeled import DrawnPart, LabeledImages
from hallascope.primer import scenes
from hallascope.primer.groups import NUMBERS
from hallascope.primer.shapes import COLORS

CHECKPOINT_EVERY = 250  # steps
MEASURE_EVERY = 1000  # steps, a multiple of CHECKPOINT_EVERY
HELD_OUT = 96  # pictures
# Mean and deviation of every channel, in [0, 1].
MEAN = 0.5
DEVIATION = 0.5
# The numbers of parts, by (thing, part).
PartNumbers = Mapping[tuple[str, str], int]


# --- pixels ---


def as_input(pixels: Tensor) -> Tensor:
    """Return bytes (B, H, W, 3) as the model's input (B, 3, H, W) in [-1, 1].

    The saved processors do the same.
    """
    inputs: Tensor = (pixels.permute(0, 3, 1, 2).float() / 255 - MEAN) / DEVIATION
    return inputs


def augment(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Return inputs (B, 3, H, W) a little brighter or darker, softer and noisier, each at random.

    Generators draw less cleanly than Primer.
    """
    count = len(pictures)
    device = pictures.device
    light, contrast, soft, noisy = torch.rand(
        (4, count, 1, 1, 1), generator=generator, device=device
    )
    padded = nn.functional.pad(pictures, (1, 1, 1, 1), mode="replicate")
    blurred = nn.functional.avg_pool2d(padded, 3, stride=1)
    softer = torch.lerp(pictures, blurred, (2 * soft - 1).clamp_min(0))
    noise = torch.randn(pictures.shape, generator=generator, device=device)
    varied: Tensor = (
        softer * (0.92 + 0.16 * contrast)
        + 0.16 * (light - 0.5)
        + 0.08 * (2 * noisy - 1).clamp_min(0) * noise
    )
    return varied.clamp(-1, 1)


# --- attention ---


def plain_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float,
    **ignored: Any,
) -> tuple[Tensor, None]:
    """Attend without a mask, by the formula; states (B, heads, N, D) -> (B, N, heads, D)."""
    # Autocast would widen the shares to 32 bits.
    with torch.autocast(query.device.type, enabled=False):
        shares = (query * scaling @ key.transpose(-1, -2)).softmax(-1)
        return (shares @ value).transpose(1, 2).contiguous(), None


def attend_plainly(layers: Iterable[Any]) -> None:
    """Let these layers attend by the formula, which halves a backward pass on a CPU.

    The fused kernel takes twice as long there.
    """
    AttentionInterface.register("plain", plain_attention)
    for layer in layers:
        layer.self_attn.config._attn_implementation = "plain"


# --- predicting parts ---


def part_numbers(pictures: Iterable[Sequence[DrawnPart]]) -> dict[tuple[str, str], int]:
    """Return every (thing, part) of the pictures with its number, from 1 on, ordered by name.

    0 is the backdrop.
    """
    names = sorted({(drawn.thing, drawn.part) for picture in pictures for drawn in picture})
    return {name: number for number, name in enumerate(names, start=1)}


def part_labels(
    index: NDArray[np.uint8], drawn: Sequence[DrawnPart], numbers: PartNumbers
) -> NDArray[np.int16]:
    """Return the number of the part that each pixel shows, (size, size)."""
    table = np.array([0, *(numbers[part.thing, part.part] for part in drawn)], dtype=np.int16)
    labels: NDArray[np.int16] = table[index]
    return labels


def batch_part_labels(pictures: LabeledImages, rows: Sequence[int], numbers: PartNumbers) -> Tensor:
    """Return the number of the part that each pixel of some pictures shows, (B, size, size)."""
    labels = [part_labels(pictures.index[row], pictures.drawn[row], numbers) for row in rows]
    return torch.from_numpy(np.stack(labels))


# --- training ---


class VisionConfig(Protocol):
    """Holds what both configs say of the course of the training."""

    @property
    def steps(self) -> int: ...
    @property
    def batch(self) -> int: ...
    @property
    def rate(self) -> float: ...
    @property
    def average(self) -> float: ...


def is_inner_matrix(name: str, parameter: nn.Parameter) -> bool:
    """Return whether a parameter is a matrix inside a layer."""
    return parameter.ndim == 2 and ".layers." in name


def train(
    model: nn.Module,
    heads: nn.Module,
    config: VisionConfig,
    losses_at: Callable[[int], tuple[Tensor, loop.Losses]],
    measure: Callable[[Any], object],
    work: Path,
) -> Any:
    """Train a model with its heads and return its average.

    `losses_at` gives the loss of a step and what it is made of; `measure` gives what to print of
    the averaged model. What is already in `work` is not done again.
    """
    schedule = loop.TrainingSchedule(
        average=config.average,
        warmup=min(100, config.steps // 4 + 1),
        checkpoint_every=CHECKPOINT_EVERY,
    )
    trainer = loop.Trainer(
        model,
        loop.make_optimizers([model, heads], is_inner_matrix, rate=config.rate),
        schedule,
        steps=config.steps,
        pictures=config.batch,
        heads=heads,
    )
    average = trainer.average.model

    def print_measures(done: int) -> None:
        if done % MEASURE_EVERY == 0 or done == config.steps:
            print(f"after {done} steps: {measure(average)}", flush=True)

    print(loop.describe_size(model), flush=True)
    trainer.run(work / "checkpoint.pt", losses_at, print_measures)
    return average


class LabeledSplit:
    """Holds pictures to learn from, others to measure on, and the words and parts of both.

    Those to measure on, about `count`, are evenly spread and never learned from. The given pictures
    are used up.
    """

    def __init__(self, pictures: LabeledImages, count: int = HELD_OUT) -> None:
        every = max(4, math.ceil(len(pictures) / count))
        rows = range(every - 1, len(pictures), every)
        self.held_out = LabeledImages.from_images([pictures[row] for row in rows])
        self.training = pictures.drop_rows(rows)
        self.drawn = [*self.training.drawn, *self.held_out.drawn]
        self.tokenizer = words.make_tokenizer(vocabulary(self.drawn))
        self.part_numbers = part_numbers(self.drawn)


# --- towers ---


def text_config(width: int, layers: int, tokenizer: CLIPTokenizer) -> dict[str, int]:
    """Return the configuration of a text tower of CLIP and CLIPSeg."""
    return {
        **_layer_config(width, layers),
        "vocab_size": len(tokenizer),
        "max_position_embeddings": words.TOKENS,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }


def vision_config(width: int, layers: int, size: int, patch: int) -> dict[str, int]:
    """Return the configuration of a vision tower of CLIP and CLIPSeg."""
    return {**_layer_config(width, layers), "image_size": size, "patch_size": patch}


def _layer_config(width: int, layers: int) -> dict[str, int]:
    return {
        "hidden_size": width,
        "intermediate_size": 4 * width,
        "num_hidden_layers": layers,
        "num_attention_heads": max(1, width // 64),
    }


def vocabulary(pictures: Iterable[Sequence[DrawnPart]]) -> list[str]:
    """Return texts with every word that the tokenizers are to know whole.

    They come from the grammar, names of parts, phrases and captions.
    """
    parts = sorted({drawn.part for picture in pictures for drawn in picture})
    function_words = (
        "a an the of s and in on with all object objects thing things drawing picture image"
        " illustration photo"
    )
    return [
        *scenes.nouns(),
        *scenes.prompts(),
        *COLORS,
        *NUMBERS,
        *parts,
        *map(phrases.plural, parts),
        function_words,
    ]
