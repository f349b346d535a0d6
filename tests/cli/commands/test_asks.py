"""`hallascope asks` prints what prompts ask for, and keeps what people correct."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.prompt_reading import Count
from tests.cli.conftest import assert_refused
from tests.support.readings import parse_prompt_readings

CORRECTED = "- {prompt: a red cat, objects: {dog: {attributes: [blue]}}}\n"
PARSER = ("--parser", "scripted/parser")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "asks.yaml"
    path.write_text(CORRECTED, encoding="utf-8")
    return path


def test_a_reading_is_printed_in_the_form_of_a_file(command: Any) -> None:
    result = command("asks", "two red cats on a mat", "a dog without a collar")
    assert result.code == 0
    first, second = parse_prompt_readings(result.out)
    assert [asked.name for asked in first.objects] == ["cat", "mat"]
    assert [relation.words for relation in first.relations] == ["on"]
    assert [asked.absent for asked in second.objects] == [False, True]
    assert "#" not in result.out
    for prompt in ("two or three dogs", "a million ants", "about two dozen eggs"):
        (reading,) = parse_prompt_readings(command("asks", prompt).out)
        assert reading.objects[0].count is not None
    (reading,) = command("asks", "two cats", "--json").json
    assert (reading["objects"][0]["name"], reading["objects"][0]["spans"]) == ("cat", [[4, 8]])


def test_what_no_rule_reads_is_a_comment_and_another_language_a_failure(command: Any) -> None:
    prompt = "a cat on a mat, because whoever ponders and never mind which of its kind"
    result = command("asks", prompt)
    assert result.out.startswith("# The prompt may be read wrong")
    assert "“mind”" in result.out
    assert len(parse_prompt_readings(result.out)) == 1
    foreign = command("asks", "ein roter Kreis links von einem blauen Quadrat")
    assert (foreign.code, "not read as English" in foreign.out) == (1, True)


def test_a_correction_is_kept_printed_and_removed_by_its_author_alone(
    command: Any, file: Path
) -> None:
    result = command("asks", "--save", file, "--author", " Ann  B ")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("# corrected by Ann B\n- prompt: a red cat\n")
    file.write_text(result.out, encoding="utf-8")
    assert command("asks", "--save", file).out == result.out, "under its author"
    first, second = parse_prompt_readings(command("asks", " a  red cat", "two cats").out)
    assert [asked.name for asked in first.objects] == ["dog"]
    assert first.author == "Ann B"
    assert [asked.name for asked in second.objects] == ["cat"]
    (document,) = command("asks", "a red cat", "--json").json
    assert (document["source"], document["author"]) == ("person", "Ann B")
    assert "dog" in command("asks", "a red cat", "--forget", "--author", "Bo").out
    assert "dog" not in command("asks", "a red cat", "--forget", "--author", "Ann B").out


def test_what_cannot_be_kept_is_one_sentence_and_nothing_is_lost(
    command: Any, file: Path, tmp_path: Path
) -> None:
    command("asks", "--save", file, "--author", "Ann")
    bad = tmp_path / "bad.yaml"
    bad.write_text(f"{CORRECTED}- {{prompt: b, objects: {{cat: {{count: three to}}}}}}\n", "utf-8")
    assert_refused(
        command,
        (("asks", "--save", bad, "--author", "Ann"), "bad.yaml, line 2: In “b”: 'count' of 'cat'"),
        (("asks", "--save", file), "No author is named who says what 'a red cat' in "),
    )
    assert command("asks", "a red cat").out.startswith("# corrected by Ann\n")


def test_a_parser_reads_instead_and_comments_say_what_the_rules_read_otherwise(
    command: Any,
) -> None:
    result = command("asks", "two dogs", *PARSER)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("# The rules read two dogs, the model reads three dogs.\n- ")
    (reading,) = parse_prompt_readings(result.out)
    assert reading.objects[0].count == Count.exactly(3)
    (document,) = command("asks", "two dogs", *PARSER, "--json").json
    assert (document["source"], len(document["notes"])) == ("model", 1)
    foreign = command("asks", "ein roter Kreis links von einem blauen Quadrat", *PARSER)
    assert foreign.out.startswith("# in English: a red circle left of a blue square\n")
    (reading,) = parse_prompt_readings(foreign.out)
    assert [asked.name for asked in reading.objects] == ["circle", "square"]
