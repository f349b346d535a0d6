"""The classes of a pipeline and its components are found before anything is loaded, or refused."""

from collections.abc import Mapping
from pathlib import Path

import diffusers
import pytest
import transformers

from hallascope.backends.diffusers import components, folders
from hallascope.backends.diffusers.folders import Flaw, PipelineComponent, PipelineIndex
from tests.support.painters import painter_spec


def component(name: str, library: str, class_name: str) -> PipelineComponent:
    return PipelineComponent(name, library, class_name, Path(name))


@pytest.mark.parametrize(
    "class_name",
    ["StableDiffusionPipeline", "PixArtAlphaPipeline", "FluxPipeline", "ZImagePipeline"],
)
def test_a_pipeline_that_draws_from_words_is_found(class_name: str) -> None:
    pipeline_class = components.find_pipeline_class(PipelineIndex(class_name, {}))
    assert pipeline_class is getattr(diffusers, class_name)
    assert {"prompt", "generator"} <= set(components.call_parameters(pipeline_class))


@pytest.mark.parametrize(
    ("class_name", "message"),
    [
        ("NoSuchPipeline", "names the pipeline 'NoSuchPipeline', which diffusers "),
        ("UNet2DConditionModel", "names the pipeline 'UNet2DConditionModel', which diffusers "),
        ("StableDiffusionControlNetPipeline", "does not draw from words alone"),
        ("StableDiffusionImg2ImgPipeline", "does not draw from words alone"),
        ("DDPMPipeline", "does not draw from words alone"),
        ("TextToVideoSDPipeline", "does not draw from words alone"),
    ],
)
def test_a_pipeline_that_does_something_else_is_refused(class_name: str, message: str) -> None:
    with pytest.raises(Flaw) as caught:
        components.find_pipeline_class(PipelineIndex(class_name, {}))
    assert message in str(caught.value)


def test_a_pipeline_that_needs_a_package_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class NeedyPipeline:
        _backends = ("torch", "no_such_package")

    monkeypatch.setattr(diffusers, "NeedyPipeline", NeedyPipeline, raising=False)
    with pytest.raises(Flaw, match=r"run `pip install no_such_package`$"):
        components.find_pipeline_class(PipelineIndex("NeedyPipeline", {}))


def test_components_are_those_that_the_pipeline_takes_and_the_entry_wants(
    pipeline_folders: Mapping[str, Path],
) -> None:
    folder = pipeline_folders["passes"]
    index = folders.read_index(folder)
    names = {"vae", "text_encoder", "tokenizer", "unet", "scheduler", "feature_extractor"}
    for setting, expected in ((None, {*names, "safety_checker"}), (False, names)):
        spec = painter_spec(folder, safety_checker=setting)
        selected = components.select_components(index, diffusers.StableDiffusionPipeline, spec)
        assert set(selected) == expected
    assert set(components.select_weights(selected, None)) == {"vae", "text_encoder", "unet"}


def test_a_component_that_the_pipeline_needs_is_not_left_out(
    pipeline_folders: Mapping[str, Path],
) -> None:
    folder = pipeline_folders["stable_diffusion"]
    index = folders.read_index(folder)
    without_unet = PipelineIndex(
        index.class_name,
        {name: found for name, found in index.components.items() if name != "unet"},
    )
    with pytest.raises(Flaw, match="names no 'unet', which its pipeline 'StableDiffusionPipeline'"):
        components.select_components(
            without_unet, diffusers.StableDiffusionPipeline, painter_spec(folder)
        )


def test_the_class_of_a_component_is_of_diffusers_or_transformers() -> None:
    find = components.find_component_class
    assert find(component("unet", "diffusers", "UNet2DConditionModel")) is (
        diffusers.UNet2DConditionModel
    )
    assert find(component("text_encoder", "transformers", "CLIPTextModel")) is (
        transformers.CLIPTextModel
    )
    safety_checker = component("safety_checker", "stable_diffusion", "StableDiffusionSafetyChecker")
    assert find(safety_checker).__name__ == "StableDiffusionSafetyChecker"


@pytest.mark.parametrize(
    ("library", "class_name", "message"),
    [
        ("subprocess", "Popen", "is of 'subprocess', which is never imported"),
        ("diffusers", "NoNet", "is a 'NoNet', which diffusers does not have here"),
        ("diffusers", "_LazyModule", "is a '_LazyModule', which diffusers does not have here"),
        ("diffusers", "logging", "is a 'logging', which diffusers does not have here"),
    ],
)
def test_a_class_of_another_library_or_none_is_refused(
    library: str, class_name: str, message: str
) -> None:
    with pytest.raises(Flaw) as caught:
        components.find_component_class(component("unet", library, class_name))
    assert message in str(caught.value)
