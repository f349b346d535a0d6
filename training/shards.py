"""Keeps samples on disk as ``shard-N.npz``, drawn once by processes, and reads them for the steps.

It does not know what the samples show.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.loop import Batch, Config, batch_rows, best_device

PER_SHARD = 200  # seeds
Arrays = Mapping[str, NDArray[Any]]
Draw = Callable[[int], Sequence[Mapping[str, NDArray[Any] | str]]]
"""Gives the samples of a seed: arrays and texts by name, always the same; sent to processes."""


def draw(folder: Path, draw_sample: Draw, config: Config) -> None:
    """Draw the samples of the seeds up to `config.samples`; what is there already is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = range(config.samples)
    with ProcessPoolExecutor(config.workers) as pool:
        shards = [seeds[start : start + PER_SHARD] for start in seeds[::PER_SHARD]]
        draw_one = partial(_draw_shard, draw_sample)
        list(pool.map(draw_one, map(_file(folder), count()), shards))


def _file(folder: Path) -> Callable[[int], Path]:
    return lambda number: folder / f"shard-{number:04d}.npz"


def _draw_shard(draw_sample: Draw, file: Path, seeds: range) -> None:
    """Write a shard whole or not at all, where it is not there or has fewer seeds."""
    if file.exists():
        with np.load(file) as shard:
            if shard.get("seeds", 0) >= len(seeds):
                return
    samples = [sample for seed in seeds for sample in draw_sample(seed)]
    part = file.with_suffix(".part.npz")
    columns = {name: np.stack([np.asarray(s[name]) for s in samples]) for name in samples[0]}
    np.savez(part, allow_pickle=False, seeds=len(seeds), **columns)
    part.replace(file)
    print(f"{file}: drawn", flush=True)


def read(folder: Path) -> Iterator[Arrays]:
    """Yield the shards that are drawn, in order, each with the number of its `seeds`."""
    for file in map(_file(folder), count()):
        if not file.exists():
            return
        with np.load(file) as shard:
            yield dict(shard)


def tensors(shard: Arrays, *names: str) -> Batch:
    """Return some arrays of a shard."""
    return {name: torch.from_numpy(shard[name]) for name in names}


class Corpus:
    """Holds the first `most` samples in the memory of the device.

    `encode` makes tensors of the arrays of a shard, each (samples, ...).
    """

    def __init__(self, folder: Path, most: int, encode: Callable[[Arrays], Batch]) -> None:
        self.columns: Batch = {}
        self.count = 0
        for shard in read(folder):
            first = self.count
            for name, values in encode(shard).items():
                if name not in self.columns:
                    # One shard after the other goes in: a second copy would take gigabytes.
                    shape = (most, *values.shape[1:])
                    self.columns[name] = torch.zeros(
                        shape, dtype=values.dtype, device=best_device()
                    )
                self.count = min(first + len(values), most)
                self.columns[name][first : self.count] = values[: self.count - first]

    def __len__(self) -> int:
        return self.count

    def batch(self, config: Config, step: int) -> Batch:
        """Return the samples of a step."""
        rows = batch_rows(len(self), config.batch, step, config.seed).to(best_device())
        return {name: values[rows] for name, values in self.columns.items()}
