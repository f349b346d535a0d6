"""The file of Spaces as it is read, and the front matter that is made of it."""

from pathlib import Path

import pytest
import yaml
from huggingface_hub import SpaceHardware
from hypothesis import example, given
from hypothesis import strategies as st

from hallascope.data.spaces import (
    HARDWARE,
    BadSpaces,
    Space,
    front_matter,
    problems,
    read_spaces,
    with_front_matter,
)

SPACE = Space(name="name", title="Title", emoji="🔎", sdk="gradio", short_description="What it is")


def test_the_spaces_that_are_declared_have_no_fault() -> None:
    assert problems(read_spaces()) == []


def test_every_hardware_is_one_that_the_hub_knows() -> None:
    assert set(HARDWARE) <= {one.value for one in SpaceHardware}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("spaces: [", r"spaces\.yaml, line 1: This is no YAML"),
        ("- name: x", "The file is a list: write its keys as `name: value`, of spaces"),
        ("spaces: []", "'spaces' is an empty list: write a list of Spaces, an entry each"),
        ("other: 1", "'spaces' is missing: write a list of Spaces"),
        (
            "spaces: [text]",
            "Item 1 of 'spaces' is 'text': write its keys as `name: value`, of name, title",
        ),
        ("spaces: [{name: x, titel: T}]", r"did you mean 'title'\?$"),
        (
            "spaces: [{name: x, title: T, emoji: 🔎, sdk: gradio}]",
            "'short_description' of item 1 of 'spaces' is missing: write a text",
        ),
        (
            (
                "spaces: [{name: x, title: T, emoji: 🔎, sdk: gradio, short_description: S,"
                " python_version: 3.11}]"
            ),
            "in quotes",
        ),
        (
            (
                "spaces: [{name: x, title: T, emoji: 🔎, sdk: gradio, short_description: S,"
                " secrets: {A: b}}]"
            ),
            "stand in no file",
        ),
        (
            (
                "spaces: [{name: x, title: T, emoji: 🔎, sdk: gradio, short_description: S,"
                " variables: {A: 1}}]"
            ),
            "in quotes",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_said_in_one_sentence(
    tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "spaces.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSpaces, match=words) as said:
        read_spaces(file)
    assert "\n" not in str(said.value)
    assert str(said.value).endswith((".", "?"))


@given(st.text(max_size=200))
def test_whatever_stands_in_the_file_it_is_read_or_said(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_text(f"spaces: [{{name: {text}}}]", encoding="utf-8", errors="replace")
    with pytest.raises(BadSpaces):
        read_spaces(file)


@given(st.text(max_size=80), st.text(max_size=80))
@example("", "\x85")
def test_the_front_matter_is_yaml_that_says_what_was_declared(title: str, description: str) -> None:
    _, said, _ = front_matter(
        Space(name="name", title=title, emoji="🔎", sdk="gradio", short_description=description),
        "6.31.0",
    ).split("---\n")
    read = yaml.safe_load(said)
    assert (read["title"], read["short_description"], read["sdk_version"]) == (
        title,
        description,
        "6.31.0",
    )


def test_front_matter_takes_the_place_of_what_was_there_and_of_nothing_else() -> None:
    block = front_matter(SPACE, "6.31.0")
    body = "\n# Title\n\n---\n\nA line of dashes stays.\n"
    assert with_front_matter(f"---\nold: 1\n---\n{body}", block) == block + body
    assert with_front_matter(body, block) == block + body
