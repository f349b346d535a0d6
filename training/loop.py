"""Holds the one loop of all trainings: options, steps, averaged weights, checkpoints, folders.

A training is seeded; the same command goes on from the checkpoint in its folder `work`, and runs
on CUDA where there is one.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel
from transformers import HfArgumentParser

from hallascope.backends.weights import sha256

Chosen = TypeVar("Chosen", bound="Config")
Batch = dict[str, Tensor]
"""Samples by the name of what is known of them, each (batch, ...)."""
CHECKPOINT = "checkpoint.pt"
LOG_EVERY = 20  # steps


@dataclass(frozen=True, kw_only=True)
class Config:
    """Holds all that decides the result of a training; every field is an option of its command.

    `samples` are seeds that `workers` processes draw. The rate rises over `warmup` steps and falls
    over the last share `cooldown` of all steps. `average` is the decay of the averaged weights,
    which are those that are saved.
    """

    work: Path  # samples and checkpoints
    out: Path  # the finished folder
    samples: int
    workers: int = 2
    steps: int
    batch: int
    rate: float
    warmup: int = 100
    cooldown: float = 0.5
    average: float = 0.998
    checkpoint_every: int = 250
    seed: int = 0


def read_arguments(
    config: type[Chosen], about: str | None, arguments: Sequence[str] | None = None
) -> Chosen:
    """Return the config of a training as its command line gives it."""
    parser = HfArgumentParser(config, description=about)
    parsed: Chosen = parser.parse_args_into_dataclasses(arguments)[0]
    return parsed


# --- what is the same after a restart ---


def batch_rows(count: int, batch: int, step: int, seed: int) -> Tensor:
    """Return the samples of one step; every epoch has an order of its own."""
    per_epoch = max(1, count // batch)
    epoch, place = divmod(step, per_epoch)
    order = np.random.default_rng((seed, epoch)).permutation(count)
    return torch.from_numpy(order[place * batch : (place + 1) * batch])


def save_checkpoint(file: Path, stateful: Sequence[Any], step: int) -> None:
    """Write a checkpoint whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    torch.save((step, [item.state_dict() for item in stateful]), partial)
    partial.replace(file)


def load_checkpoint(file: Path, stateful: Sequence[Any]) -> int:
    """Load a checkpoint and return the step to go on from, 0 where there is none.

    One of another model ends the command with a sentence.
    """
    if not file.exists():
        return 0
    step, states = torch.load(file, weights_only=True, map_location="cpu")
    try:
        for item, state in zip(stateful, states, strict=True):
            item.load_state_dict(state)
    except RuntimeError as error:
        raise SystemExit(
            f"{file} is of other drawings or another model: delete {file.parent} to train anew."
        ) from error
    return int(step)


# --- optimizers ---


class ConvMuon(torch.optim.Muon):
    """Runs Muon on the kernels of convolutions, each seen as a matrix (outer, inner * H * W)."""

    def __init__(self, kernels: Sequence[nn.Parameter], **options: Any) -> None:
        self.kernels = kernels
        # Each matrix is the kernel's own memory.
        self.matrices = [nn.Parameter(kernel.data.view(len(kernel), -1)) for kernel in kernels]
        super().__init__(self.matrices, **options)

    def step(self, closure: Any = None) -> Any:
        for kernel, matrix in zip(self.kernels, self.matrices, strict=True):
            matrix.grad = None if kernel.grad is None else kernel.grad.flatten(1)
        return super().step(closure)  # type: ignore[no-untyped-call]

    def zero_grad(self, set_to_none: bool = True) -> None:
        for kernel in self.kernels:
            kernel.grad = None


def make_optimizers(
    module: nn.Module, *, muon_decay: float = 0.02, decay: float = 0.0
) -> list[torch.optim.Optimizer]:
    """Return Muon for the matrices and kernels inside the layers, AdamW for all the rest.

    The decays are those of the weights of either.
    """
    inner: dict[int, list[nn.Parameter]] = {2: [], 4: []}
    rest: list[nn.Parameter] = []
    for name, parameter in module.named_parameters():
        if parameter.requires_grad:
            is_inner = parameter.ndim == 4 or ".layer" in name or "_blocks." in name
            is_wide = parameter.ndim > 1 and min(parameter.shape[:2]) >= 32
            (inner[parameter.ndim] if is_inner and is_wide else rest).append(parameter)
    muon: Any = {"weight_decay": muon_decay, "adjust_lr_fn": "match_rms_adamw"}
    optimizers: list[torch.optim.Optimizer] = [torch.optim.Muon(inner[2], **muon)]
    if inner[4]:
        optimizers.append(ConvMuon(inner[4], **muon))
    return [*optimizers, *make_adam(rest, decay)]


def make_adam(parameters: Iterable[nn.Parameter], decay: float) -> list[torch.optim.Optimizer]:
    return [torch.optim.AdamW(parameters, weight_decay=decay, betas=(0.9, 0.98), fused=True)]


# --- steps ---


def rate_share(step: int, progress: float, warmup: int, cooldown: float) -> float:
    """Return the share of the full rate: it rises in a line, stays, and falls at the end.

    `progress` is the share of the training that is done, in [0, 1].
    """
    return min((step + 1) / warmup, 1.0, 0.01 + (1 - progress) / cooldown)


def make_average(model: nn.Module, decay: float) -> AveragedModel:
    """Return a slow copy of a model, which follows it more closely during the first steps."""

    def follow(slow: Tensor, new: Tensor, updates: Tensor | int) -> Tensor:
        if not slow.is_floating_point():
            return new
        return slow.lerp(new, 1.0 - min(decay, (1 + int(updates)) / (10 + int(updates))))

    return AveragedModel(model, avg_fn=follow, use_buffers=True).eval().requires_grad_(False)


def train(
    config: Config,
    model: nn.Module,
    batch_at: Callable[[Config, int], Batch],
    losses: Callable[[Batch, float, torch.Generator], Mapping[str, Tensor]],
    save: Callable[[Any], None],
    *,
    heads: nn.Module | None = None,
    make_optimizers: Callable[[nn.Module], list[torch.optim.Optimizer]] = make_optimizers,
) -> None:
    """Do all steps from the checkpoint, where there is one, to the last.

    `batch_at` gives the samples of a step, and `losses` the terms of the loss on them, by name: it
    is told which share of the training is done, in [0, 1], and is given the random numbers of the
    step. `save` is given the averaged model after each checkpoint. `heads` are learned beside the
    model and are no part of it.
    """
    modules = nn.ModuleList([model] if heads is None else [model, heads]).to(best_device())
    optimizers = make_optimizers(modules)
    average = make_average(model, config.average)
    stateful = (modules, average, *optimizers)
    step = first = load_checkpoint(config.work / CHECKPOINT, stateful)
    size = sum(parameter.numel() for parameter in model.parameters())
    print(f"{size:,} parameters, from step {step} on", flush=True)
    if step >= config.steps:
        print(f"This training is finished: delete {config.work} to train anew.", flush=True)
    start = time.monotonic()
    while step < config.steps:
        progress = step / config.steps
        with torch.device(best_device()), torch.autocast(best_device(), torch.bfloat16):
            generator = torch.Generator(best_device()).manual_seed(config.seed * 1_000_003 + step)
            terms = losses(batch_at(config, step), progress, generator)
        torch.autograd.backward(torch.stack(list(terms.values())).sum())
        nn.utils.clip_grad_norm_(modules.parameters(), 1.0)
        share = rate_share(step, progress, config.warmup, config.cooldown)
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = config.rate * share
            optimizer.step()
            optimizer.zero_grad()
        average.update_parameters(model)
        if step % LOG_EVERY == 0:
            values = ", ".join(f"{name} {float(term.detach()):.4f}" for name, term in terms.items())
            speed = (step + 1 - first) * config.batch / (time.monotonic() - start)
            print(f"step {step}, {progress:.0%}: {values}, {speed:.1f} samples/s", flush=True)
        step += 1
        if step % config.checkpoint_every == 0 or step == config.steps:
            save_checkpoint(config.work / CHECKPOINT, stateful, step)
            save(average.module)


def best_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


# --- what is written ---


def halves(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return weights with 16 bits each."""
    return {name: one.half() if one.is_floating_point() else one for name, one in weights.items()}


def save_model(model: Any, processor: Any, folder: Path) -> None:
    """Write the stock folder of a model and its processor, safetensors in 16 bits a weight."""
    model.save_pretrained(folder, state_dict=halves(model.state_dict()))
    processor.save_pretrained(folder)
    write_hashes(folder)


def write_hashes(folder: Path) -> None:
    """Write the SHA-256 of all weights of a folder to ``hashes.json`` for the loader."""
    hashes = {
        file.relative_to(folder).as_posix(): sha256(file)
        for file in sorted(folder.rglob("*.safetensors"))
    }
    (folder / "hashes.json").write_text(json.dumps(hashes, indent=2) + "\n", encoding="utf-8")
