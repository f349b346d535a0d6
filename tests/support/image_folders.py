"""Builds small folders of images in the published layouts, from drawings of the Primer world."""

import csv
import io
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from openpyxl import Workbook
from PIL import Image

from hallascope.backends.draughtsman import Draughtsman
from hallascope.data.files.questions import QUESTION_COLUMNS
from hallascope.data.models.specs import read_models
from hallascope.data.records import LETTERS
from hallascope.data.requests import Generate, Generated
from hallascope.primer import scenes

PROMPTS = ("a gentoo penguin", "a molecule of methane", "a zebra")


@cache
def drawing(prompt: str, seed: int = 0, model: str = "primer/exact") -> bytes:
    """Return a drawing of a Primer prompt as PNG."""
    (reply,) = Draughtsman(read_models()[model]).generate([Generate(prompt, seed)])
    assert isinstance(reply, Generated)
    small = io.BytesIO()
    Image.open(io.BytesIO(reply.png)).resize((64, 64)).save(small, "PNG")
    return small.getvalue()


def write(path: Path, content: bytes | str) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def write_compbench(root: Path, prompts: Sequence[str] = PROMPTS, samples: int = 2) -> Path:
    """``samples/PROMPT_000123.png``, numbered over all prompts."""
    for row, prompt in enumerate(prompts):
        for sample in range(samples):
            name = f"{prompt}_{row * samples + sample:06d}.png"
            write(root / "samples" / name, drawing(prompt, sample))
    return root


def write_geneval(root: Path, prompts: Sequence[str] = PROMPTS, samples: int = 2) -> Path:
    """``00000/metadata.jsonl`` and ``00000/samples/0000.png``, with a grid beside them."""
    for row, prompt in enumerate(prompts):
        folder = root / f"{row:05d}"
        write(folder / "metadata.jsonl", json.dumps({"tag": "single_object", "prompt": prompt}))
        write(folder / "grid.png", drawing(prompt))
        for sample in range(samples):
            write(folder / "samples" / f"{sample:04d}.png", drawing(prompt, sample))
    return root


def write_drawbench(
    root: Path, prompts: Sequence[str] = PROMPTS, first: int = 0, samples: int = 1
) -> Path:
    """A CSV of prompts, and images numbered by its rows."""
    rows = "\n".join(f"{prompt},Colors" for prompt in prompts)
    write(root / "prompts.csv", f"Prompts,Category\n{rows}\n")
    for row, prompt in enumerate(prompts, first):
        for sample in range(samples):
            name = f"{row}.png" if samples == 1 else f"{row}_{sample}.png"
            write(root / "images" / name, drawing(prompt, sample))
    return root


def write_table(root: Path, rows: Sequence[dict[str, str]], name: str = "images.csv") -> Path:
    """A table with the columns of the first row."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return root


def write_factualbench(root: Path, model: str = "sdxl", level: str = "SKCM") -> Path:
    """``MODEL/LEVEL/prompt.jsonl`` with ``result_image``, as on the authors' machine."""
    folder = root / model / level
    lines: list[str] = []
    for index, prompt in enumerate(PROMPTS):
        concept = prompt.removeprefix("a ").removeprefix("molecule of ")
        line = {
            "concept": [concept],
            "type": ["animal"],
            "sentence": prompt,
            "reference_image": [f"/data/concept_image/animal/{concept}.jpg"],
            "addition": [],
            "task": "momerization",
            "result_image": f"/mnt/{model}/{level}/prompt_image/{index}.png",
        }
        lines.insert(0, json.dumps(line))
        write(folder / "prompt_image" / f"{index}.png", drawing(prompt))
    write(folder / "prompt.jsonl", "\n".join(lines) + "\n")
    return root


def write_ihalla(
    root: Path, prompts: Sequence[str] = PROMPTS, models: Sequence[str] = ("sd-xl",)
) -> Path:
    """The authors' workbooks, with the Primer world's own questions, and images by number."""
    root.mkdir(parents=True, exist_ok=True)
    questions: list[list[object]] = [list(QUESTION_COLUMNS)]
    captions: list[list[object]] = [["data_index", "caption"]]
    for index, prompt in enumerate(prompts, 1):
        captions.append([index, prompt])
        for question in scenes.parse(prompt).questions().questions:
            choices = "\n".join(f"{letter}) {question.choice(letter)}" for letter in LETTERS)
            gold = f"{question.gold}) {question.choice(question.gold)}"
            questions.append([index, question.coi.capitalize(), question.text, choices, gold])
        for model in models:
            folder = root / "models" / model / "science" / "weird"
            write(folder / f"{index}.png", drawing(prompt))
    _write_book(root / "GPT4o_QA_science_mod_cois.xlsx", "Sheet1", questions)
    _write_book(root / "captions.xlsx", "science", captions)
    return root


def _write_book(path: Path, sheet: str, rows: Sequence[Sequence[object]]) -> None:
    book = Workbook()
    assert book.active is not None
    book.active.title = sheet
    for row in rows:
        book.active.append(list(row))
    book.save(path)
