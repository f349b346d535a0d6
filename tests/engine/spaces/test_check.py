"""What is wrong with the Spaces that are declared is a sentence each."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.main import main
from hallascope.data.models.specs import read_models
from hallascope.data.spaces import FILE, read_spaces
from hallascope.engine.spaces.check import check
from tests.support.declared_space import SPACE

METRICS = ("ihalla", "fig")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "-name"}, "has no name that the Hub takes"),
        ({"emoji": "magnifier"}, "give one sign"),
        ({"short_description": "x" * 61}, "61 characters"),
        ({"sdk": "streamlit"}, "choose of gradio, static"),
        ({"color_to": "mauve"}, "choose of red"),
        ({"hardware": "cpu"}, "choose of cpu-basic"),
        ({"python_version": "py3"}, "write it as 3.11"),
        ({"hf_oauth_scopes": ("inference-api",)}, "no login"),
        ({"hf_oauth": True, "hf_oauth_scopes": ("all",)}, "asks for the scope 'all'"),
        ({"sdk": "static"}, "runs nothing"),
        ({"models": ("primer/exakt",)}, "did you mean 'primer/exact'"),
        ({"metrics": ("fog",)}, "did you mean 'fig'"),
        ({"models": ("flux-dev",)}, "no GPU"),
        ({"models": ("openai/gpt-4o",)}, "put OPENAI_API_KEY under secrets"),
        ({"variables": {"OPENAI_API_KEY": "x"}}, "looks like a secret"),
        ({"variables": {"NAME": "hf_" + "a" * 34}}, "looks like a secret"),
        ({"variables": {"name": "x"}}, "use capitals"),
        ({"variables": {"NAME": "x"}, "secrets": ("NAME",)}, "keep the secret alone"),
        (
            {"variables": {"HALLASCOPE_PICTURES_A_DAY": "many"}},
            "give a whole number from 1, or 'none'",
        ),
        ({"variables": {"HALLASCOPE_BUDGET_RUN": "some"}}, "give an amount in USD"),
        (
            {"variables": {"HALLASCOPE_PRELOAD": "primer/exact, primer/hasty"}},
            "to load 'primer/hasty' when it starts",
        ),
        (
            {"variables": {"HALLASCOPE_PICTURES_A_DAYS": "5"}},
            "did you mean 'HALLASCOPE_PICTURES_A_DAY'?",
        ),
    ],
)
def test_what_is_wrong_with_a_space_is_one_sentence(wrong: Any, words: str) -> None:
    (said,) = check([replace(SPACE, **wrong)], read_models(), METRICS)
    assert words in said
    assert said.endswith((".", "?"))
    assert "hf_aaa" not in said


def test_two_spaces_of_one_name_are_said() -> None:
    assert check([SPACE, SPACE], read_models(), METRICS) == [
        "There are two Spaces 'name': give one of them another name."
    ]
    assert check([SPACE], read_models(), METRICS) == []


def test_check_is_green_on_what_is_declared(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["spaces", "check"])
    assert capsys.readouterr().out.count("can be deployed") == len(read_spaces())


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("spaces:\n", "spaces: [\n", "This is no YAML"),
        ("title: HallaScope\n", "titel: HallaScope\n", "did you mean 'title'?"),
        ("sdk: gradio", "sdk: streamlit", "choose of gradio, static."),
        ("emoji: 🔎", "emoji: magnifier", "give one sign that is an emoji."),
        ("description: See", f"description: {'x' * 60} See", "the Hub takes 60: shorten it."),
        ("hardware: cpu-basic", "hardware: cpu", "choose of cpu-basic,"),
        ("hf_oauth: true", "hf_oauth: false", "has hf_oauth_scopes but no login"),
        ("primer/exact", "primer/exakt", "did you mean 'primer/exact'?"),
        ("[ihalla,", "[ihala,", "did you mean 'ihalla'?"),
        ('"48"', "48", "in quotes where it is a number."),
        ('"480"', '"many"', "give a whole number from 1, or 'none'."),
        ("HALLASCOPE_PRELOAD:", "HF_TOKEN:", "looks like a secret: variables are public"),
        ("name: hallascope-live", "name: hallascope", "There are two Spaces 'hallascope'"),
        ("sdk: static", "sdk: static\n    secrets: [HF_TOKEN]", "is static and runs nothing"),
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
        main(["spaces", "check", str(broken)])
    (said,) = capsys.readouterr().out.splitlines()
    assert words in said
    assert said.endswith((".", "?"))
