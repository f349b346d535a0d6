"""Entries of files of readings are checked, and every fault names its line and prompt."""

import pytest

from hallascope.data.files.readings.reading_entries import reading_entries
from hallascope.data.yaml_file import BadYaml, Document

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
