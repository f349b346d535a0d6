"""What the trainings of the eyes share: how pixels come in, a head that tells parts, optimizers.

It knows no task.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import AttentionInterface, CLIPTokenizer

from hallascope.backends.embedded.training import loop
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training.dataset import phrases
from hallascope.backends.embedded.training.dataset.labelled import DrawnPart, LabeledImages
from hallascope.primer import scenes
from hallascope.primer.groups import NUMBERS
from hallascope.primer.shapes import COLORS

CHECKPOINT_EVERY, MEASURE_EVERY = 250, 1000  # steps, the second a multiple of the first
HELD_OUT = 96  # pictures
MEAN, DEVIATION = 0.5, 0.5  # of every channel, in [0, 1]
PartNumbers = Mapping[tuple[str, str], int]  # of parts, by (thing, part)


def as_input(pixels: Tensor) -> Tensor:
    """Return bytes (B, H, W, 3) as the model's input (B, 3, H, W) in [-1, 1].

    The saved processors make it so.
    """
    made: Tensor = (pixels.permute(0, 3, 1, 2).float() / 255 - MEAN) / DEVIATION
    return made


def varied(pictures: Tensor, chance: torch.Generator) -> Tensor:
    """Inputs (B, 3, H, W) a little brighter or darker, softer and noisier, each by its own chance:
    generators draw less cleanly.
    """
    count = len(pictures)
    device = pictures.device
    light, contrast, soft, noisy = torch.rand((4, count, 1, 1, 1), generator=chance, device=device)
    blurred = nn.functional.avg_pool2d(
        nn.functional.pad(pictures, (1, 1, 1, 1), mode="replicate"), 3, stride=1
    )
    softer = torch.lerp(pictures, blurred, (2 * soft - 1).clamp_min(0))
    noise = torch.randn(pictures.shape, generator=chance, device=device)
    made: Tensor = (
        softer * (0.92 + 0.16 * contrast)
        + 0.16 * (light - 0.5)
        + 0.08 * (2 * noisy - 1).clamp_min(0) * noise
    )
    return made.clamp(-1, 1)


# --- attention
# --------------------------------------------------------------------------------------------------


def plain_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float,
    **ignored: Any,
) -> tuple[Tensor, None]:
    """Attention without a mask, by the formula; states (B, heads, N, D) -> (B, N, heads, D)."""
    with torch.autocast(query.device.type, enabled=False):  # else the shares are widened to 32 bits
        shares = (query * scaling @ key.transpose(-1, -2)).softmax(-1)
        return (shares @ value).transpose(1, 2).contiguous(), None


def attend_plainly(layers: Iterable[nn.Module]) -> None:
    """Let these layers attend by the formula, which halves a backward pass on a CPU.

    The fused kernel takes twice as long there.
    """
    AttentionInterface.register("plain", plain_attention)
    attending: Iterable[Any] = (layer.self_attn for layer in layers)
    for one in attending:
        one.config._attn_implementation = "plain"


# --- telling parts
# --------------------------------------------------------------------------------------------------


def part_numbers(pictures: Iterable[Sequence[DrawnPart]]) -> dict[tuple[str, str], int]:
    """Every (thing, part) of the pictures with its number, from 1 on in the order of the names.

    0 is the backdrop.
    """
    return {
        pair: i
        for i, pair in enumerate(
            sorted({(drawn.thing, drawn.part) for picture in pictures for drawn in picture}),
            start=1,
        )
    }


def part_labels(
    index: NDArray[np.uint8], drawn: Sequence[DrawnPart], numbers: PartNumbers
) -> NDArray[np.int16]:
    """The number of the part that each pixel shows, (size, size)."""
    table = np.array([0, *(numbers[one.thing, one.part] for one in drawn)], dtype=np.int16)
    labels: NDArray[np.int16] = table[index]
    return labels


class PartHead(nn.Module):
    """Tells from a patch's state which parts its pixels show; it is dropped after the training."""

    def __init__(self, width: int, parts: int, patch: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.told = nn.Linear(width, parts)
        self.patch = patch

    def forward(self, patches: Tensor, labels: Tensor) -> Tensor:
        """Cross entropy with the shares of the parts in each patch.

        Patches (B, N, D), labels (B, H, W).
        """
        scores: Tensor = self.told(self.norm(patches)).float().log_softmax(-1)
        side = labels.shape[-1] // self.patch
        blocks = (
            labels.long()
            .reshape(-1, side, self.patch, side, self.patch)
            .transpose(2, 3)
            .reshape(len(labels), side * side, -1)
        )
        return -scores.gather(-1, blocks).mean()


# --- learning
# --------------------------------------------------------------------------------------------------


class VisionLearner:
    """Holds a model with its head, their optimizers, an average of the model, and a checkpoint."""

    def __init__(
        self, model: nn.Module, head: nn.Module, rate: float, average: float, file: Path
    ) -> None:
        self.model = model
        self.head = head
        self.file = file
        self.average = loop.Average(model, average)
        self.optimizers = make_optimizers([model, head], rate)
        self.stateful: dict[str, Any] = {
            "model": model,
            "head": head,
            "average": self.average.model,
        }
        self.stateful |= {
            f"optimizer {i}": optimizer for i, optimizer in enumerate(self.optimizers)
        }

    def learn(self, loss: Tensor, step: int, last: int) -> None:
        """One step of `last` down the loss."""
        share = loop.pace(step, last, warm=min(100, last // 4 + 1))
        loop.learn(loss, [self.model, self.head], self.optimizers, share)
        self.average.update(self.model, step)


def course(
    learner: VisionLearner,
    last: int,
    batch: int,
    losses: Callable[[int], tuple[Tensor, Any]],
    measured: Callable[[], object],
) -> None:
    """`steps.course` to the last step.

    `losses(step)` gives what is learned from and, by name, what it is made of.
    """

    def at(step: int) -> Any:
        loss, parts = losses(step)
        learner.learn(loss, step, last)
        return parts

    def kept(done: int) -> None:
        if done % MEASURE_EVERY == 0 or done == last:
            print(f"after {done} steps: {measured()}", flush=True)

    print(loop.weights(learner.model), flush=True)
    loop.course(
        learner.file, learner.stateful, last, at, kept, pictures=batch, keep_every=CHECKPOINT_EVERY
    )


def make_optimizers(modules: Sequence[nn.Module], rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the layers, AdamW for all the rest that is learned."""
    named = [
        (name, p) for module in modules for name, p in module.named_parameters() if p.requires_grad
    ]
    inner = [p for name, p in named if p.ndim == 2 and ".layers." in name]
    chosen = {id(p) for p in inner}
    rest = [p for _, p in named if id(p) not in chosen]
    return [
        torch.optim.Muon(inner, lr=rate, weight_decay=0.02, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(rest, lr=rate, weight_decay=0.0, betas=(0.9, 0.98), fused=True),
    ]


def in_halves(model: nn.Module) -> dict[str, Tensor]:
    """The weights in 16 bits each, as they are saved."""
    return {
        name: weights.half() if weights.is_floating_point() else weights
        for name, weights in model.state_dict().items()
    }


# --- towers
# --------------------------------------------------------------------------------------------------


def text_config(width: int, layers: int, tokenizer: CLIPTokenizer) -> dict[str, int]:
    """What CLIP and CLIPSeg are told of their text tower."""
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": width,
        "intermediate_size": 4 * width,
        "num_hidden_layers": layers,
        "num_attention_heads": max(1, width // 64),
        "max_position_embeddings": words.TOKENS,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }


def vision_config(width: int, layers: int, size: int, patch: int) -> dict[str, int]:
    """What CLIP and CLIPSeg are told of their vision tower."""
    return {
        "hidden_size": width,
        "intermediate_size": 4 * width,
        "num_hidden_layers": layers,
        "num_attention_heads": max(1, width // 64),
        "image_size": size,
        "patch_size": patch,
    }


def split(pictures: LabeledImages, aside: int = HELD_OUT) -> tuple[LabeledImages, LabeledImages]:
    """The pictures to learn from, and some to measure on, evenly spread and never learned from.

    The given ones are used up.
    """
    every = max(4, -(-len(pictures) // aside))
    held = [row for row in range(len(pictures)) if row % every == every - 1]
    apart = LabeledImages.from_images([pictures[row] for row in held])
    return pictures.drop_rows(held), apart


def vocabulary(pictures: Iterable[Sequence[DrawnPart]]) -> list[str]:
    """Return texts with every word that the tokenizers are to know whole.

    They come from the grammar, names of parts, phrases and captions.
    """
    parts = sorted({drawn.part for picture in pictures for drawn in picture})
    little = (
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
        little,
    ]
