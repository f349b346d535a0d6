"""Tests `hallascope parser-eval`: its figures, its list of mistakes, its bounds and refusals."""

import re
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.files.readings.gold_names import GoldNamePair, gold_name_pairs

GOLD = """
- prompt: a red car
  objects: {car: {attributes: [red]}}
- prompt: two dogs
  objects: {dog: {count: 3}}
- {prompt: ein roter Kreis links von einem blauen Quadrat, language: de}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    part = tmp_path / "development"
    part.mkdir()
    (part / "coco.yaml").write_text(GOLD, encoding="utf-8")
    return tmp_path


def test_the_figures_are_printed_for_programs(command: Any, folder: Path) -> None:
    result = command("parser-eval", "--folder", folder, "--json")
    assert result.code == 0
    right = result.json["right"]["fig"]["all"]
    assert (right["value"], right["part"], right["of"]) == (0.5, 1, 2)
    assert result.json["recognized"]["value"] == 1
    assert result.json["elements"]["count"]["recall"]["value"] == 0
    (wrong,) = result.json["mistakes"]
    assert wrong["prompt"] == "two dogs"
    names = result.json["names"]
    assert names["of"] == len(gold_name_pairs("development"))
    assert len(names["mistakes"]) == names["of"] - names["part"]
    assert names["interval"]["low"] < names["value"] < names["interval"]["high"]


def test_every_prompt_that_is_read_wrong_is_listed(command: Any, folder: Path) -> None:
    result = command("parser-eval", "--folder", folder, "--mistakes")
    assert "prompts read right for FiG" in result.out
    assert "coco: two dogs" in result.out
    assert "count missing: 3 dog" in result.out
    assert "a red car" not in result.out
    assert "names judged as a person would" in result.out


def test_a_share_below_its_bound_fails(command: Any, folder: Path) -> None:
    arguments = ("parser-eval", "--folder", folder, "--at-least")
    assert command(*arguments, "fig=0.5").code == 0
    assert command(*arguments, "fig=0.6").code == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--part", "dev"), "There is no part 'dev': choose development or test."),
        (("--at-least", "fig"), "'fig' is no bound"),
        (("--at-least", "tifa=0.5"), "'tifa=0.5' is no bound"),
        (("--part", "test"), "There are no gold readings"),
        (("--estimate",), "The rules cost nothing: name a model with --parser."),
    ],
)
def test_a_wrong_request_is_one_sentence(
    command: Any, folder: Path, arguments: tuple[str, ...], words: str
) -> None:
    result = command("parser-eval", "--folder", folder, *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert words in result.err


def test_names_judged_otherwise_than_by_a_person_are_listed(
    command: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = GoldNamePair(expected="sofa", observed="couch", same=False)
    monkeypatch.setattr(
        "hallascope.cli.commands.trials.parser_eval.gold_name_pairs", lambda part: [pair]
    )
    result = command("parser-eval", "--folder", folder, "--mistakes")
    assert "name judged wrong: couch is not sofa" in result.out


PARSER = ("--parser", "scripted/parser")


def test_a_model_is_measured_in_place_of_the_rules(command: Any, folder: Path) -> None:
    result = command("parser-eval", "--folder", folder, *PARSER, "--json")
    assert re.fullmatch(r"scripted/parser: 3 calls, about [0-9.]+ USD\n", result.err)
    right = result.json["right"]["fig"]["all"]
    assert (right["part"], right["of"]) == (1, 3)
    assert result.json["withheld"] == ["a red car"]
    wrong = {mistake["prompt"] for mistake in result.json["mistakes"]}
    assert wrong == {"a red car", "ein roter Kreis links von einem blauen Quadrat"}


def test_what_a_model_read_is_not_asked_again(command: Any, folder: Path) -> None:
    arguments = ("parser-eval", "--folder", folder, *PARSER)
    estimate = command(*arguments, "--estimate", "--json").json
    assert [line["calls"] for line in estimate["models"]] == [3]
    command(*arguments)
    # the reply that could not be read is not kept
    estimate = command(*arguments, "--estimate", "--json").json
    assert [line["calls"] for line in estimate["models"]] == [1]


def test_the_readings_of_another_person_are_measured(command: Any, folder: Path) -> None:
    other = folder / "other.yaml"
    other.write_text(
        """
- prompt: a red car
  objects: {car: {attributes: [red, "?shiny"]}, road: {optional: true}}
- prompt: a prompt without a gold reading
""",
        encoding="utf-8",
    )
    result = command("parser-eval", "--folder", folder, "--readings", other, "--json")
    assert result.code == 0
    right = result.json["right"]["fig"]["all"]
    assert (right["part"], right["of"]) == (1, 1)


def test_readings_of_other_prompts_are_refused(command: Any, folder: Path) -> None:
    other = folder / "other.yaml"
    other.write_text("- prompt: a prompt without a gold reading", encoding="utf-8")
    result = command("parser-eval", "--folder", folder, "--readings", other)
    assert result.code == 2
    assert "has a gold reading in this part" in result.err
