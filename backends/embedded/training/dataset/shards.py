"""Keeps samples on disk as ``shard-N.npz``, each drawn by a process and written whole."""

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]


def files(folder: Path) -> list[Path]:
    """Return the finished shards, in order."""
    return sorted(
        file for file in folder.glob("shard-*.npz") if not file.name.endswith(".part.npz")
    )


def write(
    folder: Path,
    count: int,
    draw: Callable[[range], Arrays],
    workers: int = 2,
    per_shard: int = 1000,
    compressed: bool = True,
) -> None:
    """Draw samples 0..count-1 into shards; those that are already there are kept.

    `draw` gives the arrays of the samples of these seeds and is sent to other processes: a function
    of a module, or a partial of one. Shards that are not compressed take more room and are written
    and read faster.
    """
    folder.mkdir(parents=True, exist_ok=True)
    per_shard = min(per_shard, count)
    missing = [n for n in range(-(-count // per_shard)) if not _file(folder, n).exists()]
    if not missing:
        return
    with ProcessPoolExecutor(workers) as pool:
        draw_one = partial(_draw_shard, folder, draw, per_shard, compressed)
        for n, _ in zip(missing, pool.map(draw_one, missing), strict=True):
            print(f"{folder.name}: shard {n} drawn, {per_shard} samples", flush=True)


def _draw_shard(
    folder: Path, draw: Callable[[range], Arrays], per_shard: int, compressed: bool, n: int
) -> None:
    """Write a shard whole or not at all."""
    target = _file(folder, n)
    partial_file = target.with_suffix(".part.npz")
    arrays = draw(range(n * per_shard, (n + 1) * per_shard))
    save = np.savez_compressed if compressed else np.savez
    save(partial_file, allow_pickle=False, **arrays)
    partial_file.rename(target)


def _file(folder: Path, n: int) -> Path:
    return folder / f"shard-{n:04d}.npz"
