"""A tiny training of the embedder writes a stock folder."""

from pathlib import Path

import numpy as np
import torch
from PIL import Image
from safetensors.torch import load_file
from transformers import CLIPModel

from hallascope.backends.embedded import measure
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage


def test_the_embedder_is_a_stock_folder_with_finite_vectors(
    embedder_work: Path, labeled_pictures: list[LabeledImage]
) -> None:
    towers = measure.load_embedder(str(embedder_work / "out"))
    assert {weights.dtype for weights in saved_weights(embedder_work / "out").values()} == {
        torch.float16
    }
    pictures, texts = (
        towers.pictures([Image.fromarray(one.pixels) for one in labeled_pictures[:3]]),
        towers.texts(["a ladybug", "two tulips"]),
    )
    assert pictures.shape == (3, 32)
    assert np.allclose(np.linalg.norm(pictures, axis=1), 1, atol=1e-4)
    assert np.allclose(np.linalg.norm(texts, axis=1), 1, atol=1e-4)
    assert isinstance(
        CLIPModel.from_pretrained(embedder_work / "out", use_safetensors=True), CLIPModel
    )


def saved_weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")
