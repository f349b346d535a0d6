"""Holds the commands about packs of wordings: list, copy and check them."""

from pathlib import Path
from typing import Any

from hallascope.cli.options import JsonOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, say
from hallascope.data.wordings.catalog import WORDINGS
from hallascope.data.wordings.packs import WordingPack, copy_pack, find_pack, pack_names
from hallascope.data.wordings.templates import TemplateError
from hallascope.engine.errors import refuse
from hallascope.engine.storage.store import home


def list_packs(*, as_json: JsonOption = False) -> int:
    """List the packs, and the wordings that a pack can hold with their placeholders."""
    packs = list(map(_find, pack_names(_own_folder())))
    wordings = [
        {
            "wording": name,
            "about": role.about,
            "sent_to": role.sent_to,
            "for": role.metrics,
            "required": role.required,
            "optional": role.optional,
        }
        for name, role in WORDINGS.items()
    ]
    table = printing.table(
        {
            "pack": pack.name,
            "wordings": len(pack.texts),
            "other than ours": len(pack.changed_texts(WORDINGS)),
            "folder": str(pack.folder),
        }
        for pack in packs
    )
    placeholders = printing.table(
        {
            "wording": name,
            "sent to": role.sent_to,
            "for": role.metrics,
            "placeholders": " ".join(
                [f"{{{each}}}" for each in role.required]
                + [f"[{{{each}}}]" for each in role.optional]
            ),
        }
        for name, role in WORDINGS.items()
    )
    record = {"packs": list(map(_pack_json, packs)), "wordings": wordings}
    printing.print_result(as_json, record, printing.join_parts(table, placeholders))
    return DONE


def copy(pack: str, folder: Path) -> int:
    """Copy the texts of a pack into a new folder, to be edited there.

    Delete the files that you do not change: ours stand in their place.

    Args:
        pack: The pack to begin with, such as ours.
        folder: A new folder, whose name is that of your pack.
    """
    with refuse(TemplateError):
        copies = copy_pack(_find(pack), folder)
    say(f"{len(copies)} wordings are in {folder}; use them with --wording {folder}")
    say(f"Next: `hallascope wording check {folder}`")
    return DONE


def check(folder: str, *, as_json: JsonOption = False) -> int:
    """Check that the texts of a pack can be used, and say which differ from ours.

    Args:
        folder: The folder of a pack, or the name of one.
    """
    pack = _find(folder)
    changed = sorted(pack.changed_texts(WORDINGS))
    printing.print_result(
        as_json,
        _pack_json(pack),
        [
            f"{pack.name}: {len(pack.texts)} wordings, all can be used.",
            *(f"other than ours: {name} (version {pack.texts[name].version})" for name in changed),
            ""
            if changed
            else "None differs from ours, so scores are the same as without the pack.",
        ],
    )
    return DONE


def _own_folder() -> Path:
    return home() / "wordings"


def _find(name: str) -> WordingPack:
    """Return a pack by its name or folder. Raises BadRequest."""
    with refuse(TemplateError):
        return find_pack(name, _own_folder())


def _pack_json(pack: WordingPack) -> dict[str, Any]:
    metrics = dict.fromkeys(name for role in WORDINGS.values() for name in role.metrics)
    marks = {metric: pack.mark(metric) for metric in metrics}
    return {
        "pack": pack.name,
        "folder": pack.folder,
        "wordings": {name: text.version for name, text in pack.texts.items()},
        "changed": sorted(pack.changed_texts(WORDINGS)),
        "marks": {metric: mark for metric, mark in marks.items() if mark},
    }
