"""A model that a person names is recognised by its configuration, and taken in for now or for good.

What does not fit is one sentence.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from hallascope.backends.base import HallaScopeError
from hallascope.backends.hub.download import HubClient
from hallascope.data.models.specs import Price, read_models
from hallascope.engine.errors import BadRequest
from hallascope.engine.models import custom
from hallascope.engine.models.custom import CustomModels
from hallascope.engine.models.registry import ModelRegistry
from tests.support.hub_server import FakeHub, Repository, hub

WEIGHTS = b"0" * 1000


INDEX = json.dumps(
    {"_class_name": "StableDiffusionPipeline", "unet": ["diffusers", "UNet2DConditionModel"]}
).encode()


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with hub() as found:
        yield found


@pytest.fixture
def add(fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CustomModels:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HALLASCOPE_MODELS", raising=False)
    hub_client = HubClient(fake.address, tmp_path / "cache")
    return CustomModels(ModelRegistry(read_models()), lambda: hub_client)


def _model(**config: Any) -> Repository:
    return Repository({"config.json": json.dumps(config).encode(), "model.safetensors": WEIGHTS})


def test_a_pipeline_of_the_hub_shows_license_size_and_memory_and_can_be_chosen_once_added(
    add: CustomModels, fake: FakeHub
) -> None:
    fake.models["maker/Draws-1"] = Repository(
        {
            "model_index.json": INDEX,
            "unet/config.json": b"{}",
            "unet/diffusion_pytorch_model.fp16.safetensors": WEIGHTS,
        },
        license="mit",
    )
    found = add.inspect("https://huggingface.co/maker/Draws-1")
    spec = found.spec
    assert (spec.id, spec.backend, spec.roles, spec.license) == (
        "draws-1",
        "diffusers",
        ("generator",),
        "mit",
    )
    assert spec.settings == {"variant": "fp16"}
    assert found.size == len(WEIGHTS) + 2 + len(INDEX)
    assert (spec.size_gb, spec.memory_gb, spec.needs) == (0.1, 0.1, ("download",))
    assert (
        add.add(found, keep=False)
        == "draws-1 is among the models now, until HallaScope is stopped."
    )
    with pytest.raises(BadRequest, match="is among the models already, as 'draws-1'"):
        add.inspect("maker/Draws-1")
    assert not custom.own_file().exists()


def test_a_kept_model_stands_in_ones_own_file_and_is_there_the_next_time(
    add: CustomModels, fake: FakeHub
) -> None:
    fake.models["maker/sees"] = _model(model_type="owlv2")
    said = add.add(add.inspect("maker/sees"), keep=True)
    assert said == f"sees is among the models now, and stands in {custom.own_file()}."
    assert custom.all_models()["sees"].backend == "transformers-detector"
    with pytest.raises(BadRequest, match=r"There is a model 'sees' in .* already: change it there"):
        add.add(custom.ModelCandidate(custom.all_models()["sees"]), keep=True)


def test_what_cannot_be_added_is_one_sentence(add: CustomModels, fake: FakeHub) -> None:
    fake.models["maker/pickled"] = Repository(
        {"config.json": b'{"model_type": "sam"}', "pytorch_model.bin": WEIGHTS}
    )
    fake.models["maker/gated"] = Repository(
        {"config.json": b'{"model_type": "sam"}', "model.safetensors": WEIGHTS}, gated=True
    )
    for named, said in (
        ("", "No model is named"),
        (
            "maker/pickled",
            (
                "'maker/pickled' cannot be used: it has only pickles, which are never loaded;"
                " choose a model with safetensors."
            ),
        ),
        ("maker/gated", "'maker/gated' is gated: agree to its terms"),
        ("maker/nothing", "There is no 'maker/nothing' on the Hub"),
        ("stabilityai/sd-turbo", "is among the models already, as 'sd-turbo'"),
    ):
        with pytest.raises(HallaScopeError) as raised:
            add.inspect(named)
        assert said in str(raised.value)


def _service(answer: Callable[[httpx.Request], httpx.Response]) -> CustomModels:
    hub: Any = None  # a service is asked without it
    return CustomModels(
        ModelRegistry(read_models()),
        lambda: hub,
        lambda: httpx.Client(transport=httpx.MockTransport(answer)),
    )


def test_a_service_of_this_machine_is_told_with_the_models_it_names_and_costs_nothing() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(200, json={"data": [{"id": "llava"}, {"id": "qwen"}]})

    found = _service(answer).inspect("http://localhost:9123/v1/")
    assert asked == ["http://localhost:9123/v1/models"]
    assert (found.spec.id, found.spec.base_url, found.serves) == (
        "localhost-9123/*",
        "http://localhost:9123/v1",
        ("llava", "qwen"),
    )
    assert (found.spec.kind, found.spec.price, found.spec.needs) == ("local", Price(), ())


def test_a_service_that_wants_a_key_says_under_which_name_it_is_looked_for() -> None:
    found = _service(lambda _: httpx.Response(401)).inspect("https://api.example.org/v1")
    assert (found.spec.kind, found.spec.price, found.spec.needs) == (
        "api",
        None,
        ("key:API_EXAMPLE_ORG_KEY",),
    )


def answer_with(response: httpx.Response, _: httpx.Request) -> httpx.Response:
    return response


def test_what_is_no_service_is_one_sentence_and_a_password_is_not_repeated() -> None:
    for response, said in (
        (httpx.Response(200, text="<html>"), "does not list its models as OpenAI does"),
        (httpx.Response(200, json=[1]), "does not list its models as OpenAI does"),
        (httpx.Response(500), "No OpenAI-compatible server answers"),
    ):
        with pytest.raises(BadRequest, match=said):
            _service(partial(answer_with, response)).inspect("http://localhost:9123/v1")
    with pytest.raises(BadRequest, match="without name, password or query") as raised:
        _service(lambda _: httpx.Response(200)).inspect("https://me:secret@example.org/v1")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("host", ["[::1", "localhost:abc", "localhost:99999", "a\tb"])
def test_an_address_that_cannot_be_read_is_one_sentence(host: str) -> None:
    with pytest.raises(BadRequest, match="address"):
        _service(lambda _: httpx.Response(500)).inspect(f"http://{host}/v1")
