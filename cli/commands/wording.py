"""Holds the commands about packs of wordings: list, copy and check them.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, JsonOption, say
from hallascope.data.wordings.catalog import WORDINGS, WordingRole
from hallascope.data.wordings.packs import WordingPack, copy_pack, find_pack, pack_names
from hallascope.data.wordings.templates import TemplateError
from hallascope.engine.errors import refuse
from hallascope.engine.storage.store import home

commands = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="The texts that judges, writers, captioners and graders are sent: list, copy, check.",
)


class _ListedPack(NamedTuple):
    """Holds a pack with the names of the wordings that differ from ours."""

    pack: WordingPack
    changed: list[str]


class _ListedWording(NamedTuple):
    """Holds a wording with what it is for."""

    name: str
    role: WordingRole


_PACK_COLUMNS = (
    TextColumn("pack", lambda row: row.pack.name),
    TextColumn("wordings", lambda row: str(len(row.pack.texts))),
    TextColumn("other than ours", lambda row: str(len(row.changed))),
    TextColumn("folder", lambda row: str(row.pack.folder)),
)
_WORDING_COLUMNS = (
    TextColumn("wording", lambda row: row.name),
    TextColumn("sent to", lambda row: row.role.sent_to),
    TextColumn("for", lambda row: ", ".join(row.role.metrics)),
    TextColumn("placeholders", lambda row: _placeholder_words(row.role)),
)


@commands.command("list")
def list_(as_json: JsonOption = False) -> int:
    """List the packs, and the wordings that a pack can hold with their placeholders."""
    packs = [_listed(_find(name)) for name in pack_names(_own_folder())]
    wordings = [_ListedWording(name, role) for name, role in WORDINGS.items()]
    if as_json:
        document = {
            "packs": [_pack_json(row) for row in packs],
            "wordings": [_wording_json(row) for row in wordings],
        }
        say(printing.document(document))
    else:
        say(printing.table(_PACK_COLUMNS, packs))
        say(f"\n{printing.table(_WORDING_COLUMNS, wordings)}")
    return DONE


@commands.command("copy")
def copy(
    pack: Annotated[str, typer.Argument(help="The pack to begin with, such as ours.")],
    folder: Annotated[Path, typer.Argument(help="A new folder, whose name is that of your pack.")],
) -> int:
    """Copy the texts of a pack into a new folder, to be edited there.

    Delete the files that you do not change: ours stand in their place.
    """
    with refuse(TemplateError):
        copies = copy_pack(_find(pack), folder)
    say(f"{len(copies)} wordings are in {folder}; use them with --wording {folder}")
    return DONE


@commands.command("check")
def check(
    folder: Annotated[str, typer.Argument(help="The folder of a pack, or the name of one.")],
    as_json: JsonOption = False,
) -> int:
    """Check that the texts of a pack can be used, and say which differ from ours."""
    row = _listed(_find(folder))
    if as_json:
        say(printing.document(_pack_json(row)))
        return DONE
    say(f"{row.pack.name}: {len(row.pack.texts)} wordings, all can be used.")
    for name in row.changed:
        say(f"other than ours: {name} (version {row.pack.texts[name].version})")
    if not row.changed:
        say("None differs from ours, so scores are the same as without the pack.")
    return DONE


def _own_folder() -> Path:
    return home() / "wordings"


def _find(name: str) -> WordingPack:
    """Return a pack by its name or folder. Raises BadRequest."""
    with refuse(TemplateError):
        return find_pack(name, _own_folder())


def _listed(pack: WordingPack) -> _ListedPack:
    return _ListedPack(pack, sorted(pack.changed_texts(WORDINGS)))


def _placeholder_words(role: WordingRole) -> str:
    words = [f"{{{name}}}" for name in role.required]
    words += [f"[{{{name}}}]" for name in role.optional]
    return " ".join(words) or "-"


def _pack_json(row: _ListedPack) -> dict[str, Any]:
    marks = {metric: row.pack.mark(metric) for metric in _metrics()}
    return {
        "pack": row.pack.name,
        "folder": row.pack.folder,
        "wordings": {name: text.version for name, text in row.pack.texts.items()},
        "changed": row.changed,
        "marks": {metric: mark for metric, mark in marks.items() if mark},
    }


def _wording_json(row: _ListedWording) -> dict[str, Any]:
    return {
        "wording": row.name,
        "about": row.role.about,
        "sent_to": row.role.sent_to,
        "for": row.role.metrics,
        "required": row.role.required,
        "optional": row.role.optional,
    }


def _metrics() -> list[str]:
    return list(dict.fromkeys(name for role in WORDINGS.values() for name in role.metrics))
