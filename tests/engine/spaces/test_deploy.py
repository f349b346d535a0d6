"""The calls that deploy a Space: they are made as they are printed, and show no secret."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.main import main
from hallascope.data.spaces import Space
from hallascope.engine.errors import BadRequest
from hallascope.engine.spaces.deploy import HubCall, calls, deploy

SPACE = Space(
    name="name",
    title="Title",
    emoji="🔎",
    sdk="gradio",
    short_description="What it is",
    models=("primer/exact",),
    metrics=("ihalla",),
)


class Hub:
    """Writes down what is asked of it."""

    def __init__(self, fails: str = "") -> None:
        self.made: list[tuple[str, dict[str, Any]]] = []
        self._fails = fails

    def __getattr__(self, method: str) -> Any:
        def make(**given: Any) -> None:
            if method == self._fails:
                raise OSError(f"no: {given}")
            self.made.append((method, given))

        return make


WITH_ALL = replace(SPACE, variables={"NAME": "x"}, secrets=("SERVICE_KEY",))


def test_the_calls_that_are_printed_are_the_calls_that_are_made() -> None:
    hub, wanted = Hub(), calls(WITH_ALL, "me", Path("folder"))
    deploy(wanted, hub, {"SERVICE_KEY": "not-to-be-shown"})
    assert [method for method, _ in hub.made] == [call.method for call in wanted]
    assert hub.made[0][1]["private"] is True
    assert hub.made[2][1] == {
        "repo_id": "me/name",
        "key": "SERVICE_KEY",
        "value": "not-to-be-shown",
    }
    assert (
        str(wanted[2])
        == "add_space_secret(repo_id='me/name', key='SERVICE_KEY', value=<SERVICE_KEY>)"
    )


def test_nothing_is_sent_where_a_secret_is_missing() -> None:
    hub = Hub()
    with pytest.raises(BadRequest, match="SERVICE_KEY is not in the environment"):
        deploy(calls(WITH_ALL, "me", Path("folder")), hub, {})
    assert hub.made == []


def test_a_call_that_fails_is_said_without_the_secret() -> None:
    with pytest.raises(BadRequest, match="add_space_secret of me/name failed") as said:
        deploy(
            calls(WITH_ALL, "me", Path("folder")),
            Hub("add_space_secret"),
            {"SERVICE_KEY": "not-to-be-shown"},
        )
    assert "not-to-be" not in str(said.value)


def test_a_dry_run_prints_every_call_and_makes_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "hallascope.cli.commands.spaces.hub", lambda: pytest.fail("the Hub was asked")
    )
    with pytest.raises(SystemExit, match="0"):
        main(["spaces", "deploy", "hallascope", "--owner", "me", "--dry-run"])
    methods = [line.partition("(")[0] for line in capsys.readouterr().out.splitlines()]
    assert methods == [
        "create_repo",
        *["add_space_variable"] * 3,
        "upload_folder",
        "request_space_hardware",
    ]


def test_a_space_that_is_not_declared_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["spaces", "deploy", "hallascop", "--owner", "me", "--dry-run"])
    assert capsys.readouterr().err.startswith(
        "There is no Space 'hallascop': choose of hallascope,"
    )
    assert str(HubCall("create_repo", {"repo_id": "a/b"})) == "create_repo(repo_id='a/b')"
