"""Only the files that a model needs are listed and selected, and never pickles."""

from typing import Any

import pytest

from hallascope.backends.hub import file_selection, listing
from hallascope.backends.hub.download import HubClient
from tests.support.hub_requests import PLAIN, hub_spec
from tests.support.hub_server import COMMIT

PIPELINE = (
    "model_index.json",
    "sd.safetensors",
    "scheduler/scheduler_config.json",
    "tokenizer/vocab.json",
    "tokenizer/merges.txt",
    "unet/config.json",
    "unet/diffusion_pytorch_model.safetensors",
    "unet/diffusion_pytorch_model.fp16.safetensors",
    "unet/diffusion_pytorch_model.bin",
    "unet/openvino_model.xml",
    "vae/config.json",
    "vae/diffusion_pytorch_model.safetensors",
    "vae_1_0/config.json",
    "vae_1_0/diffusion_pytorch_model.safetensors",
    "text_encoder/config.json",
    "text_encoder/model-00001-of-00002.safetensors",
    "text_encoder/model-00002-of-00002.safetensors",
    "text_encoder/model.safetensors.index.json",
    "safety_checker/config.json",
    "safety_checker/pytorch_model.bin",
)


INDEX = {
    "_class_name": "X",
    "unet": ["diffusers", "U"],
    "vae": ["diffusers", "V"],
    "scheduler": ["diffusers", "S"],
    "tokenizer": ["transformers", "T"],
    "text_encoder": ["transformers", "C"],
    "safety_checker": ["stable_diffusion", "Check"],
    "image_encoder": [None, None],
}


def make_listing(*paths: str) -> listing.Listing:
    return listing.Listing(
        repository="maker/model",
        commit=COMMIT,
        files=tuple(listing.RepositoryFile(path, 10, None, "0" * 40) for path in paths),
    )


def _wanted(found: listing.Listing, index: Any, **settings: Any) -> list[str]:
    return [
        file.path for file in file_selection.select_files(hub_spec(settings=settings), found, index)
    ]


def test_of_a_pipeline_its_own_parts_are_wanted_in_safetensors_and_the_index_comes_last() -> None:
    said = _wanted(make_listing(*PIPELINE), INDEX, safety_checker=False)
    assert said[-1] == "model_index.json"
    assert set(said) == {
        "model_index.json",
        "scheduler/scheduler_config.json",
        "tokenizer/vocab.json",
        "tokenizer/merges.txt",
        "unet/config.json",
        "unet/diffusion_pytorch_model.safetensors",
        "vae/config.json",
        "vae/diffusion_pytorch_model.safetensors",
        "text_encoder/config.json",
        "text_encoder/model-00001-of-00002.safetensors",
        "text_encoder/model-00002-of-00002.safetensors",
        "text_encoder/model.safetensors.index.json",
    }


def test_a_variant_is_wanted_where_there_is_one_and_else_the_plain_weights() -> None:
    said = _wanted(make_listing(*PIPELINE), INDEX, safety_checker=False, variant="fp16")
    assert "unet/diffusion_pytorch_model.fp16.safetensors" in said
    assert "unet/diffusion_pytorch_model.safetensors" not in said
    assert "vae/diffusion_pytorch_model.safetensors" in said


def test_pickles_are_never_wanted_and_the_sentence_says_what_to_do() -> None:
    with pytest.raises(
        file_selection.NoWeights,
        match="only pickles, which are never loaded; choose a model with safetensors",
    ):
        _wanted(make_listing(*PIPELINE), INDEX)
    with pytest.raises(
        file_selection.NoWeights, match="only weights of the variant 'fp16'; write `variant: fp16`"
    ):
        _wanted(make_listing("config.json", "model.fp16.safetensors"), None)
    with pytest.raises(file_selection.NoWeights, match="no weights that a library here loads"):
        _wanted(make_listing("config.json", "model.gguf"), None)
    assert _wanted(make_listing(*PLAIN), None) == ["model.safetensors", "config.json"]


def test_an_adapter_brings_its_weights_and_the_encoder_beside_them() -> None:
    found = make_listing(
        "sdxl_models/a.safetensors",
        "sdxl_models/b.safetensors",
        "models/image_encoder/config.json",
        "models/image_encoder/model.safetensors",
    )
    spec = hub_spec(
        settings={
            "ip_adapter_folder": "sdxl_models",
            "ip_adapter_weights": "a.safetensors",
            "ip_adapter_encoder": "../models/image_encoder",
        }
    )
    assert {file.path for file in file_selection.select_adapter_files(spec, found)} == {
        "sdxl_models/a.safetensors",
        "models/image_encoder/config.json",
        "models/image_encoder/model.safetensors",
    }


# --- the listing of a repository ---


def test_a_look_tells_files_sizes_hashes_and_license(hub: HubClient) -> None:
    found = hub.listing("maker/model")
    assert (found.commit, found.license, found.gated) == (COMMIT, "apache-2.0", False)
    assert {file.path: file.size for file in found.files} == {
        path: len(data) for path, data in PLAIN.items()
    }
    weights, config = found.file("model.safetensors"), found.file("config.json")
    assert weights is not None
    assert weights.sha256 is not None
    assert config is not None
    assert config.sha256 is None
