"""Holds the command about Spaces: check what is declared, write a Space's files, deploy it."""

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
from hallascope.engine.spaces.deploy import calls, deploy, hub


def spaces(
    name: str = "",
    *,
    out: Path | None = None,
    owner: str = "",
    public: bool = False,
    site: Path | None = None,
    write: Path | None = None,
    file: Path = FILE,
    force: ForceOption = False,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> int:
    """Check whether the Spaces can be deployed; write the files of one, or bring it to the Hub.

    Args:
        name: The Space to write (--out) or to deploy (--owner).
        out: The folder for all files that the Space needs.
        owner: The user or organization on the Hub that gets the Space, with the token of this
            machine's login or of HF_TOKEN.
        public: Everybody may see it; else its owner only.
        site: The pages of a static Space, as `hallascope export RUN --to site` writes them.
        write: A README that gets the front matter of the first Space.
        file: The file that declares the Spaces.
        dry_run: Print every call to the Hub, and make none.
    """
    if not FILE.exists():
        raise BadRequest(
            "Spaces are made of files of the repository: run this in a checkout of it."
        )
    if not name:
        return _check(file, write, as_json)
    space = _find_space(name, file)
    if out:
        files = write_files(space, out, site, force)
        size = sum((out / path).stat().st_size for path in files)
        printing.print_result(
            as_json,
            {"folder": out, "files": len(files), "bytes": size},
            f"{len(files):,} files, {size / 1e6:.1f} MB, in {out}",
        )
        return DONE
    if not owner:
        raise BadRequest("Say what to do with the Space: --out FOLDER, or --owner OWNER.")
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder) / space.name
        write_files(space, temporary, site)
        hub_calls = calls(space, owner, temporary, private=not public)
        if not dry_run:
            deploy(hub_calls, hub(), on_call=lambda call: None if as_json else say(f"done: {call}"))
        if dry_run or as_json:
            lines = list(map(str, hub_calls))
            printing.print_result(as_json, {"calls": lines, "deployed": not dry_run}, lines)
    return DONE


def _check(file: Path, write: Path | None, as_json: bool) -> int:
    """Print each fault of the declared Spaces as a sentence."""
    declared: tuple[Space, ...] = ()
    try:
        declared = read_spaces(file)
        problems = _faults(declared)
    except BadSpaces as error:
        problems = [str(error)]
    if write and not problems:
        block = front_matter(declared[0], pinned_versions()["gradio"])
        rewrite(
            write,
            lambda readme: with_front_matter(readme, block),
            "front matter",
            "name a README that can be written",
        )
    listed = [
        {"name": space.name, "sdk": space.sdk, "hardware": space.hardware} for space in declared
    ]
    fine = [f"{space.name}: {space.sdk}, {space.hardware}, can be deployed" for space in declared]
    printing.print_result(as_json, {"spaces": listed, "problems": problems}, problems or fine)
    return FAILURES if problems else DONE


def _faults(declared: tuple[Space, ...]) -> list[str]:
    return list(faults(declared, read_models(), metrics.METRICS))


def _find_space(name: str, file: Path) -> Space:
    """Return the Space of that name from a file without faults; raise BadRequest else."""
    with refuse(BadSpaces):
        declared = read_spaces(file)
    if problems := _faults(declared):
        raise BadRequest(problems[0])
    space = next((space for space in declared if space.name == name), None)
    if space is None:
        known = ", ".join(space.name for space in declared)
        raise BadRequest(f"There is no Space {name!r}: choose one of {known}.")
    return space
