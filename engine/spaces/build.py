"""Writes the files of a Space into a folder: app, imports, requirements and README."""

import re
import shutil
import tomllib
from pathlib import Path

from hallascope.data.spaces import ZERO_GPU, Space, front_matter
from hallascope.engine.errors import BadRequest

PACKAGE = Path(__file__).parents[2]
ROOT = PACKAGE.parent  # the checkout: a wheel has neither the app nor the pinned versions
ALONE = ("app.py", "LICENSE", "spaces.yaml")
IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
# What the Space brings itself, in versions that must not be pinned beside it.
PREINSTALLED = ("gradio", "gradio-client", "huggingface-hub", "pydantic", "spaces", "mcp")
ZERO_GPU_TORCH = "torch>=2.8,<2.12"  # the versions that run on ZeroGPU
CPU_WHEELS = "--extra-index-url https://download.pytorch.org/whl/cpu"
START_PAGE = "index.html"  # the first page of an exported run


def build(space: Space, out: Path, site: Path | None = None, force: bool = False) -> list[Path]:
    """Write all that the Space needs into a folder; return the files, relative to it.

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
    readme = front_matter(space, pinned_versions()["gradio"])
    readme += f"\n# {space.title}\n\n{space.short_description}.\n"
    if space.sdk == "static":
        _copy_site(space, site, out)
    else:
        _copy_app(space, out)
        readme += (
            "\nPrompts, images and answers are kept while the Space runs, and are seen by whoever"
            " opens it. A key that is typed in is kept for that page alone.\n"
        )
    (out / "README.md").write_text(readme, encoding="utf-8")
    return sorted(file.relative_to(out) for file in out.rglob("*") if file.is_file())


def _copy_site(space: Space, site: Path | None, out: Path) -> None:
    if site is None or not (site / START_PAGE).is_file():
        raise BadRequest(
            f"The Space {space.name!r} is static and its pages are not there: `hallascope export"
            " RUN --to site FOLDER` makes them, then name that folder with --site."
        )
    shutil.copytree(site, out, ignore=IGNORED, dirs_exist_ok=True)


def _copy_app(space: Space, out: Path) -> None:
    shutil.copytree(PACKAGE, out / PACKAGE.name, ignore=IGNORED, dirs_exist_ok=True)
    for name in ALONE:
        shutil.copy2(ROOT / name, out / name)
    (out / "requirements.txt").write_text(requirements(space), encoding="utf-8")


def requirements(space: Space) -> str:
    """Return what the Space installs beside what Hugging Face brings, in tested versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    dependencies: dict[str, str] = {_package(line): line for line in project["dependencies"]}
    versions = pinned_versions()
    lines = [CPU_WHEELS] if space.on_cpu else []
    for package, requirement in dependencies.items():
        if package in PREINSTALLED:
            continue
        if package == "torch" and space.hardware == ZERO_GPU:
            lines.append(ZERO_GPU_TORCH)
        elif version := versions.get(package):
            lines.append(f"{package}=={version}")
        else:
            lines.append(requirement)
    lines.append(dependencies["mcp"])
    if space.hardware == ZERO_GPU:
        lines.append("spaces")
    return "\n".join(lines) + "\n"


def pinned_versions() -> dict[str, str]:
    """Return the versions that everything is tested with, by package."""
    pins: dict[str, str] = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        name, _, version = line.partition("==")
        if version:
            pins[_package(name)] = version.strip()
    return pins


def _package(requirement: str) -> str:
    """Return the package of a requirement, spelled as indexes do.

    For them "resvg_py" and "PyYAML" are resvg-py and pyyaml.
    """
    name = re.match(r"[\w.-]+", requirement)
    return re.sub(r"[-_.]+", "-", name.group()).lower() if name else requirement
