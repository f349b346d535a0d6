"""What is installed is locked: every package by its version and by the hashes of its files, PyTorch
alone by its version.

The extra `map` is not installed here: it brings a compiler of 150 MB for one layout, and the page
says what to install.
"""

import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
# built for the machine; this project itself; the extra `map`
UNLOCKED = {"torch", "hallascope", "umap-learn"}


def entries() -> dict[str, tuple[str, int]]:
    """The version of each locked package and how many hashes stand beside it."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = re.findall(r"^([\w.\[\]-]+)==([^\s;]+)([^\n]*(?:\n +[^\n]*)*)", text, re.MULTILINE)
    return {
        canonicalize_name(name.split("[")[0]): (version, more.count("--hash=sha256:"))
        for name, version, more in found
    }


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {
        canonicalize_name(name): version
        for name, _, version in (line.partition("==") for line in lines)
        if version
    }


def test_every_locked_package_has_the_hash_of_a_file() -> None:
    assert len(entries()) > 100
    assert [name for name, (_, hashes) in entries().items() if not hashes] == []


def test_every_dependency_of_the_project_is_locked_within_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stated = [
        Requirement(line)
        for lines in (project["dependencies"], *project["optional-dependencies"].values())
        for line in lines
    ]
    locked = entries()
    for requirement in stated:
        name = canonicalize_name(requirement.name)
        if name not in UNLOCKED:
            assert name in locked, f"{name} is not in requirements.lock: run `make lock`"
            assert requirement.specifier.contains(locked[name][0]), (
                f"{requirement} does not allow what is locked: run `make lock`"
            )


def test_the_lock_keeps_to_the_versions_that_everything_is_tested_with() -> None:
    locked = entries()
    differing = {
        name
        for name, version in pins().items()
        if name not in UNLOCKED and locked.get(name, ("",))[0] != version
    }
    assert differing == set(), "run `make lock`"
    assert "torch" in pins()


def test_what_is_locked_is_installed_here_in_that_version() -> None:
    here: dict[str, str] = {
        canonicalize_name(str(one.metadata["Name"])): one.version for one in distributions()
    }
    differing = {
        name: here[name]
        for name, (version, _) in entries().items()
        if name in here and here[name] != version
    }
    assert differing == {}, "run `make env`"
