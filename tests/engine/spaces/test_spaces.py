"""A Space is given all its files and no others; what is wrong with it is a sentence, and its
deployment shows no secret.
"""

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.main import main
from hallascope.data.models.specs import read_models
from hallascope.data.spaces import FILE, Space, read_spaces
from hallascope.engine.errors import BadRequest
from hallascope.engine.spaces.build import PACKAGE, ROOT, build, requirements
from hallascope.engine.spaces.check import check
from hallascope.engine.spaces.deploy import calls, deploy

SPACE = Space(
    name="name",
    title="Title",
    emoji="🔎",
    sdk="gradio",
    short_description="What it is",
    models=("primer/exact",),
    metrics=("ihalla",),
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("space") / "out"
    build(SPACE, out)
    return out


def test_the_files_of_a_space_are_all_of_the_app_without_what_trains_and_tests(built: Path) -> None:
    rooms = [room.name for room in PACKAGE.iterdir() if room.is_symlink()]
    listed = subprocess.run(
        ["git", "ls-files", "-z", *rooms], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    kept = {f"hallascope/{name}" for name in listed if (ROOT / name).is_file()}
    found = {str(file.relative_to(built)) for file in built.rglob("*") if file.is_file()}
    assert {
        *kept,
        "app.py",
        "README.md",
        "requirements.txt",
        "LICENSE",
        "spaces.yaml",
    } - found == set()
    assert not [
        name
        for name in found
        if "__pycache__" in name or name.startswith(("tests", "training", "bench"))
    ]
    assert (built / "README.md").read_text().startswith("---\ntitle: Title\n")


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadRequest, match="--force"):
        build(SPACE, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_requirements_hold_our_versions_and_leave_what_the_space_brings() -> None:
    lines = requirements(SPACE).splitlines()
    assert {line.partition("=")[0] for line in lines if "==" in line} >= {
        "transformers",
        "pyyaml",
        "resvg-py",
    }, "however a name is spelt"
    assert not any(
        line.split("=")[0].split(">")[0] in ("gradio", "huggingface_hub", "pydantic", "spaces")
        for line in lines
    )
    lent = requirements(replace(SPACE, hardware="zero-a10g")).splitlines()
    assert {"torch>=2.8,<2.12", "spaces"} <= set(lent)


METRICS = ("ihalla", "fig")


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"sdk": "static"}, "runs nothing"),
        ({"models": ("flux-dev",)}, "no GPU"),
        ({"models": ("openai/gpt-5.4-mini",)}, "put OPENAI_API_KEY under secrets"),
        ({"variables": {"NAME": "hf_" + "a" * 34}}, "looks like a secret"),
        ({"variables": {"NAME": "x"}, "secrets": ("NAME",)}, "keep the secret alone"),
        (
            {"variables": {"HALLASCOPE_PICTURES_A_DAY": "many"}},
            "give a whole number from 1, or 'none'",
        ),
        ({"variables": {"HALLASCOPE_BUDGET_RUN": "some"}}, "give an amount in USD"),
    ],
)
def test_what_is_wrong_with_a_space_is_one_sentence(wrong: Any, words: str) -> None:
    (said,) = check([replace(SPACE, **wrong)], read_models(), METRICS)
    assert words in said
    assert said.endswith((".", "?"))
    assert "hf_aaa" not in said


def test_check_is_green_on_what_is_declared(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["spaces"])
    assert capsys.readouterr().out.count("can be deployed") == len(read_spaces())


def test_without_a_checkout_the_command_says_that_it_needs_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hallascope.cli.commands.spaces.FILE", tmp_path / "spaces.yaml")
    with pytest.raises(SystemExit, match="2"):
        main(["spaces"])
    assert "in a checkout" in capsys.readouterr().err


@pytest.mark.parametrize(
    "right, wrong, words",
    [
        ("spaces:\n", "spaces: [\n", "This is no YAML"),
        ("title: HallaScope\n", "titel: HallaScope\n", "did you mean 'title'?"),
        ("emoji: 🔎", "emoji: magnifier", "write one sign that is an emoji."),
        ("hardware: cpu-basic", "hardware: cpu", "choose one of cpu-basic"),
        ("[ihalla,", "[ihala,", "did you mean 'ihalla'?"),
        ('"48"', "48", "in quotes where it is a number."),
        ("HALLASCOPE_PRELOAD:", "HF_TOKEN:", "looks like a secret: variables are public"),
        ("name: hallascope-live", "name: hallascope", "There are two Spaces 'hallascope'"),
    ],
)
def test_check_is_red_with_one_sentence_on_a_file_with_one_fault(
    right: str, wrong: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared, broken = FILE.read_text(encoding="utf-8"), tmp_path / "spaces.yaml"
    entries = declared.index("\nspaces:")
    broken.write_text(
        declared[:entries] + declared[entries:].replace(right, wrong, 1), encoding="utf-8"
    )
    with pytest.raises(SystemExit, match="1"):
        main(["spaces", "--file", str(broken)])
    (said,) = capsys.readouterr().out.splitlines()
    assert words in said
    assert said.endswith((".", "?"))


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
        main(["spaces", "hallascope", "--owner", "me", "--dry-run"])
    methods = [line.partition("(")[0] for line in capsys.readouterr().out.splitlines()]
    assert methods == [
        "create_repo",
        *["add_space_variable"] * 3,
        "upload_folder",
        "request_space_hardware",
    ]
