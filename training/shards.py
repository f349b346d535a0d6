"""Keeps samples on disk as ``shard-N.npz``, drawn once by processes, and reads them for the steps.

It does not know what the samples show.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.loop import Batch, Config, batch_rows, best_device

PER_SHARD = 200  # seeds
LOOK_EVERY = 20  # steps between two looks for samples that were drawn since
Arrays = Mapping[str, NDArray[Any]]
Draw = Callable[[int], Sequence[Mapping[str, NDArray[Any] | str]]]
"""Gives the samples of a seed: arrays and texts by name, always the same; sent to processes."""


@contextmanager
def drawing(folder: Path, draw: Draw, config: Config) -> Iterator[None]:
    """Draw the samples of the seeds up to `config.samples`; what is there already is kept.

    With `config.begin` shards the block begins as soon as there are so many, and the others are
    drawn beside it, as long as it lasts; with 0 it begins when all are there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    seeds = range(config.samples)
    starts = seeds[::PER_SHARD]
    with ProcessPoolExecutor(config.workers) as pool:
        drawn = [
            pool.submit(_draw_shard, file, draw, seeds[start : start + PER_SHARD])
            for file, start in zip(map(_file(folder), count()), starts, strict=False)
            if not file.exists()
        ]
        done = len(starts) - len(drawn)
        try:
            for future in drawn[: max(0, config.begin - done) if config.begin else None]:
                future.result()
            yield
        finally:
            pool.shutdown(cancel_futures=True)


def _file(folder: Path) -> Callable[[int], Path]:
    return lambda number: folder / f"shard-{number:04d}.npz"


def _draw_shard(file: Path, draw: Draw, seeds: range) -> None:
    """Write a shard whole or not at all."""
    samples = [sample for seed in seeds for sample in draw(seed)]
    partial = file.with_suffix(".part.npz")
    columns = {name: np.stack([np.asarray(s[name]) for s in samples]) for name in samples[0]}
    np.savez(partial, allow_pickle=False, **columns)
    partial.rename(file)
    print(f"{file}: drawn", flush=True)


def read(folder: Path, first: int = 0) -> Iterator[Arrays]:
    """Return the shards that are drawn by now, from the first of these on, in order."""
    for file in map(_file(folder), count(first)):
        if not file.exists():
            return
        with np.load(file) as shard:
            yield dict(shard)


def tensors(shard: Arrays, *names: str) -> Batch:
    """Return some arrays of a shard."""
    return {name: torch.from_numpy(shard[name]) for name in names}


class Corpus:
    """Holds samples in the memory of the device, with room for `most`.

    `encode` makes tensors of the arrays of a shard, each (samples, ...).
    """

    def __init__(self, folder: Path, most: int, encode: Callable[[Arrays], Batch]) -> None:
        self.folder = folder
        self.most = most
        self.encode = encode
        self.columns: Batch = {}
        self.count = self._shards = 0
        self.update()

    def __len__(self) -> int:
        return self.count

    def update(self) -> None:
        """Take up the shards that were drawn since, while there is room."""
        for shard in read(self.folder, self._shards):
            first = self.count
            for name, values in self.encode(shard).items():
                if name not in self.columns:
                    shape = (self.most, *values.shape[1:])
                    self.columns[name] = torch.zeros(
                        shape, dtype=values.dtype, device=best_device()
                    )
                self.count = min(first + len(values), self.most)
                self.columns[name][first : self.count] = values[: self.count - first]
            self._shards += 1

    def batch(self, config: Config, step: int) -> Batch:
        """Return the samples of a step."""
        if step % LOOK_EVERY == 0:
            self.update()
        rows = batch_rows(len(self), config.batch, step, config.seed).to(best_device())
        return {name: values[rows] for name, values in self.columns.items()}
