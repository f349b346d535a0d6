"""`hallascope asks` prints what prompts ask for, and keeps what people correct."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.files.readings.prompt_readings import parse_prompt_readings
from hallascope.data.prompt_reading import Count

CORRECTED = "- {prompt: a red cat, objects: {dog: {attributes: [blue]}}}\n"


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


def test_words_that_no_rule_reads_are_told_in_a_comment(command: Any) -> None:
    result = command("asks", "a cat on a mat notwithstanding")
    assert result.out.startswith("# No rule reads “notwithstanding” in the prompt (confidence")
    assert len(parse_prompt_readings(result.out)) == 1


def test_a_program_gets_the_places_in_the_prompt(command: Any) -> None:
    (reading,) = command("asks", "two cats", "--json").json
    (cat,) = reading["objects"]
    assert (cat["name"], cat["spans"]) == ("cat", [[4, 8]])


def test_what_cannot_be_read_is_a_sentence_and_a_failure(command: Any) -> None:
    result = command("asks", "ein roter Kreis links von einem blauen Quadrat")
    assert result.code == 1
    assert "The prompt does not read as English" in result.out


@pytest.mark.parametrize("prompt", ["two or three dogs", "a million ants", "about two dozen eggs"])
def test_every_count_that_is_read_can_be_printed_and_read_again(command: Any, prompt: str) -> None:
    result = command("asks", prompt)
    assert result.code == 0
    (reading,) = parse_prompt_readings(result.out)
    assert reading.objects[0].count is not None


def test_a_correction_is_kept_and_printed_from_then_on(command: Any, file: Path) -> None:
    result = command("asks", "--save", file, "--author", " Ann  B ")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("# corrected by Ann B\n- prompt: a red cat\n")
    result = command("asks", " a  red cat", "two cats")
    assert result.out.count("# corrected by Ann B\n") == 1
    first, second = parse_prompt_readings(result.out)
    assert [asked.name for asked in first.objects] == ["dog"]
    assert first.author == "Ann B"
    assert [asked.name for asked in second.objects] == ["cat"]
    (document,) = command("asks", "a red cat", "--json").json
    assert (document["source"], document["author"]) == ("person", "Ann B")


def test_what_is_printed_can_be_kept_again_under_its_author(command: Any, file: Path) -> None:
    printed = command("asks", "--save", file, "--author", "Ann").out
    file.write_text(printed, encoding="utf-8")
    assert command("asks", "--save", file).out == printed


def test_a_correction_can_be_taken_back_by_its_author_alone(command: Any, file: Path) -> None:
    command("asks", "--save", file, "--author", "Ann")
    assert "dog" in command("asks", "a red cat", "--forget", "--author", "Bo").out
    assert "dog" not in command("asks", "a red cat", "--forget", "--author", "Ann").out
    result = command("asks", "a red cat", "--forget")
    assert (result.code, result.out) == (2, "")
    assert (
        result.err == "No author is named whose correction is to be removed: give --author NAME.\n"
    )


def test_what_cannot_be_kept_is_one_sentence_and_nothing_is_lost(
    command: Any, file: Path, tmp_path: Path
) -> None:
    command("asks", "--save", file, "--author", "Ann")
    bad = tmp_path / "bad.yaml"
    bad.write_text(f"{CORRECTED}- {{prompt: b, objects: {{cat: {{count: three to}}}}}}\n", "utf-8")
    result = command("asks", "--save", bad, "--author", "Ann")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "bad.yaml, line 2: In “b”: 'count' of 'cat'" in result.err
    unsigned = command("asks", "--save", file)
    assert unsigned.err.startswith("No author is named who says what 'a red cat' in ")
    assert command("asks").err.startswith("No prompt is given")
    assert command("asks", "a red cat").out.startswith("# corrected by Ann\n")


def test_a_parser_reads_instead_and_comments_say_what_the_rules_read_otherwise(
    command: Any,
) -> None:
    result = command("asks", "two dogs", "--parser", "scripted/parser")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("# The rules read two dogs, the model reads three dogs.\n- ")
    (reading,) = parse_prompt_readings(result.out)
    assert reading.objects[0].count == Count.exactly(3)
    (document,) = command("asks", "two dogs", "--parser", "scripted/parser", "--json").json
    assert (document["source"], len(document["notes"])) == ("model", 1)


def test_a_parser_reads_other_languages_and_its_translation_is_shown(command: Any) -> None:
    german = "ein roter Kreis links von einem blauen Quadrat"
    result = command("asks", german, "--parser", "scripted/parser")
    assert result.code == 0
    assert result.out.startswith("# in English: a red circle left of a blue square\n")
    (reading,) = parse_prompt_readings(result.out)
    assert [asked.name for asked in reading.objects] == ["circle", "square"]


def test_a_parser_that_fails_leaves_the_prompt_to_the_rules(command: Any) -> None:
    result = command("asks", "a red cat", "--parser", "scripted/parser")
    assert result.code == 0
    assert result.out.startswith("# The parser gave no reading, so the rules read the prompt: ")
    assert "cat" in result.out
    result = command("asks", "un gato rojo sobre una mesa", "--parser", "scripted/parser")
    assert result.code == 1
    assert "The parser gave no reading of the prompt, so" in result.out


def test_who_is_no_parser_is_refused(command: Any) -> None:
    result = command("asks", "a cat", "--parser", "scripted/judge")
    assert (result.code, result.out) == (2, "")
    assert "'scripted/judge' is no parser: choose one of" in result.err
    assert "factual-t5-base" in result.err
