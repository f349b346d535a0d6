"""Trains the Primer diffusion models: text encoder and denoiser, on latents made once.

``python -m hallascope.backends.embedded.training.diffusion --recipe small`` (or ``tiny``) draws
what is missing, trains with checkpoints (the same command goes on where it was stopped) and writes
a stock ``PixArtAlphaPipeline`` folder. The denoiser predicts the flow from picture to noise
(rectified flow, arXiv:2403.03206, section 3). Beside it, half-way through the layers, it tells
which part each of its tokens shows: placing and counting are learned faster that way. That head is
dropped in the end.
"""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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

from hallascope.backends.embedded.training import autoencoder
from hallascope.backends.embedded.training import loop as steps
from hallascope.backends.embedded.training.dataset import corpus, samples
from hallascope.backends.weights import sha256
from hallascope.primer import scenes
from hallascope.primer.groups import NUMBERS
from hallascope.primer.shapes import COLORS

TOKENS = 32  # of a caption at most
CHECKPOINT_EVERY, SHEET_EVERY = 250, 2000  # steps, the second a multiple of the first
STEPS, GUIDANCE = 20, 4.0  # of the sheets, and what the finished models are asked with
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
    """All that decides the result."""

    width: int = 256
    layers: int = 7
    heads: int = 4
    text_layers: int = 3
    samples: int = corpus.SAMPLES
    steps: int = 5_000
    batch: int = 64
    rate: float = 1.5e-3
    dropped: float = 0.1  # captions left empty, for guidance
    parts: float = 0.05  # weight of telling the parts
    average: float = 0.999
    seed: int = 0


RECIPES: Mapping[str, DiffusionConfig] = {
    "small": DiffusionConfig(),
    "tiny": DiffusionConfig(
        width=128, layers=6, text_layers=2, samples=30_000, steps=3_000, average=0.998
    ),
}


# --- words
# --------------------------------------------------------------------------------------------------


def make_tokenizer(captions: Iterable[str]) -> T5Tokenizer:
    """Whole words of the captions and of all of the grammar; single characters for any other word.

    Lower case.
    """
    said = [
        *captions,
        *corpus.OPENINGS,
        *scenes.prompts(),
        *scenes.nouns(),
        *scenes.RELATIONS,
        *NUMBERS,
        *COLORS,
        "and",
    ]
    words = sorted({word.rstrip(".") for text in said for word in text.lower().split()})
    characters = "abcdefghijklmnopqrstuvwxyz0123456789.,?!'()-/&:"
    scored = {"<pad>": 0.0, "</s>": 0.0, "<unk>": 0.0, "▁": -2.0}
    scored |= {f"▁{word}": -3.0 for word in words}
    scored |= {
        c: -9.0
        for c in [*characters, *sorted(set("".join(words)) - set(characters))]
        if c not in scored
    }
    scored["."] = -4.0  # the full stop after a word that is known
    return T5Tokenizer(vocab=list(scored.items()), extra_ids=0, model_max_length=512)


def as_tokens(tokenizer: T5Tokenizer, captions: Sequence[str]) -> Tensor:
    """Captions as the pipeline gives them to the text encoder, (N, TOKENS)."""
    texts = [text.lower().strip() for text in captions]
    held: Tensor = tokenizer(
        texts, padding="max_length", max_length=TOKENS, truncation=True, return_tensors="pt"
    )["input_ids"]
    return held


# --- models
# --------------------------------------------------------------------------------------------------


class DiffusionModel(nn.Module):
    """Text encoder and denoiser, with the head that tells the parts."""

    def __init__(self, recipe: DiffusionConfig, words: int, channels: int, side: int) -> None:
        super().__init__()
        self.text = T5EncoderModel(_text_config(recipe, words))
        self.denoiser = PixArtTransformer2DModel(
            num_attention_heads=recipe.heads,
            attention_head_dim=recipe.width // recipe.heads,
            in_channels=channels,
            out_channels=channels,
            num_layers=recipe.layers,
            cross_attention_dim=recipe.width,
            sample_size=side,
            patch_size=corpus.PATCH * side // corpus.SIZE,
        )
        if steps.device() == "cpu":  # the fused kernel takes twice as long there, going back
            self.denoiser.set_attn_processor(AttnProcessor())
        nn.init.zeros_(self.denoiser.proj_out.weight)
        self.parts = nn.Linear(
            recipe.width, 2 * (len(samples.part_numbers()) + 1)
        )  # which covers the token, which is centred in it
        self.denoiser.transformer_blocks[recipe.layers // 2].register_forward_hook(self._remember)

    def _remember(self, layer: nn.Module, given: Any, states: Tensor) -> None:
        self.states = states if self.training else None

    def forward(self, noisy: Tensor, times: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return the flow (B, C, S, S) and the parts (B, patches, 2, labels).

        The inputs are noisy (B, C, S, S), times (B,) in [0, 1] and tokens (B, L).
        """
        mask = (tokens != 0).long()
        said = self.text(input_ids=tokens, attention_mask=mask).last_hidden_state
        flow = self.denoiser(
            noisy, encoder_hidden_states=said, encoder_attention_mask=mask, timestep=times * 1000
        ).sample
        told = self.parts(self.states) if self.states is not None else noisy.new_zeros(())
        return flow, told


def _text_config(recipe: DiffusionConfig, words: int) -> T5Config:
    return T5Config(
        vocab_size=words,
        d_model=recipe.width,
        d_kv=recipe.width // recipe.heads,
        d_ff=2 * recipe.width,
        num_layers=recipe.text_layers,
        num_heads=recipe.heads,
        feed_forward_proj="gated-gelu",
        dropout_rate=0.0,
        pad_token_id=0,
        eos_token_id=1,
    )


def make_scheduler() -> DPMSolverMultistepScheduler:
    return DPMSolverMultistepScheduler(
        prediction_type="flow_prediction", use_flow_sigmas=True, flow_shift=1.0
    )


def make_optimizers(model: DiffusionModel, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the layers, AdamW for all the rest."""
    inner = [
        p
        for name, p in model.named_parameters()
        if p.ndim == 2 and "block" in name and ("attn" in name or "ff" in name or "layer" in name)
    ]
    inner = [p for p in inner if min(p.shape) >= 32]  # not the table of relative places
    chosen = {id(p) for p in inner}
    rest = [p for p in model.parameters() if id(p) not in chosen]
    return [
        torch.optim.Muon(inner, lr=rate, weight_decay=0.02, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(rest, lr=rate, weight_decay=0.0, betas=(0.9, 0.98), fused=True),
    ]


# --- what is learned from
# --------------------------------------------------------------------------------------------------


class DiffusionBatch(NamedTuple):
    """Latents (B, C, S, S), tokens (B, L), labels of the parts (B, patches, 2)."""

    latents: Tensor
    tokens: Tensor
    parts: Tensor


class Latents:
    """The corpus as latents of about unit deviation, in memory.

    Each shard is encoded once and kept as 16-bit floats.
    """

    def __init__(self, pictures: Path, vae: Path, count: int) -> None:
        model = AutoencoderKL.from_pretrained(vae).to(steps.device()).eval()
        self.channels = int(model.config.latent_channels)
        self.side = corpus.SIZE // 2 ** (len(model.config.block_out_channels) - 1)
        folder = pictures.with_name(
            f"{pictures.name}-latents-{sha256(vae / 'diffusion_pytorch_model.safetensors')[:8]}"
        )
        folder.mkdir(parents=True, exist_ok=True)
        found: list[np.ndarray] = []
        parts: list[np.ndarray] = []
        captions: list[str] = []
        for n, shard in enumerate(corpus.read_shards(pictures)):
            if len(captions) >= count:
                break
            found.append(_latents(model, shard, folder / f"shard-{n:04d}.npy"))
            parts.append(
                np.stack([shard.parts, shard.centres], axis=-1).reshape(len(shard.captions), -1, 2)
            )
            captions.extend(shard.captions)
        self.latents = torch.from_numpy(np.concatenate(found)[:count])
        self.parts = torch.from_numpy(np.concatenate(parts)[:count])
        self.tokenizer = make_tokenizer(captions)
        self.tokens = as_tokens(self.tokenizer, captions[:count]).short()
        self.empty = as_tokens(self.tokenizer, [""])[0].short()

    def __len__(self) -> int:
        return len(self.latents)

    def batch(self, step: int, recipe: DiffusionConfig, device: str) -> DiffusionBatch:
        """The samples of one step; some captions are left empty."""
        chosen = steps.rows(len(self), recipe.batch, step, recipe.seed)
        tokens = self.tokens[chosen]
        dropped = (
            torch.rand(len(chosen), generator=steps.chance(recipe.seed, step)) < recipe.dropped
        )
        tokens[dropped] = self.empty
        tokens = tokens[:, : int((tokens != 0).sum(1).max())].long()
        return DiffusionBatch(
            self.latents[chosen].float().to(device),
            tokens.to(device),
            self.parts[chosen].long().to(device),
        )


def _latents(model: AutoencoderKL, shard: corpus.CaptionShard, file: Path) -> np.ndarray:
    if not file.exists():
        scaled = (
            autoencoder.encoded(model, torch.from_numpy(shard.pixels)) * model.config.scaling_factor
        )
        half = file.with_suffix(".part.npy")
        np.save(half, scaled.half().cpu().numpy())
        half.rename(file)
        print(f"{len(scaled)} pictures encoded: {file.name}", flush=True)
    held: np.ndarray = np.load(file)
    return held


# --- training
# --------------------------------------------------------------------------------------------------


class DiffusionLosses(NamedTuple):
    flow: Tensor
    parts: Tensor


def losses(
    model: DiffusionModel, batch: DiffusionBatch, chance: torch.Generator
) -> DiffusionLosses:
    """Times are logit-normal.

    The parts of a picture count by how much of it is left in the noise.
    """
    count = len(batch.latents)
    device = batch.latents.device
    times = torch.randn(count, generator=chance, device=device).sigmoid()
    noise = torch.randn(batch.latents.shape, generator=chance, device=device)
    part = times[:, None, None, None]
    with torch.autocast(device.type, torch.bfloat16):
        flow, told = model((1 - part) * batch.latents + part * noise, times, batch.tokens)
    wrong = functional.cross_entropy(
        told.float().unflatten(-1, (2, -1)).flatten(0, 2), batch.parts.flatten(), reduction="none"
    )
    left = (1 - times)[:, None].expand(-1, wrong.numel() // count).flatten()
    return DiffusionLosses(
        (flow.float() - (noise - batch.latents)).square().mean(), (wrong * left).sum() / left.sum()
    )


def train(recipe: DiffusionConfig, pictures: Path, vae: Path, work: Path) -> None:
    """Train and write ``work/pipeline``; what is already there is not done again."""
    torch.manual_seed(recipe.seed)
    data = Latents(pictures, vae, recipe.samples)
    device = steps.device()
    model = DiffusionModel(recipe, len(data.tokenizer), data.channels, data.side).to(device)
    average = steps.Average(model, recipe.average)
    optimizers = make_optimizers(model, recipe.rate)
    stateful = {"model": model, "average": average.model} | {
        f"optimizer {i}": o for i, o in enumerate(optimizers)
    }

    def at(step: int) -> DiffusionLosses:
        now = losses(
            model, data.batch(step, recipe, device), steps.chance(recipe.seed + 1, step, device)
        )
        steps.learn(
            now.flow + recipe.parts * now.parts,
            [model],
            optimizers,
            steps.pace(step, recipe.steps, warm=300),
        )
        average.update(model, step)
        return now

    def kept(done: int) -> None:
        if done % SHEET_EVERY == 0 or done == recipe.steps:
            sheet(make_pipeline(average.model, data.tokenizer, vae), SHOWN).save(
                work / f"sheet-{done:06d}.png"
            )

    print(f"{len(data):,} pictures, {_size(model)}", flush=True)
    steps.course(
        work / "checkpoint.pt",
        stateful,
        recipe.steps,
        at,
        kept,
        pictures=recipe.batch,
        keep_every=CHECKPOINT_EVERY,
    )
    save(make_pipeline(average.model, data.tokenizer, vae), work / "pipeline")


def _size(model: DiffusionModel) -> str:
    inside = {"denoiser": model.denoiser, "text encoder": model.text}
    return ", ".join(f"{name} of {steps.weights(part)}" for name, part in inside.items())


# --- the finished pipeline
# -------------------------------------------------------------------------------------------------


def make_pipeline(model: nn.Module, tokenizer: T5Tokenizer, vae: Path) -> PixArtAlphaPipeline:
    """A stock pipeline around the trained parts, which it shares."""
    decoder = AutoencoderKL.from_pretrained(vae).to(next(model.parameters()).device)
    pipeline = PixArtAlphaPipeline(tokenizer, model.text, decoder, model.denoiser, make_scheduler())
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def sheet(pipeline: PixArtAlphaPipeline, prompts: Sequence[str], across: int = 8) -> Image.Image:
    """One picture a prompt, each from its own seed, put together on one page."""
    generators = [torch.Generator("cpu").manual_seed(i) for i in range(len(prompts))]
    made = pipeline(
        list(prompts),
        num_inference_steps=STEPS,
        guidance_scale=GUIDANCE,
        generator=generators,
        use_resolution_binning=False,
        clean_caption=False,
    ).images
    side = made[0].width
    page = Image.new("RGB", (side * across, side * -(-len(made) // across)))
    for i, image in enumerate(made):
        page.paste(image, (side * (i % across), side * (i // across)))
    return page


def save(pipeline: PixArtAlphaPipeline, out: Path) -> None:
    """Write the folder that any loader of diffusers reads, safetensors in 16 bits a weight."""
    pipeline.to(dtype=torch.float16)
    pipeline.save_pretrained(out, safe_serialization=True)
    steps.write_hashes(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipe", choices=sorted(RECIPES), default="small")
    for name, value in vars(DiffusionConfig()).items():
        parser.add_argument(
            f"--{re.sub('_', '-', name)}", type=type(value), help="instead of the recipe's"
        )
    parser.add_argument(
        "--pictures", type=Path, default=corpus.FOLDER, help="the corpus; drawn where it is missing"
    )
    parser.add_argument(
        "--vae", type=Path, default=autoencoder.WORK / "vae", help="the trained autoencoder"
    )
    parser.add_argument(
        "--work",
        type=Path,
        help="checkpoints, sheets and the finished folder `pipeline` (runs/diffusion-RECIPE)",
    )
    chosen = {name: value for name, value in vars(parser.parse_args()).items() if value is not None}
    named = chosen.pop("recipe")
    pictures = chosen.pop("pictures")
    vae = chosen.pop("vae")
    work = chosen.pop("work", Path("runs") / f"diffusion-{named}")
    corpus.write(pictures)
    if not (vae / "config.json").exists():
        parser.exit(
            2,
            f"There is no autoencoder in {str(vae)!r}: train it first, python -m"
            " hallascope.backends.embedded.training.autoencoder.\n",
        )
    train(replace(RECIPES[named], **chosen), pictures, vae, work)


if __name__ == "__main__":
    main()
