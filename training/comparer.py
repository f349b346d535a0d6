"""Trains the weights by which the embedded judge compares two images, on Primer drawings.

``python -m training.comparer`` goes on from weights that answer questions about one image, by
default those that ship, draws pairs and writes a folder of the same kind. Beside what is the same
in both, it goes on being asked what the image itself shows: the facts are what the criteria are
about. The reference is encoded with the weights as they are; what is learned is learned from the
image.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from transformers import BlipForQuestionAnswering

from hallascope.backends.weights import EMBEDDED
from hallascope.primer.benchmark import pair_criteria
from training import blip, loop, questions, shards, words
from training.pixels import as_shares

ALONE = 0.5  # weight of the loss on the image itself beside that on the pair
SIZE = 128  # px
ASPECTS = len(pair_criteria.ASPECTS)
OUT = EMBEDDED / "judge" / "pairs"


@dataclass(frozen=True, kw_only=True)
class ComparerConfig(loop.Config):
    """Holds all that decides the result; `batch` is the number of pairs in a step."""

    work: Path = Path("runs/comparer")
    out: Path = OUT
    start: Path = OUT
    samples: int = 24_000
    steps: int = 1_000
    batch: int = 24
    rate: float = 6e-4
    warmup: int = 50
    cooldown: float = 0.6
    average: float = 0.995


def train(config: ComparerConfig) -> None:
    """Draw the pairs, train from the weights in `start`, write `out`."""
    torch.manual_seed(config.seed)
    folder = config.work / "pairs"
    shards.draw(folder, partial(questions.draw_pair, SIZE), config)
    texts = blip.read_texts(
        row for shard in shards.read(folder) for row in (*shard["compared"], *shard["asked"])
    )
    model, processor = words.load(BlipForQuestionAnswering, OUT, config.start, texts, blip.ENCODERS)
    tokenizer = processor.tokenizer
    pad = tokenizer.pad_token_id

    def encode(shard: shards.Arrays) -> loop.Batch:
        return {
            **shards.tensors(shard, "pixels"),
            "compared": blip.as_tokens(tokenizer, shard["compared"], ASPECTS),
            "asked": blip.as_tokens(tokenizer, shard["asked"], questions.FACTS + 1),
        }

    corpus = shards.Corpus(folder, config.samples, encode)

    def losses(batch: loop.Batch, progress: float, generator: torch.Generator) -> loop.Batch:
        image, reference = (
            blip.as_input(as_shares(batch["pixels"][:, n]), generator) for n in (0, 1)
        )
        patches = model.vision_model(pixel_values=image).last_hidden_state
        with torch.no_grad():
            fixed = model.vision_model(pixel_values=reference).last_hidden_state
        both = torch.cat([patches, fixed], dim=1)
        return {
            "pairs": blip.answer_loss(model, both, batch["compared"], pad),
            "images": ALONE * blip.answer_loss(model, patches, batch["asked"], pad),
        }

    loop.train(
        config,
        model,
        corpus.batch,
        losses,
        lambda average: loop.save_model(average, processor, config.out),
        make_optimizers=partial(loop.make_optimizers, muon_decay=0.05, decay=0.01),
    )


if __name__ == "__main__":
    train(loop.read_arguments(ComparerConfig, __doc__))
