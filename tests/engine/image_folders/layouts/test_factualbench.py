"""T2I-FactualBench's lines have the images that they name, wherever the authors kept them."""

import json
from pathlib import Path

import pytest

from bench.support.images import png
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.layouts import factualbench
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from tests.support.image_folders import PROMPTS, drawing, write, write_factualbench


def test_lines_in_any_order_have_their_images_and_concepts(tmp_path: Path) -> None:
    folder = write_factualbench(tmp_path)
    matched = factualbench.read(folder)
    images = [entry for entry in matched.entries if isinstance(entry, FolderImage)]
    assert {image.prompt: image.path.read_bytes() for image in images} == {
        prompt: drawing(prompt) for prompt in PROMPTS
    }
    assert {image.factual.prompt for image in images if image.factual} == set(PROMPTS)
    assert (matched.models, matched.lacks_model) == (("sdxl",), False)


def test_each_model_has_its_folder_and_a_level_alone_has_none(tmp_path: Path) -> None:
    write_factualbench(tmp_path, "sdxl")
    write_factualbench(tmp_path, "sdxl_text")
    assert factualbench.read(tmp_path).models == ("sdxl", "sdxl_text")
    alone = factualbench.read(tmp_path / "sdxl")
    assert (alone.models, alone.lacks_model) == ((), True)


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


def test_a_folder_without_images_is_refused(tmp_path: Path) -> None:
    folder = write_factualbench(tmp_path) / "sdxl" / "SKCM"
    (folder / "prompt_image").rename(folder / "elsewhere")
    with pytest.raises(BadRequest, match="needs a folder prompt_image"):
        factualbench.read(tmp_path)
