"""The folder and the classes of a pipeline are read before anything is loaded; a fault in them is
one sentence.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import diffusers
import numpy as np
import pytest
import transformers
from safetensors.numpy import save_file

from hallascope.backends.diffusers import components, folders
from hallascope.backends.diffusers.folders import (
    Flaw,
    PipelineComponent,
    PipelineIndex,
    WeightFiles,
)
from tests.support.painters import painter_spec


def pipeline(folder: Path, **components: Any) -> Path:
    """Write the index of a pipeline."""
    document = {"_class_name": "StableDiffusionPipeline", "_diffusers_version": "0.30"}
    (folder / "model_index.json").write_text(json.dumps({**document, **components}))
    return folder


def unet(folder: Path) -> PipelineComponent:
    """Write a component with a configuration and without weights."""
    (folder / "unet").mkdir(exist_ok=True)
    (folder / "unet" / "config.json").write_text("{}")
    return PipelineComponent("unet", "diffusers", "UNet2DConditionModel", folder / "unet")


def tokenizer(folder: Path, *files: str) -> PipelineComponent:
    """Write a tokenizer of empty files."""
    (folder / "tokenizer").mkdir()
    for name in files:
        (folder / "tokenizer" / name).write_text("")
    return PipelineComponent("tokenizer", "transformers", "CLIPTokenizer", folder / "tokenizer")


def write_weights(file: Path, *shapes: tuple[int, ...]) -> Path:
    save_file({f"layer.{n}": np.zeros(shape) for n, shape in enumerate(shapes)}, file)
    return file


def test_the_index_names_the_components_and_leaves_out_what_is_null(tmp_path: Path) -> None:
    pipeline(tmp_path, unet=["diffusers", "UNet2DConditionModel"], safety_checker=[None, None])
    index = folders.read_index(tmp_path)
    assert index.class_name == "StableDiffusionPipeline"
    assert index.components == {
        "unet": PipelineComponent("unet", "diffusers", "UNet2DConditionModel", tmp_path / "unet")
    }


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"_class_name": ["evil", "Evil"]}, "names the class 'Evil' out of code in the folder"),
        ({"_class_name": 3}, "names no pipeline (_class_name)"),
        ({"unet": ["diffusers", 3]}, "says ['diffusers', 3] of the part 'unet'"),
        ({"../unet": ["diffusers", "UNet2DConditionModel"]}, "of the part '../unet'"),
        ({"unet": ["evil", "Evil"]}, "its part 'unet' is the class 'Evil' out of code"),
    ],
)
def test_an_index_that_is_wrong_or_brings_code_is_refused(
    tmp_path: Path, parts: dict[str, Any], message: str
) -> None:
    (tmp_path / "unet").mkdir()
    (tmp_path / "unet" / "evil.py").write_text("raise SystemExit")
    with pytest.raises(Flaw) as caught:
        folders.read_index(pipeline(tmp_path, **parts))
    assert message in str(caught.value)


def test_a_component_without_its_vocabulary_or_folder_is_refused(tmp_path: Path) -> None:
    for number, (files, message) in enumerate(
        (
            (("tokenizer.json",), None),
            (("vocab.json", "merges.txt"), None),
            (("spiece.model",), None),
            ((), "its part 'tokenizer' has no vocabulary (tokenizer.json, vocab.json, "),
            (("vocab.json",), "its part 'tokenizer' has no merges.txt beside its vocab.json"),
        )
    ):
        (tmp_path / str(number)).mkdir()
        component = tokenizer(tmp_path / str(number), *files)
        if message is None:
            folders.check_component(component)
            continue
        with pytest.raises(Flaw) as caught:
            folders.check_component(component)
        assert message in str(caught.value)
    component = PipelineComponent("vae", "diffusers", "AutoencoderKL", tmp_path / "vae")
    with pytest.raises(Flaw, match="its part 'vae' is missing"):
        folders.check_component(component)


def test_weights_of_the_variant_go_before_the_plain_ones(tmp_path: Path) -> None:
    component = unet(tmp_path)
    plain = write_weights(component.folder / "diffusion_pytorch_model.safetensors", (2, 3))
    half = write_weights(component.folder / "diffusion_pytorch_model.fp16.safetensors", (2, 3))
    assert folders.find_weights(component, "fp16") == WeightFiles("fp16", (half,))
    assert folders.find_weights(component, "ema") == WeightFiles(None, (plain,))
    assert folders.find_weights(component, None) == WeightFiles(None, (plain,))


def test_weights_in_shards_are_listed_once_in_order_and_counted(tmp_path: Path) -> None:
    component = unet(tmp_path)
    shards = [
        write_weights(component.folder / "model-00001-of-00002.safetensors", (2, 3), ()),
        write_weights(component.folder / "model-00002-of-00002.safetensors", (5,)),
    ]
    weight_map = {"layer.2": shards[1].name, "layer.0": shards[0].name, "layer.1": shards[0].name}
    index = component.folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": weight_map}))
    weight_files = folders.find_weights(component, None)
    assert weight_files.files == tuple(shards)
    assert folders.count_parameters(weight_files) == 2 * 3 + 1 + 5


def test_an_index_of_shards_names_files_in_the_folder_of_its_component(tmp_path: Path) -> None:
    component = unet(tmp_path)
    write_weights(tmp_path / "secret.safetensors", (1,))
    index = component.folder / "model.safetensors.index.json"
    outside = {"layer.0": "../secret.safetensors"}
    for weight_map, message in (
        (None, r"unet/model\.safetensors\.index\.json names no files"),
        ({}, r"index\.json names no files"),
        ({"layer.0": 3}, r"index\.json names no files"),
        (outside, r"unet/secret\.safetensors is missing"),
    ):
        index.write_text(json.dumps({"weight_map": weight_map}))
        with pytest.raises(Flaw, match=message):
            folders.find_weights(component, None)


def header(content: object, length: int | None = None) -> bytes:
    """Encode a header of a safetensors file, with a length that may be wrong."""
    text = json.dumps(content).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text


def test_weights_that_are_damaged_or_missing_say_what_there_is_instead(tmp_path: Path) -> None:
    short = header({"layer.0": {"data_offsets": [0, 4]}}) + bytes(3)
    for number, (name, content, message) in enumerate(
        (
            ("model.safetensors", b"PK\x03\x04" * 100, "is no safetensors file, or damaged"),
            ("model.safetensors", header({}, length=2**40), "is no safetensors file, or damaged"),
            ("model.safetensors", header([1]), "is no safetensors file, or damaged"),
            ("model.safetensors", header({"layer.0": {}}), "is no safetensors file, or damaged"),
            ("model.safetensors", short, "is damaged, it has 48 bytes in place of 49"),
            ("notes.md", b"", "has no weights (model.safetensors or diffusion_pytorch_model"),
            (
                "model.ema.safetensors",
                b"",
                "only weights of the variant 'ema': write `variant: ema`",
            ),
            ("model.fp16-00001-of-00002.safetensors", b"", "of the variant 'fp16'"),
            ("pytorch_model.bin", b"", "the pickle 'pytorch_model.bin', which is never loaded"),
        )
    ):
        (tmp_path / str(number)).mkdir()
        component = unet(tmp_path / str(number))
        (component.folder / name).write_bytes(content)
        with pytest.raises(Flaw) as caught:
            folders.find_weights(component, None)
        assert message in str(caught.value)


def test_the_fingerprint_changes_with_what_a_picture_depends_on_alone(tmp_path: Path) -> None:
    component = unet(pipeline(tmp_path))
    fingerprint = folders.fingerprint(tmp_path)
    for unrelated in ("README.md", "unet/notes.md", "other.json", ".cache/model.json"):
        (tmp_path / unrelated).parent.mkdir(exist_ok=True)
        (tmp_path / unrelated).write_text("{}")
    assert folders.fingerprint(tmp_path) == fingerprint
    (component.folder / "config.json").write_text('{"in_channels": 4}')
    changed = folders.fingerprint(tmp_path)
    pipeline(tmp_path, unet=["diffusers", "UNet2DConditionModel"])
    assert len({fingerprint, changed, folders.fingerprint(tmp_path)}) == 3


def test_a_tokenizer_of_pieces_alone_needs_two_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "find_spec", lambda name: None)
    component = tokenizer(tmp_path, "spiece.model")
    assert folders.missing_packages(tmp_path) == ["sentencepiece", "protobuf"]
    monkeypatch.setattr(folders, "find_spec", lambda name: name == "google" or None)
    assert folders.missing_packages(tmp_path) == ["sentencepiece"]
    monkeypatch.setattr(folders, "find_spec", lambda name: None)
    (component.folder / "tokenizer.json").write_text("{}")
    assert folders.missing_packages(tmp_path) == []


# --- the classes of a pipeline and its components ---


def component(name: str, library: str, class_name: str) -> PipelineComponent:
    return PipelineComponent(name, library, class_name, Path(name))


def test_a_pipeline_that_draws_from_words_is_found_and_another_is_refused() -> None:
    for name in ("StableDiffusionPipeline", "PixArtAlphaPipeline", "FluxPipeline"):
        pipeline_class = components.find_pipeline_class(PipelineIndex(name, {}))
        assert pipeline_class is getattr(diffusers, name)
        assert {"prompt", "generator"} <= set(components.call_parameters(pipeline_class))
    for name, message in (
        ("NoSuchPipeline", "names the pipeline 'NoSuchPipeline', which diffusers "),
        ("UNet2DConditionModel", "names the pipeline 'UNet2DConditionModel', which diffusers "),
        ("StableDiffusionControlNetPipeline", "does not draw from words alone"),
        ("DDPMPipeline", "does not draw from words alone"),
        ("TextToVideoSDPipeline", "does not draw from words alone"),
    ):
        with pytest.raises(Flaw) as caught:
            components.find_pipeline_class(PipelineIndex(name, {}))
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
    for library, module in (("diffusers", diffusers), ("transformers", transformers)):
        name = {"diffusers": "UNet2DConditionModel", "transformers": "CLIPTextModel"}[library]
        assert find(component("part", library, name)) is getattr(module, name)
    checker = component("safety_checker", "stable_diffusion", "StableDiffusionSafetyChecker")
    assert find(checker).__name__ == "StableDiffusionSafetyChecker"
    for library, name, message in (
        ("subprocess", "Popen", "is of 'subprocess', which is never imported"),
        ("diffusers", "NoNet", "is a 'NoNet', which diffusers does not have here"),
        ("diffusers", "_LazyModule", "is a '_LazyModule', which diffusers does not have here"),
        ("diffusers", "logging", "is a 'logging', which diffusers does not have here"),
    ):
        with pytest.raises(Flaw) as caught:
            find(component("unet", library, name))
        assert message in str(caught.value)
