"""Prompt templates: a folder's file goes before ours, the version is the file's, and filling is one
pass.
"""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.wordings.templates import OUR_TEXTS, Template, TemplateError, template


def test_the_version_is_the_start_of_the_hash_of_the_file_s_bytes() -> None:
    found = template("ihalla_ask")
    assert (
        found.version
        == hashlib.sha256((OUR_TEXTS / "ihalla_ask.txt").read_bytes()).hexdigest()[:12]
    )
    assert found.places == {"question", "choices", "none"}


def test_a_folder_s_own_file_goes_before_ours_and_other_files_stay_ours(tmp_path: Path) -> None:
    assert template("ihalla_ask", tmp_path) == template("ihalla_ask")
    (tmp_path / "ihalla_ask.txt").write_text("Own {question} {choices}\n", encoding="utf-8")
    own = template("ihalla_ask", tmp_path)
    assert own.text == "Own {question} {choices}"
    assert own.version != template("ihalla_ask").version


@given(st.text(), st.text())
def test_what_is_filled_in_is_never_filled_again(question: str, choices: str) -> None:
    found = Template("{question}|{choices}|{other}", "", Path("x"))
    assert (
        found.fill({"question": question, "choices": choices}) == f"{question}|{choices}|{{other}}"
    )


def test_an_unknown_template_is_named_with_those_there_are() -> None:
    with pytest.raises(TemplateError, match=r"there are: .*ihalla_ask"):
        template("nothing")


def test_a_template_that_lacks_a_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ihalla_ask.txt").write_text("Look.", encoding="utf-8")
    with pytest.raises(TemplateError, match=r"lacks \{question\} and \{choices\}"):
        template("ihalla_ask", tmp_path)


def test_a_template_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ihalla_ask.txt").write_bytes(b"\xff\xfe{question}")
    with pytest.raises(TemplateError, match="save it as UTF-8"):
        template("ihalla_ask", tmp_path)
