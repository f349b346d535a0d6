"""Finds the numbered images in the folders of a benchmark."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.files.tables import Complaint

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp"})
_MODELS = {"normal": "factual"}  # the authors keep the textbook's images under dalle-3/normal
_NAMED = 12  # so many numbers are named in one complaint


@dataclass(frozen=True, kw_only=True)
class ImageFolder:
    """Holds one folder ``models/<model>/<field>/{normal,weird}`` with its images by number.

    `empty` and `odd` name faulty files.
    """

    name: str
    model: str
    field: str
    files: Mapping[int, Path]
    empty: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()

    def complaints(self, wanted: Collection[int]) -> list[Complaint]:
        """Return what is missing, unknown or empty, one complaint a kind.

        Silent where no prompt was read.
        """
        if not wanted:
            return []
        missing = sorted(set(wanted) - set(self.files))
        unknown = sorted(set(self.files) - set(wanted))
        odd = "files are left out, as their names are no number or appear twice"
        problems: tuple[tuple[Collection[object], str], ...] = (
            (missing, f"of {len(wanted)} images are missing"),
            (unknown, "images belong to no prompt"),
            (self.empty, "files are empty and left out"),
            (self.odd, odd),
        )
        return [
            Complaint(self.name, None, None, f"{len(things)} {problem}: {name_some(things)}")
            for things, problem in problems
            if things
        ]


def image_folders(models: Path) -> list[ImageFolder]:
    """Return every image folder under ``models/``, whichever models it holds; [] without any."""
    return [
        _read_folder(models, folder)
        for kind in ("normal", "weird")
        for folder in sorted(models.glob(f"*/*/{kind}"))
        if folder.is_dir() and folder.parent.name.lower() in ("science", "history")
    ]


def _read_folder(models: Path, folder: Path) -> ImageFolder:
    files: dict[int, Path] = {}
    empty: list[str] = []
    odd: list[str] = []
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in ENDINGS or not path.is_file():
            continue
        if not (path.stem.isascii() and path.stem.isdigit()) or int(path.stem) in files:
            odd.append(path.name)
        elif not path.stat().st_size:
            empty.append(path.name)
        else:
            files[int(path.stem)] = path
    model = _MODELS.get(folder.name, folder.parent.parent.name)
    name = folder.relative_to(models.parent).as_posix()
    return ImageFolder(
        name=name,
        model=model,
        field=folder.parent.name.lower(),
        files=files,
        empty=tuple(empty),
        odd=tuple(odd),
    )


def name_some(things: Collection[object]) -> str:
    """Return the first of some things, and how many more there are."""
    named = ", ".join(str(thing) for thing in list(things)[:_NAMED])
    return named if len(things) <= _NAMED else f"{named} and {len(things) - _NAMED} more"
