"""The panel that gets models: what it says before, as it goes, and after.

And that it is for one's own machine alone.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.hub.download import HubClient
from hallascope.components.models import quotes
from hallascope.data.models.packs import Pack
from hallascope.data.models.specs import read_models
from hallascope.engine.models.custom import CustomModels
from hallascope.engine.models.downloads import ModelDownloader
from hallascope.engine.models.registry import ModelRegistry
from hallascope.pages.explore import model_downloads
from tests.support.hub_server import FakeHub, Repository, hub

ROOT = Path(__file__).parents[3]
WEIGHTS = b"0123456789" * 100


def test_everything_in_a_row_is_escaped() -> None:
    names = [field.name for field in fields(quotes.DownloadRow)]
    said = quotes.offers([quotes.DownloadRow(**dict.fromkeys(names, "<x>"))], "<y>")
    assert "<x>" not in said
    assert "<y>" not in said


# --- connected ------------------------------------------------------------------------------------


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with hub() as found:
        yield found


@pytest.fixture
def panel(
    services: Any, fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path / "home"))
    fake.models["facebook/sam-vit-base"] = Repository(
        {"config.json": b'{"model_type": "sam"}', "model.safetensors": WEIGHTS}
    )
    fake.models["maker/sees"] = Repository(
        {"config.json": json.dumps({"model_type": "owlv2"}).encode(), "model.safetensors": WEIGHTS}
    )
    with closing(HubClient(fake.address, tmp_path / "cache")) as found:
        services.downloads = ModelDownloader(
            services.registry,
            {"one": Pack("one", "One", "Just one.", 8, ("sam-vit-base",))},
            lambda: found,
        )
        services.custom_models = CustomModels(services.registry, lambda: found)
        yield services


def test_pressing_fetches_the_pack_and_counts_the_change_so_that_pickers_look_again(
    panel: Any,
) -> None:
    shown = list(model_downloads.fetch_models(panel, ["one"], threading.Event(), 4))
    assert "Asking the Hub" in shown[0][0]
    assert "1 models are there: sam-vit-base." in shown[-1][0]
    assert shown[-1][2] == 5


def test_what_cannot_be_had_is_a_sentence(panel: Any) -> None:
    line, _, _ = list(model_downloads.fetch_models(panel, ["nobody"], threading.Event(), 0))[-1]
    assert "There is no model &#39;nobody&#39;" in line
    said, button = model_downloads.outline_choice(panel, [], "nobody")
    assert "There is no model &#39;nobody&#39;" in said
    assert not button.interactive


def test_choosing_says_what_it_takes_without_a_word_to_the_hub(panel: Any, fake: FakeHub) -> None:
    said, button = model_downloads.outline_choice(panel, ["one"], " , primer/exact")
    assert "sam-vit-base" in said
    assert "primer/exact" in said
    assert button.interactive
    assert model_downloads.outline_choice(panel, None, None)[0].count(model_downloads.NOTHING) == 1
    assert fake.asked == []


def test_a_model_of_the_hub_is_looked_at_added_and_can_then_be_chosen(panel: Any) -> None:
    said, candidate, *_ = model_downloads.look_up_model(panel, "maker/sees")
    assert "detector" in said
    assert candidate.spec.id == "sees"
    said, count, name, *_ = model_downloads.add_candidate(panel, False, candidate, 0)
    assert (count, name) == (1, "sees")
    assert "sees is among the models now" in said
    assert "sees" in {model.spec.id for model in panel.models("detector")}
    assert model_downloads.look_up_model(panel, "")[1] is None
    assert "There is a model" in model_downloads.add_candidate(panel, False, candidate, 0)[0]


@pytest.mark.parametrize("space", [False, True])
def test_on_a_public_space_nothing_of_it_is_there(space: bool, tmp_path: Path) -> None:
    code = (
        "import app; from pathlib import Path; from tests.conftest import build;"
        f"demo = app.create_app(build(Path({str(tmp_path)!r})));"
        "print(*[block.elem_id for block in demo.blocks.values()])"
    )
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("SPACE_ID", "HALLASCOPE_PUBLIC")
    }
    environment |= {"SPACE_ID": "someone/space"} if space else {}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    there = {"getting", "get-models", "look-model", "keep-model"} & set(done.stdout.split())
    assert bool(there) is not space


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
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("SPACE_ID", "OAUTH_CLIENT_ID")
    }
    environment |= {"HF_TOKEN": "of-the-house", "SPACE_ID": "someone/space"} | (
        {"OAUTH_CLIENT_ID": "x"} if login else {}
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    own, public, *_ = done.stdout.split("\n")
    assert public == "['evaluate', 'evidence', 'leaderboard', 'models']", (
        "Gradio's check of a login is none for other programs"
    )
    held = "{} {'HF_TOKEN': 'theirs'}"
    assert own == (
        f"['LoginButton'] None mine {held}" if login else f"['Textbox'] of-the-house mine {held}"
    )


def test_the_registry_takes_each_name_once() -> None:
    registry = ModelRegistry(read_models())
    with pytest.raises(Exception, match="There is a model 'sd-turbo' already"):
        registry.add(read_models()["sd-turbo"])
