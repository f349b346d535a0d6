"""Gold readings are read as they are documented, and every fault is named with its line."""

from collections import Counter
from pathlib import Path

import pytest

from hallascope.data.files.readings.gold_readings import PARTS, Part, gold_readings, read_gold_file
from hallascope.data.prompt_reading import MANY, Count
from hallascope.data.yaml_file import BadYaml

EXAMPLE = """
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


def _file(folder: Path, text: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_example_is_read_in_full(tmp_path: Path) -> None:
    (reading,) = read_gold_file(_file(tmp_path, EXAMPLE))
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


@pytest.mark.parametrize(
    ("written", "count"),
    [
        ("3", Count.exactly(3)),
        ("at least 3", Count.at_least(3)),
        ("at most 2", Count.at_most(2)),
        ("many", MANY),
    ],
)
def test_counts_are_read(tmp_path: Path, written: str, count: Count) -> None:
    text = f"- {{prompt: cats, objects: {{cat: {{count: {written}}}}}}}\n"
    (reading,) = read_gold_file(_file(tmp_path, text))
    assert reading.objects["cat"].count == count


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{prompt: x, objects: {cat: {count: some}}}", "write a number, 'at least 3'"),
        ("{prompt: x, objects: {cat: {colour: red}}}", "colour"),
        ("{prompt: x, objects: {cat: {}}, relations: [[cat, 'on', mat]]}", "'mat' is no object"),
        ("{prompt: x, texts: [{text: A, 'on': sign}]}", "'sign' is no object"),
        ("{objects: {}}", "prompt"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, entry: str, words: str) -> None:
    with pytest.raises(BadYaml) as caught:
        read_gold_file(_file(tmp_path, f"- {{prompt: a cat}}\n- {entry}\n"))
    assert words in str(caught.value)
    assert "own.yaml, line 2" in str(caught.value)


@pytest.mark.parametrize(("part", "kinds"), [("development", 9), ("test", 8)])
def test_each_part_has_two_hundred_prompts_of_all_kinds(part: Part, kinds: int) -> None:
    readings = gold_readings(part)
    strata = Counter(reading.stratum for reading in readings)
    assert len(readings) >= 200
    assert len(strata) == kinds
    assert strata["other"] >= 20
    assert len({reading.prompt for reading in readings}) >= len(readings) - 2
    assert sum(reading.language != "en" for reading in readings) >= 10


def test_no_prompt_is_in_both_parts() -> None:
    development, test = ({reading.prompt for reading in gold_readings(part)} for part in PARTS)
    assert not development & test
