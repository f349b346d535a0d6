"""T2I-CompBench's names are the prompts, or stand for prompts of a list."""

from pathlib import Path

import pytest

from bench.support.images import png
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.layouts import t2i_compbench
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from tests.support.image_folders import write


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


def test_the_authors_folder_of_prompts_is_taken_as_the_list(tmp_path: Path) -> None:
    write(tmp_path / "images" / "The cat is red_000000.png", png())
    write(tmp_path / "images" / "a dog_000001.png", png())
    write(tmp_path / "dataset" / "color_val.txt", "The cat is red.\n")
    write(tmp_path / "dataset" / "numeracy_val.txt", "a dog\n")
    entries = read(tmp_path / "images", tmp_path / "dataset")
    images = [entry for entry in entries if isinstance(entry, FolderImage)]
    assert [image.prompt for image in images] == ["The cat is red.", "a dog"]


def test_a_folder_without_prompts_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="holds no files of T2I-CompBench"):
        read(tmp_path, tmp_path)
