"""A folder is read by the layout it has: each image has its prompt, and what has no partner is
named.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.support.images import png
from hallascope.engine.image_folders.detection import open_folder
from hallascope.engine.image_folders.layouts import (
    drawbench,
    factualbench,
    geneval,
    ihalla,
    t2i_compbench,
    table,
)
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from tests.support import image_folders
from tests.support.image_folders import (
    PROMPTS,
    drawing,
    write,
    write_drawbench,
    write_factualbench,
    write_geneval,
    write_ihalla,
    write_table,
)


def write_images_table(root: Path) -> Path:
    for index, prompt in enumerate(PROMPTS):
        write(root / f"{index}.png", drawing(prompt))
    rows = [{"prompt": prompt, "image": f"{index}.png"} for index, prompt in enumerate(PROMPTS)]
    return write_table(root, rows)


BUILDERS: dict[str, Callable[[Path], Path]] = {
    "ihalla": image_folders.write_ihalla,
    "factualbench": image_folders.write_factualbench,
    "t2i-compbench": image_folders.write_compbench,
    "geneval": image_folders.write_geneval,
    "drawbench": image_folders.write_drawbench,
    "csv": write_images_table,
}


@pytest.mark.parametrize("layout", BUILDERS)
def test_every_published_layout_is_detected_and_gives_every_prompt(
    layout: str, tmp_path: Path
) -> None:
    folder = BUILDERS[layout](tmp_path / "images")
    opened = open_folder(folder)
    images = [entry for entry in opened.folder.entries if isinstance(entry, FolderImage)]
    assert (opened.layout, opened.detected) == (layout, True)
    assert {image.prompt for image in images} == set(PROMPTS)
    assert all((folder / image.name).read_bytes() for image in images)
    named = open_folder(folder, layout)
    assert not named.detected
    assert [entry for entry in named.folder.entries if isinstance(entry, FolderImage)] == images


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("samples", [1, 2])
def test_rows_are_counted_from_the_first_number(first: int, samples: int, tmp_path: Path) -> None:
    matched = drawbench.read(write_drawbench(tmp_path, first=first, samples=samples))
    images = [entry for entry in matched.entries if isinstance(entry, FolderImage)]
    assert [(image.prompt, image.sample) for image in images] == [
        (prompt, sample) for prompt in PROMPTS for sample in range(samples)
    ]
    assert f"counted from {first}" in matched.note


def test_a_row_that_cannot_be_read_keeps_its_place(tmp_path: Path) -> None:
    prompts = write(tmp_path / "prompts.csv", "prompt,category\na cat,x\n,x\na dog,x\na bird,x\n")
    for row in (0, 1, 2, 9):
        write(tmp_path / "images" / f"{row}.png", png())
    write(tmp_path / "images" / "cover.png", png())
    entries = list(drawbench.read(tmp_path / "images", prompts).entries)
    images = [entry for entry in entries if isinstance(entry, FolderImage)]
    assert [(image.name, image.prompt) for image in images] == [
        ("0.png", "a cat"),
        ("2.png", "a dog"),
    ]
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "prompts.csv, row 3: the field 'prompt' is empty.",
        "cover.png: the name is not the number of a row.",
        "1.png: prompts.csv has no prompt 1, counted from 0.",
        "9.png: prompts.csv has no prompt 9, counted from 0.",
        "prompts.csv: no image belongs to 1 of its prompts (3).",
    ]


def test_lines_in_any_order_have_their_images_and_concepts(tmp_path: Path) -> None:
    folder = write_factualbench(tmp_path)
    matched = factualbench.read(folder)
    images = [entry for entry in matched.entries if isinstance(entry, FolderImage)]
    assert {image.prompt: image.path.read_bytes() for image in images} == {
        prompt: drawing(prompt) for prompt in PROMPTS
    }
    assert {image.factual.prompt for image in images if image.factual} == set(PROMPTS)
    assert (matched.models, matched.lacks_model) == (("sdxl",), False)


def test_what_has_no_partner_is_named(tmp_path: Path) -> None:
    folder = write_factualbench(tmp_path) / "sdxl" / "SKCM"
    lines = (folder / "prompt.jsonl").read_text(encoding="utf-8").splitlines()
    lines[1] = "no JSON"
    lines.append(json.dumps({"sentence": "a cat", "concept": ["cat"]}))
    write(folder / "prompt.jsonl", "\n".join(lines))
    write(folder / "prompt_image" / "99.png", png())
    entries = factualbench.read(tmp_path).entries
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "sdxl/SKCM/prompt.jsonl, row 2: it is no JSON.",
        "sdxl/SKCM/prompt.jsonl, row 4: '3.png': the image is not there.",
        "sdxl/SKCM/prompt_image/1.png: no row of prompt.jsonl names it.",
        "sdxl/SKCM/prompt_image/99.png: no row of prompt.jsonl names it.",
    ]


def test_each_sample_has_its_prompt_and_the_grid_is_no_sample(tmp_path: Path) -> None:
    entries = list(geneval.read(write_geneval(tmp_path, samples=2)).entries)
    images = [entry for entry in entries if isinstance(entry, FolderImage)]
    assert len(images) == len(entries)
    assert [(image.prompt, image.sample) for image in images] == [
        (prompt, sample) for prompt in PROMPTS for sample in range(2)
    ]


def test_a_folder_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    metadata = {
        "00000": "no JSON",
        "00001": json.dumps(["a cat"]),
        "00002": json.dumps({"prompt": " "}),
        "00004": json.dumps({"prompt": "a cat"}),
    }
    for name, text in metadata.items():
        write(tmp_path / name / "metadata.jsonl", text)
        write(tmp_path / name / "samples" / "0000.png", png())
    write(tmp_path / "00003" / "samples" / "0000.png", png())
    write(tmp_path / "00004" / "samples" / "best.png", png())
    write(tmp_path / "00005" / "metadata.jsonl", json.dumps({"prompt": "a dog"}))
    entries = list(geneval.read(tmp_path).entries)
    assert [entry.name for entry in entries if isinstance(entry, FolderImage)] == [
        "00004/samples/0000.png"
    ]
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "00000: metadata.jsonl is no JSON; its images are left out.",
        "00001: metadata.jsonl has no text under 'prompt'; its images are left out.",
        "00002: metadata.jsonl has no text under 'prompt'; its images are left out.",
        "00003: there is no metadata.jsonl that can be read; its images are left out.",
        "00004/samples/best.png: the name is not the number of a sample.",
        "00005: there is no folder 'samples'.",
    ]


def test_images_of_no_prompt_are_named(tmp_path: Path) -> None:
    folder = write_ihalla(tmp_path)
    write(folder / "models" / "sd-xl" / "science" / "weird" / "9.png", png())
    entries = list(ihalla.read(folder).entries)
    reasons = [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)]
    assert "models/sd-xl/science/weird: 1 images belong to no prompt: 9." in reasons


def read(folder: Path, prompts: Path | None = None) -> list[FolderImage | UnmatchedFile]:
    return list(t2i_compbench.read(folder, prompts).entries)


def test_images_of_a_prompt_follow_each_other_with_their_numbers(tmp_path: Path) -> None:
    for name in ("a cat_000001", "a cat and a dog_000002", "a cat_000003"):
        write(tmp_path / "samples" / f"{name}.png", png())
    images = [entry for entry in read(tmp_path) if isinstance(entry, FolderImage)]
    assert [(image.prompt, image.sample) for image in images] == [
        ("a cat and a dog", 2),
        ("a cat", 1),
        ("a cat", 3),
    ]


def test_a_name_that_lacks_signs_gets_the_prompt_of_the_list(tmp_path: Path) -> None:
    write(tmp_path / "The cat is left of the dog_000000.png", png())
    write(tmp_path / "a bird_000001.png", png())
    write(tmp_path / "grid.png", png())
    write(tmp_path / "red blue_000002.png", png())
    listed = "The cat is left of the dog.\nred/blue\nred, blue\n"
    prompts = write(tmp_path / "color_val.txt", listed)
    image, *others = sorted(read(tmp_path, prompts), key=lambda entry: entry.name)
    assert isinstance(image, FolderImage)
    assert image.prompt == "The cat is left of the dog."
    assert [str(other) for other in others] == [
        "a bird_000001.png: color_val.txt has no prompt 'a bird'.",
        "grid.png: the name is not a prompt, an underscore and a number of six digits.",
        "red blue_000002.png: several prompts of color_val.txt may be meant.",
    ]


def test_models_and_seeds_are_read_and_samples_are_counted_without_seeds(tmp_path: Path) -> None:
    rows = [
        {"Prompt": "a cat", "Image": "x/1.png", "Model": "a", "Seed": "7"},
        {"Prompt": "a cat", "Image": "x/2.png", "Model": "a", "Seed": ""},
        {"Prompt": "a cat", "Image": "x\\3.png", "Model": "a", "Seed": ""},
        {"Prompt": "a cat", "Image": "x/4.png", "Model": "", "Seed": ""},
    ]
    for number in range(1, 6):
        write(tmp_path / "x" / f"{number}.png", png(str(number)))
    matched = table.read(write_table(tmp_path, rows))
    entries = list(matched.entries)
    images = [entry for entry in entries if isinstance(entry, FolderImage)]
    assert [(image.name, image.model, image.sample) for image in images] == [
        ("x/1.png", "a", 7),
        ("x/2.png", "a", 0),
        ("x/3.png", "a", 1),
        ("x/4.png", None, 0),
    ]
    assert (matched.models, matched.lacks_model) == (("a",), True)
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "x/5.png: no row of images.csv names it."
    ]


def test_what_a_row_lacks_is_named_by_its_line(tmp_path: Path) -> None:
    write(tmp_path / "folder" / "1.png", png())
    write(tmp_path / "2.png", png())
    rows = [
        {"prompt": "", "image": "1.png", "seed": ""},
        {"prompt": "a cat", "image": "../2.png", "seed": ""},
        {"prompt": "a cat", "image": "9.png", "seed": ""},
        {"prompt": "a cat", "image": "1.png", "seed": "-1"},
        {"prompt": "a cat", "image": "1.png", "seed": "3"},
    ]
    path = write_table(tmp_path / "folder", rows) / "images.csv"
    entries = list(table.read_table(path).entries)
    assert [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)] == [
        "images.csv, row 2: the prompt is empty.",
        "images.csv, row 3: '../2.png': the path leads out of the folder: give it relative to the"
        " table.",
        "images.csv, row 4: '9.png': the image is not there.",
        "images.csv, row 5: the seed '-1' is no whole number from 0 to 2**63 - 1.",
    ]
    assert len(entries) == 5
