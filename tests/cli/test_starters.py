"""One command leads from a key in the environment to a score, and no model is named."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli import main
from hallascope.data.models.services import Retirement, read_services
from tests.support.service import KEY, Service, served

PROMPT = "Albert Einstein holding a sunflower"
KEYS = ("OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "AZURE_OPENAI_API_KEY")


@pytest.fixture
def day() -> str:
    return "2026-11-28"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, day: str) -> Iterator[Service]:
    """A service of OpenAI's kind with the list of a day, whose key is in the environment."""
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path / "home"))
    for name in (*KEYS, "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with served(day=day) as (address, found):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        yield found


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main.main(["evaluate", PROMPT, "--key-from-env", *arguments])
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def images(service: Service) -> int:
    return sum("/images/" in request.path and request.cost > 0 for request in service.requests)


@pytest.mark.parametrize("day", ["2026-11-28", "2027-01-15"])
def test_one_command_draws_asks_and_judges_and_the_account_is_the_bill(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "--json")
    assert code == 0
    document: dict[str, Any] = json.loads(out)
    (evaluation,) = document["evaluations"]
    assert evaluation["model"] == "openai/gpt-image-2.5-flare"
    assert evaluation["judge"] == "openai/gpt-5.4-mini"
    assert [verdict["answer"] for verdict in evaluation["verdicts"]] == ["A"] * 5
    assert {"temperature", "logprobs"} <= set(evaluation["not_applied"])
    assert "~" in evaluation["version"]
    assert images(service) == 1
    assert document["spent"]["unconfirmed"] == 0


def test_a_judge_that_is_named_judges_though_a_service_lists_another(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, "--json", "--judge", "primer/judge")
    (evaluation,) = json.loads(out)["evaluations"]
    assert evaluation["judge"] == "primer/judge"


def test_protocols_of_judging_are_named_and_ranked_apart(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    protocols = {}
    for wording in ("ours", "free"):
        code, out, _ = run(capsys, "--json", "--wording", wording)
        assert code == 0
        (evaluation,) = json.loads(out)["evaluations"]
        protocols[wording] = evaluation["protocol"]
        assert f"~{evaluation['protocol']}" in evaluation["version"]
    assert protocols == {"ours": "schema", "free": "free"}
    with pytest.raises(SystemExit):
        main.main(["leaderboard", "--json"])
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["n"] == 1, "one of the two, not their mean"


@pytest.mark.parametrize("fault", ["wrong_key", "no_credit", "insufficient_quota"])
def test_a_key_that_does_not_work_ends_the_command_before_an_image_is_bought(
    service: Service, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    service.refuse(fault)
    code, _, err = run(capsys)
    assert code == 2
    assert err.count("\n") == 1
    assert images(service) == 0


def test_a_retired_model_says_when_and_what_to_take(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, "--model", "openai/dall-e-3")
    assert code == 2
    assert "2026-05-12" in err
    assert "gpt-image-2.5-flare" in err
    assert images(service) == 0


def test_a_model_with_a_coming_end_is_used_with_a_warning(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    coming = Retirement(("gpt-5.4",), "gpt-6-luna", "2999-01-01")
    facts = read_services()["openai"]
    services = {**read_services(), "openai": replace(facts, retired=(coming,))}
    monkeypatch.setattr("hallascope.data.models.services.read_services", lambda: services)
    code, out, _ = run(capsys, "--judge", "openai/gpt-5.4", "--dry-run")
    assert code == 0
    assert "will be shut down on 2999-01-01; use gpt-6-luna" in out


def test_without_a_key_it_says_how_to_set_one(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    code, _, err = run(capsys)
    assert code == 2
    assert "export OPENAI_API_KEY" in err
