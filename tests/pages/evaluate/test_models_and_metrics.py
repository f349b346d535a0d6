"""Metrics and models that cannot run are marked with the reason, and models are fetched here."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import Unavailable
from hallascope.backends.hub.download import HubClient
from hallascope.data.models.packs import Pack
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Failure
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.models.custom import CustomModels
from hallascope.engine.models.downloads import STOPPED, ModelDownloader
from hallascope.engine.models.quotes import (
    DownloadOffer,
    DownloadProgress,
    DownloadQuote,
    ModelDownloaded,
    ModelDownloadFailed,
)
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.evaluate import download_text, metric_choice, model_downloads, run
from hallascope.pages.evaluate.download_text import DownloadStatus
from hallascope.pages.evaluate.run import EvaluateSettings
from hallascope.pages.shared.evidence.metric_models import NO_MODEL
from tests.conftest import says
from tests.support.hub_server import FakeHub, Repository, hub
from tests.support.scripted import Scripted
from tests.support.started_runs import started

# --- metrics ---


PROMPT = "a molecule of methane"
MODELS = ("primer/exact",)


def shown(services: Any, *metrics: str) -> list[run.EvaluateView]:
    asked = EvaluateRequest(prompt=PROMPT, models=MODELS, metrics=metrics)
    return list(run.frames(services, asked, threading.Event(), clock=lambda: 0.0))


def test_a_metric_that_cannot_run_is_marked_with_its_reason_and_cannot_be_chosen(
    services: Any,
) -> None:
    picked = ["ihalla", "dino", "llmscore"]
    choices, chosen, others = metric_choice.offer(services, ApiKeys(), picked)
    assert chosen == ["ihalla"]
    offered = dict(choices)
    assert offered["CLIPScore"] == "clipscore"
    assert not {"dino", "llmscore"} & set(offered.values())
    assert "it needs a writer, and none is available" in others
    assert "dinov2-base is needed, and it is not downloaded" in others
    assert "4 more need a key, a download or a GPU" in others


def test_a_typed_key_makes_the_metrics_choosable_that_its_models_can_serve(services: Any) -> None:
    choices, _, others = metric_choice.offer(services, ApiKeys({"OPENAI_API_KEY": "sk-typed"}), [])
    assert "llmscore" in dict(choices).values()
    assert "sk-typed" not in others


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


def test_where_no_metric_can_run_the_page_says_why_without_advice_for_a_terminal(
    services: Any,
) -> None:
    with pytest.raises(HallaScopeError) as told:
        shown(services, "llmscore")
    assert str(told.value) == "LLMScore was not run, because it needs a writer, and none is chosen."


def test_a_link_chooses_the_metrics_that_can_run_here_with_the_typed_keys(services: Any) -> None:
    *_, last = shown(services, "ihalla", "dino", "llmscore")
    assert last.current.run is not None
    settings, _ = run.open_run(services, last.current.run)

    def chosen(**keys: str) -> list[str]:
        return metric_choice.offer(services, ApiKeys(keys), settings.metrics or ())[1]

    assert chosen() == ["ihalla"]
    assert chosen(OPENAI_API_KEY="sk-typed") == ["ihalla", "llmscore"]


def test_a_writer_is_asked_where_a_metric_takes_one() -> None:
    taking = {"ihalla": True, "fig": True, "tifa": True, "llmscore": True, "clipscore": False}
    for metric, takes in taking.items():
        said = EvaluateSettings(
            prompt=PROMPT, models=MODELS, metrics=[metric], writer="openai/gpt-5.4-mini"
        )
        assert run.request(said).writer == ("openai/gpt-5.4-mini" if takes else None)
        assert run.request(said._replace(writer=NO_MODEL)).writer is None


# --- what a download takes ---


def _quote(*offered: DownloadOffer, free: int = 10**12) -> DownloadQuote:
    return DownloadQuote(
        title="Laptop",
        offers=offered,
        folder=Path("/cache"),
        free=free,
        about="One a role.",
        memory_gb=4,
    )


def _offer(name: str, **changes: Any) -> DownloadOffer:
    fields = {"size": 2_600_000_000, "bytes_left": 2_600_000_000, "license": "MIT", **changes}
    return DownloadOffer(spec=read_models()[name], **fields)


def test_a_quote_is_a_table_with_sizes_memory_licenses_and_the_question_of_consent() -> None:
    failure = Failure("unavailable", "The Hub cannot be reached: connect.")
    there = _offer("clip-vit-base", bytes_left=0, downloaded=True)
    said = download_text.quote_table(
        _quote(
            _offer("sd-turbo", license="Stability <AI>"),
            _offer("owlv2-base", size=0, bytes_left=0, failure=failure),
            there,
        )
    )
    for words in (
        "Stability &lt;AI&gt;",
        "2.6 GB",
        "not downloaded",
        "The Hub cannot be reached: connect.",
        "agree to their licenses",
        "memory for one model at a time: up to 4 GB",
    ):
        assert words in said
    nothing = download_text.quote_table(_quote(there))
    assert "All models are downloaded." in nothing
    assert "agree" not in nothing
    full = _quote(_offer("sd-turbo"), free=10**9)
    assert "make room there" in download_text.quote_table(full)


def test_progress_is_told_once_with_the_time_it_may_take_and_what_came_at_the_end() -> None:
    now = [0.0]
    watch = DownloadStatus(lambda: now[0])
    assert "0.00 of 3.00 GB" in (watch.line(DownloadProgress("a", "f", 0, 3 * 10**9)) or "")
    assert watch.line(DownloadProgress("a", "f", 1, 3 * 10**9)) is None
    now[0] = 100.0
    assert "about 3 min left" in (watch.line(DownloadProgress("a", "f", 10**9, 3 * 10**9)) or "")
    watch.line(ModelDownloaded("a"))
    watch.line(ModelDownloadFailed("b", Failure("denied", "'x/b' is <gated>: agree to its terms.")))
    assert "Downloaded: a." in watch.end()
    assert "&lt;gated&gt;" in watch.end()


def test_a_download_that_was_stopped_has_not_failed_and_brings_nothing_that_was_there() -> None:
    watch = DownloadStatus(downloaded={"a"})
    watch.line(ModelDownloaded("a"))
    watch.line(ModelDownloadFailed("b", STOPPED))
    assert "Stopped." in watch.end()
    assert "failed" not in watch.end()
    assert "Downloaded" not in watch.end()


# --- fetching models ---


ROOT = Path(__file__).parents[3]
WEIGHTS = b"0123456789" * 100


# --- connected ------------------------------------------------------------------------------------


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with hub() as found:
        yield found


@pytest.fixture
def panel(services: Any, fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path / "home"))
    fake.models["facebook/sam-vit-base"] = Repository(
        {"config.json": b'{"model_type": "sam"}', "model.safetensors": WEIGHTS}
    )
    fake.models["maker/sees"] = Repository(
        {"config.json": json.dumps({"model_type": "owlv2"}).encode(), "model.safetensors": WEIGHTS}
    )
    found = HubClient(fake.address, tmp_path / "cache")
    services.downloads = ModelDownloader(
        services.registry,
        {"one": Pack("one", "One", "Just one.", 8, ("sam-vit-base",))},
        lambda: found,
    )
    services.custom_models = CustomModels(services.registry, lambda: found)
    return services


def test_pressing_fetches_the_pack_and_counts_the_change_so_that_pickers_look_again(
    panel: Any,
) -> None:
    shown = list(model_downloads.fetch_models(started(panel), ["one"], 4))
    assert "Reading sizes from the Hub" in shown[0][0]
    assert "Downloaded: sam-vit-base." in shown[-1][0]
    assert shown[-1][2] == 5


def test_what_cannot_be_had_is_a_sentence(panel: Any) -> None:
    with pytest.raises(HallaScopeError, match="There is no model 'nobody'"):
        list(model_downloads.fetch_models(started(panel), ["nobody"], 0))
    said, button = model_downloads.outline_choice(panel, ["nobody"])
    assert "There is no model &#39;nobody&#39;" in said
    assert not button.interactive


def test_a_model_of_the_hub_is_looked_at_added_and_can_then_be_chosen(panel: Any) -> None:
    said, candidate, *_ = model_downloads.look_up_model(panel, "maker/sees")
    assert "detector" in said
    assert candidate.spec.id == "sees"
    said, count, name, *_ = model_downloads.add_candidate(panel, False, candidate, 0)
    assert (count, name) == (1, ["sees"])
    assert "sees is among the models now" in said
    assert "sees" in {model.spec.id for model in panel.registry.models("detector")}
    assert model_downloads.look_up_model(panel, "")[1] is None
    assert "There is a model" in model_downloads.add_candidate(panel, False, candidate, 0)[0]


def run_as_space(code: str, **environment: str) -> str:
    """What a program prints in a process of its own, on a Space or not."""
    left_out = ("SPACE_ID", "HALLASCOPE_PUBLIC", "OAUTH_CLIENT_ID")
    others = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=others | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.full
@pytest.mark.parametrize("space", [False, True])
def test_on_a_public_space_nothing_of_it_is_there(space: bool, tmp_path: Path) -> None:
    code = (
        "import app; from pathlib import Path; from tests.conftest import build;"
        f"demo = app.create_app(build(Path({str(tmp_path)!r})));"
        "print(*[block.elem_id for block in demo.blocks.values()])"
    )
    printed = run_as_space(code, **({"SPACE_ID": "someone/space"} if space else {}))
    there = {"getting", "get-models", "look-model", "keep-model"} & set(printed.split())
    assert bool(there) is not space


@pytest.mark.full
@pytest.mark.parametrize("login", [False, True])
def test_on_a_space_with_login_the_token_is_no_field_and_the_spaces_own_is_not_lent(
    login: bool, tmp_path: Path
) -> None:
    code = (
        "import app, gradio.routes; from pathlib import Path; from hallascope.engine.deployment"
        " import hosting; from tests.conftest import build;"
        "from types import SimpleNamespace; from hallascope.pages.shared.key_vault import KeyVault;"
        " from hallascope.pages.shared.spending import login_handler, typed_keys;"
        # it comes with gradio[oauth]
        "gradio.routes.attach_oauth = lambda app: None; hosting.find_spec = lambda name: name;"
        f"demo = app.create_app(build(Path({str(tmp_path)!r})));"
        "print([type(b).__name__ for b in demo.blocks.values() if getattr(b, 'label', '') =="
        " 'HF_TOKEN' or b.elem_id == 'login'],"
        " typed_keys({}).get('HF_TOKEN'),"
        " typed_keys({'HF_TOKEN': 'mine'}).get('HF_TOKEN'), end=' ');"
        "vault, asker = KeyVault(), SimpleNamespace(session_hash='s'); take = login_handler(vault);"
        "take(0, asker, None); print(dict(vault.get('s')), end=' ');"
        "take(0, asker, SimpleNamespace(token='theirs')); print(dict(vault.get('s')));"
        "print(sorted(made.api_name for made in demo.fns.values() if made.api_visibility =="
        " 'public'))"
    )
    environment = {"HF_TOKEN": "of-the-house", "SPACE_ID": "someone/space"}
    printed = run_as_space(code, **environment, **({"OAUTH_CLIENT_ID": "x"} if login else {}))
    own, public, *_ = printed.split("\n")
    assert public == "['evaluate', 'evidence', 'leaderboard', 'models']", (
        "Gradio's check of a login is none for other programs"
    )
    held = "{} {'HF_TOKEN': 'theirs'}"
    assert own == (
        f"['LoginButton'] None mine {held}" if login else f"['Textbox'] of-the-house mine {held}"
    )
