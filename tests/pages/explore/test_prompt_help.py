"""An unknown prompt gets near prompts; one in other words is drawn as what it names."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import read_models
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.explore.prompt_help import browse, draw_thumbnail, help_for
from hallascope.primer.concepts import concepts

EXACT = ("primer/exact",)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    store = Store(folder=tmp_path / "home")
    yield Services(store, read_models())
    store.close()


def test_an_unknown_prompt_gets_near_prompts_with_images_and_every_way_on(services: Any) -> None:
    html = help_for(services, EvaluateRequest(prompt="seven penguins", models=EXACT))
    assert 'data-prompt="four gentoo penguins"' in html
    assert html.count("data:image/webp;base64,") >= 2
    for words in ("Browse all 65 concepts", "Use your own API key", "Upload an image"):
        assert words in html
    assert "Log in with Hugging Face" not in html, "only where the Space offers it"


def test_where_a_space_has_a_login_it_is_offered(
    services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hallascope.pages.explore.prompt_help.logs_in", lambda: True)
    html = help_for(services, EvaluateRequest(prompt="a unicorn", models=EXACT))
    assert "Log in with Hugging Face" in html


def test_where_nothing_is_near_examples_are_offered_and_called_so(services: Any) -> None:
    html = help_for(services, EvaluateRequest(prompt="メタンの分子", models=EXACT))
    assert "For example:" in html
    assert 'data-prompt="a gentoo penguin"' in html


@pytest.mark.parametrize("prompt", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'])
def test_a_prompt_never_becomes_markup(services: Any, prompt: str) -> None:
    html = help_for(services, EvaluateRequest(prompt=prompt, models=EXACT))
    assert "alert" not in html


@pytest.mark.parametrize(
    ("prompt", "models"), [("a gentoo penguin", EXACT), ("a unicorn", ()), ("a unicorn", ("no",))]
)
def test_no_help_is_shown_where_the_prompt_is_drawn_or_no_built_in_model_draws(
    services: Any, prompt: str, models: tuple[str, ...]
) -> None:
    assert help_for(services, EvaluateRequest(prompt=prompt, models=models)) == ""


def test_all_concepts_can_be_browsed() -> None:
    shown = browse({})["concepts"]
    assert [concept["name"] for concept in shown] == [concept.name for concept in concepts()]


def test_a_thumbnail_is_a_small_webp() -> None:
    image = draw_thumbnail("four gentoo penguins")
    assert image[8:12] == b"WEBP"
    assert len(image) < 12_000
