"""Writes the files of a Space into a folder: app, imports, requirements and README.

It knows no server.
"""

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

from hallascope.data.spaces import ZERO_GPU, Space, front_matter
from hallascope.engine.errors import BadRequest

PACKAGE = Path(__file__).parents[2]
ROOT = PACKAGE.parent  # the checkout: a wheel has neither the app nor the pinned versions
ALONE = ("app.py", "LICENSE", "spaces.yaml")
LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", "*.pyc", "training", "measure.py", ".*"
)  # nobody trains on a Space, or measures that
# What the Space brings itself, in versions that must not be pinned beside it.
BROUGHT = ("gradio", "gradio-client", "huggingface-hub", "pydantic", "spaces", "mcp")
ZERO_GPU_TORCH = "torch>=2.8,<2.12"  # what a lent GPU takes
CPU_WHEELS = "--extra-index-url https://download.pytorch.org/whl/cpu"
STARTS = "index.html"  # the first page of a run that was exported


def build(space: Space, out: Path, site: Path | None = None, force: bool = False) -> list[Path]:
    """Write all that the Space needs into a folder; gives the files, relative to it.

    `site`: the pages of a static one.

    Raises BadRequest where the folder holds something and is not to be replaced, or where the pages
    are missing.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not force:
        raise BadRequest(
            f"The folder {str(out)!r} holds something already: name another, or add --force to"
            " write over it."
        )
    out.mkdir(parents=True, exist_ok=True)
    if space.sdk == "static":
        _copy_site(space, site, out)
    else:
        _copy_app(space, out)
    (out / "README.md").write_text(
        front_matter(space, pinned_versions()["gradio"]) + _readme_text(space), encoding="utf-8"
    )
    return sorted(file.relative_to(out) for file in out.rglob("*") if file.is_file())


def _copy_site(space: Space, site: Path | None, out: Path) -> None:
    if site is None or not (site / STARTS).is_file():
        raise BadRequest(
            f"The Space {space.name!r} is static and its pages are not there: `hallascope export"
            " RUN --to site FOLDER` makes them, then name that folder with --site."
        )
    shutil.copytree(site, out, ignore=LEFT_OUT, dirs_exist_ok=True)


def _copy_app(space: Space, out: Path) -> None:
    shutil.copytree(PACKAGE, out / PACKAGE.name, ignore=LEFT_OUT, dirs_exist_ok=True)
    for name in ALONE:
        shutil.copy2(ROOT / name, out / name)
    (out / "requirements.txt").write_text(requirements(space), encoding="utf-8")


def requirements(space: Space) -> str:
    """Return what the Space installs beside what Hugging Face brings, in tested versions."""
    lines = [_requirement(space, said) for said in _dependencies() if _name(said) not in BROUGHT]
    own = [f"mcp{_ranges()['mcp']}", *(["spaces"] if space.hardware == ZERO_GPU else [])]
    return "\n".join([*([CPU_WHEELS] if space.on_cpu else []), *lines, *own]) + "\n"


def _requirement(space: Space, said: str) -> str:
    name = _name(said)
    if name == "torch" and space.hardware == ZERO_GPU:
        return ZERO_GPU_TORCH
    version = pinned_versions().get(name)
    return f"{name}=={version}" if version else said


def _dependencies() -> list[str]:
    return list(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
            "dependencies"
        ]
    )


def _ranges() -> dict[str, str]:
    return {_name(said): said[len(_name(said)) :] for said in _dependencies()}


def pinned_versions() -> dict[str, str]:
    """The versions everything is tested with, by package."""
    return dict(_pins())


def _pins() -> Iterator[tuple[str, str]]:
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        name, _, version = line.partition("==")
        if version:
            yield _name(name), version.strip()


def _name(said: str) -> str:
    """Return the package of a requirement, spelt as indexes do.

    For them "resvg_py" and "PyYAML" are resvg-py and pyyaml.
    """
    found = re.match(r"[\w.-]+", said)
    return re.sub(r"[-_.]+", "-", found.group()).lower() if found else said


def _readme_text(space: Space) -> str:
    kept = (
        "Prompts, pictures and answers are kept while the Space runs, and are seen by whoever opens"
        " it. A key that is typed in is kept for that page alone.\n"
    )
    return f"\n# {space.title}\n\n{space.short_description}.\n" + (
        f"\n{kept}" if space.sdk == "gradio" else ""
    )
