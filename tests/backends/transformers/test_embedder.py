"""Embedders give the vectors of the library's own models, at unit length."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from hallascope.data.records import Picture
from hallascope.data.requests import Embed, Embedded, Failure
from tests.support.tiny_models import vision
from tests.support.vision_entries import vectors_of


@pytest.mark.parametrize("kind", ["clip", "siglip", "dinov2"])
def test_vectors_have_unit_length_and_are_those_of_the_library(
    load_vision: Any, picture: Picture, kind: str
) -> None:
    embedder = load_vision(kind)
    process = getattr(embedder.processor, "image_processor", embedder.processor)
    inputs = process(Image.open(picture.path), return_tensors="pt")
    with torch.inference_mode():
        seen = (
            embedder.model(**inputs)
            if kind == "dinov2"
            else embedder.model.get_image_features(**inputs)
        )
        own = torch.nn.functional.normalize(seen.pooler_output).numpy()
    vector = vectors_of(embedder.embed([Embed(picture)]))
    assert vector == pytest.approx(own, abs=1e-6)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_the_first_dino_has_no_pooling_layer_and_gives_the_vector_of_its_class_token(
    load_vision: Any, picture: Picture
) -> None:
    embedder = load_vision("dino")
    inputs = embedder.processor(Image.open(picture.path), return_tensors="pt")
    with torch.inference_mode():
        hidden = embedder.model(**inputs).last_hidden_state
    own = torch.nn.functional.normalize(hidden[:, 0]).numpy()
    assert vectors_of(embedder.embed([Embed(picture)])) == pytest.approx(own, abs=1e-6)


def test_a_text_is_where_the_whole_model_puts_it(load_vision: Any, picture: Picture) -> None:
    embedder = load_vision("clip")
    inputs = embedder.processor(
        images=Image.open(picture.path),
        text=["a cat", "a red dog"],
        padding=True,
        return_tensors="pt",
    )
    with torch.no_grad():
        own = embedder.model(**inputs)
    image, *texts = vectors_of(
        embedder.embed([Embed(picture), Embed(text="a cat"), Embed(text="a red dog")])
    )
    similar = own.logits_per_image[0] / embedder.model.logit_scale.detach().exp()
    assert [image @ text for text in texts] == pytest.approx(similar.tolist(), abs=1e-5)


@pytest.mark.parametrize("kind", ["clip", "siglip"])
def test_a_mixed_batch_answers_in_order_as_one_by_one_would(
    load_vision: Any, picture: Picture, tmp_path: Path, kind: str
) -> None:
    embedder = load_vision(kind)
    other = vision.picture(tmp_path, "tall", (40, 90))
    requests = [
        Embed(text="a cat"),
        Embed(picture),
        Embed(text="the blue square of a dog " * 5),
        Embed(other),
        Embed(text=""),
    ]
    together = vectors_of(embedder.embed(requests))
    assert together == pytest.approx(
        np.concatenate([vectors_of(embedder.embed([one])) for one in requests]), abs=1e-6
    )
    assert len({tuple(vector) for vector in together.round(4)}) == 5


def test_a_model_of_pictures_alone_refuses_texts_and_still_sees_the_pictures(
    load_vision: Any, picture: Picture
) -> None:
    seen, refused = load_vision("dinov2").embed([Embed(picture), Embed(text="a cat")])
    assert isinstance(seen, Embedded)
    assert isinstance(refused, Failure)
    assert (
        refused.message
        == "Tiny dinov2 looks at images and reads no text: choose an embedder with a text tower,"
        " e.g. CLIP."
    )


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_a_vector_without_a_direction_is_a_failure(
    load_vision: Any, picture: Picture, value: float
) -> None:
    embedder = load_vision("clip")
    embedder.model.visual_projection.weight.data.fill_(value)
    (reply,) = embedder.embed([Embed(picture)])
    assert isinstance(reply, Failure)
    assert "without a direction" in reply.message
