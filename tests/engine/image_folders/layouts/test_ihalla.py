"""I-HallA's images have the prompts and the questions of their numbers."""

from pathlib import Path

from bench.support.images import png
from hallascope.engine.image_folders.layouts import ihalla
from hallascope.engine.image_folders.records import FolderImage, UnmatchedFile
from tests.support.image_folders import PROMPTS, write, write_ihalla


def test_every_model_keeps_its_name_and_every_prompt_its_questions(tmp_path: Path) -> None:
    folder = write_ihalla(tmp_path, models=("dalle-3", "sd-xl"))
    matched = ihalla.read(folder)
    images = [entry for entry in matched.entries if isinstance(entry, FolderImage)]
    assert {(image.model, image.prompt) for image in images} == {
        (model, prompt) for model in ("dalle-3", "sd-xl") for prompt in PROMPTS
    }
    assert (set(matched.models), matched.lacks_model) == ({"dalle-3", "sd-xl"}, False)
    assert all(image.questions and len(image.questions.questions) == 5 for image in images)


def test_images_of_no_prompt_are_named(tmp_path: Path) -> None:
    folder = write_ihalla(tmp_path)
    write(folder / "models" / "sd-xl" / "science" / "weird" / "9.png", png())
    entries = list(ihalla.read(folder).entries)
    reasons = [str(entry) for entry in entries if isinstance(entry, UnmatchedFile)]
    assert "models/sd-xl/science/weird: 1 images belong to no prompt: 9." in reasons
