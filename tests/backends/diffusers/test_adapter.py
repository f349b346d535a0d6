"""Pipelines of the diffusers library draw as the library itself does, stop when told to, and are
loaded whole or not at all.
"""

import io
import json
import shutil
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import diffusers
import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file, save_file

from hallascope.backends import registry
from hallascope.backends import weights as folders
from hallascope.backends.base import BadWeights, Stopped, Unavailable
from hallascope.backends.diffusers import loading
from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Failure, Generate, Generated, Setting
from hallascope.engine.events import EvaluateRequest, Generating, Pictured
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.tiny_models import pipelines

# the schedulers of diffusers make arrays of tensors in a way that NumPy 2 wants otherwise
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")

PROMPT = "the cat"
PIXART = {"use_resolution_binning": False, "clean_caption": False}
ALL = ("stable_diffusion", "stable_diffusion_xl", "pixart")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Folders of tiny pipelines by name."""
    home = tmp_path_factory.mktemp("pipelines")
    return {
        "stable_diffusion": pipelines.stable_diffusion(home / "sd"),
        "stable_diffusion_xl": pipelines.stable_diffusion_xl(home / "xl"),
        "pixart": pipelines.pixart(home / "pixart"),
        "flags": pipelines.stable_diffusion(home / "flags", checked=True, flags=True),
        "passes": pipelines.stable_diffusion(home / "passes", checked=True),
    }


def _spec(folder: Path | str, **settings: Setting) -> ModelSpec:
    return ModelSpec(
        id="test/painter",
        title="Painter",
        roles=("generator",),
        backend="diffusers",
        repository=str(folder),
        settings={"steps": 3, **settings},
    )


@pytest.fixture(scope="session")
def painters(tiny: Mapping[str, Path]) -> Mapping[str, TextToImage]:
    settings: dict[str, dict[str, Setting]] = {"pixart": dict(PIXART)}
    return {name: TextToImage(_spec(tiny[name], **settings.get(name, {}))) for name in ALL}


@pytest.fixture(scope="session")
def painter(painters: Mapping[str, TextToImage]) -> TextToImage:
    return painters["stable_diffusion"]


def _one(
    painter: TextToImage, prompt: str = PROMPT, seed: int = 0, **settings: Setting
) -> Generated:
    (reply,) = painter.generate([Generate(prompt, seed, settings)])
    assert isinstance(reply, Generated), reply
    return reply


def _refused(painter: TextToImage, prompt: str = PROMPT, **settings: Setting) -> Failure:
    (reply,) = painter.generate([Generate(prompt, 0, settings)])
    assert isinstance(reply, Failure)
    assert "\n" not in reply.message
    return reply


def _pixels(reply: Generated) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(reply.png)))


def _by_the_library(folder: Path, seed: int, **options: Any) -> np.ndarray:
    pipeline = diffusers.DiffusionPipeline.from_pretrained(str(folder))
    pipeline.set_progress_bar_config(disable=True)
    return np.asarray(
        pipeline(PROMPT, generator=torch.Generator("cpu").manual_seed(seed), **options).images[0]
    )


# --- drawing
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("stable_diffusion", {"negative_prompt": "a dog"}),
        ("stable_diffusion_xl", {"negative_prompt": "a dog"}),
        ("pixart", PIXART),
    ],
)
def test_a_picture_is_pixel_by_pixel_that_of_the_library_with_the_same_settings(
    painters: Mapping[str, TextToImage],
    tiny: Mapping[str, Path],
    name: str,
    options: Mapping[str, Any],
) -> None:
    own = _by_the_library(
        tiny[name], 5, num_inference_steps=4, guidance_scale=3.0, width=64, height=40, **options
    )
    drawn = _pixels(
        _one(painters[name], seed=5, steps=4, guidance=3.0, width=64, height=40, **options)
    )
    assert drawn.shape == (40, 64, 3)
    assert (drawn == own).all()


@pytest.mark.parametrize("name", ALL)
def test_the_same_seed_gives_the_same_bytes_and_another_seed_or_prompt_gives_others(
    painters: Mapping[str, TextToImage], name: str
) -> None:
    first = _one(painters[name], seed=1).png
    assert _one(painters[name], seed=1).png == first
    assert _one(painters[name], seed=2).png != first
    assert _one(painters[name], "a bird", seed=1).png != first


@pytest.mark.parametrize("name", ALL)
def test_a_picture_does_not_hang_on_its_neighbours(
    painters: Mapping[str, TextToImage], name: str
) -> None:
    requests = [Generate(prompt, seed) for prompt in (PROMPT, "a bird") for seed in (0, 1)]
    together = painters[name].generate(requests)
    assert together == [painters[name].generate([request])[0] for request in requests]


def test_a_loaded_again_model_draws_the_same_bytes(
    painter: TextToImage, tiny: Mapping[str, Path]
) -> None:
    assert _one(TextToImage(_spec(tiny["stable_diffusion"]))).png == _one(painter).png


def test_every_setting_that_is_passed_changes_the_picture(painter: TextToImage) -> None:
    plain = _one(painter).png
    changes: list[dict[str, Any]] = [
        {"steps": 4},
        {"guidance": 1.0},
        {"negative_prompt": "a dog"},
        # Not Euler's: without noise its step is that of DDIM, the scheduler of this pipeline.
        {"scheduler": "DPMSolverMultistepScheduler"},
        {"eta": 1.0},
    ]
    changed = [_one(painter, **change).png for change in changes]
    assert len({plain, *changed}) == 6


def test_what_is_asked_goes_before_the_entry_and_null_is_left_to_the_pipeline(
    tiny: Mapping[str, Path],
) -> None:
    painter = TextToImage(
        _spec(tiny["stable_diffusion"], size=48, guidance=2.0, negative_prompt=None)
    )
    assert _pixels(_one(painter)).shape == (48, 48, 3)
    assert _pixels(_one(painter, size=64)).shape == (64, 64, 3)
    assert _pixels(_one(painter, width=64)).shape == (48, 64, 3)
    assert _one(painter).notes["guidance"] == 2.0
    assert _one(painter, guidance=3).notes["guidance"] == 3.0
    assert _one(painter, guidance=None).notes["guidance"] == 7.5


def test_a_picture_comes_with_notes_of_its_making_and_without_a_word_in_the_file(
    painter: TextToImage,
) -> None:
    reply = _one(painter, steps=2, scheduler="EulerAncestralDiscreteScheduler")
    assert reply.notes == {
        "steps": 2,
        "guidance": 7.5,
        "scheduler": "EulerAncestralDiscreteScheduler",
        "width": 32,
        "height": 32,
        "dtype": "float32",
        "device": painter._device,
    }
    assert not Image.open(io.BytesIO(reply.png)).info
    assert _one(painter).notes["scheduler"] == "DDIMScheduler", (
        "a request changes the scheduler for itself alone"
    )


def test_a_scheduler_that_draws_noise_at_every_step_draws_it_from_the_seed(
    painter: TextToImage,
) -> None:
    noisy = [
        _one(painter, seed=3, scheduler="EulerAncestralDiscreteScheduler").png for _ in range(2)
    ]
    assert noisy[0] == noisy[1]
    assert noisy[0] != _one(painter, seed=4, scheduler="EulerAncestralDiscreteScheduler").png


def test_two_who_ask_at_the_same_time_get_what_each_would_get_alone(painter: TextToImage) -> None:
    alone = [_one(painter, seed=seed, steps=8).png for seed in range(3)]
    found: dict[int, bytes] = {}
    threads = [
        threading.Thread(
            target=lambda s=seed: found.update({s: _one(painter, seed=s, steps=8).png})
        )
        for seed in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(3)] == alone


# --- steps and stops
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_every_step_is_told(painters: Mapping[str, TextToImage], name: str) -> None:
    told: list[tuple[int, int]] = []
    painters[name].generate(
        [Generate(PROMPT, 0), Generate(PROMPT, 1, {"steps": 2})], lambda *step: told.append(step)
    )
    assert [step for step in told if step[1]] == [(n, 5) for n in range(1, 6)]


def test_a_scheduler_of_second_order_is_told_in_the_steps_that_were_asked(
    painter: TextToImage,
) -> None:
    told: list[tuple[int, int]] = []
    painter.generate(
        [Generate(PROMPT, 0, {"scheduler": "HeunDiscreteScheduler", "steps": 4})],
        lambda *step: told.append(step),
    )
    assert [step for step in told if step[1]] == [(n, 4) for n in (1, 2, 2, 3, 3, 4, 4)], (
        "it looks seven times"
    )


@pytest.mark.parametrize("name", ALL)
def test_a_stop_ends_the_drawing_at_once_and_the_next_picture_is_as_if_nothing_had_been(
    painters: Mapping[str, TextToImage], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = _one(painters[name]).png
    drawing = painters[name].pipeline.components.get("unet") or painters[name].pipeline.transformer
    looked = []
    hook = drawing.register_forward_hook(lambda *_: looked.append(1))

    def stop(step: int, steps: int) -> None:
        if step == 2:
            raise Stopped

    with pytest.raises(Stopped):
        painters[name].generate([Generate(PROMPT, 0, {"steps": 50})], stop)
    hook.remove()
    assert len(looked) == 2
    assert _one(painters[name]).png == before


def test_a_stop_between_pictures_is_heard_before_the_next_is_begun(painter: TextToImage) -> None:
    told: list[tuple[int, int]] = []
    began = []
    hook = painter.pipeline.text_encoder.register_forward_hook(lambda *_: began.append(1))

    def stop(step: int, steps: int) -> None:
        if told[-1:] == [(2, 4)]:
            raise Stopped
        told.append((step, steps))

    with pytest.raises(Stopped):
        painter.generate(
            [Generate(PROMPT, seed, {"steps": 2, "guidance": 1.0}) for seed in (0, 1)], stop
        )
    hook.remove()
    assert len(began) == 1


def test_a_run_shows_every_step_and_keeps_the_picture_with_its_notes(
    tiny: Mapping[str, Path], tmp_path: Path
) -> None:
    spec = _spec(tiny["stable_diffusion"])
    with closing(Store(folder=tmp_path)) as store:
        events = [
            *Services(store, {spec.id: spec}).evaluate(
                EvaluateRequest(prompt="a ladybug", models=(spec.id,), judge=None, count=2)
            )
        ]
    assert [(event.step, event.steps) for event in events if isinstance(event, Generating)] == [
        (n, 3) for n in (1, 2, 3)
    ] * 2
    shots = [event.shot for event in events if isinstance(event, Pictured)]
    assert [shot.seed for shot in shots] == [0, 1]
    assert shots[0].notes["scheduler"] == "DDIMScheduler"


# --- what is refused
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"stepz": 3}, "it has no setting 'stepz': did you mean 'steps'?"),
        ({"clean_caption": False}, "it has no setting 'clean_caption': "),
        (
            {"num_inference_steps": 3},
            "the setting 'num_inference_steps' is called 'steps' here: write steps.",
        ),
        ({"output_type": "latent"}, "it has no setting 'output_type'"),
        (
            {"dtype": "float16"},
            "the setting 'dtype' belongs to the model: write it into the settings of its entry.",
        ),
        ({"steps": 0}, "steps is 0: give a whole number from 1 to 1,000."),
        ({"steps": True}, "steps is True: give a whole number"),
        ({"guidance": "much"}, "guidance is 'much': give a number from 0 to 100."),
        ({"size": 30}, "size is 30: give a multiple of 8 pixels up to 4,096."),
        ({"width": 32.0}, "width is 32.0: give a multiple of 8"),
        ({"negative_prompt": 5}, "negative_prompt is 5: give a text."),
        (
            {"scheduler": "DDIMSheduler"},
            "there is no scheduler 'DDIMSheduler': did you mean 'DDIMScheduler'?",
        ),
        ({"scheduler": "UNet2DConditionModel"}, "there is no scheduler 'UNet2DConditionModel'"),
        (
            {"scheduler": "FlowMatchEulerDiscreteScheduler"},
            "is for another kind of model: use DDIMScheduler, ",
        ),
    ],
)
def test_a_setting_that_is_unknown_or_wrong_is_named_and_the_others_are_drawn(
    painter: TextToImage, settings: Mapping[str, Setting], said: str
) -> None:
    bad, good = painter.generate([Generate(PROMPT, 0, settings), Generate(PROMPT, 0)])
    assert isinstance(bad, Failure)
    assert bad.kind == "broken"
    assert bad.message.startswith("Painter cannot draw this: ")
    assert said in bad.message
    assert isinstance(good, Generated)


def test_what_a_pipeline_says_of_a_request_is_passed_on(
    painters: Mapping[str, TextToImage],
) -> None:
    failure = _refused(painters["pixart"], use_resolution_binning=True)
    assert failure.message == "Painter cannot draw this: Invalid sample size."


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"stepz": 3}, "did you mean 'steps'?"),
        ({"scheduler": "Nothing"}, "there is no scheduler 'Nothing'"),
        ({"dtype": "float8"}, "dtype is 'float8': write float16, bfloat16, float32."),
        ({"device": "tpu"}, "device is 'tpu': write cuda, cuda:1, mps or cpu."),
        ({"device": "cuda:99"}, "this machine has no device 'cuda:99': leave `device` out"),
        ({"vocabulary": "latin"}, "vocabulary is 'latin': write primer"),
        ({"safety_checker": "no"}, "safety_checker is 'no': write true or false."),
        ({"cpu_offload": "disk"}, "cpu_offload is 'disk': write true, false or sequential."),
    ],
)
def test_a_wrong_setting_of_an_entry_is_told_when_it_is_loaded(
    tiny: Mapping[str, Path], settings: dict[str, Setting], said: str
) -> None:
    with pytest.raises(Unavailable, match=r"^Painter cannot run here: ") as caught:
        TextToImage(_spec(tiny["stable_diffusion"], **settings))
    assert said in str(caught.value)


def test_a_picture_that_the_safety_checker_flags_is_refused_and_never_black(
    tiny: Mapping[str, Path],
) -> None:
    failure = _refused(TextToImage(_spec(tiny["flags"])))
    assert failure.kind == "refused"
    assert failure.message.startswith("The safety checker of Painter holds this picture back: ")
    assert _pixels(_one(TextToImage(_spec(tiny["passes"])))).max() > 0
    assert _pixels(_one(TextToImage(_spec(tiny["flags"], safety_checker=False)))).max() > 0


def test_a_prompt_outside_the_vocabulary_of_primer_is_refused_as_the_draughtsmen_do(
    tiny: Mapping[str, Path],
) -> None:
    from hallascope.backends.draughtsman import Draughtsman

    painter = TextToImage(_spec(tiny["stable_diffusion"], vocabulary="primer"))
    draughtsman = Draughtsman(
        ModelSpec(
            id="primer/x",
            title="x",
            roles=("generator",),
            backend="draughtsman",
            settings={"violation": 0},
        )
    )
    for prompt in ("a steam engine", "", "a ladybug and a tulip and a sun"):
        assert painter.generate([Generate(prompt, 0)]) == draughtsman.generate(
            [Generate(prompt, 0)]
        )
    assert _one(painter, "a ladybug").png


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory."),
        RuntimeError("[enforce fail] can't allocate memory"),
    ],
)
def test_no_memory_left_is_a_failure_with_what_to_do(
    painter: TextToImage, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def full(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(painter.pipeline.unet, "forward", full)
    failure = _refused(painter)
    assert failure.kind == "broken"
    assert "has no memory left for it; ask for a smaller picture" in failure.message


def test_a_fault_of_the_library_is_not_hidden(
    painter: TextToImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **options: object) -> None:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    monkeypatch.setattr(painter.pipeline.unet, "forward", broken)
    with pytest.raises(RuntimeError, match="mat1"):
        painter.generate([Generate(PROMPT, 0)])


def test_numbers_out_of_range_are_a_failure_and_no_black_picture(tiny: Mapping[str, Path]) -> None:
    painter = TextToImage(_spec(tiny["stable_diffusion"]))
    painter.pipeline.vae.decoder.conv_out.bias.data.fill_(float("nan"))
    failure = _refused(painter)
    assert "ran out of the range of float32" in failure.message


def test_an_entry_chooses_the_type_of_numbers(tiny: Mapping[str, Path]) -> None:
    painter = TextToImage(_spec(tiny["pixart"], dtype="bfloat16", **PIXART))
    assert {weights.dtype for weights in painter.pipeline.transformer.parameters()} == {
        torch.bfloat16
    }
    assert _one(painter).notes["dtype"] == "bfloat16"


# --- damaged folders
# --------------------------------------------------------------------------------------------------


def _index(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        said = json.loads((folder / "model_index.json").read_text())
        change(said)
        (folder / "model_index.json").write_text(json.dumps(said))

    return damage


def _weights(folder: Path, part: str = "unet") -> Path:
    return next((folder / part).glob("*.safetensors"))


def _cut(folder: Path) -> None:
    file = _weights(folder)
    file.write_bytes(file.read_bytes()[:-100])


def _pickled(folder: Path) -> None:
    file = _weights(folder)
    torch.save(load_file(file), file.with_suffix(".bin"))
    file.unlink()


def _without_a_tensor(part: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        file = _weights(folder, part)
        held = load_file(file)
        held.pop(sorted(held)[0])
        save_file(held, file, {"format": "pt"})

    return damage


def _another_shape(folder: Path) -> None:
    file = folder / "text_encoder" / "config.json"
    file.write_text(file.read_text().replace('"hidden_size": 32', '"hidden_size": 64'))


def _own_pipeline(folder: Path) -> None:
    _index(lambda said: said.update(_class_name=["evil", "Evil"]))(folder)
    (folder / "evil.py").write_text(f"open({str(folder.parent / 'ran')!r}, 'w')\nclass Evil: ...\n")


def _own_part(folder: Path) -> None:
    _index(lambda said: said.update(unet=["evil", "Evil"]))(folder)
    (folder / "unet" / "evil.py").write_text(
        f"open({str(folder.parent / 'ran')!r}, 'w')\nclass Evil: ...\n"
    )


def _lost_shard(folder: Path) -> None:
    file = _weights(folder)
    shard = file.with_name("diffusion_pytorch_model-00001-of-00002.safetensors")
    file.rename(shard)
    weight_map = {"a": shard.name, "b": "diffusion_pytorch_model-00002-of-00002.safetensors"}
    file.with_name(f"{file.name}.index.json").write_text(json.dumps({"weight_map": weight_map}))


def _rename_to_fp16(folder: Path) -> None:
    _weights(folder).rename(folder / "unet" / "diffusion_pytorch_model.fp16.safetensors")


DAMAGES: Mapping[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, "the folder is not there: give the path"),
    "no index": (
        lambda f: (f / "model_index.json").unlink(),
        "it has no model_index.json, so it is no pipeline",
    ),
    "torn index": (
        lambda f: (f / "model_index.json").write_text("{"),
        "model_index.json cannot be read: get the folder again",
    ),
    "index of nothing": (
        lambda f: (f / "model_index.json").write_text("[]"),
        "model_index.json holds no JSON object",
    ),
    "no class": (_index(lambda said: said.pop("_class_name")), "names no pipeline (_class_name)"),
    "odd part": (
        _index(lambda said: said.update(unet=["diffusers"])),
        "says ['diffusers'] of the part 'unet'",
    ),
    "part outside": (
        _index(lambda said: said.update({"../unet": ["diffusers", "UNet2DConditionModel"]})),
        "of the part '../unet'",
    ),
    "unknown pipeline": (
        _index(lambda said: said.update(_class_name="NoSuchPipeline")),
        "the pipeline 'NoSuchPipeline', which diffusers",
    ),
    "no pipeline": (
        _index(lambda said: said.update(_class_name="UNet2DConditionModel")),
        "the pipeline 'UNet2DConditionModel'",
    ),
    "another task": (
        _index(lambda said: said.update(_class_name="StableDiffusionImg2ImgPipeline")),
        "'StableDiffusionImg2ImgPipeline' does not draw from words alone",
    ),
    "video": (
        _index(lambda said: said.update(_class_name="TextToVideoSDPipeline")),
        "does not draw from words alone",
    ),
    "code of its own": (
        _own_pipeline,
        "names the class 'Evil' out of code in the folder, which is never run",
    ),
    "part of its own": (
        _own_part,
        "its part 'unet' is the class 'Evil' out of code in the folder, which is never run",
    ),
    "foreign library": (
        _index(lambda said: said.update(unet=["subprocess", "Popen"])),
        "is of 'subprocess', which is never imported",
    ),
    "unknown part": (
        _index(lambda said: said.update(unet=["diffusers", "NoNet"])),
        "its part 'unet' is a 'NoNet'",
    ),
    "part not named": (
        _index(lambda said: said.pop("unet")),
        "names no 'unet', which its pipeline 'StableDiffusionPipeline' needs",
    ),
    "no unet": (lambda f: shutil.rmtree(f / "unet"), "its part 'unet' is missing"),
    "no tokenizer": (lambda f: shutil.rmtree(f / "tokenizer"), "its part 'tokenizer' is missing"),
    "no scheduler": (lambda f: shutil.rmtree(f / "scheduler"), "its part 'scheduler' is missing"),
    "no words": (
        lambda f: (f / "tokenizer" / "tokenizer.json").unlink(),
        "its part 'tokenizer' has no vocabulary",
    ),
    "no config": (
        lambda f: (f / "unet" / "config.json").unlink(),
        "its part 'unet' has no config.json",
    ),
    "no weights": (lambda f: _weights(f).unlink(), "its part 'unet' has no weights"),
    "cut off": (_cut, "unet/diffusion_pytorch_model.safetensors is damaged, it has "),
    "not safetensors": (
        lambda f: _weights(f).write_bytes(b"PK\x03\x04" * 100),
        "is no safetensors file, or damaged",
    ),
    "empty": (
        lambda f: _weights(f, "vae").write_bytes(b""),
        "vae/diffusion_pytorch_model.safetensors is no safetensors file",
    ),
    "pickle": (
        _pickled,
        "its part 'unet' has only the pickle 'diffusion_pytorch_model.bin', which is never loaded",
    ),
    "lost shard": (
        _lost_shard,
        "unet/diffusion_pytorch_model-00002-of-00002.safetensors is missing",
    ),
    "another variant": (
        _rename_to_fp16,
        "has only weights of the variant 'fp16': write `variant: fp16`",
    ),
    "lost tensor": (
        _without_a_tensor("unet"),
        "its part 'unet' lacks 1 of its weights, 'conv_in.bias' among them",
    ),
    "lost word": (
        _without_a_tensor("text_encoder"),
        "its part 'text_encoder' lacks 1 of its weights",
    ),
    "another shape": (
        _another_shape,
        "the weights of its part 'text_encoder' do not fit its config.json",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_folder_is_refused_in_one_sentence_and_nothing_of_it_is_run(
    tiny: Mapping[str, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str], damage: str
) -> None:
    harm, said = DAMAGES[damage]
    folder = tmp_path / "broken"
    shutil.copytree(tiny["stable_diffusion"], folder)
    harm(folder)
    with pytest.raises(BadWeights) as caught:
        TextToImage(_spec(folder))
    message = str(caught.value)
    assert message.startswith(f"test/painter cannot be loaded from {str(folder)!r}: ")
    assert said in message
    assert message.endswith(".")
    assert "\n" not in message
    assert not (tmp_path / "ran").exists()
    assert not capfd.readouterr().out


def test_a_safety_checker_that_is_a_pickle_is_left_out_only_where_the_entry_says_so(
    tiny: Mapping[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "old"
    shutil.copytree(tiny["passes"], folder)
    _weights(folder, "safety_checker").unlink()
    (folder / "safety_checker" / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(
        BadWeights,
        match=(
            r"its part 'safety_checker' has only the pickle 'pytorch_model\.bin'.*`safety_checker:"
            r" false`"
        ),
    ):
        TextToImage(_spec(folder))
    painter = TextToImage(_spec(folder, safety_checker=False))
    assert painter.pipeline.safety_checker is None
    assert _one(painter).png


def test_a_variant_is_loaded_where_a_part_has_it(
    tiny: Mapping[str, Path], painter: TextToImage, tmp_path: Path
) -> None:
    folder = tmp_path / "fp16"
    shutil.copytree(tiny["stable_diffusion"], folder)
    _rename_to_fp16(folder)
    assert _one(TextToImage(_spec(folder, variant="fp16"))).png == _one(painter).png
    with pytest.raises(
        BadWeights, match="it has no weights of the variant 'ema': leave `variant` out"
    ):
        TextToImage(_spec(tiny["stable_diffusion"], variant="ema"))


def test_weights_in_several_files_are_loaded(
    tiny: Mapping[str, Path], painter: TextToImage, tmp_path: Path
) -> None:
    folder = tmp_path / "sharded"
    shutil.copytree(tiny["stable_diffusion"], folder)
    _weights(folder).unlink()
    painter.pipeline.unet.save_pretrained(folder / "unet", max_shard_size="20KB")
    assert len([*(folder / "unet").glob("*.safetensors")]) > 1
    assert _one(TextToImage(_spec(folder))).png == _one(painter).png


def test_weights_that_older_versions_of_the_libraries_named_otherwise_are_loaded(
    tiny: Mapping[str, Path], painter: TextToImage, tmp_path: Path
) -> None:
    folder = tmp_path / "old names"
    shutil.copytree(tiny["stable_diffusion"], folder)
    words, decoder = _weights(folder, "text_encoder"), _weights(folder, "vae")
    held = {
        f"text_model.{name.removeprefix('text_model.')}": value
        for name, value in load_file(words).items()
    }
    save_file(
        {**held, "text_model.embeddings.position_ids": torch.arange(77)[None]},
        words,
        {"format": "pt"},
    )
    held = load_file(decoder)
    for now, before in (
        ("to_q", "query"),
        ("to_k", "key"),
        ("to_v", "value"),
        ("to_out.0", "proj_attn"),
    ):
        held = {name.replace(now, before): value for name, value in held.items()}
    save_file(held, decoder, {"format": "pt"})
    assert _one(TextToImage(_spec(folder))).png == _one(painter).png


# --- folders of the package, and of the Hub's cache
# --------------------------------------------------------------------------


def test_an_embedded_folder_is_held_to_its_hashes(
    tiny: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "EMBEDDED", tmp_path)
    assert "its weights are not in 'painter'" in str(registry.available(_spec("embedded:painter")))
    folder = tmp_path / "painter"
    shutil.copytree(tiny["stable_diffusion"], folder)
    name = _weights(folder).relative_to(folder).as_posix()
    (folder / "hashes.json").write_text(json.dumps({name: folders.sha256(folder / name)}))
    assert registry.available(_spec("embedded:painter")) is None
    assert isinstance(registry.load(_spec("embedded:painter")), TextToImage)
    (folder / "hashes.json").write_text(json.dumps({name: "0" * 64}))
    with pytest.raises(BadWeights, match=f"{name} is not the file that hashes.json means"):
        TextToImage(_spec("embedded:painter"))
    for outside in ("../painter.json", "unet/none.safetensors"):
        (folder / "hashes.json").write_text(json.dumps({outside: "0" * 64}))
        with pytest.raises(BadWeights, match="which is not there"):
            TextToImage(_spec("embedded:painter"))


@pytest.fixture
def hub(tiny: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a model that lies in the cache of the Hub; its commit is 0123..."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    home = tmp_path / "models--someone--painter"
    shutil.copytree(tiny["stable_diffusion"], home / "snapshots" / commit)
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
    assert _one(loaded).png == _one(painter).png


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
        match=r"^X cannot run here: it cannot be fetched \(.*\); run `hallascope models get x`",
    ):
        TextToImage(spec)


# --- what is known before anything is loaded
# --------------------------------------------------------------------------------


def test_a_folder_that_is_there_is_available_and_one_that_is_not_says_so(
    tiny: Mapping[str, Path], tmp_path: Path
) -> None:
    assert registry.available(_spec(tiny["pixart"])) is None
    assert (
        registry.available(_spec(tmp_path))
        == f"Painter cannot run here: the folder {str(tmp_path)!r} holds no pipeline, it has no"
        " model_index.json: mend the `repository` of its entry."
    )
    assert "there is no folder" in str(registry.available(_spec(tmp_path / "gone")))
    assert registry.available(_spec("someone/never-seen")) is None, (
        "what is not said to be needed is fetched when it is asked for"
    )


def test_packages_that_an_entry_needs_are_named(
    tiny: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pieces"
    shutil.copytree(tiny["pixart"], folder)
    (folder / "tokenizer" / "tokenizer.json").rename(folder / "tokenizer" / "spiece.model")
    monkeypatch.setattr("hallascope.backends.diffusers.folders.find_spec", lambda name: None)
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
    said = (
        "the packages that it needs are not all installed; run `pip install sentencepiece protobuf"
        " accelerate`."
    )
    assert TextToImage.check(_spec(folder, cpu_offload=True)) == said
    assert TextToImage.check(_spec(tiny["pixart"])) is None
    with pytest.raises(Unavailable, match="run `pip install sentencepiece protobuf`"):
        TextToImage(_spec(folder))


def test_the_fingerprint_of_a_folder_is_that_of_the_loaded_model_and_changes_with_any_part(
    tiny: Mapping[str, Path], painter: TextToImage, tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(tiny["stable_diffusion"], folder)
    same = TextToImage.fingerprint(_spec(folder))
    assert same == painter.revision
    (folder / "README.md").write_text("not a part of it")
    assert TextToImage.fingerprint(_spec(folder)) == same
    seen = {same}
    for file in (
        _weights(folder, "vae"),
        folder / "scheduler" / "scheduler_config.json",
        folder / "tokenizer" / "tokenizer.json",
    ):
        held = bytearray(file.read_bytes())
        held[-3] ^= 1
        file.write_bytes(held)
        seen.add(TextToImage.fingerprint(_spec(folder)))
    assert len(seen) == 4


def test_the_fingerprint_of_a_large_file_changes_with_weights_all_over_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_MAX_FULL_HASH", 1000)
    monkeypatch.setattr(folders, "_SAMPLE_SIZE", 16)
    file = tmp_path / "large.safetensors"
    file.write_bytes(bytes(100_000))
    before = folders.fingerprint(tmp_path, [file])
    file.write_bytes(bytes(99_999) + b"1")
    last = folders.fingerprint(tmp_path, [file])
    file.write_bytes(bytes([1]) + bytes(99_999))
    assert len({before, last, folders.fingerprint(tmp_path, [file])}) == 3
