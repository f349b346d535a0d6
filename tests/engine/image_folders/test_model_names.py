"""Images that exist already have a name of their own."""

from pathlib import Path

import pytest

from hallascope.data.models.specs import read_models
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.detection import OpenedImages
from hallascope.engine.image_folders.model_names import (
    UnclearModel,
    check_model_name,
    choose_name,
)
from hallascope.engine.image_folders.records import MatchedFolder
from hallascope.engine.models.registry import ModelRegistry

REGISTRY = ModelRegistry(read_models())


@pytest.mark.parametrize("name", ["dalle-3", "FLUX.1 [dev]", "my model v2", "Stable Diffusion 3"])
def test_a_free_name_is_taken(name: str) -> None:
    assert check_model_name(REGISTRY, f" {name}  ") == name


@pytest.mark.parametrize("name", ["primer/exact", "openai/dall-e-3", "ollama/anything"])
def test_the_name_of_a_registered_model_is_taken_only_where_it_is_meant(name: str) -> None:
    with pytest.raises(UnclearModel, match="runs itself") as refused:
        check_model_name(REGISTRY, name)
    assert "--allow-registered" in refused.value.remedy
    assert check_model_name(REGISTRY, name, allow_registered=True) == name


@pytest.mark.parametrize("name", ["", "  ", "a\x00b", "x" * 101, "uploaded", "None", "a,b"])
def test_a_name_that_cannot_stand_is_one_sentence(name: str) -> None:
    with pytest.raises(BadRequest):
        check_model_name(REGISTRY, name, allow_registered=True)


def opened(*models: str, lacks_model: bool) -> OpenedImages:
    folder = MatchedFolder(entries=iter(()), models=models, lacks_model=lacks_model)
    return OpenedImages(source=str(Path("x")), layout="csv", folder=folder)


def test_several_models_never_become_one_and_none_stays_without_a_name() -> None:
    assert choose_name(opened(lacks_model=True), "x") == "x"
    assert choose_name(opened("a", lacks_model=False), "x") == "x"
    assert choose_name(opened("a", "b", lacks_model=False), "") == ""
    with pytest.raises(BadRequest, match="each keeps its own"):
        choose_name(opened("a", "b", lacks_model=False), "x")
    with pytest.raises(BadRequest, match="give its name"):
        choose_name(opened("a", lacks_model=True), "")
