"""A pipeline is loaded whole or not at all, from a folder, the package or the Hub's cache, and one
sentence says why not.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import diffusers
import pytest

from hallascope.backends import registry, weights
from hallascope.backends.base import BadWeights, Unavailable
from hallascope.backends.diffusers import loading
from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.backends.diffusers.settings import call_parameters
from hallascope.backends.loading import Flaw
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Setting
from tests.support.damaged_pipelines import (
    DAMAGES,
    change_index,
    rename_denoiser_to_fp16,
    weights_file,
)
from tests.support.painters import draw, painter_spec

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")


# --- settings of an entry ---


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"stepz": 3}, "did you mean 'steps'?"),
        ({"dtype": "float8"}, "give float32, bfloat16, float16, or leave it out."),
        ({"device": "tpu"}, "give cpu, cuda, cuda:NUMBER or mps, or leave it out."),
        ({"device": "cuda:99"}, "this machine has no device 'cuda:99'"),
        ({"vocabulary": "latin"}, "write primer"),
        ({"safety_checker": "no"}, "write true, false, or leave it out."),
        ({"cpu_offload": "disk"}, "write true, false, sequential, or leave it out."),
    ],
)
def test_a_wrong_setting_of_an_entry_is_told_when_it_is_loaded(
    pipeline_folders: Mapping[str, Path], settings: dict[str, Setting], message: str
) -> None:
    with pytest.raises(Unavailable, match=r"^Painter cannot run here: ") as caught:
        TextToImage(painter_spec(pipeline_folders["stable_diffusion"], **settings))
    assert message in str(caught.value)


# --- damaged folders ---


def test_a_damaged_folder_is_refused_in_one_sentence_and_nothing_of_it_is_run(
    pipeline_folders: Mapping[str, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, damage in DAMAGES.items():
        folder = tmp_path / name
        shutil.copytree(pipeline_folders["stable_diffusion"], folder)
        damage.apply(folder)
        with pytest.raises(BadWeights) as caught:
            TextToImage(painter_spec(folder))
        message = str(caught.value)
        assert message.startswith(f"test/painter cannot be loaded from {str(folder)!r}")
        assert damage.message in message, name
        assert message.endswith(".")
        assert "\n" not in message
        assert not (tmp_path / "ran").exists(), name
    assert not capfd.readouterr().out


def test_a_safety_checker_that_is_a_pickle_is_left_out_only_where_the_entry_says_so(
    pipeline_folders: Mapping[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "old"
    shutil.copytree(pipeline_folders["passes"], folder)
    weights_file(folder, "safety_checker").unlink()
    (folder / "safety_checker" / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(
        BadWeights,
        match=(
            r"its part 'safety_checker' has only pickles, which are never loaded; .*"
            r"`safety_checker: false`"
        ),
    ):
        TextToImage(painter_spec(folder))
    painter = TextToImage(painter_spec(folder, safety_checker=False))
    assert painter.pipeline.safety_checker is None
    assert draw(painter).png


def test_a_variant_is_loaded_where_a_part_has_it(
    pipeline_folders: Mapping[str, Path], painter: TextToImage, tmp_path: Path
) -> None:
    folder = tmp_path / "fp16"
    shutil.copytree(pipeline_folders["stable_diffusion"], folder)
    rename_denoiser_to_fp16(folder)
    assert draw(TextToImage(painter_spec(folder, variant="fp16"))).png == draw(painter).png
    with pytest.raises(
        BadWeights, match="it has no weights of the variant 'ema': leave `variant` out"
    ):
        TextToImage(painter_spec(pipeline_folders["stable_diffusion"], variant="ema"))


# --- folders of the package, and of the Hub's cache ---


def test_an_embedded_folder_is_held_to_its_hashes(
    pipeline_folders: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "EMBEDDED", tmp_path)
    assert "its weights are not in 'painter'" in str(
        registry.available(painter_spec("embedded:painter"))
    )
    folder = tmp_path / "painter"
    shutil.copytree(pipeline_folders["stable_diffusion"], folder)
    name = weights_file(folder).relative_to(folder).as_posix()
    (folder / "hashes.json").write_text(json.dumps({name: weights.sha256(folder / name)}))
    assert registry.available(painter_spec("embedded:painter")) is None
    assert isinstance(registry.load(painter_spec("embedded:painter")), TextToImage)
    (folder / "hashes.json").write_text(json.dumps({name: "0" * 64}))
    with pytest.raises(BadWeights, match=f"{name} is not the file that hashes.json means"):
        TextToImage(painter_spec("embedded:painter"))


@pytest.fixture
def hub(
    pipeline_folders: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """The id of a model that lies in the cache of the Hub; its commit is 0123..."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    home = tmp_path / "models--someone--painter"
    shutil.copytree(pipeline_folders["stable_diffusion"], home / "snapshots" / commit)
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(commit)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    return "someone/painter"


def test_a_model_in_the_cache_of_the_hub_is_loaded_by_its_id_and_known_by_its_commit(
    hub: str, painter: TextToImage
) -> None:
    spec = ModelSpec(
        id="x",
        title="x",
        roles=("generator",),
        backend="diffusers",
        repository=hub,
        settings={"steps": 3},
        needs=("download",),
    )
    assert registry.available(spec) is None
    assert registry.revision(spec) == "0123456789abcdef0123456789abcdef01234567"
    loaded = registry.load(spec)
    assert isinstance(loaded, TextToImage)
    assert loaded.revision == registry.revision(spec)
    assert draw(loaded).png == draw(painter).png


def test_a_model_that_cannot_be_fetched_is_said_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    spec = ModelSpec(
        id="x",
        title="X",
        roles=("generator",),
        backend="diffusers",
        repository="nobody/nothing",
        needs=("download",),
    )
    assert "run `hallascope models get x`" in str(registry.available(spec))
    assert TextToImage.fingerprint(spec) == "unpinned"
    with pytest.raises(
        Unavailable,
        match=r"^X cannot run here: it is not downloaded; run `hallascope models get x`",
    ):
        TextToImage(spec)


# --- what is known before anything is loaded ---


def test_a_folder_that_is_there_is_available_and_one_that_is_not_says_so(
    pipeline_folders: Mapping[str, Path], painter: TextToImage, tmp_path: Path
) -> None:
    there = painter_spec(pipeline_folders["stable_diffusion"])
    assert registry.available(there) is None
    assert TextToImage.fingerprint(there) == painter.revision
    reason = str(registry.available(painter_spec(tmp_path)))
    assert f"the folder {str(tmp_path)!r} holds no pipeline" in reason
    assert "fix the `repository` of its entry" in reason
    assert "there is no folder" in str(registry.available(painter_spec(tmp_path / "gone")))
    assert registry.available(painter_spec("someone/never-seen")) is None, (
        "what is not said to be needed is fetched when it is asked for"
    )


def test_packages_that_an_entry_needs_are_named(
    pipeline_folders: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pieces"
    shutil.copytree(pipeline_folders["pixart"], folder)
    (folder / "tokenizer" / "tokenizer.json").rename(folder / "tokenizer" / "spiece.model")
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
    sentence = (
        "the packages that it needs are not all installed; run `pip install sentencepiece protobuf"
        " accelerate`."
    )
    assert TextToImage.check(painter_spec(folder, cpu_offload=True)) == sentence
    assert TextToImage.check(painter_spec(pipeline_folders["pixart"])) is None
    with pytest.raises(Unavailable, match="run `pip install sentencepiece protobuf`"):
        TextToImage(painter_spec(folder))


def test_the_fingerprint_changes_with_what_an_image_depends_on_alone(
    pipeline_folders: Mapping[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "painter"
    shutil.copytree(pipeline_folders["stable_diffusion"], folder)
    before = TextToImage.fingerprint(painter_spec(folder))
    for unrelated in ("README.md", "unet/notes.md", "other.json", ".cache/model.json"):
        (folder / unrelated).parent.mkdir(exist_ok=True)
        (folder / unrelated).write_text("{}")
    assert TextToImage.fingerprint(painter_spec(folder)) == before
    found = {before}
    for name in ("unet/config.json", "model_index.json"):
        (folder / name).write_text((folder / name).read_text() + "\n")
        found.add(TextToImage.fingerprint(painter_spec(folder)))
    assert len(found) == 3


# --- the pipelines that are taken ---


@pytest.mark.parametrize(
    "name, is_taken",
    [
        ("StableDiffusionPipeline", True),
        ("PixArtAlphaPipeline", True),
        ("FluxPipeline", True),
        ("StableDiffusionControlNetPipeline", False),
        ("DDPMPipeline", False),
        ("TextToVideoSDPipeline", False),
        ("UNet2DConditionModel", False),
    ],
)
def test_only_a_pipeline_that_draws_from_words_is_taken(name: str, is_taken: bool) -> None:
    if is_taken:
        found = loading.find_pipeline_class({"_class_name": name})
        assert {"prompt", "generator"} <= set(call_parameters(found))
        return
    with pytest.raises(Flaw, match=r"choose another model|choose a text-to-image model"):
        loading.find_pipeline_class({"_class_name": name})


def test_a_pipeline_that_needs_a_package_names_it(
    pipeline_folders: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NeedyPipeline:
        __module__ = "diffusers.utils.dummy_torch_objects"

        @classmethod
        def from_pretrained(cls, *_: object) -> None:
            raise ImportError("\nNeedyPipeline requires the no_such_package library.\nGet it.")

    monkeypatch.setattr(diffusers, "NeedyPipeline", NeedyPipeline, raising=False)
    folder = tmp_path / "needy"
    shutil.copytree(pipeline_folders["stable_diffusion"], folder)
    change_index(folder, _class_name="NeedyPipeline")
    with pytest.raises(Unavailable, match="requires the no_such_package library"):
        TextToImage(painter_spec(folder))
