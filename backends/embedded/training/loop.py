"""What trainings share: the order of the samples, the pace, averaged weights, checkpoints.

It knows no model.
"""

import argparse
import copy
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from hallascope.backends.weights import sha256


def rows(count: int, batch: int, step: int, seed: int) -> Tensor:
    """The samples of one step: every epoch in an order of its own, the same after a restart."""
    per_epoch = max(1, count // batch)
    epoch, at = divmod(step, per_epoch)
    order = np.random.default_rng((seed, epoch)).permutation(count)
    return torch.from_numpy(order[at * batch : (at + 1) * batch])


def chance(seed: int, step: int, device: str | torch.device = "cpu") -> torch.Generator:
    """The chance of one step, the same after a restart."""
    return torch.Generator(device).manual_seed(seed * 1_000_003 + step)


def pace(step: int, steps: int, warm: int = 200, falling: float = 0.5) -> float:
    """Return the share of the rate at a step: it rises in a line, stays, and falls at the end.

    The last part, in which it falls, is `falling`.
    """
    return min((step + 1) / warm, 1.0, 0.01 + (steps - step) / (falling * steps))


class Average:
    """Keeps a slow copy of a model, which each `update` moves a little towards the model.

    Its weights are what is saved.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    def update(self, model: nn.Module, step: int) -> None:
        """`step` counts from 0: the first steps are followed more closely."""
        near = 1.0 - min(self.decay, (1 + step) / (10 + step))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.model.parameters()), list(model.parameters()), near)


def keep(file: Path, stateful: Mapping[str, Any], step: int) -> None:
    """Write a checkpoint whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_suffix(".part")
    torch.save({name: it.state_dict() for name, it in stateful.items()} | {"step": step}, half)
    half.replace(file)


def resume(file: Path, stateful: Mapping[str, Any]) -> int:
    """Load a checkpoint; the step to go on from, 0 where there is none."""
    if not file.exists():
        return 0
    saved = torch.load(file, weights_only=True, map_location="cpu")
    for name, it in stateful.items():
        it.load_state_dict(saved[name])
    return int(saved["step"])


def learn(
    loss: Tensor,
    models: Sequence[nn.Module],
    optimizers: Sequence[torch.optim.Optimizer],
    share: float,
) -> None:
    """One step of all optimizers down the loss, at a share of their rates."""
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_([p for model in models for p in model.parameters()], 1.0)
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = group.setdefault("full", group["lr"]) * share
        optimizer.step()
        optimizer.zero_grad()


def course(
    checkpoint: Path,
    stateful: Mapping[str, Any],
    last: int,
    at: Callable[[int], Any],
    kept: Callable[[int], None],
    *,
    pictures: float,
    keep_every: int,
    say_every: int = 50,
) -> None:
    """All steps from the checkpoint, where there is one, to the last.

    `at` learns one step, of so many pictures, and gives its losses (a named tuple of scalars);
    `kept` is told after each checkpoint how many steps are done.
    """
    first = resume(checkpoint, stateful)
    print(f"steps {first} to {last}", flush=True)
    began = time.monotonic()
    for step in range(first, last):
        losses = at(step)
        if step % say_every == 0:
            speed = (step - first + 1) * pictures / (time.monotonic() - began)
            said = ", ".join(
                f"{name} {float(value.detach()):.4f}" for name, value in losses._asdict().items()
            )
            print(f"step {step} of {last}: {said}, {speed:.1f} pictures/s", flush=True)
        if (done := step + 1) % keep_every == 0 or done == last:
            keep(checkpoint, stateful, done)
            kept(done)


def weights(model: nn.Module) -> str:
    """How large a model is, in words."""
    return f"{sum(p.numel() for p in model.parameters()):,} parameters"


def write_hashes(folder: Path) -> None:
    """Write the SHA-256 of all weights of a folder to ``hashes.json`` for the loader."""
    found = {
        file.relative_to(folder).as_posix(): sha256(file)
        for file in sorted(folder.rglob("*.safetensors"))
    }
    (folder / "hashes.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def parser(about: str | None, recipe: Any) -> argparse.ArgumentParser:
    """Return a parser with an option for every field of the recipe, a dataclass with defaults."""
    made = argparse.ArgumentParser(description=about)
    for name, value in vars(recipe).items():
        made.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    return made
