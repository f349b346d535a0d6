"""YAML with its lines: what is wrong in it, the file of Spaces, citations, and a dictionary of
nouns.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ConfigDict, Field

from hallascope.data.citations.bibtex import FILE, citation_keys
from hallascope.data.spaces import (
    BadSpaces,
    Space,
    front_matter,
    problems,
    read_spaces,
    with_front_matter,
)
from hallascope.data.yaml_file import BadYaml, Document, Fault, read_document, read_entries
from hallascope.metrics import METRICS
from tests.data.cases import cases

Whole = Annotated[int, Field(ge=1, description="a whole number from 1")]


@dataclass(frozen=True)
class Part:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    size: Whole
    color: Literal["red", "blue"] = "red"


@dataclass(frozen=True)
class Thing:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    id: str
    parts: Annotated[tuple[Part, ...], Field(description="a list of parts")] = ()
    best: Part | None = None
    by_name: dict[str, Part] = field(default_factory=dict)


def outcome(text: str, kind: Any, texts: bool = False) -> Any:
    """What is read, or the faults."""
    try:
        document = Document(text, "f.yaml", texts)
        return document.read(kind, document.value)
    except BadYaml as error:
        return error.faults


def test_a_key_and_an_item_have_their_line_and_what_is_missing_that_of_its_place() -> None:
    document = Document("a:\n  - b: 1\n    c: 2\n  - 5\nd: {e: 6}\n", "f.yaml")
    assert [document.line(*path) for path in (("a",), ("a", 0, "c"), ("a", 1), ("d", "e"))] == [
        1,
        3,
        4,
        5,
    ]
    assert [
        document.line(*path) for path in ((), ("a", 0, "none"), ("a", 9), ("d", "(tag)", "e"))
    ] == [1, 2, 1, 5]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("size: 0", [(1, "'size' is 0: write a whole number from 1.")]),
        (
            "color: green\nsize: x",
            [
                (1, "'color' is 'green': choose one of red, blue."),
                (2, "'size' is 'x': write a whole number from 1."),
            ],
        ),
        ("color: red", [(1, "'size' is missing: write a whole number from 1.")]),
        ("color: red\nsise: 5", [(2, "'sise' is not a known key: did you mean 'size'?")]),
        ("size: 1\nname: 5", [(2, "'name' is not a known key: choose one of size, color.")]),
        (
            "size: 1\n\nsize: 2",
            [(3, "This is no YAML (the key 'size' appears twice): fix it.")],
        ),
        (
            "size: [",
            [(1, "This is no YAML (did not find expected node content): fix it.")],
        ),
        ("- 1", [(1, "The file is a list: write its keys as `name: value`, of size, color.")]),
        ("", [(1, "The file is empty: write its keys as `name: value`, of size, color.")]),
        (
            f"size: 1\ncolor: 0x{'f' * 5000}",
            [(2, "'color' is a number of too many digits: choose one of red, blue.")],
        ),
        ("<<: {size: 1}\nsize: none\n", [(2, "'size' is 'none': write a whole number from 1.")]),
        ("size: {? [a] : b}", [(1, "This is no YAML (a key is no text): fix it.")]),
    ],
)
def test_a_sentence_names_line_key_value_and_what_to_do(
    text: str, expected: list[tuple[int, str]]
) -> None:
    assert outcome(text, Part) == tuple(expected)


def test_what_is_deep_is_named_from_within(tmp_path: Path) -> None:
    file = tmp_path / "things.yaml"
    file.write_text(
        "one: {parts: [{size: 1}]}\ntwo:\n  parts:\n  - size: 1\n  - size: none\n  by_name: {x:"
        " {size: 0}}\n  best: 7\n"
    )
    with pytest.raises(BadYaml) as bad:
        read_entries(file, Thing)
    assert str(bad.value).splitlines() == [
        (
            f"{file}, line 5: 'size' of item 2 of 'parts' of 'two' is 'none': write a whole number"
            " from 1."
        ),
        f"{file}, line 6: 'size' of 'x' of 'by_name' of 'two' is 0: write a whole number from 1.",
        f"{file}, line 7: 'best' of 'two' is 7: write its keys as `name: value`, of size, color.",
    ]
    assert bad.value.first == str(bad.value).splitlines()[0]


def test_entries_are_read_by_their_keys_and_an_alias_stands_for_what_it_names(
    tmp_path: Path,
) -> None:
    file = tmp_path / "things.yaml"
    file.write_text(
        "\ufeffone: &one {parts: [&part {size: 1}]}\ntwo: {<<: *one, best: {<<: *part, color:"
        " blue}}\n",
        encoding="utf-8",
    )
    assert read_entries(file, Thing) == {
        "one": Thing("one", (Part(1),)),
        "two": Thing("two", (Part(1),), Part(1, "blue")),
    }


def test_a_file_that_cannot_be_opened_or_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        BadYaml,
        match=(
            r"^The file '.*none\.yaml' cannot be read \(No such file or directory\): check that it"
            r" is there\.$"
        ),
    ):
        read_document(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadYaml) as bad:
        read_document(tmp_path / "bytes.yaml")
    assert bad.value.faults == (Fault(1, "The file is no UTF-8 text: save it as UTF-8."),)


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]))
    | st.text("[]{}:,-&*!|>'\"%@`#? \n\tabc0<"),
    st.booleans(),
)
def test_any_text_is_read_or_refused_with_a_sentence(text: str, texts: bool) -> None:
    found = outcome(text, Thing, texts)
    if not isinstance(found, Thing):
        assert found
        assert all(
            line >= 1 and said.endswith((".", "?")) and "\n" not in said for line, said in found
        )


SPACE = Space(name="name", title="Title", emoji="🔎", sdk="gradio", short_description="What it is")


def test_the_spaces_that_are_declared_have_no_fault() -> None:
    assert problems(read_spaces()) == []


@pytest.mark.parametrize(
    "text, words",
    cases("yaml_file", "a_file_that_cannot_be_read_is_said_in_one_sentence"),
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


def test_front_matter_takes_the_place_of_what_was_there_and_of_nothing_else() -> None:
    block = front_matter(SPACE, "6.31.0")
    body = "\n# Title\n\n---\n\nA line of dashes stays.\n"
    assert with_front_matter(f"---\nold: 1\n---\n{body}", block) == block + body
    assert with_front_matter(body, block) == block + body


ENTRIES: dict[str, str] = yaml.safe_load(FILE.read_text("utf-8"))["entries"]


def test_every_metric_has_a_paper() -> None:
    for metric in METRICS:
        assert citation_keys(metric), metric
        assert set(citation_keys(metric)) <= set(ENTRIES)
    assert citation_keys("nothing") == ()


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
