"""Embedders and matchers give the vectors and probabilities of the library's own models."""

from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from hallascope.data.records import Picture
from hallascope.data.requests import Embed, Embedded, Failure, Match
from tests.support.tiny_entries import Load, quick


def vectors_of(replies: list[Embedded | Failure]) -> np.ndarray:
    assert all(isinstance(reply, Embedded) for reply in replies), replies
    return np.array([reply.vector for reply in replies if isinstance(reply, Embedded)])


@pytest.mark.parametrize("kind", quick(("clip", "dinov2", "dino"), "clip"))
def test_vectors_have_unit_length_and_are_those_of_the_library(
    load: Load, picture: Picture, kind: str
) -> None:
    embedder = load(kind)
    process = getattr(embedder.processor, "image_processor", embedder.processor)
    inputs = process(Image.open(picture.path), return_tensors="pt")
    with torch.inference_mode():
        match kind:
            case "dino":  # it has no pooling layer: its vector is that of the class token
                own = embedder.model(**inputs).last_hidden_state[:, 0]
            case "dinov2":
                own = embedder.model(**inputs).pooler_output
            case _:
                own = embedder.model.get_image_features(**inputs).pooler_output
    vector = vectors_of(embedder.embed([Embed(picture)]))
    assert vector == pytest.approx(torch.nn.functional.normalize(own).numpy(), abs=1e-6)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_a_text_is_where_the_whole_model_puts_it(load: Load, picture: Picture) -> None:
    embedder, texts = load("clip"), ["a cat", "a red dog"]
    inputs = embedder.processor(
        images=Image.open(picture.path), text=texts, padding=True, return_tensors="pt"
    )
    with torch.no_grad():
        own = embedder.model(**inputs)
    image, *said = vectors_of(
        embedder.embed([Embed(picture), *(Embed(text=text) for text in texts)])
    )
    similar = own.logits_per_image[0] / embedder.model.logit_scale.detach().exp()
    assert [image @ vector for vector in said] == pytest.approx(similar.tolist(), abs=1e-5)


def test_a_model_of_pictures_alone_refuses_texts_and_still_sees_the_pictures(
    load: Load, picture: Picture
) -> None:
    seen, refused = load("dinov2").embed([Embed(picture), Embed(text="a cat")])
    assert isinstance(seen, Embedded)
    assert isinstance(refused, Failure)
    assert "reads no text: choose an embedder with a text tower" in refused.message


def test_a_vector_without_a_direction_is_a_failure(load_anew: Load, picture: Picture) -> None:
    embedder = load_anew("clip")
    for value in (0.0, float("nan"), float("inf")):
        embedder.model.visual_projection.weight.data.fill_(value)
        (reply,) = embedder.embed([Embed(picture)])
        assert isinstance(reply, Failure), value
        assert "without a direction" in reply.message


# --- matches of an image and a text ---


def test_a_match_is_the_probability_of_the_models_own_head_and_vectors_have_its_cosine(
    load: Load, picture: Picture
) -> None:
    matcher, texts = load("blip-itm"), ("a red circle", "the blue dog of a cat")

    def own(text: str, head: bool) -> Any:
        image = Image.open(picture.path).convert("RGB")
        inputs = matcher.processor(images=image, text=text, return_tensors="pt")
        with torch.inference_mode():
            return matcher.model(**inputs, use_itm_head=head).itm_score

    found = matcher.match([Match(picture, text) for text in texts])
    expected = [float(own(text, head=True).softmax(-1)[0, 1]) for text in texts]
    assert [one.probability for one in found] == pytest.approx(expected, abs=1e-5)
    assert expected[0] != pytest.approx(expected[1], abs=1e-3)
    seen, said = vectors_of(matcher.embed([Embed(picture), Embed(text=texts[0])]))
    assert np.linalg.norm(seen) == pytest.approx(1, abs=1e-5)
    assert seen @ said == pytest.approx(float(own(texts[0], head=False)[0, 0]), abs=1e-5)
    whole, cut = matcher.match([Match(picture, "red circle " * times) for times in (1, 200)])
    assert 0 <= cut.probability <= 1
    most = matcher.model.config.text_config.max_position_embeddings
    assert (whole.cut_after, cut.cut_after) == (None, most)


def test_weights_that_give_no_number_are_a_failure(load_anew: Load, picture: Picture) -> None:
    matcher = load_anew("blip-itm")
    matcher.model.itm_head.weight.data.fill_(float("nan"))
    (found,) = matcher.match([Match(picture, "a cat")])
    assert isinstance(found, Failure)
    assert "gives no probability" in found.message
