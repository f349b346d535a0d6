"""Reads packs of wordings: folders of texts, each of which stands in the place of ours.

A pack may hold some of the wordings; the others are ours. What is sent under a pack's texts is
another way of judging: the version of its reports ends with `WordingPack.mark`.
"""

import hashlib
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hallascope.data.records import protocol_text, version_protocol
from hallascope.data.wordings.catalog import OURS, WORDINGS, wordings_of
from hallascope.data.wordings.templates import (
    OUR_TEXTS,
    Template,
    TemplateError,
    nearest_wording,
    read_template,
    template,
)

AS_PUBLISHED = "as-published"
FREE = "free"
SHIPPED: Mapping[str, Path] = {
    OURS: OUR_TEXTS,
    AS_PUBLISHED: Path(__file__).parent / "as_published",
    FREE: Path(__file__).parent / "free",
}
# A pack with this file, which says "free", lets judges answer in text where there are choices.
PROTOCOL = "protocol"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_MARK = re.compile(rf"@(?P<name>{_NAME.pattern})\.(?P<version>[0-9a-f]{{8}})\Z")


@dataclass(frozen=True, kw_only=True)
class WordingPack:
    """Holds the texts of a pack by the names of their wordings, and the folder they are in.

    `is_free`: judges that can answer in free text where there are choices, by the protocol "free".
    """

    name: str
    folder: Path
    texts: Mapping[str, Template] = field(default_factory=dict)
    is_free: bool = False

    def changed_texts(self, names: Iterable[str]) -> dict[str, Template]:
        """Return the texts of these wordings that are other than ours."""
        return {
            name: self.texts[name]
            for name in names
            if name in self.texts and self.texts[name].text != template(name).text
        }

    def mark(self, metric: str) -> str:
        """Return the end of the version of a metric's reports: "@NAME.VERSION".

        VERSION is the start of a hash of the texts that differ from ours (8 hex digits). "" where
        none does: what is sent is the same then, and so is the way of judging.
        """
        return self.mark_of(wordings_of(metric))

    def mark_of(self, names: Iterable[str]) -> str:
        """Return the mark of what is sent under these wordings, as `mark`."""
        changed = self.changed_texts(names)
        if not changed:
            return ""
        parts = [f"{name}\0{text.text}" for name, text in sorted(changed.items())]
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]
        return f"@{self.name}.{digest}"


def read_pack(folder: Path) -> WordingPack:
    """Return the pack of a folder, whose name is that of the folder.

    Raises TemplateError where it holds no wording, a file has the name of no wording, or a text
    cannot be used.
    """
    name = next((shipped for shipped, path in SHIPPED.items() if path == folder), None)
    if name is None:
        folder = folder.resolve()
        name = folder.name
        _check_name(name, folder)
    texts: dict[str, Template] = {}
    is_free = False
    for path in sorted(folder.glob("*.txt")):
        if path.stem == PROTOCOL:
            is_free = _read_protocol(path)
        elif path.stem not in WORDINGS:
            raise TemplateError(
                f"{path}, line 1: there is no wording {path.stem!r}; {nearest_wording(path.stem)}"
            )
        else:
            texts[path.stem] = read_template(path, WORDINGS[path.stem])
    if not texts and not is_free:
        raise TemplateError(
            f"the folder {str(folder)!r} holds no wording: put files such as ihalla_ask.txt into"
            " it (`hallascope wording ours --copy FOLDER` makes all of them)"
        )
    return WordingPack(name=name, folder=folder, texts=texts, is_free=is_free)


def find_pack(name: str, home: Path | None = None) -> WordingPack:
    """Return the pack of that name: one that ships, one in the folder `home`, or a folder's path.

    Raises TemplateError where there is none, and as `read_pack`.
    """
    if name in SHIPPED:
        return read_pack(SHIPPED[name])
    if home is not None and _NAME.fullmatch(name) and (home / name).is_dir():
        return read_pack(home / name)
    folder = find_folder(name)
    if folder is None:
        raise TemplateError(
            f"there is no pack of wordings {name[:200]!r}: name one of"
            f" {', '.join(pack_names(home))}, or a folder"
        )
    return read_pack(folder)


def find_folder(name: str, base: Path | None = None) -> Path | None:
    """Return the whole path of a folder that is named as seen from `base`, by default from here.

    None where there is no such folder.
    """
    try:
        path = Path(name).expanduser()
        folder = base / path if base else path
        return folder.resolve() if folder.is_dir() else None
    except (OSError, RuntimeError, ValueError):  # no path can be like this
        return None


def pack_names(home: Path | None = None) -> tuple[str, ...]:
    """Return the names of the packs that ship and of those in the folder `home`."""
    own: list[str] = []
    if home is not None and home.is_dir():
        own = sorted(
            path.name
            for path in home.iterdir()
            if path.is_dir() and _NAME.fullmatch(path.name) and path.name not in SHIPPED
        )
    return (*SHIPPED, *own)


def copy_pack(pack: WordingPack, folder: Path) -> list[Path]:
    """Copy all wordings as a pack has them, and ours where it has none, into a new folder.

    Raises TemplateError where there is something in the folder, its name is none for a pack, or it
    cannot be written.
    """
    _check_name(folder.resolve().name, folder)
    copies: list[Path] = []
    try:
        if folder.exists() and any(folder.iterdir()):
            raise TemplateError(
                f"there are files in {str(folder)!r} already: name a new folder, so that nothing is"
                " overwritten"
            )
        folder.mkdir(parents=True, exist_ok=True)
        for name in WORDINGS:
            source = pack.texts.get(name) or template(name)
            copies.append(Path(shutil.copyfile(source.path, folder / f"{name}.txt")))
        if pack.is_free:
            (folder / f"{PROTOCOL}.txt").write_text("free\n", encoding="utf-8")
    except OSError as error:
        raise TemplateError(
            f"the wordings cannot be written into {str(folder)!r} ({error.strerror}): name another"
            " folder"
        ) from error
    return copies


@dataclass(frozen=True)
class WordingMark:
    """Names the pack under whose texts a report was made, and the version of these texts."""

    name: str
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.version})" if self.version else self.name

    @property
    def ending(self) -> str:
        """Return the mark as it ends the version of a report, "" for ours."""
        return f"@{self.name}.{self.version}" if self.version else ""


def wording_mark(version: str) -> WordingMark:
    """Return what the version of a report says of its wording: ours, where it has no mark."""
    mark = _MARK.search(version)
    return WordingMark(mark["name"], mark["version"]) if mark else WordingMark(OURS)


def is_our_way(version: str) -> bool:
    """Return whether a report or trial was made in our wording, and not by free answers to choices.

    What is measured of a judge holds for this way alone.
    """
    return wording_mark(version).name == OURS and version_protocol(version) != "free"


def version_facts(version: str) -> list[tuple[str, str]]:
    """Return the rows that name a report's wording, unless it is ours, and its protocol."""
    mark, protocol = wording_mark(version), version_protocol(version)
    wording = [("wording", str(mark))] if mark.version else []
    return wording + ([("protocol", protocol_text(protocol))] if protocol else [])


def _read_protocol(path: Path) -> bool:
    """Return whether a pack's file of the protocol says "free". Raises TemplateError otherwise."""
    if path.read_text(encoding="utf-8", errors="replace").strip() != "free":
        raise TemplateError(
            f'{path}, line 1: write "free", or delete the file: the judge then chooses its own way'
        )
    return True


def _check_name(name: str, folder: Path) -> None:
    """Raise TemplateError where a folder's name cannot be that of a pack."""
    if name in SHIPPED:
        raise TemplateError(
            f"the folder {str(folder)!r} has the name of a pack that ships: give it another name"
        )
    if not _NAME.fullmatch(name):
        raise TemplateError(
            f"{name!r} cannot be the name of a pack: name the folder with at most 40 letters,"
            " digits, hyphens and underscores"
        )
