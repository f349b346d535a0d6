"""On Explore a metric that cannot run is marked with its reason.

Asked for by a link, it is told of in one sentence.
"""

import threading
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import Unavailable
from hallascope.backends.scripted import Scripted
from hallascope.components.cards.cards import tile_card
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.explore import metric_choice, run
from hallascope.pages.explore.run import NO_WRITER, ExploreSettings
from hallascope.pages.shared import run_pictures
from tests.conftest import says

PROMPT = "a molecule of methane"
MODELS = ("primer/exact",)


def shown(services: Any, *metrics: str) -> list[run.ExploreView]:
    asked = EvaluateRequest(prompt=PROMPT, models=MODELS, metrics=metrics)
    return list(run.frames(services, asked, threading.Event(), clock=lambda: 0.0))


def test_a_metric_that_cannot_run_is_marked_with_its_reason_and_cannot_be_chosen(
    services: Any,
) -> None:
    body, chosen = metric_choice.row(services, ApiKeys(), ["ihalla", "dino", "llmscore"])
    assert chosen == ["ihalla"]
    assert 'value="dino" disabled' in body
    assert 'value="llmscore" disabled' in body
    assert "it needs a writer, and none is available" in body
    assert "dinov2-base is needed, and it is not downloaded" in body
    assert "4 more need a key, a download or a GPU" in body
    assert 'value="clipscore">' in body


def test_a_typed_key_makes_the_metrics_choosable_that_its_models_can_serve(services: Any) -> None:
    body, _ = metric_choice.row(services, ApiKeys({"OPENAI_API_KEY": "sk-typed"}), [])
    assert 'value="llmscore">' in body
    assert "sk-typed" not in body


def test_a_metric_of_a_link_that_cannot_run_is_told_of_in_one_sentence_and_the_others_run(
    services: Any,
) -> None:
    *_, last = shown(services, "ihalla", "dino")
    assert (
        "DINO was not run, because DINOv2 base cannot run here: it is not downloaded" in last.status
    )
    assert "`" not in last.status, "no advice for a terminal"
    assert 'class="score-chip none"' in last.cards
    assert "DINO not run: DINO was not run, because" in last.cards
    assert "I-HallA 0.80" in last.cards


def test_a_metric_whose_model_fails_as_it_starts_is_told_of_and_the_others_run(
    tmp_path: Path,
) -> None:
    def fail_to_start(_: Any) -> Any:
        raise Unavailable("Primer embedder cannot run here: its weights are damaged; get it again.")

    embedder = ModelSpec(
        id="primer/embedder", title="Primer embedder", roles=("embedder",), backend="scripted"
    )
    judge = ModelSpec(id="primer/judge", title="Judge", roles=("judge",), backend="scripted")
    services = Services(
        Store(folder=tmp_path),
        read_models(),
        {embedder.id: Scripted(embedder, fail_to_start), judge.id: Scripted(judge, says)},
    )
    *_, last = shown(services, "ihalla", "clipscore")
    services.store.close()
    assert "I-HallA 0.80" in last.cards
    assert "CLIPScore" in last.cards
    assert "its weights are damaged" in last.status
    assert "Most errors: exact" in last.status, "what the other metric says is told"


def test_what_to_do_about_metrics_that_cannot_run_stands_below_them(
    services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, _ = metric_choice.row(services, ApiKeys(), [])
    assert metric_choice.WHAT_TO_DO in body
    monkeypatch.setattr(metric_choice, "public", lambda: True)
    body, _ = metric_choice.row(services, ApiKeys(), [])
    assert metric_choice.WHAT_TO_DO_PUBLIC in body


def test_where_no_metric_can_run_the_page_says_why_without_advice_for_a_terminal(
    services: Any,
) -> None:
    with pytest.raises(HallaScopeError) as told:
        shown(services, "llmscore")
    assert str(told.value) == "LLMScore was not run, because it needs a writer, and none is chosen."


def test_the_answers_stand_on_the_card_where_the_metric_before_them_was_not_run(
    services: Any,
) -> None:
    *_, last = shown(services, "dino", "clipscore", "ihalla")
    view = services.view(last.current.run)
    assert run_pictures.primary(view) == "ihalla"
    assert "DINO not run" in tile_card(run_pictures.tiles(view)[0])


def test_a_link_chooses_only_metrics_that_can_run_here(services: Any) -> None:
    *_, last = shown(services, "ihalla", "dino")
    assert last.current.run is not None
    settings, _ = run.open_run(services, last.current.run)
    assert settings.metrics == ["ihalla"]


@pytest.mark.parametrize(
    ("metrics", "offered"),
    [
        (["ihalla"], True),
        (["fig"], False),
        (["tifa"], True),
        (["llmscore", "ihalla"], True),
        ([], False),
        (None, False),
    ],
)
def test_a_writer_is_offered_and_asked_where_a_metric_takes_one(
    metrics: list[str] | None, offered: bool
) -> None:
    assert metric_choice.takes_writer(metrics) is offered
    if metrics:
        said = ExploreSettings(
            prompt=PROMPT, models=MODELS, metrics=metrics, writer=["openai/gpt-4o"]
        )
        assert run.request(said).writer == ("openai/gpt-4o" if offered else None)
        assert run.request(said._replace(writer=[NO_WRITER])).writer is None
