"""Pictures of Inference Providers: what is sent, what comes back, and every fault a sentence
without the token in it.
"""

import io
from dataclasses import replace
from json import JSONDecodeError
from typing import Any

import httpx2
import pytest
from huggingface_hub.errors import HfHubHTTPError, InferenceTimeoutError
from PIL import Image, UnidentifiedImageError

from hallascope.backends import registry
from hallascope.backends.base import Denied, Transient
from hallascope.backends.inference_providers import ProvidedImages
from hallascope.backends.keys import ApiKeys
from hallascope.backends.network.guarded_client import BadReply
from hallascope.backends.network.public_addresses import ForbiddenAddress
from hallascope.data.models.services import find
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Failure, Generate, Generated, Usage
from tests.support.service import KEY as SERVED_KEY
from tests.support.service import hub_pointed, served

TOKEN = "hf_token_of_a_visitor"


KEYS = ApiKeys({"HF_TOKEN": TOKEN})


class Client:
    """In the place of InferenceClient: keeps what it is asked, and gives or raises `reply`."""

    def __init__(self, reply: Any) -> None:
        self.reply = reply
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def text_to_image(self, prompt: str, **arguments: Any) -> Any:
        self.asked.append((prompt, arguments))
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


def _spec(**settings: Any) -> Any:
    found = find(read_models(), "hf-images/maker/draws")
    assert found is not None
    return replace(found, settings=settings)


def _status(code: int, text: str) -> HfHubHTTPError:
    request = httpx2.Request(
        "POST", "https://router.example", headers={"authorization": f"Bearer {TOKEN}"}
    )
    return HfHubHTTPError(text, response=httpx2.Response(code, text=text, request=request))


def test_a_prompt_is_sent_with_its_seed_and_settings_and_a_plain_png_comes_back() -> None:
    client = Client(Image.new("RGBA", (8, 8), "red"))
    (made,) = ProvidedImages(_spec(steps=4, size=512, provider="fal-ai"), KEYS, client).generate(
        [Generate("a cat", 7)]
    )
    ((prompt, arguments),) = client.asked
    assert prompt == "a cat"
    size = {"width": 512, "height": 512}
    assert arguments == {"model": "maker/draws", "num_inference_steps": 4, "seed": 7, **size}
    assert isinstance(made, Generated)
    assert made.png.startswith(b"\x89PNG")
    assert made.usage == Usage(pictures=1)
    assert made.notes == {"provider": "fal-ai"}


def test_each_fault_is_a_sentence_without_the_token_and_a_refusal_a_failure() -> None:
    faults: tuple[tuple[Exception, type[Exception], str], ...] = (
        (_status(401, f"Invalid token {TOKEN}"), Denied, "does not take the key"),
        (_status(402, "You have exceeded your credits"), Denied, "There is no credit left at"),
        (_status(429, "slow down"), Transient, "gets too many requests"),
        (_status(503, f"busy {TOKEN}"), Transient, "has a fault"),
        (InferenceTimeoutError("late"), Transient, "did not answer in time"),
        (ForbiddenAddress("leads to another host"), Denied, "no image or key of .* is sent there"),
        (ValueError(f"not supported with {TOKEN}"), Denied, "make no image with maker/draws"),
        (RuntimeError(f"{TOKEN}"), Transient, "could not be reached"),
    )
    for unread in (JSONDecodeError("no", TOKEN, 0), BadReply(f"is longer than {TOKEN}")):
        with pytest.raises(Transient) as charged:
            ProvidedImages(_spec(), KEYS, Client(unread)).generate([Generate("a cat", 0)])
        assert charged.value.may_be_charged
        assert TOKEN not in str(charged.value)
    for raised, kind, said in faults:
        with pytest.raises(kind, match=said) as found:
            ProvidedImages(_spec(), KEYS, Client(raised)).generate([Generate("a cat", 0)])
        assert TOKEN not in str(found.value)
        assert found.value.__cause__ is None
        assert found.value.__context__ is None
    flagged = Client(_status(400, "flagged by the content policy: input was flagged"))
    (made,) = ProvidedImages(_spec(), KEYS, flagged).generate([Generate("x", 0)])
    assert isinstance(made, Failure)
    assert made.kind == "refused"


def test_an_image_that_cannot_be_read_is_a_failure_that_was_paid_for() -> None:
    whole = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(whole, "PNG")
    cut = Image.open(io.BytesIO(whole.getvalue()[:900]))
    huge = Image.new("1", (8000, 6000))
    for reply in (cut, huge, UnidentifiedImageError(), Image.DecompressionBombError()):
        (made,) = ProvidedImages(_spec(), KEYS, Client(reply)).generate([Generate("a cat", 0)])
        assert isinstance(made, Failure)
        assert (made.kind, made.usage) == ("broken", Usage(pictures=1))


def test_an_unknown_provider_is_told_before_and_two_providers_share_no_pictures() -> None:
    assert "its provider 'nobody' is not known; use one of" in str(
        registry.available(_spec(provider="nobody"), KEYS)
    )
    assert registry.available(_spec(provider="fal-ai"), KEYS) is None
    assert registry.revision(_spec()) == "maker/draws@auto"
    assert registry.revision(_spec(provider="fal-ai")) == "maker/draws@fal-ai"


def test_the_library_s_client_draws_by_a_name_and_by_an_address() -> None:
    with served("router") as (address, service), hub_pointed(address):
        name = "black-forest-labs/FLUX.1-schnell"
        direct = f"{address.removesuffix('/v1')}/hf-inference/models/{name}"
        for repository in (name, direct):
            spec = replace(_spec(), repository=repository)
            keys = ApiKeys({"HF_TOKEN": SERVED_KEY})
            (made,) = ProvidedImages(spec, keys).generate([Generate("a cat", 1)])
            assert isinstance(made, Generated), made
        drawn = [request for request in service.requests if "hf-inference" in request.path]
        assert [request.body["inputs"] for request in drawn] == ["a cat"] * 2
        assert [request.cost for request in drawn] == [0.003] * 2
