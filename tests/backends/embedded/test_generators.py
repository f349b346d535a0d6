"""The diffusion models that ship: every weight is the one that was meant, and each draws what it
drew when it was made.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from hallascope.backends import registry
from hallascope.backends.diffusers import folders
from hallascope.backends.weights import EMBEDDED
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Failure, Generate, Generated

# colours of "a ladybug", seed 0, in a grid of 4 x 4, as the model drew it when it was made
GOLDEN: dict[str, list[list[list[int]]]] = {
    "primer/diffusion-small": [
        [[227, 234, 239], [207, 213, 220], [209, 215, 221], [231, 237, 243]],
        [[220, 224, 230], [102, 70, 75], [132, 99, 100], [209, 216, 221]],
        [[204, 196, 199], [175, 49, 46], [169, 63, 61], [209, 215, 220]],
        [[213, 220, 225], [179, 164, 168], [195, 183, 187], [227, 233, 239]],
    ],
    "primer/diffusion-tiny": [
        [[219, 226, 228], [199, 205, 206], [194, 199, 199], [214, 221, 223]],
        [[204, 205, 207], [140, 91, 90], [125, 104, 102], [214, 221, 222]],
        [[174, 165, 169], [155, 50, 43], [161, 54, 47], [191, 195, 196]],
        [[213, 219, 221], [162, 157, 158], [191, 181, 183], [226, 233, 234]],
    ],
}
LIMIT = 80 * 2**20  # bytes of all weights in the repository


@pytest.fixture(scope="module", params=sorted(GOLDEN))
def model(request: Any) -> Any:
    return registry.load(read_models()[request.param])


def drawn(model: Any, prompt: str, seed: int) -> Image.Image:
    [reply] = model.generate([Generate(prompt, seed)])
    assert isinstance(reply, Generated)
    return Image.open(io.BytesIO(reply.png)).convert("RGB")


def test_it_draws_what_it_drew(model: Any) -> None:
    found = drawn(model, "a ladybug", 0)
    assert found.size == (256, 256)
    grid = np.asarray(found.resize((4, 4), Image.Resampling.BOX), dtype=int)
    assert np.abs(grid - np.array(GOLDEN[model.spec.id])).max() <= 6, grid.tolist()


def test_every_step_is_told_and_the_seed_decides(model: Any) -> None:
    told: list[tuple[int, int]] = []
    [one] = model.generate([Generate("two tulips", 1, {"steps": 3})], lambda *now: told.append(now))
    [again, other] = model.generate([Generate("two tulips", seed, {"steps": 3}) for seed in (1, 2)])
    assert told[-3:] == [(1, 3), (2, 3), (3, 3)]
    assert one.png == again.png != other.png


def test_it_says_what_it_cannot_draw(model: Any) -> None:
    [reply] = model.generate([Generate("a harbour at dawn", 0)])
    assert isinstance(reply, Failure)
    assert reply.kind == "cannot_draw"


@pytest.mark.parametrize(
    "folder",
    sorted(file.parent for file in EMBEDDED.glob("*/hashes.json")),
    ids=lambda folder: folder.name,
)
def test_every_weight_is_the_one_that_was_meant_and_has_a_card(folder: Path) -> None:
    folders.check_hashes(folder)
    card = (folder / "README.md").read_text("utf-8")
    for part in ("## Data", "## Training", "## Figures", "## Known weaknesses"):
        assert part in card


def test_all_weights_together_stay_small_and_none_is_a_pickle() -> None:
    assert sum(file.stat().st_size for file in EMBEDDED.rglob("*.safetensors")) < LIMIT
    assert not [
        file for pattern in ("*.bin", "*.pt", "*.ckpt", "*.pkl") for file in EMBEDDED.rglob(pattern)
    ]
