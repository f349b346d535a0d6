"""Reads I-HallA's layout as its authors publish it.

Prompts are in ``captions.xlsx``, their questions in ``GPT4o_QA_science_mod_cois.xlsx`` and its
like, images in ``models/MODEL/science/{normal,weird}/NUMBER.jpg``, as
``hallascope.data.benchmarks.ihalla`` reads them.
The textbooks' own images have the model "factual".
"""

from collections.abc import Iterator
from pathlib import Path

from hallascope.data.benchmarks.ihalla import IHallaBenchmark, read_ihalla
from hallascope.data.benchmarks.images import image_folders
from hallascope.data.files.tables import BadTable
from hallascope.engine.errors import refuse
from hallascope.engine.image_folders.folder_files import name_within
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    OpenedImages,
    unmatched_row,
)

_FILES = ("captions.xlsx", "GPT4o_QA_science_mod_cois.xlsx", "GPT4o_QA_history_mod_cois.xlsx")


def matches(folder: Path) -> bool:
    """Return whether the folder, or ``data`` in it, has files of I-HallA and its images."""
    return any(
        any((root / name).is_file() for name in _FILES) and bool(image_folders(root / "models"))
        for root in (folder, folder / "data")
    )


def read(folder: Path, prompts: Path | None = None) -> OpenedImages:
    """Match images and prompts by number; `prompts` is not used. Raises BadRequest."""
    with refuse(BadTable):
        benchmark = read_ihalla(folder)
    models = dict.fromkeys(model for prompt in benchmark.prompts for model in prompt.images or ())
    return OpenedImages(
        entries=_entries(folder, benchmark), models=tuple(models), lacks_model=False
    )


def _entries(folder: Path, benchmark: IHallaBenchmark) -> Iterator[FolderEntry]:
    yield from map(unmatched_row, benchmark.complaints)
    for prompt in benchmark.prompts:
        for model, path in (prompt.images or {}).items():
            yield FolderImage(
                path=path,
                name=name_within(folder, path),
                prompt=prompt.prompt,
                model=model,
                questions=prompt.question_set if prompt.questions else None,
            )
