"""Counts are read and written in the words of the files of readings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.readings.reading_entries import (
    read_count,
    reading_entries,
    write_count,
)
from hallascope.data.prompt_reading import MANY, Count
from hallascope.data.yaml_file import BadYaml, Document

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


@pytest.mark.parametrize(("written", "count"), WRITTEN)
def test_a_count_is_read_and_written_alike(written: int | str, count: Count) -> None:
    assert read_count(written) == count
    assert write_count(count) == written


def test_no_count_is_none() -> None:
    assert read_count(None) is None


@pytest.mark.parametrize(
    "written", ["some", "at least", "-1", "three to", "at least 3 to 9", "9999999999"]
)
def test_other_words_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="is no count"):
        read_count(written)


def test_bounds_that_allow_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="a count from 9 to 3 allows no number"):
        read_count("9 to 3")


counts = st.builds(
    lambda least, more, approximate: Count(
        least=least, most=None if more is None else least + more, approximate=approximate
    ),
    st.integers(0, 10**8),
    st.none() | st.integers(0, 10**8),
    st.booleans(),
)


@given(counts)
def test_any_count_survives_being_written(count: Count) -> None:
    again = read_count(write_count(count))
    assert again is not None
    assert (again.least, again.most) == (count.least, count.most)
    assert again.approximate == (count.approximate and count.most is not None)


ENTRY = "- {prompt: a cat}\n- {prompt: a red cat on a mat, "


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("objects: {cat: {count: three to}}", "'three to' is no count: write a number, 'at least"),
        ("objects: {cat: {count: 9 to 3}}", "'9 to 3' is no count: write a number"),
        ("objects: {cat: {colour: red}}", "is no key there: choose of name, also, count"),
        ("objets: {cat: {}}", "'objets' of item 2 is no key there: did you mean 'objects'?"),
        ("objects: [cat]", "is a list: write a mapping of names to objects, such as `cat:"),
        ("objects: {cat: {absent: perhaps}}", "is 'perhaps': write true or false."),
        (
            "objects: {cat: , mat: }, relations: [[cat, on, rug]]",
            "'rug' is no object of this prompt: write one of its objects (cat, mat).",
        ),
        (
            "relations: [[cat, on, rug]]",
            "'cat' is no object of this prompt: write one of its objects (none yet: add it).",
        ),
        ("objects: {cat: {one_of: cat}}", "'cat' is one of itself: write the key of another obj"),
        ("relations: [[cat, on]]", "is missing: write lists of three: an object, the relation"),
    ],
)
def test_a_fault_names_line_and_prompt_and_says_what_to_do(rest: str, said: str) -> None:
    with pytest.raises(BadYaml) as caught:
        list(reading_entries(Document(f"{ENTRY}{rest}}}", "own.yaml", texts=True)))
    assert str(caught.value).startswith("own.yaml, line 2: In “a red cat on a mat”: ")
    assert said in str(caught.value)


def test_a_long_prompt_is_cut_and_all_faults_are_told() -> None:
    text = f"- {{prompt: {'long ' * 30}, x: 1}}\n- {{prompt: b, y: 1}}\n- {{objects: {{}}}}"
    with pytest.raises(BadYaml) as caught:
        list(reading_entries(Document(text, "own.yaml")))
    first, second, third = str(caught.value).splitlines()
    assert first.startswith("own.yaml, line 1: In “long long")
    assert "...”: 'x' of item 1" in first
    assert "line 2: In “b”: 'y'" in second
    assert third == "own.yaml, line 3: 'prompt' of item 3 is missing: write a text."


def test_what_is_no_list_of_prompts_is_said_so() -> None:
    with pytest.raises(BadYaml, match="write a list of prompts, each of which begins with `- pro"):
        list(reading_entries(Document("prompt: a cat", "own.yaml")))
