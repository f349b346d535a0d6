"""A small folder of pictures to be labelled: plain colours with the questions of Primer prompts."""

import io
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from PIL import Image

from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import Label, LabelItem
from hallascope.primer import scenes

PROMPTS = ("a molecule of methane", "a ladybug", "two tulips")


def write(folder: Path, prompts: Sequence[str] = PROMPTS) -> list[LabelItem]:
    """A picture a prompt, 128 px, numbered from 001."""
    (folder / label_folder.PICTURES).mkdir(parents=True, exist_ok=True)
    items = [_item(folder, n, prompt) for n, prompt in enumerate(prompts, 1)]
    (folder / label_folder.ITEMS).write_text(
        "".join(map(label_folder.item_line, items)), encoding="utf-8"
    )
    return items


def _item(folder: Path, n: int, prompt: str) -> LabelItem:
    stream = io.BytesIO()
    Image.new("RGB", (128, 128), (40 * n, 90, 160)).save(stream, "WEBP", lossless=True)
    path = label_folder.picture(folder, f"{n:03}")
    path.write_bytes(stream.getvalue())
    digest = sha256(stream.getvalue()).hexdigest()
    return LabelItem(
        id=path.stem,
        prompt=prompt,
        model="primer/diffusion-tiny",
        seed=n,
        sha256=digest,
        questions=scenes.parse(prompt).questions().questions,
    )


def label(item: LabelItem, marks: str, labeller: str = "ada") -> Label:
    """A label by marks such as "BAEC?"; a dot where there is none yet."""
    return Label(item.id, labeller, tuple(None if mark == "." else mark for mark in marks))  # type: ignore[misc]
