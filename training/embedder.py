"""Trains the embedded embedder, a tiny CLIP: images and captions in one space.

``python -m training.embedder`` draws the samples and writes a stock ``CLIPModel`` folder;
``--start FOLDER`` goes on from the weights of such a folder. Every caption stands beside captions
that are false of its image by one word: another number, color, relation or thing. Beside the
captions the vision tower is taught which part each patch shows; that head is dropped in the end.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn import functional
from transformers import CLIPModel

from hallascope.backends.weights import EMBEDDED
from training import captions, clip, loop, shards, words

FOLDER = EMBEDDED / "embedder"
SIZE = 128  # px
FALSE = 3  # false captions of an image in a step
PARTS = 0.5  # weight of predicting the parts
MAX_LOGIT_SCALE = math.log(100.0)


@dataclass(frozen=True, kw_only=True)
class EmbedderConfig(loop.Config):
    """Holds all that decides the result."""

    work: Path = Path("runs/embedder")
    out: Path = FOLDER
    start: Path | None = None
    samples: int = 60_000
    steps: int = 3_000
    batch: int = 64
    rate: float = 1.5e-3


def train(config: EmbedderConfig) -> None:
    """Draw the images that are missing, train, write `out`."""
    torch.manual_seed(config.seed)
    folder = captions.draw(config, SIZE)
    model, processor = words.load(CLIPModel, FOLDER, config.start, words.GRAMMAR, ("text_model",))
    if loop.best_device() == "cpu":
        # The backward pass of the fused kernel takes twice as long there.
        model.set_attn_implementation("eager")
    head = clip.part_head(model.config.vision_config.hidden_size)

    def encode(shard: shards.Arrays) -> loop.Batch:
        kept = shards.tensors(shard, "pixels", "parts", "meanings")
        return kept | {"tokens": clip.as_tokens(processor.tokenizer, shard["captions"])}

    corpus = shards.Corpus(folder, config.samples, encode)

    def losses(batch: loop.Batch, progress: float, generator: torch.Generator) -> loop.Batch:
        images = clip.as_input(batch["pixels"], generator)
        count = len(images)
        rows, false = clip.choose(count, captions.FALSE, FALSE, generator)
        tokens, meanings = (
            torch.cat([values[:, 0], values[rows, 1 + false].flatten(0, 1)])
            for values in (batch["tokens"].long(), batch["meanings"])
        )
        seen = model.vision_model(pixel_values=images)
        of_images = functional.normalize(model.visual_projection(seen.pooler_output), dim=-1)
        of_texts = functional.normalize(
            model.get_text_features(input_ids=tokens).pooler_output, dim=-1
        )
        scale = model.logit_scale.clamp(max=MAX_LOGIT_SCALE).exp()
        scores = (of_images @ of_texts.T).float() * scale
        # Captions of other images that say the same are neither right nor wrong.
        same = meanings[:count, None] == meanings
        same[rows, rows] = False
        scores = scores.masked_fill(same, -1e4)
        right = rows.flatten()
        parts = head(seen.last_hidden_state[:, 1:])
        return {
            "caption": functional.cross_entropy(scores, right),
            "image": functional.cross_entropy(scores[:, :count].T, right),
            "parts": PARTS * clip.part_loss(parts, batch["parts"]),
        }

    loop.train(
        config,
        model,
        corpus.batch,
        losses,
        lambda average: loop.save_model(average, processor, config.out),
        heads=head,
    )


if __name__ == "__main__":
    train(loop.read_arguments(EmbedderConfig, __doc__))
