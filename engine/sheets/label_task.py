"""Makes a folder of Primer pictures to be labeled by hand.

Prompts are those of Primer's benchmark, each drawn by one of the models.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import LabelItem
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.services import Services
from hallascope.engine.sheets.contact_sheet import draw_pictures, sample_evenly
from hallascope.engine.storage.images import write_atomically
from hallascope.primer import scenes

BENCHMARK = 200  # prompts to draw from, where fewer pictures are made


class PlannedLabelItem(NamedTuple):
    """Says what item is to show which prompt, drawn by which model with which seed."""

    id: str
    prompt: str
    model: str
    seed: int


@dataclass(frozen=True)
class LabelTaskResult:
    """Holds the items of a folder, and what could not be drawn, which is in none of them."""

    items: tuple[LabelItem, ...]
    failures: tuple[PlannedLabelItem, ...]


def plan_items(models: Sequence[str], count: int, seed: int = 0) -> tuple[PlannedLabelItem, ...]:
    """Plan so many pictures, each of another prompt, spread evenly over Primer's benchmark.

    The models take turns, the seeds count up.
    """
    prompts = sample_evenly(scenes.benchmark(max(count, BENCHMARK)), count)
    digits = max(3, len(str(count)))
    return tuple(
        PlannedLabelItem(f"{n + 1:0{digits}}", prompt, models[n % len(models)], seed + n)
        for n, prompt in enumerate(prompts)
    )


def make_label_task(
    services: Services,
    folder: Path,
    planned: Sequence[PlannedLabelItem],
    report: Callable[[int, int], None] = lambda done, total: None,
) -> LabelTaskResult:
    """Draw the planned items and write the folder.

    Items that are there already stay as they are, so that their labels stay theirs.

    The same call again goes on where it was left. `report`: called with the pictures done, and of
    how many. Raises BadRequest where the folder holds something else, StoreError where it cannot be
    written, and what `Services.evaluate` raises.
    """
    present = _load_items(folder, planned)
    items: list[LabelItem] = []
    failures: list[PlannedLabelItem] = []
    for done, plan in enumerate(planned):
        report(done, len(planned))
        item = present.get(plan.id) or _draw_item(services, folder, plan)
        if item:
            items.append(item)
        else:
            failures.append(plan)
    report(len(planned), len(planned))
    if not items:
        raise BadRequest("No image was made: none of the models can draw these prompts here.")
    _write(folder / label_folder.ITEMS, "".join(map(label_folder.item_line, items)).encode())
    return LabelTaskResult(tuple(items), tuple(failures))


def _load_items(folder: Path, planned: Sequence[PlannedLabelItem]) -> dict[str, LabelItem]:
    """Return the folder's items by id.

    Raises BadRequest where they are not among those planned, or cannot be read.
    """
    if not (folder / label_folder.ITEMS).exists():
        return {}
    items, complaints = label_folder.read_items(folder)
    if complaints:
        raise BadRequest(
            f"The folder {str(folder)!r} holds items that cannot be read ({complaints[0]}): fix"
            " them, or give another folder."
        )
    present = {PlannedLabelItem(item.id, item.prompt, item.model, item.seed) for item in items}
    if not present <= set(planned):
        raise BadRequest(
            f"The folder {str(folder)!r} holds other images to be labeled: give another folder."
        )
    return {item.id: item for item in items}


def _draw_item(services: Services, folder: Path, plan: PlannedLabelItem) -> LabelItem | None:
    """Return the item with its picture written, None where the model cannot draw it."""
    path = draw_pictures(services, [plan.model], plan.prompt, plan.seed)[plan.model]
    if path is None:
        return None
    data = encode_webp(path)
    _write(label_folder.picture(folder, plan.id), data)
    return LabelItem(
        id=plan.id,
        prompt=plan.prompt,
        model=plan.model,
        seed=plan.seed,
        sha256=sha256(data).hexdigest(),
        questions=services.sets.for_prompt(plan.prompt).questions,
    )


def encode_webp(path: Path) -> bytes:
    """Return the same pixels as lossless WebP, without metadata such as the prompt."""
    stream = io.BytesIO()
    with Image.open(path) as picture:
        picture.convert("RGB").save(stream, "WEBP", lossless=True)
    return stream.getvalue()


def _write(path: Path, data: bytes) -> None:
    try:
        write_atomically(path, data)
    except OSError as error:
        raise StoreError(
            f"The file {str(path)!r} cannot be written ({error.strerror or error}): give another"
            " folder."
        ) from error
