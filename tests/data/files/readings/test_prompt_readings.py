"""Readings are written as files that a person can edit, and read as that person's."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.readings.prompt_readings import (
    parse_prompt_readings,
    read_prompt_readings,
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


names = st.text("abcdefg xyzäß'-:#{}[]?on", min_size=1, max_size=12).map(str.strip).filter(bool)
objects = st.builds(
    AskedObject,
    id=st.just(""),
    name=names,
    count=st.none() | st.integers(0, 50).map(Count.exactly) | st.just(MANY),
    attributes=st.lists(st.builds(AskedAttribute, names.map(str.casefold)), max_size=2).map(tuple),
    absent=st.booleans(),
)


@given(
    st.text(min_size=1, max_size=30).filter(lambda text: text.isprintable()),
    st.lists(objects, max_size=4),
)
def test_any_reading_survives_being_written(prompt: str, found: list[AskedObject]) -> None:
    numbered = tuple(replace(asked, id=f"o{at}") for at, asked in enumerate(found, 1))
    reading = PromptReading(prompt=prompt, objects=numbered, source="person")
    (again,) = parse_prompt_readings(write_prompt_readings([reading]))
    assert _without_places(again) == reading
