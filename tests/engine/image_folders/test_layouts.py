"""A folder is read by the layout it has: each image has its prompt, and what has no partner is
named.
"""

import json
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest
from openpyxl import Workbook

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.layouts import (
    drawbench,
    factualbench,
    geneval,
    ihalla,
    t2i_compbench,
    table,
)
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from hallascope.engine.image_folders.sources import open_folder
from tests.support import image_folders
from tests.support.image_folders import (
    PROMPTS,
    drawing,
    write,
    write_drawbench,
    write_factualbench,
    write_ihalla,
    write_table,
)
from tests.support.images import png


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
    images = [entry for entry in opened.entries if isinstance(entry, FolderImage)]
    assert (opened.layout, opened.detected) == (layout, True)
    assert {image.prompt for image in images} == set(PROMPTS)
    assert all((folder / image.name).read_bytes() for image in images)
    named = open_folder(folder, layout)
    assert not named.detected
    assert [entry for entry in named.entries if isinstance(entry, FolderImage)] == images


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
        "sdxl/SKCM/prompt.jsonl, row 2: it is no JSON object.",
        "sdxl/SKCM/prompt.jsonl, row 4: '3.png': the image is not there.",
        "sdxl/SKCM/prompt_image/99.png: no row of prompt.jsonl names it.",
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


def test_a_table_named_by_its_whole_path_names_the_images_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_images_table(tmp_path / "images")
    monkeypatch.chdir(tmp_path)
    for folder, prompts in (("images", tmp_path / "images"), (tmp_path / "images", "images")):
        opened = open_folder(Path(folder), "csv", Path(prompts) / "images.csv")
        entries = list(opened.entries)
        assert [entry.name for entry in entries if isinstance(entry, FolderImage)] == [
            f"{number}.png" for number in range(len(PROMPTS))
        ]
        assert len(entries) == len(PROMPTS)


def test_a_folder_that_may_not_be_read_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(folder: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(ihalla, "matches", denied)
    with pytest.raises(BadRequest, match="Permission denied"):
        open_folder(tmp_path)


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
        "images.csv, row 5: the seed '-1' is not a whole number from 0 to 2**63 - 1.",
    ]
    assert len(entries) == 5


LISTS = {
    "a.jsonl": '{"Prompt": "p1", "prompt_id": 701}\n{"Prompt": "p2", "prompt_id": 702}\n',
    "a.json": '{"701": {"caption": "p1"}, "702": {"caption": "p2"}}',
    "a.csv": "prompt,item_id\np1,701\np2,702\n",
    "a.tsv": "prompt\tid\np1\t701\np2\t702\n",
    "a.txt": "701. p1\n702. p2\n",
    "a.xlsx": "",
}


def write_list(folder: Path, name: str) -> Path:
    if not name.endswith(".xlsx"):
        return write(folder / name, LISTS[name])
    book = Workbook()
    for row in (("prompt", "id"), ("p1", 701), ("p2", 702)):
        book.worksheets[0].append(row)
    book.save(folder / name)
    return folder / name


def matched(folder: Path, prompts: Path, named_by: str = "") -> dict[str, str]:
    """Return the prompt by the name of each image that is matched."""
    entries = open_folder(folder, prompts=prompts, named_by=named_by).entries
    return {entry.name: entry.prompt for entry in entries if isinstance(entry, FolderImage)}


@pytest.mark.parametrize("name", LISTS)
def test_images_are_matched_by_the_names_of_the_list_and_never_by_place(
    tmp_path: Path, name: str
) -> None:
    prompts = write_list(tmp_path, name)
    for file in ("1.png", "2.png"):
        write(tmp_path / "i" / file, png(file))
    with pytest.raises(BadRequest, match="--named-by row-0 or row-1"):
        matched(tmp_path / "i", prompts)
    assert matched(tmp_path / "i", prompts, "row-1") == {"1.png": "p1", "2.png": "p2"}
    write(tmp_path / "i" / "00702_3.png", png())
    write(tmp_path / "i" / "701.png", png())
    assert matched(tmp_path / "i", prompts) == {"701.png": "p1", "00702_3.png": "p2"}


@pytest.mark.parametrize(
    "listed, files, choices",
    [
        ("prompt,id\na,1\nb,2\n", ("0.png", "1.png"), "id or row-0"),
        ("prompt,id,image_id\na,1,2\nb,2,1\n", ("1.png", "2.png"), "id or image_id"),
        ("prompt\na\nb\nc\n", ("1.png", "2.png", "montage.png"), "row-0 or row-1"),
    ],
)
def test_where_two_readings_fit_a_person_chooses(
    tmp_path: Path, listed: str, files: tuple[str, ...], choices: str
) -> None:
    prompts = write(tmp_path / "a.csv", listed)
    for file in files:
        write(tmp_path / "i" / file, png(file))
    with pytest.raises(BadRequest, match=f"--named-by {choices}"):
        matched(tmp_path / "i", prompts)
    for choice in choices.split(" or "):
        assert matched(tmp_path / "i", prompts, choice)


@pytest.mark.parametrize("files", ["701/0.png 701/1.png 702/0.png", "701_0.png 701_1.png 702.png"])
def test_a_folder_of_an_item_holds_its_samples(tmp_path: Path, files: str) -> None:
    prompts = write_list(tmp_path, "a.jsonl")
    for file in files.split():
        write(tmp_path / "i" / file, png(file))
    assert list(matched(tmp_path / "i", prompts).values()).count("p1") == 2


def test_a_mac_s_names_are_those_of_the_list(tmp_path: Path) -> None:
    composed, pieces = (normalize(form, "caf\u00e9") for form in ("NFC", "NFD"))
    write(tmp_path / f"{pieces}.png", png())
    write_table(tmp_path, [{"prompt": pieces, "image": f"{composed}.png"}])
    (image,) = table.read(tmp_path).entries
    assert isinstance(image, FolderImage)
    assert image.prompt == composed
    write(tmp_path / "b" / f"{pieces}_000001.png", png())
    (sample,) = read(tmp_path / "b", write(tmp_path / "a.txt", f"{composed}\n"))
    assert isinstance(sample, FolderImage)
