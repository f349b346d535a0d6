"""Trains the embedded segmenter, a small CLIPSeg: image and phrase in, the mask out.

``python -m training.segmenter`` draws the samples and writes a stock
``CLIPSegForImageSegmentation`` folder; ``--start FOLDER`` goes on from the weights of such a
folder. Things that touch are kept apart by a gap of one pixel, and what is drawn of a thing in
several pieces is joined by lines, so that connected pieces can be counted. Beside the masks it is
taught which part each patch shows, and the decoder's first states, where phrase and image meet,
whether a patch shows what the phrase names: without that no phrase is heeded for long. Both heads
are dropped in the end.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import CLIPSegForImageSegmentation

from hallascope.backends.weights import EMBEDDED
from training import clip, loop, phrases, shards, words
from training.drawings import part_numbers

FOLDER = EMBEDDED / "segmenter"
SIZE = 192  # px
PATCH = 8  # px
GAP_WEIGHT = 6.0  # of a pixel between two instances that touch
LEAST = 20.0  # px that are added to a mask in the loss, so that specks where nothing is count too
PARTS = 0.3  # weight of predicting the parts
ASKED = 4  # phrases of an image in a step


@dataclass(frozen=True, kw_only=True)
class SegmenterConfig(loop.Config):
    """Holds all that decides the result."""

    work: Path = Path("runs/segmenter")
    out: Path = FOLDER
    start: Path | None = None
    samples: int = 40_000
    steps: int = 8_000
    batch: int = 16
    rate: float = 7e-4


# --- model ---


def initialize(decoder: Any) -> None:
    """Replace the decoder's own initial weights, with which no phrase is heeded."""
    nn.init.normal_(decoder.transposed_convolution.weight, std=0.02)
    # Most pixels are not what is asked for.
    nn.init.constant_(decoder.transposed_convolution.bias, -2.0)
    for gain, layers in ((0.3, decoder.reduces), (1.0, (decoder.film_mul, decoder.film_add))):
        for layer in layers:
            nn.init.normal_(layer.weight, std=gain / layer.in_features**0.5)
            nn.init.zeros_(layer.bias)
    nn.init.ones_(decoder.film_mul.bias)


def forward(
    model: CLIPSegForImageSegmentation, images: Tensor, tokens: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Compute the model's own forward with gradients in both towers, in one pass for all phrases.

    Images are (B, 3, H, W), tokens (B * Q, L) with Q phrases for each image, one image after the
    other. Return mask logits (B * Q, H, W), states of patches (B, N, D), and the states (B * Q, N,
    R) where a phrase meets the patches.
    """
    states = model.clip.vision_model(pixel_values=images, output_hidden_states=True).hidden_states
    repeats = len(tokens) // len(images)
    extracted = [
        states[layer + 1].repeat_interleave(repeats, dim=0) for layer in model.extract_layers
    ]
    texts = model.clip.get_text_features(input_ids=tokens).pooler_output
    decoder = model.decoder
    deepest = decoder.reduces[0](extracted[-1][:, 1:])
    matched = decoder.film_mul(texts)[:, None] * deepest + decoder.film_add(texts)[:, None]
    return decoder(extracted, texts).logits, states[-1][:, 1:], matched


# --- training ---


def train(config: SegmenterConfig) -> None:
    """Draw the samples, train (from the weights in `start`), write `out`."""
    torch.manual_seed(config.seed)
    part_numbers()  # once, before the processes that draw need them
    folder = config.work / "images"
    shards.draw(folder, partial(phrases.draw_sample, SIZE, PATCH), config)
    model, processor = words.load(
        CLIPSegForImageSegmentation, FOLDER, config.start, words.GRAMMAR, ("clip.text_model",)
    )
    if config.start is None:
        initialize(model.decoder)
    for unused in (model.clip.visual_projection, model.clip.vision_model.post_layernorm):
        unused.requires_grad_(False)
    model.clip.logit_scale.requires_grad_(False)
    parts_head = clip.part_head(model.config.vision_config.hidden_size)
    match_head = clip.make_head(model.config.reduce_dim, 1)

    def encode(shard: shards.Arrays) -> loop.Batch:
        kept = shards.tensors(shard, "pixels", "parts", "masks", "gaps")
        return kept | {"tokens": clip.as_tokens(processor.tokenizer, shard["phrases"])}

    corpus = shards.Corpus(folder, config.samples, encode)

    def losses(batch: loop.Batch, progress: float, generator: torch.Generator) -> loop.Batch:
        images = clip.as_input(batch["pixels"], generator)
        rows, columns = clip.choose(len(images), phrases.PHRASES, ASKED, generator)
        tokens, *packed = (
            batch[name][rows, columns].flatten(0, 1) for name in ("tokens", "masks", "gaps")
        )
        masks, gaps = map(unpack_bits, packed)
        logits, patches, matched = forward(model, images, tokens.long())
        logits = logits.float()
        shares = functional.avg_pool2d(masks[:, None], PATCH).flatten(1)
        return {
            "pixels": functional.binary_cross_entropy_with_logits(
                logits, masks, weight=1 + (GAP_WEIGHT - 1) * gaps
            ),
            "overlap": dice_loss(logits.sigmoid(), masks),
            "match": functional.binary_cross_entropy_with_logits(
                match_head(matched).squeeze(-1).float(), shares
            ),
            "parts": PARTS * clip.part_loss(parts_head(patches), batch["parts"]),
        }

    loop.train(
        config,
        model,
        corpus.batch,
        losses,
        lambda average: loop.save_model(average, processor, config.out),
        heads=nn.ModuleList([parts_head, match_head]),
    )


def unpack_bits(packed: Tensor) -> Tensor:
    """Return bits (..., W / 8), eight in a byte, the highest first, as numbers (..., W)."""
    places = torch.arange(7, -1, -1)
    return (packed[..., None] >> places & 1).flatten(-2).float()


def dice_loss(shares: Tensor, masks: Tensor) -> Tensor:
    """Compute one minus the Dice coefficient of masks (N, H, W)."""
    both = (shares * masks).sum((1, 2))
    return (1 - (2 * both + LEAST) / (shares.sum((1, 2)) + masks.sum((1, 2)) + LEAST)).mean()


if __name__ == "__main__":
    train(loop.read_arguments(SegmenterConfig, __doc__))
