"""Holds the commands about Spaces: check what is declared, write a Space's files, deploy it."""

import tempfile
from pathlib import Path

from hallascope import metrics
from hallascope.cli.options import DryRunOption, ForceOption, JsonOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, rewrite, say
from hallascope.data.models.specs import read_models
from hallascope.data.spaces import (
    FILE,
    BadSpaces,
    Space,
    front_matter,
    read_spaces,
    with_front_matter,
)
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.spaces.build import build as write_files
from hallascope.engine.spaces.build import pinned_versions
from hallascope.engine.spaces.check import check as faults
from hallascope.engine.spaces.deploy import calls, hub
from hallascope.engine.spaces.deploy import deploy as make


def check(file: Path = FILE, *, write: Path | None = None, as_json: JsonOption = False) -> int:
    """Check whether the Spaces can be deployed as declared; each fault is one sentence.

    Args:
        file: The file that declares the Spaces.
        write: A README whose front matter is to be that of the first Space.
    """
    spaces: tuple[Space, ...] = ()
    try:
        spaces = read_spaces(file)
        problems = _faults(spaces)
    except BadSpaces as error:
        problems = [str(error)]
    if write and not problems:
        block = front_matter(spaces[0], pinned_versions()["gradio"])
        rewrite(
            write,
            lambda readme: with_front_matter(readme, block),
            "front matter",
            "name a README that can be written",
        )
    listed = [
        {"name": space.name, "sdk": space.sdk, "hardware": space.hardware} for space in spaces
    ]
    fine = [f"{space.name}: {space.sdk}, {space.hardware}, can be deployed" for space in spaces]
    printing.print_result(as_json, {"spaces": listed, "problems": problems}, problems or fine)
    return FAILURES if problems else DONE


def build(
    name: str, out: Path, *, site: Path | None = None, force: ForceOption = False, file: Path = FILE
) -> int:
    """Write all the files that a Space needs into a folder.

    Args:
        name: The Space by name.
        out: The folder for its files.
        site: The pages of a static Space, as `hallascope export RUN --to site` writes them.
        file: The file that declares the Spaces.
    """
    files = write_files(_find_space(name, file), out, site, force)
    size = sum((out / path).stat().st_size for path in files) / 1e6
    say(f"{len(files):,} files, {size:.1f} MB, in {out}")
    return DONE


def deploy(
    name: str,
    *,
    owner: str,
    public: bool = False,
    site: Path | None = None,
    file: Path = FILE,
    dry_run: DryRunOption = False,
) -> int:
    """Bring a Space to Hugging Face, with the token of this machine's login or of HF_TOKEN.

    Args:
        name: The Space by name.
        owner: The user or organisation on the Hub that is to have it.
        public: For everybody to see; without it, for its owner alone.
        site: The pages of a static Space, as `hallascope export RUN --to site` writes them.
        file: The file that declares the Spaces.
        dry_run: Print every call that would be made, and make none.
    """
    space = _find_space(name, file)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / space.name
        write_files(space, out, site)
        hub_calls = calls(space, owner, out, private=not public)
        if dry_run:
            say("\n".join(map(str, hub_calls)))
        else:
            make(hub_calls, hub(), on_call=lambda call: say(f"done: {call}"))
    return DONE


def _faults(spaces: tuple[Space, ...]) -> list[str]:
    return list(faults(spaces, read_models(), metrics.METRICS))


def _find_space(name: str, file: Path) -> Space:
    """Return the Space of that name from a file without faults; raise BadRequest else."""
    with refuse(BadSpaces):
        spaces = read_spaces(file)
    if problems := _faults(spaces):
        raise BadRequest(problems[0])
    space = next((space for space in spaces if space.name == name), None)
    if space is None:
        raise BadRequest(
            f"There is no Space {name!r}: choose of {', '.join(space.name for space in spaces)}."
        )
    return space
