"""Holds the commands about Spaces: check what is declared, write a Space's files, deploy it.

Exit codes as in `hallascope.cli.main`.
"""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, rewrite, say
from hallascope.data.models.specs import read_models
from hallascope.data.spaces import (
    FILE,
    BadSpaces,
    Space,
    front_matter,
    read_spaces,
    with_front_matter,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.spaces.build import build as write_files
from hallascope.engine.spaces.build import pinned_versions
from hallascope.engine.spaces.check import check as faults
from hallascope.engine.spaces.deploy import calls, hub
from hallascope.engine.spaces.deploy import deploy as make

commands = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The Spaces of this repository: check, build, deploy.",
)

SpacesFileOption = Annotated[
    Path, typer.Option("--file", help="The file that declares the Spaces.")
]
SiteOption = Annotated[
    Path | None,
    typer.Option(
        help="The pages of a static Space, as `hallascope export RUN --to site` writes them."
    ),
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Write into a folder that holds something.")
]


@commands.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="The file that declares the Spaces.")] = FILE,
    write: Annotated[
        Path | None,
        typer.Option(help="A README whose front matter is to be that of the first Space."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Check whether the Spaces can be deployed as declared; each fault is one sentence."""
    from hallascope import metrics

    try:
        spaces = read_spaces(file)
        problems = faults(spaces, read_models(), metrics.METRICS)
    except BadSpaces as error:
        spaces = ()
        problems = [str(error)]
    if write and not problems:
        block = front_matter(spaces[0], pinned_versions()["gradio"])
        rewrite(
            write,
            lambda readme: with_front_matter(readme, block),
            "front matter",
            "name a README that can be written",
        )
    if as_json:
        listed = [
            {"name": space.name, "sdk": space.sdk, "hardware": space.hardware} for space in spaces
        ]
        say(printing.document({"spaces": listed, "problems": problems}))
    else:
        fine = [f"{space.name}: {space.sdk}, {space.hardware}, can be deployed" for space in spaces]
        say("\n".join(problems or fine))
    return FAILURES if problems else DONE


@commands.command("build")
def build(
    name: Annotated[str, typer.Argument(help="The Space by name.")],
    out: Annotated[Path, typer.Argument(help="The folder for its files.")],
    site: SiteOption = None,
    force: ForceOption = False,
    file: SpacesFileOption = FILE,
) -> int:
    """Write all the files that a Space needs into a folder."""
    files = write_files(_find_space(name, file), out, site, force)
    size = sum((out / path).stat().st_size for path in files) / 1e6
    say(f"{len(files):,} files, {size:.1f} MB, in {out}")
    return DONE


@commands.command("deploy")
def deploy(
    name: Annotated[str, typer.Argument(help="The Space by name.")],
    owner: Annotated[
        str, typer.Option(help="The user or organisation on the Hub that is to have it.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print every call that would be made, and make none.")
    ] = False,
    public: Annotated[
        bool,
        typer.Option("--public", help="For everybody to see; without it, for its owner alone."),
    ] = False,
    site: SiteOption = None,
    file: SpacesFileOption = FILE,
) -> int:
    """Bring a Space to Hugging Face, with the token of this machine's login or of HF_TOKEN."""
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


def _find_space(name: str, file: Path) -> Space:
    """Return the Space of that name from a file without faults; raise BadRequest else."""
    from hallascope import metrics

    try:
        spaces = read_spaces(file)
    except BadSpaces as error:
        raise BadRequest(str(error)) from error
    if problems := faults(spaces, read_models(), metrics.METRICS):
        raise BadRequest(problems[0])
    space = next((space for space in spaces if space.name == name), None)
    if space is None:
        raise BadRequest(
            f"There is no Space {name!r}: choose of {', '.join(space.name for space in spaces)}."
        )
    return space
