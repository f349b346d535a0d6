"""Readings of prompts as files: written ones come back, gold ones are read, each fault has its
line.
"""

from pathlib import Path

import pytest

from bench.gold import (
    read_gold_file,
    read_required,
)
from hallascope.data.files.readings.prompt_readings import (
    read_entries,
    write_prompt_readings,
)
from hallascope.data.files.readings.written_counts import read_count, write_count
from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    Count,
)
from hallascope.data.yaml_file import BadYaml, Document
from tests.data.cases import cases
from tests.support.readings import parse_prompt_readings


def test_words_are_found_in_the_prompt() -> None:
    text = "- {prompt: Two red Cats on a mat, objects: {cat: {count: 2, attributes: [red]}}}"
    (reading,) = parse_prompt_readings(text)
    (cat,) = reading.objects
    assert [reading.prompt[slice(*span)] for span in cat.spans] == ["Cats"]
    assert [reading.prompt[slice(*span)] for span in cat.attributes[0].spans] == ["red"]


def test_a_prompt_that_stands_twice_is_named_with_its_line() -> None:
    with pytest.raises(BadYaml, match=r"reading, line 2: The prompt 'a cat' appears twice"):
        parse_prompt_readings("- {prompt: a cat}\n- {prompt: a   cat}")


def test_several_prompts_survive_in_one_file() -> None:
    text = """
- prompt: 2024
  objects: {no: , yes: {count: 2}}
  relations: [[yes, on, no]]
- prompt: "a red cat: 3 of about 12 on the left #1, a sign without 'TAXI'"
  objects:
    cat: {count: about 12, attributes: [red]}
    cat 2: {name: cat, count: 3, one_of: cat}
    sign: {absent: true}
  relations: [[cat, left, picture]]
  texts: [{text: TAXI, on: sign}]
  style: [oil painting]
  author: Ann
"""
    written = parse_prompt_readings(text)
    assert [asked.name for asked in written[0].objects] == ["no", "yes"]
    assert parse_prompt_readings(write_prompt_readings(written)) == written
    assert (written[1].objects[1].one_of, written[1].author) == ("o1", "Ann")


def test_of_gold_readings_only_what_they_require_is_taken(tmp_path: Path) -> None:
    written = """
- prompt: a small red car and a shadow beside a dog that stands on grass
  objects:
    car: {attributes: [red, "?small"], also: [auto]}
    shadow: {optional: true}
    dog: {}
    grass: {}
  relations:
    - [car, next to / near, dog]
    - [dog, "?standing on", grass]
    - [shadow, next to, dog]
    - [dog, right, picture]
  texts: [{text: TAXI, on: car}, {text: SHADE, on: shadow}]
"""
    (tmp_path / "coco.yaml").write_text(written, encoding="utf-8")
    (reading,) = read_required(tmp_path)
    assert [asked.name for asked in reading.objects] == ["car", "dog", "grass"]
    car, dog, _ = reading.objects
    assert [attribute.value for attribute in car.attributes] == ["red"]
    assert [(one.subject, one.words, one.target) for one in reading.relations] == [
        (car.id, "next to", dog.id),
        (dog.id, "right", PICTURE),
    ]
    assert [(text.text, text.on) for text in reading.texts] == [("TAXI", car.id), ("SHADE", "")]
    assert read_required(tmp_path / "coco.yaml") == [reading]


ENTRY = "- {prompt: a cat}\n- {prompt: a red cat on a mat, "


@pytest.mark.parametrize(
    "rest, said",
    cases("readings", "a_fault_names_line_and_prompt_and_says_what_to_do"),
)
def test_a_fault_names_line_and_prompt_and_says_what_to_do(rest: str, said: str) -> None:
    with pytest.raises(BadYaml) as caught:
        list(read_entries(Document(f"{ENTRY}{rest}}}", "own.yaml", texts=True)))
    assert str(caught.value).startswith("own.yaml, line 2: In “a red cat on a mat”: ")
    assert said in str(caught.value)


WRITTEN = [
    (3, Count.exactly(3)),
    (0, Count.exactly(0)),
    ("many", MANY),
    ("at least 3", Count.at_least(3)),
    ("at most 2", Count.at_most(2)),
    ("about 12", Count.approximately(12)),
    ("about 2", Count.approximately(2)),
    ("3 to 9", Count(least=3, most=9)),
    ("about 20 to 40", Count(least=20, most=40, approximate=True)),
    (1_000_000, Count.exactly(1_000_000)),
]


@pytest.mark.parametrize("written, count", WRITTEN)
def test_a_count_is_read_and_written_alike(written: int | str, count: Count) -> None:
    assert read_count(written) == count
    assert write_count(count) == written


GOLD = """
- prompt: a red car and a blue one beside about 12 dogs without collars, oil painting
  objects:
    car: {attributes: [Red, "?shiny"]}
    car 2: {name: car, also: [automobile], attributes: [blue]}
    dog: {count: about 12}
    collar: {absent: true, optional: true}
  relations:
    - [car, "?next to", dog]
    - [car 2, next to / near, dog]
  texts: [{text: TAXI, "on": car}]
  style: [oil painting]
"""


def gold_file(folder: Path, text: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_example_is_read_in_full(tmp_path: Path) -> None:
    (reading,) = read_gold_file(gold_file(tmp_path, GOLD))
    assert reading.stratum == "own"
    car, other, dog, collar = reading.objects.values()
    assert (car.names, car.attributes, car.optional_attributes) == (("car",), ("red",), ("shiny",))
    assert (other.key, other.names) == ("car 2", ("car", "automobile"))
    assert dog.count == Count.approximately(12)
    assert collar.absent
    assert collar.optional
    first, second = reading.relations
    assert (first.words, first.optional) == (("next to",), True)
    assert (second.words, second.optional) == (("next to", "near"), False)
    assert [(text.text, text.on) for text in reading.texts] == [("TAXI", "car")]
    assert reading.style == ("oil painting",)
