"""A preview counts by model and prompt, and checks the name as judging does."""

from pathlib import Path

import pytest

from hallascope.data.models.specs import read_models
from hallascope.engine.image_folders.detection import open_folder
from hallascope.engine.image_folders.model_names import UnclearModel
from hallascope.engine.image_folders.preview import preview_images
from hallascope.engine.models.registry import ModelRegistry
from tests.support.image_folders import PROMPTS, write_compbench, write_ihalla

REGISTRY = ModelRegistry(read_models())


def test_images_are_counted_by_model_and_prompt(tmp_path: Path) -> None:
    folder = write_ihalla(tmp_path, models=("dalle-3", "sd-xl"))
    preview = preview_images(REGISTRY, open_folder(folder))
    assert preview.images == {"dalle-3": 3, "sd-xl": 3}
    assert preview.prompts == len(PROMPTS)
    assert len(preview.unmatched) == 2  # History has no files here


@pytest.mark.parametrize("name", ["", "primer/exact"])
def test_a_name_that_cannot_stand_is_refused(name: str, tmp_path: Path) -> None:
    opened = open_folder(write_compbench(tmp_path))
    with pytest.raises(UnclearModel):
        preview_images(REGISTRY, opened, name)
