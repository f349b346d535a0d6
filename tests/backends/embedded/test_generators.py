"""The diffusion models that ship: every weight is the one that was meant, and each draws what it
drew when it was made.
"""

import io
from typing import Any

import numpy as np
from PIL import Image

from hallascope.backends import registry, weights
from hallascope.backends.weights import EMBEDDED
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Failure, Generate
from tests.support.painters import entry_settings

# colours of "a ladybug", seed 0, in a grid of 4 x 4, as the model drew it when it was made
GOLDEN = [
    [[219, 226, 228], [199, 205, 206], [194, 199, 199], [214, 221, 223]],
    [[204, 205, 207], [140, 91, 90], [125, 104, 102], [214, 221, 222]],
    [[174, 165, 169], [155, 50, 43], [161, 54, 47], [191, 195, 196]],
    [[213, 219, 221], [162, 157, 158], [191, 181, 183], [226, 233, 234]],
]
LIMIT = 80 * 2**20  # bytes of all weights in the repository


def test_it_draws_what_it_drew_tells_every_step_and_says_what_it_cannot_draw() -> None:
    model: Any = registry.load(read_models()["primer/diffusion-tiny"])
    told: list[tuple[int, int]] = []
    (drawn,) = model.generate([Generate("a ladybug", 0)])
    image = Image.open(io.BytesIO(drawn.png)).convert("RGB")
    assert image.size == (256, 256)
    grid = np.asarray(image.resize((4, 4), Image.Resampling.BOX), dtype=int)
    assert np.abs(grid - np.array(GOLDEN)).max() <= 6, grid.tolist()
    with entry_settings(model, {"steps": 3}):
        short, other, refused = model.generate(
            [
                Generate("two tulips", 1),
                Generate("two tulips", 2),
                Generate("a harbour at dawn", 0),
            ]
        )
        (again,) = model.generate([Generate("two tulips", 1)], lambda *now: told.append(now))
    assert told[-3:] == [(1, 3), (2, 3), (3, 3)]
    assert short.png == again.png != other.png
    assert isinstance(refused, Failure)
    assert refused.kind == "cannot_draw"


def test_every_weight_is_the_one_that_was_meant_small_and_no_pickle_and_has_a_card() -> None:
    hashed = sorted(file.parent for file in EMBEDDED.glob("*/hashes.json"))
    assert hashed
    for folder in hashed:
        assert weights.hash_mismatch(folder) is None
        card = (folder / "README.md").read_text("utf-8")
        for part in ("## Data", "## Training", "## Figures", "## Known weaknesses"):
            assert part in card, folder
    assert sum(file.stat().st_size for file in EMBEDDED.rglob("*.safetensors")) < LIMIT
    for pattern in ("*.bin", "*.pt", "*.ckpt", "*.pkl"):
        assert not [*EMBEDDED.rglob(pattern)]
