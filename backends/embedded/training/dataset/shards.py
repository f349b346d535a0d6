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
    """The finished shards, in order."""
    return sorted(
        file for file in folder.glob("shard-*.npz") if not file.name.endswith(".part.npz")
    )


def write(
    folder: Path,
    count: int,
    draw: Callable[[range], Arrays],
    workers: int = 2,
    per_shard: int = 1000,
    packed: bool = True,
) -> None:
    """Draw samples 0..count-1 into shards; those that are already there are kept.

    `draw` gives the arrays of the samples of these seeds and is sent to other processes: a function
    of a module, or a partial of one. Unpacked shards take more room and are written and read
    faster.
    """
    folder.mkdir(parents=True, exist_ok=True)
    per_shard = min(per_shard, count)
    missing = [n for n in range(-(-count // per_shard)) if not _file(folder, n).exists()]
    if not missing:
        return
    with ProcessPoolExecutor(workers) as pool:
        for n, _ in zip(
            missing,
            pool.map(partial(_write, folder, draw, per_shard, packed), missing),
            strict=True,
        ):
            print(f"{folder.name}: shard {n} drawn, {per_shard} samples", flush=True)


def keep(target: Path, arrays: Arrays, packed: bool = True) -> None:
    """Write a shard whole or not at all."""
    half = target.with_suffix(".part.npz")
    (np.savez_compressed if packed else np.savez)(half, allow_pickle=False, **arrays)
    half.rename(target)


def _write(
    folder: Path, draw: Callable[[range], Arrays], per_shard: int, packed: bool, n: int
) -> None:
    keep(_file(folder, n), draw(range(n * per_shard, (n + 1) * per_shard)), packed)


def _file(folder: Path, n: int) -> Path:
    return folder / f"shard-{n:04d}.npz"
