"""Every generator of ours is of an architecture that its entry loads, with any weights of that form
in place of the repository.
"""

import hashlib
import io
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import diffusers
import numpy as np
import pytest
import torch
from PIL import Image

from hallascope.backends.base import Stopped
from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import Picture
from hallascope.data.requests import Failure, Generate, Generated, Setting
from tests.support.tiny_models import pipelines as convolutions
from tests.support.tiny_models import transformer_pipelines as transformers
from tests.support.tiny_models.pipeline_parts import WIDTH as TEXT_WIDTH
from tests.support.tiny_models.pipeline_parts import flux

pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning"),
]

MAKERS: Mapping[str, Callable[[Path], Path]] = {
    "sd-v1.4": convolutions.stable_diffusion_checked,
    "sd-v1.5": convolutions.stable_diffusion_checked,
    "sd-v1.5-ip-adapter-plus": convolutions.stable_diffusion_checked,
    "sd-v2.0": convolutions.stable_diffusion_2,
    "sd-turbo": convolutions.stable_diffusion_turbo,
    "sdxl-base": convolutions.stable_diffusion_xl_half,
    "sdxl-ip-adapter-plus": convolutions.stable_diffusion_xl_half,
    "sdxl-turbo": convolutions.stable_diffusion_xl_turbo,
    "playground-v2.5": convolutions.playground,
    "sd-v3.5-medium": transformers.stable_diffusion_3,
    "sd-v3.5-large": transformers.stable_diffusion_3,
    "flux-dev": transformers.flux_guided,
    "flux-schnell": flux,
    "pixart-alpha": convolutions.pixart,
    "sana-1.6b": lambda folder: convolutions.as_variant(transformers.sana(folder), "bf16"),
    "qwen-image": transformers.qwen_image,
    "z-image-turbo": transformers.z_image,
}
# entries of an architecture that no other entry before them has: on these everything is tried
DIFFERENT = sorted({make: name for name, make in reversed([*MAKERS.items()])}.values())
ADAPTED = ("sd-v1.5", "sd-v1.5-ip-adapter-plus", "sdxl-base", "sdxl-ip-adapter-plus")
UNBINNED: Mapping[str, Setting] = {"use_resolution_binning": False}
SHORT: Mapping[str, Setting] = {"max_sequence_length": 32}
ASKED: Mapping[str, Mapping[str, Setting]] = {
    "pixart-alpha": UNBINNED,
    "sana-1.6b": {**UNBINNED, **SHORT},
    **dict.fromkeys(
        ("sd-v3.5-medium", "sd-v3.5-large", "flux-dev", "flux-schnell", "z-image-turbo"), SHORT
    ),
    # Its words about the task come first, and each letter of them is a token here.
    "qwen-image": {"max_sequence_length": 256},
}
WIDTH, HEIGHT, STEPS = 64, 32, 2
OURS = {
    name: spec
    for name, spec in read_models().items()
    if spec.backend == "diffusers" and spec.kind == "local"
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a tiny pipeline of an entry's architecture, made when it is first asked for."""
    home = tmp_path_factory.mktemp("architectures")
    made = cache(lambda make: make(home / f"{len([*home.iterdir()])}"))
    return lambda name: made(MAKERS[name])


def entry(name: str, folder: Path, **settings: Setting) -> ModelSpec:
    """Our entry, with a folder in place of its repository."""
    return replace(
        OURS[name], repository=str(folder), needs=(), settings={**OURS[name].settings, **settings}
    )


@pytest.fixture(scope="module")
def painter(folder: Callable[[str], Path]) -> Callable[[str], TextToImage]:
    return cache(lambda name: TextToImage(entry(name, folder(name))))


def request(name: str, seed: int, prompt: str = "the cat", **settings: Setting) -> Generate:
    return Generate(
        prompt,
        seed,
        {"steps": STEPS, "width": WIDTH, "height": HEIGHT, **ASKED.get(name, {}), **settings},
    )


def drawn(painter: TextToImage, name: str, seed: int = 0, prompt: str = "the cat") -> Generated:
    (reply,) = painter.generate([request(name, seed, prompt)])
    assert isinstance(reply, Generated), reply
    return reply


def test_every_generator_of_the_library_is_tried_here() -> None:
    assert set(MAKERS) == set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_the_library_has_the_pipeline_and_its_call_takes_what_the_entry_says(
    painter: Callable[[str], TextToImage], name: str
) -> None:
    reply = drawn(painter(name), name)
    assert np.asarray(Image.open(io.BytesIO(reply.png))).shape == (HEIGHT, WIDTH, 3)
    assert {key: reply.notes[key] for key in ("steps", "width", "height")} == {
        "steps": STEPS,
        "width": WIDTH,
        "height": HEIGHT,
    }
    said = OURS[name].settings
    assert reply.notes["dtype"] == said.get(
        "dtype", "float32" if reply.notes["device"] == "cpu" else reply.notes["dtype"]
    )
    assert reply.notes.get("guidance") == said.get("guidance")


@pytest.mark.parametrize("name", DIFFERENT)
def test_seed_and_prompt_decide_neighbors_do_not_and_a_stop_leaves_no_trace(
    painter: Callable[[str], TextToImage], name: str
) -> None:
    asked = [
        request(name, seed, prompt)
        for seed, prompt in ((0, "the cat"), (1, "the cat"), (0, "a bird in a tree"))
    ]
    together = painter(name).generate(asked)
    assert len({reply.png for reply in together if isinstance(reply, Generated)}) == 3
    looked: list[int] = []

    def stop(step: int, steps: int) -> None:
        looked.append(step)
        if step == 1:
            raise Stopped

    with pytest.raises(Stopped):
        painter(name).generate([request(name, 3, steps=20)], stop)
    assert looked == [0, 1]
    assert together == [painter(name).generate([one])[0] for one in asked]


@pytest.mark.parametrize(
    "name",
    [
        "sd-v3.5-medium",
        "flux-dev",
        "sana-1.6b",
        "qwen-image",
        "z-image-turbo",
        "playground-v2.5",
        "sd-v2.0",
    ],
)
def test_a_picture_is_pixel_by_pixel_that_of_the_library(
    painter: Callable[[str], TextToImage], folder: Callable[[str], Path], name: str
) -> None:
    ours, said = painter(name), OURS[name].settings
    numbers = getattr(torch, ours._dtype)
    variant = str(said["variant"]) if "variant" in said else None
    whole = diffusers.DiffusionPipeline.from_pretrained(
        str(folder(name)), dtype=numbers, variant=variant
    ).to(ours._device)
    whole.set_progress_bar_config(disable=True)
    options = {
        key: value for key, value in said.items() if key in ("true_cfg_scale", "negative_prompt")
    } | dict(ASKED.get(name, {}))
    guided = {"guidance_scale": said["guidance"]} if "guidance" in said else {}
    seed = torch.Generator("cpu").manual_seed(5)
    made = whole(
        "the cat",
        num_inference_steps=STEPS,
        width=WIDTH,
        height=HEIGHT,
        generator=seed,
        **options,
        **guided,
    )
    assert (
        np.asarray(made.images[0]) == np.asarray(Image.open(io.BytesIO(drawn(ours, name, 5).png)))
    ).all()


# --- reference pictures ---


def reference(home: Path, shade: int) -> Picture:
    path = home / f"{shade}.png"
    Image.fromarray(
        np.random.default_rng(shade).integers(0, 256, (48, 48, 3)).astype("uint8")
    ).save(path)
    return Picture(hashlib.sha256(path.read_bytes()).hexdigest(), path)


@pytest.mark.parametrize("name", ADAPTED)
def test_an_entry_with_an_adapter_follows_reference_pictures(
    folder: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    width = (2 if name.startswith("sdxl") else 1) * TEXT_WIDTH
    adapter = convolutions.ip_adapter(tmp_path / "adapter", width, plus="plus" in name)
    said = OURS[name].settings
    weights = adapter / str(said["ip_adapter_folder"]) / str(said["ip_adapter_weights"])
    weights.parent.mkdir()
    (adapter / "adapter.safetensors").rename(weights)
    shutil.move(
        adapter / "image_encoder",
        weights.parent / str(said.get("ip_adapter_encoder", "image_encoder")),
    )
    painter = TextToImage(entry(name, folder(name), ip_adapter=str(adapter)))
    replies = painter.generate(
        [
            replace(request(name, 0), references=pictures)
            for pictures in ((), (reference(tmp_path, 1),), (reference(tmp_path, 2),))
        ]
    )
    assert not [reply for reply in replies if isinstance(reply, Failure)]
    assert len({reply.png for reply in replies if isinstance(reply, Generated)}) == 3
