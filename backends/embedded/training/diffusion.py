"""Trains the Primer diffusion models: text encoder and denoiser, on latents encoded once.

``python -m hallascope.backends.embedded.training.diffusion --recipe small`` (or ``tiny``) draws
what is missing, trains with checkpoints (the same command goes on where it was stopped) and writes
a stock ``PixArtAlphaPipeline`` folder. The denoiser predicts the flow from picture to noise
(rectified flow, arXiv:2403.03206, section 3). Beside it, a head half-way through the layers
predicts which part each token shows: placing and counting are learned faster that way. That head is
dropped in the end.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from diffusers import (
    AutoencoderKL,
    DPMSolverMultistepScheduler,
    PixArtAlphaPipeline,
    PixArtTransformer2DModel,
)
from diffusers.models.attention_processor import AttnProcessor
from PIL import Image
from torch import Tensor, nn
from torch.nn import functional
from transformers import T5Config, T5EncoderModel, T5Tokenizer

from hallascope.backends.embedded.training import autoencoder, loop
from hallascope.backends.embedded.training.dataset import background, corpus, samples, shards
from hallascope.backends.embedded.training.tokenizer import (
    TOKENS,
    as_caption_tokens,
    make_caption_tokenizer,
)
from hallascope.backends.weights import sha256

CHECKPOINT_EVERY = 250  # steps
SHEET_EVERY = 2000  # steps, a multiple of CHECKPOINT_EVERY
LOOK_EVERY = 20  # steps between two looks for pictures that were drawn since
# How the sheets are drawn, and what the finished models are asked with.
STEPS = 20
GUIDANCE = 4.0
SHOWN = (
    "a ladybug",
    "a molecule of water",
    "a flag of France",
    "the planet Saturn",
    "a traffic light",
    "a medieval knight",
    "the Eiffel Tower",
    "a fried egg",
    "a red circle",
    "three red circles",
    "two tulips",
    "four blue hearts",
    "a red circle above a blue square",
    "a ladybug to the left of a tulip",
    "a purple octopus",
    "a coconut palm at night",
)


@dataclass(frozen=True, kw_only=True)
class DiffusionConfig:
    """Holds all that decides the result."""

    size: int = 128  # px
    width: int = 256
    layers: int = 7
    heads: int = 4
    text_layers: int = 3
    samples: int = corpus.SAMPLES
    workers: int = 2  # processes that draw
    begin: int = 0  # shards to begin with, while others are drawn; 0 for all
    steps: int = 5_000
    minutes: float = 0.0  # how long it takes, whatever the steps; 0 for as long as these take
    batch: int = 64
    rate: float = 1.5e-3
    dropped: float = 0.1  # captions left empty, for guidance
    parts: float = 0.05  # weight of predicting the parts
    average: float = 0.999
    seed: int = 0


RECIPES: Mapping[str, DiffusionConfig] = {
    "small": DiffusionConfig(),
    "tiny": DiffusionConfig(
        width=128,
        layers=6,
        text_layers=2,
        samples=30_000,
        steps=3_000,
        average=0.998,
    ),
}


# --- models ---


class DiffusionModel(nn.Module):
    """Holds text encoder and denoiser, with the head that predicts the parts."""

    def __init__(self, config: DiffusionConfig, words: int, channels: int, side: int) -> None:
        super().__init__()
        self.text = _make_text_encoder(config, words)
        self.denoiser = _make_denoiser(config, channels, side)
        # For each token: the part that covers it, and the part that is centered in it.
        self.parts = nn.Linear(config.width, 2 * (len(samples.part_numbers()) + 1))
        middle = self.denoiser.transformer_blocks[config.layers // 2]
        middle.register_forward_hook(self._remember_states)

    def _remember_states(self, layer: nn.Module, inputs: Any, states: Tensor) -> None:
        self.states = states if self.training else None

    def forward(self, noisy: Tensor, times: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return the flow (B, C, S, S) and the parts (B, patches, 2, labels).

        The inputs are noisy (B, C, S, S), times (B,) in [0, 1] and tokens (B, L).
        """
        mask = (tokens != 0).long()
        words = self.text(input_ids=tokens, attention_mask=mask).last_hidden_state
        flow = self.denoiser(
            noisy, encoder_hidden_states=words, encoder_attention_mask=mask, timestep=times * 1000
        ).sample
        if self.states is None:
            return flow, noisy.new_zeros(())
        return flow, self.parts(self.states)


def _make_text_encoder(config: DiffusionConfig, words: int) -> T5EncoderModel:
    return T5EncoderModel(
        T5Config(
            vocab_size=words,
            d_model=config.width,
            d_kv=config.width // config.heads,
            d_ff=2 * config.width,
            num_layers=config.text_layers,
            num_heads=config.heads,
            feed_forward_proj="gated-gelu",
            dropout_rate=0.0,
            pad_token_id=0,
            eos_token_id=1,
        )
    )


def _make_denoiser(config: DiffusionConfig, channels: int, side: int) -> PixArtTransformer2DModel:
    denoiser = PixArtTransformer2DModel(
        num_attention_heads=config.heads,
        attention_head_dim=config.width // config.heads,
        in_channels=channels,
        out_channels=channels,
        num_layers=config.layers,
        cross_attention_dim=config.width,
        sample_size=side,
        patch_size=side // corpus.patches_across(config.size),
    )
    if loop.best_device() == "cpu":
        # The backward pass of the fused kernel takes twice as long there.
        denoiser.set_attn_processor(AttnProcessor())
    nn.init.zeros_(denoiser.proj_out.weight)
    return denoiser


def make_scheduler() -> DPMSolverMultistepScheduler:
    return DPMSolverMultistepScheduler(
        prediction_type="flow_prediction", use_flow_sigmas=True, flow_shift=1.0
    )


def is_inner_matrix(name: str, parameter: nn.Parameter) -> bool:
    """Return whether a parameter is a matrix inside a layer, of at least 32 rows and columns.

    The table of relative places is smaller.
    """
    inside = "block" in name and ("attn" in name or "ff" in name or "layer" in name)
    return parameter.ndim == 2 and inside and min(parameter.shape) >= 32


# --- what is learned from ---


class DiffusionBatch(NamedTuple):
    """Holds latents (B, C, S, S), tokens (B, L) and labels of the parts (B, patches, 2)."""

    latents: Tensor
    tokens: Tensor
    parts: Tensor


class LatentCorpus:
    """Holds the corpus as latents (N, C, S, S) of about unit deviation, in memory of a device.

    `parts` are the labels of the patches, (N, patches, 2). The tokenizer knows the words of the
    grammar and of the pictures that are there at first. `add_new_shards` encodes what was drawn
    since, while there is room for `most` pictures; each shard is encoded once and kept on disk.
    """

    def __init__(self, pictures: Path, vae: Path, most: int, device: str) -> None:
        self.pictures = pictures
        self.device = device
        self.count = 0
        self._shards = 0
        self._vae = AutoencoderKL.from_pretrained(vae).to(device).eval()
        version = sha256(vae / "diffusion_pytorch_model.safetensors")[:8]
        self._folder = pictures.with_name(f"{pictures.name}-latents-{version}")
        first = list(corpus.read_first_pictures(pictures, most))
        self.tokenizer = make_caption_tokenizer([c for shard in first for c in shard.captions])
        latent = self._load_latents(0, first[0])[0]
        self.latents = torch.zeros((most, *latent.shape), dtype=torch.float16, device=device)
        patches = first[0].parts[0].size
        self.parts = torch.zeros((most, patches, 2), dtype=torch.int16, device=device)
        self.tokens = torch.zeros((most, TOKENS), dtype=torch.int16, device=device)
        self.empty = as_caption_tokens(self.tokenizer, [""])[0].short().to(device)
        self.add_new_shards()

    def __len__(self) -> int:
        return self.count

    def add_new_shards(self) -> None:
        """Take up the shards that were drawn since the last call, while there is room."""
        files = shards.files(self.pictures)
        for n in range(self._shards, len(files)):
            shard = corpus.read_shard(files[n])
            rows = slice(self.count, min(self.count + len(shard.captions), len(self.latents)))
            room = rows.stop - rows.start
            if not room:
                break
            self.latents[rows] = self._load_latents(n, shard)[:room].to(self.device)
            labels = np.stack([shard.parts, shard.centers], axis=-1)[:room]
            self.parts[rows] = torch.from_numpy(labels).flatten(1, 2).to(self.device)
            tokens = as_caption_tokens(self.tokenizer, shard.captions[:room])
            self.tokens[rows] = tokens.short().to(self.device)
            self.count = rows.stop
        self._shards = len(files)

    def _load_latents(self, n: int, shard: corpus.CaptionShard) -> Tensor:
        """Return the scaled latents of a shard, encoded where the file is missing."""
        file = self._folder / f"shard-{n:04d}.npy"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            latents = autoencoder.encode_mean(self._vae, torch.from_numpy(shard.pixels))
            partial_file = file.with_suffix(".part.npy")
            scaled = latents * self._vae.config.scaling_factor
            np.save(partial_file, scaled.half().cpu().numpy())
            partial_file.rename(file)
        return torch.from_numpy(np.load(file))

    def batch(self, step: int, config: DiffusionConfig) -> DiffusionBatch:
        """Return the samples of one step; some captions are left empty."""
        rows = loop.batch_rows(len(self), config.batch, step, config.seed).to(self.device)
        tokens = self.tokens[rows]
        generator = loop.step_generator(config.seed, step, self.device)
        dropped = torch.rand(len(rows), generator=generator, device=self.device) < config.dropped
        tokens = torch.where(dropped[:, None], self.empty, tokens)
        tokens = tokens[:, : int((tokens != 0).sum(1).max())].long()
        return DiffusionBatch(self.latents[rows].float(), tokens, self.parts[rows].long())


# --- training ---


class DiffusionLosses(NamedTuple):
    """Holds the squared error of the flow, and the cross entropy of the parts."""

    flow: Tensor
    parts: Tensor

    def total(self, config: DiffusionConfig) -> Tensor:
        return self.flow + config.parts * self.parts


def losses(
    model: DiffusionModel, batch: DiffusionBatch, generator: torch.Generator
) -> DiffusionLosses:
    """Compute the losses at random times, which are logit-normal.

    The parts of a picture count by how much of it is left in the noise.
    """
    count = len(batch.latents)
    device = batch.latents.device
    times = torch.randn(count, generator=generator, device=device).sigmoid()
    noise = torch.randn(batch.latents.shape, generator=generator, device=device)
    share = times[:, None, None, None]
    with torch.autocast(device.type, torch.bfloat16):
        flow, parts = model((1 - share) * batch.latents + share * noise, times, batch.tokens)
    scores = parts.float().unflatten(-1, (2, -1)).flatten(0, 2)
    entropies = functional.cross_entropy(scores, batch.parts.flatten(), reduction="none")
    weights = (1 - times)[:, None].expand(-1, entropies.numel() // count).flatten()
    flow_loss = (flow.float() - (noise - batch.latents)).square().mean()
    return DiffusionLosses(flow_loss, (entropies * weights).sum() / weights.sum())


def make_trainer(config: DiffusionConfig, model: DiffusionModel) -> loop.Trainer:
    schedule = loop.TrainingSchedule(
        average=config.average, warmup=300, checkpoint_every=CHECKPOINT_EVERY
    )
    optimizers = loop.make_optimizers([model], is_inner_matrix, rate=config.rate)
    return loop.Trainer(
        model,
        optimizers,
        schedule,
        steps=config.steps,
        minutes=config.minutes,
        pictures=config.batch,
    )


def train(config: DiffusionConfig, pictures: Path, vae: Path, work: Path) -> None:
    """Train and write ``work/pipeline``; what is already there is not done again."""
    samples.part_numbers()  # once, before other processes need them
    per_shard = autoencoder.PER_SHARD
    draw = partial(corpus.write, pictures, config.samples, config.workers, per_shard, config.size)
    with background.drawing(draw, pictures, config.begin):
        train_on(config, pictures, vae, work)


def train_on(config: DiffusionConfig, pictures: Path, vae: Path, work: Path) -> None:
    """Train on the pictures of a folder, also on those that come while it lasts."""
    torch.manual_seed(config.seed)
    data = LatentCorpus(pictures, vae, config.samples, loop.best_device())
    _, channels, side, _ = data.latents.shape
    model = DiffusionModel(config, len(data.tokenizer), channels, side).to(loop.best_device())
    print(
        f"{len(data):,} images, denoiser of {loop.describe_size(model.denoiser)}, text encoder of"
        f" {loop.describe_size(model.text)}",
        flush=True,
    )
    average = learn(config, model, data, vae, work)
    save(make_pipeline(average, data.tokenizer, vae), work / "pipeline")


def learn(
    config: DiffusionConfig, model: DiffusionModel, data: LatentCorpus, vae: Path, work: Path
) -> nn.Module:
    """Train a model on its device, draw sheets now and then, and return its average."""
    trainer = make_trainer(config, model)
    average = trainer.average.model
    device = loop.best_device()

    def losses_at(step: int) -> tuple[Tensor, DiffusionLosses]:
        generator = loop.step_generator(config.seed + 1, step, device)
        if step % LOOK_EVERY == 0:
            data.add_new_shards()
        step_losses = losses(model, data.batch(step, config), generator)
        return step_losses.total(config), step_losses

    def save_sheet(done: int) -> None:
        if done % SHEET_EVERY == 0 or trainer.progress >= 1:
            pipeline = make_pipeline(average, data.tokenizer, vae)
            draw_sheet(pipeline, SHOWN).save(work / f"sheet-{done:06d}.png")

    trainer.run(work / "checkpoint.pt", losses_at, save_sheet)
    return average


# --- the finished pipeline ---


def make_pipeline(model: nn.Module, tokenizer: T5Tokenizer, vae: Path) -> PixArtAlphaPipeline:
    """Return a stock pipeline around the trained parts, which it shares."""
    decoder = AutoencoderKL.from_pretrained(vae).to(next(model.parameters()).device)
    pipeline = PixArtAlphaPipeline(tokenizer, model.text, decoder, model.denoiser, make_scheduler())
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def draw_sheet(
    pipeline: PixArtAlphaPipeline, prompts: Sequence[str], across: int = 8
) -> Image.Image:
    """Draw one picture a prompt, each from its own seed, put together on one page."""
    generators = [torch.Generator("cpu").manual_seed(i) for i in range(len(prompts))]
    images = pipeline(
        list(prompts),
        num_inference_steps=STEPS,
        guidance_scale=GUIDANCE,
        generator=generators,
        use_resolution_binning=False,
        clean_caption=False,
    ).images
    side = images[0].width
    page = Image.new("RGB", (side * across, side * -(-len(images) // across)))
    for i, image in enumerate(images):
        page.paste(image, (side * (i % across), side * (i // across)))
    return page


def save(pipeline: PixArtAlphaPipeline, out: Path) -> None:
    """Write the folder that any loader of diffusers reads, safetensors in 16 bits a weight."""
    pipeline.to(dtype=torch.float16)
    pipeline.save_pretrained(out, safe_serialization=True)
    loop.write_hashes(out)


def main() -> None:
    recipe = argparse.ArgumentParser(add_help=False)
    recipe.add_argument("--recipe", choices=sorted(RECIPES), default="small")
    name = recipe.parse_known_args()[0].recipe
    config, folders = loop.read_arguments(
        __doc__,
        RECIPES[name],
        {
            "pictures": (None, "the corpus; drawn where it is missing"),
            "vae": (autoencoder.WORK / "vae", "the trained autoencoder"),
            "work": (
                Path("runs") / f"diffusion-{name}",
                "checkpoints, sheets and the finished folder `pipeline`",
            ),
        },
        parents=[recipe],
    )
    folders["pictures"] = folders["pictures"] or corpus.folder_of(config.size)
    if not (folders["vae"] / "config.json").exists():
        recipe.exit(
            2,
            f"There is no autoencoder in {str(folders['vae'])!r}: train it first, python -m"
            " hallascope.backends.embedded.training.autoencoder.\n",
        )
    train(config, **folders)


if __name__ == "__main__":
    main()
