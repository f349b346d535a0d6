"""Holds the harness of all trainings: arguments, steps, averaged weights, checkpoints, folders."""

import argparse
import copy
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from hallascope.backends.weights import sha256

Config = TypeVar("Config")
"""The numbers that decide what a training gives, as a frozen dataclass with defaults."""


# --- what is the same after a restart ---


def batch_rows(count: int, batch: int, step: int, seed: int) -> Tensor:
    """Return the samples of one step.

    Every epoch has an order of its own, the same after a restart.
    """
    per_epoch = max(1, count // batch)
    epoch, place = divmod(step, per_epoch)
    order = np.random.default_rng((seed, epoch)).permutation(count)
    return torch.from_numpy(order[place * batch : (place + 1) * batch])


def step_generator(seed: int, step: int, device: str | torch.device = "cpu") -> torch.Generator:
    """Return the random numbers of one step, the same after a restart."""
    return torch.Generator(device).manual_seed(seed * 1_000_003 + step)


def save_checkpoint(file: Path, stateful: Mapping[str, Any], step: int) -> None:
    """Write a checkpoint whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    states = {name: item.state_dict() for name, item in stateful.items()}
    torch.save(states | {"step": step}, partial)
    partial.replace(file)


def load_checkpoint(file: Path, stateful: Mapping[str, Any]) -> int:
    """Load a checkpoint and return the step to go on from, 0 where there is none.

    Raises ValueError where it is of a training of another kind.
    """
    if not file.exists():
        return 0
    saved = torch.load(file, weights_only=True, map_location="cpu")
    if saved.keys() != {*stateful, "step"}:
        raise ValueError(
            f"The checkpoint {str(file)!r} holds {', '.join(sorted(saved))}, which this training"
            " does not go on from: remove it to start again."
        )
    for name, item in stateful.items():
        item.load_state_dict(saved[name])
    return int(saved["step"])


# --- steps ---


def rate_share(step: int, progress: float, warmup: int = 200, cooldown: float = 0.5) -> float:
    """Return the share of the full rate at a step: it rises in a line, stays, and falls at the end.

    It rises over `warmup` steps and falls over the last part of the training, `cooldown`;
    `progress` is the share of the training that is done, in [0, 1].
    """
    return min((step + 1) / warmup, 1.0, 0.01 + (1 - progress) / cooldown)


class WeightAverage:
    """Keeps a slow copy of a model, which each `update` moves a little towards the model.

    Its weights are what is saved.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    def update(self, model: nn.Module, step: int) -> None:
        """Move the copy; `step` counts from 0, and the first steps are followed more closely."""
        share = 1.0 - min(self.decay, (1 + step) / (10 + step))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.model.parameters()), list(model.parameters()), share)
            for own, new in zip(self.model.buffers(), model.buffers(), strict=True):
                if own.is_floating_point():
                    own.lerp_(new, share)


def optimize(
    loss: Tensor,
    modules: Sequence[nn.Module],
    optimizers: Sequence[torch.optim.Optimizer],
    share: float,
) -> None:
    """Do one step of all optimizers down the loss, at a share of their rates."""
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_([p for module in modules for p in module.parameters()], 1.0)
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = group.setdefault("full", group["lr"]) * share
        optimizer.step()
        optimizer.zero_grad()


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
    modules: Iterable[nn.Module],
    is_inner: Callable[[str, nn.Parameter], bool],
    *,
    rate: float,
    inner_decay: float = 0.02,
    decay: float = 0.0,
    fused: bool | None = True,
) -> list[torch.optim.Optimizer]:
    """Return Muon for the matrices inside the layers, and AdamW for all the rest that is learned.

    `is_inner` says of a parameter's name and value whether it is such a matrix, or such a kernel of
    a convolution; the decays are those of the weights.
    """
    inner: list[nn.Parameter] = []
    kernels: list[nn.Parameter] = []
    rest: list[nn.Parameter] = []
    for module in modules:
        for name, parameter in module.named_parameters():
            if not parameter.requires_grad:
                continue
            if not is_inner(name, parameter):
                rest.append(parameter)
            elif parameter.ndim == 2:
                inner.append(parameter)
            else:
                kernels.append(parameter)
    muon: Any = {"lr": rate, "weight_decay": inner_decay, "adjust_lr_fn": "match_rms_adamw"}
    optimizers: list[torch.optim.Optimizer] = [
        torch.optim.Muon(inner, **muon),
        torch.optim.AdamW(rest, lr=rate, weight_decay=decay, betas=(0.9, 0.98), fused=fused),
    ]
    return [*optimizers, ConvMuon(kernels, **muon)] if kernels else optimizers


@dataclass(frozen=True, kw_only=True)
class TrainingSchedule:
    """Sets the course of a training, counted in steps.

    `average` is the decay of the averaged weights, which are those that are saved, and `cooldown`
    the last part of all steps, in which the rate falls.
    """

    average: float
    warmup: int = 200
    cooldown: float = 0.5
    checkpoint_every: int = 250
    log_every: int = 50


class Losses(Protocol):
    """Holds the scalars that a loss is made of, as a named tuple does."""

    def _asdict(self) -> dict[str, Any]: ...


class Trainer:
    """Trains a model for so many steps, and goes on from a checkpoint where a run was stopped.

    `pictures` is how many are learned from in a step, for the printed speed. `heads` are learned
    beside the model and are no part of its averaged copy. With `minutes` the training ends when
    they are over, whatever the steps. `progress` is the share of it that is done, in [0, 1].
    """

    def __init__(
        self,
        model: nn.Module,
        optimizers: Sequence[torch.optim.Optimizer],
        schedule: TrainingSchedule,
        *,
        steps: int,
        pictures: float,
        heads: nn.Module | None = None,
        minutes: float = 0.0,
    ) -> None:
        self.optimizers = optimizers
        self.schedule = schedule
        self.steps = steps
        self.minutes = minutes
        self.progress = 0.0
        self.pictures = pictures
        self.average = WeightAverage(model, schedule.average)
        self.modules = [model] if heads is None else [model, heads]
        self.stateful: dict[str, Any] = {"model": model, "average": self.average.model}
        if heads is not None:
            self.stateful["heads"] = heads
        for i, optimizer in enumerate(optimizers):
            self.stateful[f"optimizer {i}"] = optimizer

    def run(
        self,
        checkpoint: Path,
        losses_at: Callable[[int], tuple[Tensor, Losses]],
        after_checkpoint: Callable[[int], None],
    ) -> None:
        """Do all steps from the checkpoint, where there is one, to the last.

        `losses_at` gives the loss of a step, and what it is made of to print. `after_checkpoint`
        hears after each checkpoint how many steps are done.
        """
        schedule = self.schedule
        first = load_checkpoint(checkpoint, self.stateful)
        print(f"step {first}", flush=True)
        start = time.monotonic()
        step = first
        self._set_progress(step, 0.0)
        while self.progress < 1:
            loss, losses = losses_at(step)
            share = rate_share(step, self.progress, schedule.warmup, schedule.cooldown)
            optimize(loss, self.modules, self.optimizers, share)
            self.average.update(self.modules[0], step)
            if step % schedule.log_every == 0:
                speed = (step + 1 - first) * self.pictures / (time.monotonic() - start)
                self._print_progress(step, losses, speed)
            step += 1
            self._set_progress(step, time.monotonic() - start)
            if step % schedule.checkpoint_every == 0 or self.progress >= 1:
                save_checkpoint(checkpoint, self.stateful, step)
                after_checkpoint(step)

    def _set_progress(self, step: int, seconds: float) -> None:
        done = seconds / (60 * self.minutes) if self.minutes else step / self.steps
        self.progress = min(1.0, done)

    def _print_progress(self, step: int, losses: Losses, speed: float) -> None:
        values = [f"{name} {float(loss.detach()):.4f}" for name, loss in losses._asdict().items()]
        print(
            f"step {step}, {self.progress:.0%} done: {', '.join(values)}, {speed:.1f} pictures/s",
            flush=True,
        )


# --- what is written ---


def describe_size(model: nn.Module) -> str:
    """Return how large a model is, in words."""
    return f"{sum(p.numel() for p in model.parameters()):,} parameters"


def save_model(model: Any, processor: Any, folder: Path) -> None:
    """Write the stock folder of a model and its processor, safetensors in 16 bits a weight."""
    halves = {
        name: weights.half() if weights.is_floating_point() else weights
        for name, weights in model.state_dict().items()
    }
    model.save_pretrained(folder, state_dict=halves)
    processor.save_pretrained(folder)
    write_hashes(folder)


def write_hashes(folder: Path) -> None:
    """Write the SHA-256 of all weights of a folder to ``hashes.json`` for the loader."""
    hashes = {
        file.relative_to(folder).as_posix(): sha256(file)
        for file in sorted(folder.rglob("*.safetensors"))
    }
    (folder / "hashes.json").write_text(json.dumps(hashes, indent=2) + "\n", encoding="utf-8")


# --- the command ---


def best_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def read_arguments(
    about: str | None,
    config: Config,
    folders: Mapping[str, tuple[Path | None, str]],
    *,
    parents: Sequence[argparse.ArgumentParser] = (),
) -> tuple[Config, dict[str, Any]]:
    """Return the config and the folders of a training as its command line gives them.

    Every field of the config, a dataclass, has an option, and every folder, whose default and help
    are given. A folder without a default is None where the command line does not name it.
    """
    parser = argparse.ArgumentParser(description=about, parents=list(parents))
    for name, value in vars(config).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    for name, (default, help_text) in folders.items():
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=Path, default=default, help=help_text
        )
    options = vars(parser.parse_args())
    fields: Any = {name: options[name] for name in vars(config)}
    changed: Any = replace(config, **fields)  # type: ignore[type-var]
    return changed, {name: options[name] for name in folders}
