"""GenEval's samples have the prompt of their folder."""

import json
from pathlib import Path

from bench.support.images import png
from hallascope.engine.image_folders.layouts import geneval
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from tests.support.image_folders import PROMPTS, write, write_geneval


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
