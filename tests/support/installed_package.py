"""Puts a package on the path as pip would, so that its entry points are found."""

from pathlib import Path

import pytest

from hallascope import metrics


def write_package(folder: Path, name: str, code: str, entries: str) -> Path:
    """Write a module with the metadata that an installation leaves, and return its folder.

    `entries` are lines of the group `hallascope.metrics`.
    """
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{metrics.GROUP}]\n{entries}\n")
    return folder


def install(
    monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, code: str, entries: str
) -> None:
    """Let this process find the package until the test ends."""
    monkeypatch.syspath_prepend(str(write_package(folder, name, code, entries)))
