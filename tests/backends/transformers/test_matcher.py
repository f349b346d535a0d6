"""BLIP for image-text retrieval says what the library's own model says: probabilities of a match,
and vectors of one space.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image

from hallascope.backends import registry
from hallascope.backends.base import CallLimits, Embedder, Matcher
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Embed, Embedded, Failure, Match, Matched, Request
from hallascope.engine.models import roles
from tests.support.tiny_models import vision

SPEC = ModelSpec(
    id="test/blip-itm", title="Tiny BLIP-ITM", roles=("embedder",), backend="transformers-matcher"
)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    return vision.picture(tmp_path_factory.mktemp("pictures"))


@pytest.fixture
def matcher(tiny: Callable[[str], Path]) -> Any:
    return registry.load(
        ModelSpec(
            id=SPEC.id,
            title=SPEC.title,
            roles=SPEC.roles,
            backend=SPEC.backend,
            repository=str(tiny("blip-itm")),
        )
    )


def own(matcher: Any, picture: Picture, text: str, head: bool) -> torch.Tensor:
    inputs = matcher.processor(
        images=Image.open(picture.path).convert("RGB"), text=text, return_tensors="pt"
    )
    with torch.inference_mode():
        score: torch.Tensor = matcher.model(**inputs, use_itm_head=head).itm_score
    return score


def test_a_match_is_the_probability_of_the_models_own_head(matcher: Any, picture: Picture) -> None:
    texts = ("a red circle", "the blue dog of a cat")
    found = matcher.match([Match(picture, text) for text in texts])
    expected = [float(own(matcher, picture, text, head=True).softmax(-1)[0, 1]) for text in texts]
    assert [one.probability for one in found] == pytest.approx(expected, abs=1e-5)
    assert expected[0] != pytest.approx(expected[1], abs=1e-3)


def test_vectors_have_unit_length_and_the_models_own_cosine(matcher: Any, picture: Picture) -> None:
    seen, said = (one.vector for one in matcher.embed([Embed(picture), Embed(text="a red circle")]))
    assert sum(x * x for x in seen) == pytest.approx(1, abs=1e-5)
    cosine = sum(a * b for a, b in zip(seen, said, strict=True))
    assert cosine == pytest.approx(
        float(own(matcher, picture, "a red circle", head=False)[0, 0]), abs=1e-5
    )


def test_a_text_longer_than_the_model_reads_is_cut(matcher: Any, picture: Picture) -> None:
    (found,) = matcher.match([Match(picture, "red circle " * 200)])
    assert 0 <= found.probability <= 1


def test_weights_that_give_no_number_are_a_failure(matcher: Any, picture: Picture) -> None:
    matcher.model.itm_head.weight.data.fill_(float("nan"))
    (found,) = matcher.match([Match(picture, "a cat")])
    assert isinstance(found, Failure)
    assert "gives no probability" in found.message


def test_it_is_an_embedder_that_can_match_and_the_file_of_models_names_one(matcher: Any) -> None:
    assert isinstance(matcher, Matcher)
    assert isinstance(matcher, Embedder)
    assert read_models()["blip-itm-base"].backend == SPEC.backend


def test_requests_of_both_sorts_reach_their_method_in_order(picture: Picture) -> None:
    model = Scripted(
        SPEC,
        lambda request: Matched(0.25) if isinstance(request, Match) else Embedded((1.0,)),
        limits=CallLimits(batch=8),
    )
    asked: list[Request] = [
        Match(picture, "a"),
        Embed(picture),
        Match(picture, "b"),
        Embed(text="c"),
    ]
    assert roles.call(model, asked, lambda *_: None) == [
        Matched(0.25),
        Embedded((1.0,)),
        Matched(0.25),
        Embedded((1.0,)),
    ]
    assert model.calls == 2


def test_an_embedder_without_such_a_head_says_so(picture: Picture) -> None:
    class Plain:
        spec, limits, revision = SPEC, CallLimits(), "1"

        def embed(self, requests: list[Embed], on_step: object = None) -> list[Answer]:
            raise AssertionError("it was asked to match")

    (found,) = roles.call(Plain(), [Match(picture, "a")], lambda *_: None)
    assert isinstance(found, Failure)
    assert "choose an embedder with a head for it" in found.message
