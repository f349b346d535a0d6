"""Holds the command about packs of wordings: list, check and copy them."""

from pathlib import Path
from typing import Any

from hallascope.cli.options import JsonOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE
from hallascope.data.wordings.catalog import WORDINGS
from hallascope.data.wordings.packs import WordingPack, copy_pack, find_pack, pack_names
from hallascope.data.wordings.templates import TemplateError
from hallascope.engine.errors import refuse
from hallascope.engine.storage.store import home


def wording(pack: str = "", *, copy: Path | None = None, as_json: JsonOption = False) -> int:
    """Check that the texts of a pack can be used, and say which differ from ours.

    Without a pack, list all packs and all wordings with their placeholders.

    Args:
        pack: The name of a pack, or the folder of one.
        copy: Copy the pack's texts into this new folder, whose name is that of your pack, and edit
            them there; delete the files that you do not change.
    """
    if not pack:
        return _list_packs(as_json)
    found = _find(pack)
    if copy:
        with refuse(TemplateError):
            copies = copy_pack(found, copy)
        printing.print_result(
            as_json,
            {"folder": copy, "wordings": len(copies)},
            f"{len(copies)} wordings are in {copy}; use them with --wording {copy}",
            next_step=f"hallascope wording {copy}",
        )
        return DONE
    changed = sorted(found.changed_texts(WORDINGS))
    printing.print_result(
        as_json,
        _pack_json(found),
        [
            f"{found.name}: {len(found.texts)} wordings, all can be used.",
            *(f"other than ours: {name} (version {found.texts[name].version})" for name in changed),
            ""
            if changed
            else "None differs from ours, so scores are the same as without the pack.",
        ],
    )
    return DONE


def _list_packs(as_json: bool) -> int:
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
