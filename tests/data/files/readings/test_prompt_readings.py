"""Readings are written as files that a person can edit, and read as that person's."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.readings.prompt_readings import (
    parse_prompt_readings,
    read_prompt_readings,
    read_required,
    write_prompt_readings,
)
from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
)
from hallascope.data.yaml_file import BadYaml

EXAMPLE = PromptReading(
    prompt="Two red cats and a cat on the left of a sign that says on, no dogs, oil painting",
    objects=(
        AskedObject(
            id="o1", name="cat", count=Count.exactly(2), attributes=(AskedAttribute("red"),)
        ),
        AskedObject(id="o2", name="cat", one_of="o1"),
        AskedObject(id="o3", name="sign"),
        AskedObject(id="o4", name="dog", count=MANY, absent=True),
    ),
    relations=(AskedRelation("o2", "left of", "o3"), AskedRelation("o1", "left", PICTURE)),
    texts=(AskedText("on", on="o3"), AskedText("no: #1")),
    style=(StyleWords("oil painting"),),
    source="person",
    author="Ann: of #1",
)


def _without_places(reading: PromptReading) -> PromptReading:
    return replace(
        reading,
        objects=tuple(
            replace(
                asked,
                spans=(),
                attributes=tuple(replace(word, spans=()) for word in asked.attributes),
            )
            for asked in reading.objects
        ),
        relations=tuple(replace(relation, spans=()) for relation in reading.relations),
        texts=tuple(replace(text, span=None) for text in reading.texts),
        style=tuple(replace(words, span=None) for words in reading.style),
    )


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "asks.yaml"
    path.write_text(write_prompt_readings([EXAMPLE]), encoding="utf-8")
    (reading,) = read_prompt_readings(path)
    assert _without_places(reading) == EXAMPLE


def test_a_file_says_only_what_there_is() -> None:
    cat = PromptReading(prompt="a cat", objects=(AskedObject(id="o1", name="cat"),))
    assert write_prompt_readings([cat]) == "- prompt: a cat\n  objects:\n    cat: {}\n"


def test_words_are_found_in_the_prompt() -> None:
    text = "- {prompt: Two red Cats on a mat, objects: {cat: {count: 2, attributes: [red]}}}"
    (reading,) = parse_prompt_readings(text)
    (cat,) = reading.objects
    assert [reading.prompt[slice(*span)] for span in cat.spans] == ["Cats"]
    assert [reading.prompt[slice(*span)] for span in cat.attributes[0].spans] == ["red"]


def test_a_fault_is_named_with_its_line() -> None:
    with pytest.raises(BadYaml, match=r"reading, line 2: .*'mat' is no object"):
        parse_prompt_readings("- {prompt: a cat}\n- {prompt: b, relations: [[mat, in, mat]]}")


def test_a_prompt_that_stands_twice_is_named_with_its_line() -> None:
    with pytest.raises(BadYaml, match=r"reading, line 2: The prompt 'a cat' stands here twice"):
        parse_prompt_readings("- {prompt: a cat}\n- {prompt: a   cat}")


def test_words_that_yaml_takes_for_other_values_are_words_without_quotation_marks() -> None:
    text = "- {prompt: 2024, objects: {no: , yes: {count: 2}}, relations: [[yes, on, no]]}"
    (reading,) = parse_prompt_readings(text)
    assert reading.prompt == "2024"
    assert [asked.name for asked in reading.objects] == ["no", "yes"]
    assert [relation.words for relation in reading.relations] == ["on"]


words = st.text("abcdefg xyzäß'-:#{}[]?on~<=\"0123", min_size=1, max_size=12)
reserved = st.sampled_from(["on", "no", "null", "1", "<<", PICTURE])
names = words.map(str.strip).filter(bool) | reserved
counts = st.one_of(
    st.integers(0, 50).map(Count.exactly),
    st.integers(0, 50).map(Count.at_least),
    st.integers(0, 50).map(Count.at_most),
    st.integers(0, 50).map(Count.approximately),
    st.just(MANY),
    st.just(Count(least=3, most=9)),
)
objects = st.builds(
    AskedObject,
    id=st.just(""),
    name=names,
    count=st.none() | counts,
    attributes=st.lists(st.builds(AskedAttribute, names.map(str.casefold)), max_size=2).map(tuple),
    absent=st.booleans(),
)


@st.composite
def readings(draw: st.DrawFn) -> PromptReading:
    drawn = draw(st.lists(objects, max_size=4))
    ids = [f"o{at}" for at in range(1, len(drawn) + 1)]
    numbered = []
    for id, asked in zip(ids, drawn, strict=True):
        one_of = draw(st.sampled_from(["", *(other for other in ids if other != id)]))
        numbered.append(replace(asked, id=id, one_of=one_of))
    of_objects = st.sampled_from(ids or [""])
    relation = st.builds(
        AskedRelation, of_objects, names, st.sampled_from([*ids, PICTURE]), st.just(())
    )
    text = st.builds(AskedText, names, st.none(), st.sampled_from(["", *ids]))
    prompt = draw(st.text(min_size=1, max_size=30).filter(lambda text: text.isprintable()))
    return PromptReading(
        prompt=" ".join(prompt.split()) or "x",
        objects=tuple(numbered),
        relations=tuple(draw(st.lists(relation, max_size=3))) if ids else (),
        texts=tuple(draw(st.lists(text, max_size=2))),
        style=tuple(draw(st.lists(st.builds(StyleWords, names), max_size=2))),
        language=draw(st.sampled_from(["en", "de", "no"])),
        unreadable=draw(st.just("") | names),
        source="person",
        author=draw(st.just("") | names),
    )


@given(readings())
def test_any_reading_survives_being_written(reading: PromptReading) -> None:
    (again,) = parse_prompt_readings(write_prompt_readings([reading]))
    assert _without_places(again) == reading
    assert parse_prompt_readings(write_prompt_readings([again])) == [again]


@given(st.lists(readings(), max_size=3, unique_by=lambda reading: reading.prompt))
def test_several_prompts_survive_in_one_file(of_file: list[PromptReading]) -> None:
    again = parse_prompt_readings(write_prompt_readings(of_file))
    assert [_without_places(reading) for reading in again] == of_file


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
    assert read_required(tmp_path / "coco.yaml") == [reading]
