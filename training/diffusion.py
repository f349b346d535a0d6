"""Trains the Primer diffusion models: autoencoder, text encoder and denoiser.

``python -m training.diffusion --recipe small`` (or ``tiny``) trains the autoencoder and its larger
form, where they are missing, then text encoder and denoiser on latents, and writes a stock
``PixArtAlphaPipeline`` folder. The denoiser predicts the flow from image to noise (rectified flow,
arXiv:2403.03206, section 3). Beside it, a head half-way through the layers predicts which part each
token shows: placing and counting are learned faster that way. That head is dropped in the end.
"""

import argparse
import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from diffusers import (
    AutoencoderKL,
    DPMSolverMultistepScheduler,
    PixArtAlphaPipeline,
    PixArtTransformer2DModel,
)
from diffusers.models.attention_processor import AttnProcessor
from torch import Tensor, nn
from torch.nn import functional
from transformers import T5Config, T5EncoderModel, T5Tokenizer

from hallascope.backends.weights import EMBEDDED
from training import autoencoder, captions, loop, shards, words
from training.drawings import part_numbers

DROPPED = 0.1  # share of the captions that are left empty, for guidance
PARTS = 0.05  # weight of predicting the parts


@dataclass(frozen=True, kw_only=True)
class DiffusionConfig(loop.Config):
    """Holds all that decides the result.

    Its layers and words are those of `shape`. It learns the latents of `vae`, and its images are
    drawn by `decoder`.
    """

    work: Path = Path("runs/diffusion-small")
    out: Path = EMBEDDED / "diffusion-small"
    shape: Path = EMBEDDED / "diffusion-small"
    vae: Path = autoencoder.AutoencoderConfig.out
    decoder: Path = autoencoder.LARGER.out
    samples: int = 60_000
    steps: int = 5_000
    batch: int = 64
    rate: float = 1.5e-3
    warmup: int = 300
    average: float = 0.999


@dataclass(frozen=True, kw_only=True)
class TinyConfig(DiffusionConfig):
    """Holds the recipe of the smaller model."""

    work: Path = Path("runs/diffusion-tiny")
    out: Path = EMBEDDED / "diffusion-tiny"
    shape: Path = EMBEDDED / "diffusion-tiny"
    samples: int = 30_000
    steps: int = 3_000
    average: float = 0.998


RECIPES: Mapping[str, type[DiffusionConfig]] = {"small": DiffusionConfig, "tiny": TinyConfig}


# --- models ---


class DiffusionModel(nn.Module):
    """Holds text encoder and denoiser, with the head that predicts the parts."""

    def __init__(self, shape: Path, words: int) -> None:
        super().__init__()
        text = T5Config.from_pretrained(shape / "text_encoder")
        text.vocab_size = words
        self.text = T5EncoderModel(text)
        self.denoiser = PixArtTransformer2DModel.from_config(
            PixArtTransformer2DModel.load_config(shape / "transformer")
        )
        if loop.best_device() == "cpu":
            # The backward pass of the fused kernel takes twice as long there.
            self.denoiser.set_attn_processor(AttnProcessor())
        nn.init.zeros_(self.denoiser.proj_out.weight)
        # For each token: the part that covers it, and the part that is centered in it.
        self.parts = nn.Linear(text.d_model, 2 * (len(part_numbers()) + 1))
        layers = self.denoiser.transformer_blocks
        layers[len(layers) // 2].register_forward_hook(self._remember_states)

    def _remember_states(self, layer: nn.Module, inputs: Any, states: Tensor) -> None:
        self.states = states

    def forward(self, noisy: Tensor, times: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return the flow (B, C, S, S) and the parts (B, patches, 2 * labels).

        The inputs are noisy (B, C, S, S), times (B,) in [0, 1] and tokens (B, L).
        """
        mask = (tokens != 0).long()
        words = self.text(input_ids=tokens, attention_mask=mask).last_hidden_state
        flow = self.denoiser(
            noisy, encoder_hidden_states=words, encoder_attention_mask=mask, timestep=times * 1000
        ).sample
        return flow, self.parts(self.states)


# --- training ---


def train(config: DiffusionConfig) -> None:
    """Draw the images that are missing, train text encoder and denoiser, write `out`."""
    torch.manual_seed(config.seed)
    folder = captions.draw(config, autoencoder.SIZE)
    vae = AutoencoderKL.from_pretrained(config.vae).to(loop.best_device()).eval()
    tokenizer = T5Tokenizer.from_pretrained(config.shape / "tokenizer")
    words.add_words(tokenizer, words.GRAMMAR)

    def encode(shard: shards.Arrays) -> loop.Batch:
        latents = autoencoder.encode_mean(vae, torch.from_numpy(shard["pixels"]))
        # As the pipeline gives them to the text encoder.
        texts = [json.loads(str(row))[0].lower() for row in shard["captions"]]
        return shards.tensors(shard, "parts", "centered") | {
            "latents": (latents * vae.config.scaling_factor).half(),
            "tokens": words.as_tokens(tokenizer, texts),
        }

    corpus = shards.Corpus(folder, config.samples, encode)
    empty = words.as_tokens(tokenizer, [""])[0].to(loop.best_device())
    model = DiffusionModel(config.shape, len(tokenizer))

    def losses(batch: loop.Batch, progress: float, generator: torch.Generator) -> loop.Batch:
        """Compute the losses at random times, which are logit-normal.

        The parts of an image count by how much of it is left in the noise.
        """
        latents = batch["latents"].float()
        count = len(latents)
        dropped = torch.rand((count, 1), generator=generator) < DROPPED
        tokens = torch.where(dropped, empty, batch["tokens"]).long()
        times = torch.randn(count, generator=generator).sigmoid()
        noise = torch.randn(latents.shape, generator=generator)
        share = times[:, None, None, None]
        flow, parts = model((1 - share) * latents + share * noise, times, tokens)
        entropies = functional.cross_entropy(
            parts.float().unflatten(-1, (2, -1)).flatten(0, 2),
            torch.stack([batch["parts"], batch["centered"]], dim=-1).long().flatten(),
            reduction="none",
        ).reshape(count, -1)
        weights = (1 - times)[:, None].expand_as(entropies)
        return {
            "flow": (flow.float() - (noise - latents)).square().mean(),
            "parts": PARTS * (entropies * weights).sum() / weights.sum(),
        }

    def save(average: DiffusionModel) -> None:
        finished = copy.deepcopy(average)
        pipeline = PixArtAlphaPipeline(
            tokenizer,
            finished.text,
            AutoencoderKL.from_pretrained(config.decoder),
            finished.denoiser,
            DPMSolverMultistepScheduler.from_pretrained(config.shape / "scheduler"),
        )
        pipeline.to(dtype=torch.float16).save_pretrained(config.out, safe_serialization=True)
        loop.write_hashes(config.out)

    loop.train(config, model, corpus.batch, losses, save)


def main() -> None:
    choice = argparse.ArgumentParser(add_help=False)
    choice.add_argument("--recipe", choices=sorted(RECIPES), default="small")
    chosen, options = choice.parse_known_args()
    config = loop.read_arguments(RECIPES[chosen.recipe], __doc__, options)
    # Each of these is left as it is where it is finished.
    autoencoder.train(autoencoder.AutoencoderConfig(workers=config.workers))
    autoencoder.enlarge(replace(autoencoder.LARGER, workers=config.workers), config.vae)
    train(config)


if __name__ == "__main__":
    main()
