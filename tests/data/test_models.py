"""The file of models is read as it is, what is wrong in it is named, and prices are bounds."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.models.custom import append
from hallascope.data.models.juries import jury_name, named_jury
from hallascope.data.models.packs import read_packs
from hallascope.data.models.services import find
from hallascope.data.models.specs import BadModels, ModelSpec, Price, read_models
from hallascope.data.models.token_limits import FORM_TOKENS, most_usage
from hallascope.data.requests import Generate, Usage, Write
from tests.data.cases import cases

# The commits of these are published by nobody, or by one source alone.
NOT_PINNED = {
    "dino-vit-base",
    "dino-vit-small",
    "instructblip-flan-t5-xl",
    "mm-grounding-dino-tiny",
    "sd-v2.0",
}


def hub_models() -> dict[str, ModelSpec]:
    return {
        name: spec
        for name, spec in read_models().items()
        if spec.kind == "local" and spec.repository
    }


def test_a_model_of_the_hub_is_pinned_to_a_whole_commit_and_a_repository_to_one_alone() -> None:
    models = hub_models()
    assert {name for name, spec in models.items() if spec.revision is None} == NOT_PINNED
    pinned = {(spec.repository, spec.revision) for spec in models.values() if spec.revision}
    assert all(re.fullmatch(r"[0-9a-f]{40}", revision or "") for _, revision in pinned)
    assert (
        len({repository for repository, _ in pinned})
        == len({revision for _, revision in pinned})
        == len(pinned)
    )


@pytest.mark.parametrize(
    "text, said",
    cases("models", "what_is_wrong_is_named_by_file_line_entry_and_field"),
)
def test_what_is_wrong_is_named_by_file_line_entry_and_field(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "models.yaml").write_text(text)
    with pytest.raises(BadModels, match=said):
        read_models(tmp_path / "models.yaml")


ENTRY = "a: {{title: A, roles: [judge], backend: x, price: {price}}}"


def priced(folder: Path, price: str) -> ModelSpec:
    (folder / "priced.yaml").write_text(ENTRY.format(price=price))
    return read_models(folder / "priced.yaml")["a"]


def test_a_price_is_read_with_its_day_and_costs_what_it_says(tmp_path: Path) -> None:
    price = priced(
        tmp_path,
        "{date: 2026-04-06, currency: USD, input: 2.5, output: 10, picture: 0.04, picture_tokens:"
        " 765}",
    ).price
    assert price == Price("2026-04-06", 2.5, 10, 0.04, 765)
    assert price.cost(Usage(1_000_000, 200_000, 2)) == pytest.approx(2.5 + 2 + 0.08)


@pytest.mark.parametrize(
    "price, said",
    cases("models", "a_price_that_is_none_is_named_by_line_entry_and_field"),
)
def test_a_price_that_is_none_is_named_by_line_entry_and_field(
    tmp_path: Path, price: str, said: str
) -> None:
    with pytest.raises(BadModels, match=said):
        priced(tmp_path, price)


def test_a_price_is_that_of_the_package_with_its_source_and_day() -> None:
    found = find(read_models(), "openai/gpt-5.4-mini")
    assert found is not None
    assert found.price is not None
    assert (found.price.input, found.price.output) == (0.75, 4.5)
    assert found.price.source.startswith("genai-prices ")
    assert found.price.date
    unknown = find(read_models(), "openai/nobody-knows-it")
    assert unknown is not None
    assert unknown.price is None


def test_the_tokens_that_an_entry_counts_for_a_picture_go_before_those_of_its_group() -> None:
    models = read_models()
    own = replace(
        models["openai/*"],
        id="openai/large",
        repository="gpt-image-2",
        roles=("generator",),
        price=Price("2026-11-28", output=30.0, picture_tokens=4160),
    )
    found = find({own.id: own}, own.id)
    assert found is not None
    assert found.price is not None
    assert found.price.picture_tokens == 4160


@pytest.mark.parametrize(
    "settings, tokens",
    [
        ({"size": 1024, "quality": "medium"}, 1056),
        ({"size": 1536, "quality": "high"}, 9360),
        ({"size": "1536x1024", "quality": "low"}, 408),
        ({}, 4160),
    ],
)
def test_an_image_counts_by_its_size_and_quality(settings: Any, tokens: int) -> None:
    family = read_models()["openai/*"]
    own = replace(
        family, id="openai/own", repository="gpt-image-2", roles=("generator",), settings=settings
    )
    found = find({own.id: own}, own.id)
    assert found is not None
    assert found.price is not None
    assert most_usage(Generate("a cat", 0), found.price, settings).output_tokens == 2 * tokens


def test_an_image_sold_by_tokens_holds_some_back_where_nobody_says_how_many() -> None:
    prices = Price(output=30.0), Price(output=30.0, picture=0.04), Price(picture=0.04)
    counted = [most_usage(Generate("a cat", 0), each, {}).output_tokens for each in prices]
    assert counted == [6000, 0, 0]


def test_any_model_of_a_service_is_made_from_its_family() -> None:
    models = read_models()
    found = find(models, "ollama/qwen3-vl:8b")
    assert found is not None
    assert (found.id, found.title, found.repository, found.family) == (
        "ollama/qwen3-vl:8b",
        "qwen3-vl:8b",
        "qwen3-vl:8b",
        False,
    )
    assert (found.base_url, found.price, found.key) == ("http://localhost:11434/v1", Price(), None)
    assert find(models, "sdxl-base") is models["sdxl-base"]
    assert find(models, "nowhere/model") is None


def test_a_file_of_one_s_own_adds_to_ours_and_goes_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "mine/one: {title: Mine, roles: [judge], backend: x}\nsdxl-base: {title: Ours no more,"
        " roles: [judge], backend: x}"
    )
    monkeypatch.setenv("HALLASCOPE_MODELS", str(own))
    models = read_models()
    assert models["mine/one"].title == "Mine"
    assert models["sdxl-base"].title == "Ours no more"
    assert "primer/exact" in models
    monkeypatch.setenv("HALLASCOPE_MODELS", str(tmp_path / "gone.yaml"))
    with pytest.raises(BadModels, match=r"gone\.yaml"):
        read_models()


def test_a_file_that_cannot_be_read_or_written_is_left_alone_with_one_sentence(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("a: [")
    with pytest.raises(BadModels, match=r"mine\.yaml, line 1: This is no YAML .*: fix it\.$"):
        append(file, read_models()["sd-turbo"])
    assert file.read_text() == "a: ["
    with pytest.raises(BadModels, match=r"cannot be written .*: name another in HALLASCOPE_MODELS"):
        append(file / "below.yaml", read_models()["sd-turbo"])


def test_a_model_that_stands_in_the_file_is_not_written_again(tmp_path: Path) -> None:
    spec = ModelSpec(id="mine", title="Mine", roles=("judge",), backend="openai")
    append(tmp_path / "mine.yaml", spec)
    with pytest.raises(BadModels, match=r"^There is a model 'mine' in .* already: change it there"):
        append(tmp_path / "mine.yaml", replace(spec, title="Another"))


def test_the_name_is_the_same_in_whatever_order_members_are_given() -> None:
    name = jury_name(["openai/gpt-4o", "primer/judge", "primer/judge"])
    assert name == "jury/weighted/openai/gpt-4o+primer/judge"
    assert jury_name(["primer/judge", "openai/gpt-4o"]) == name
    spec = named_jury("jury/majority/primer/judge+openai/gpt-4o")
    assert spec is not None
    assert spec.id == jury_name(["openai/gpt-4o", "primer/judge"], "majority")
    assert spec.members == ("openai/gpt-4o", "primer/judge")
    assert spec.settings == {"vote": "majority"}
    assert spec.roles == ("judge",)


def test_every_pack_names_models_that_can_be_fetched_and_fits_into_the_memory_it_states() -> None:
    models = read_models()
    for pack in read_packs().values():
        for name in pack.models:
            spec = models[name]
            assert spec.kind == "local", name
            assert spec.repository, name
            assert not spec.base_url, name
            assert 0 < (spec.memory_gb or 0) <= pack.memory_gb, name
            assert spec.size_gb, name
            assert spec.license, name


def test_an_entry_that_is_written_is_read_as_it_was(tmp_path: Path) -> None:
    unpriced = [spec for spec in read_models().values() if not (spec.price and spec.price.date)]
    for number, spec in enumerate(unpriced[::4]):
        append(tmp_path / f"{number}.yaml", spec)
        assert read_models(tmp_path / f"{number}.yaml") == {spec.id: spec}


def test_a_file_of_models_is_read_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    append(path, ModelSpec(id="a", title="A", roles=("judge",), backend="x"))
    assert list(read_models(path)) == ["a"]
    append(path, ModelSpec(id="b", title="B", roles=("judge",), backend="x"))
    assert list(read_models(path)) == ["a", "b"]


@given(st.text(max_size=40))
def test_a_text_counts_for_its_bytes(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    assert most_usage(Write(text), Price(), {}).input_tokens == size + FORM_TOKENS
