"""`hallascope asks` prints what prompts ask for, for people and for programs."""

from typing import Any

from hallascope.data.files.readings.prompt_readings import parse_prompt_readings


def test_a_reading_is_printed_in_the_form_of_a_file(command: Any) -> None:
    result = command("asks", "two red cats on a mat", "a dog without a collar")
    assert result.code == 0
    first, second = parse_prompt_readings(result.out)
    assert [asked.name for asked in first.objects] == ["cat", "mat"]
    assert [relation.words for relation in first.relations] == ["on"]
    assert [asked.absent for asked in second.objects] == [False, True]


def test_a_program_gets_the_places_in_the_prompt(command: Any) -> None:
    (reading,) = command("asks", "two cats", "--json").json
    (cat,) = reading["objects"]
    assert (cat["name"], cat["spans"]) == ("cat", [[4, 8]])


def test_what_cannot_be_read_is_a_sentence_and_a_failure(command: Any) -> None:
    result = command("asks", "ein roter Kreis links von einem blauen Quadrat")
    assert result.code == 1
    assert "The prompt does not read as English" in result.out
