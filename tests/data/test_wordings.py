"""Wordings: our texts byte for byte, packs read strictly with file and line, and their marks."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.wordings.catalog import WORDINGS
from hallascope.data.wordings.packs import (
    copy_pack,
    find_pack,
    pack_names,
    read_pack,
    wording_mark,
)
from hallascope.data.wordings.templates import (
    OUR_TEXTS,
    Template,
    TemplateError,
    template,
)


def own_pack(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_misspelt_placeholder_is_named_with_file_line_and_remedy(tmp_path: Path) -> None:
    folder = own_pack(tmp_path / "lab", ihalla_ask="Look.\n{quesiton}\n{choices}")
    with pytest.raises(TemplateError) as refused:
        read_pack(folder)
    assert str(refused.value) == (
        f"{folder / 'ihalla_ask.txt'}, line 2: {{quesiton}} is no placeholder here; did you mean"
        " {question}?"
    )


@pytest.mark.parametrize(
    "name, text, words",
    [
        ("ihala_ask", "x", "did you mean 'ihalla_ask'?"),
        ("fig_describe", " \n", "is empty"),
        ("fig_describe", "Say {what}.", "has no placeholders"),
        ("ihalla_ask", "Look at {question}.", "lacks {choices}"),
        ("fig_describe", "x" * 100_001, "shorten it"),
    ],
)
def test_texts_that_cannot_be_used_are_refused_with_a_line(
    tmp_path: Path, name: str, text: str, words: str
) -> None:
    with pytest.raises(TemplateError, match=f"line 1: .*{re.escape(words)}"):
        read_pack(own_pack(tmp_path / "lab", **{name: text}))


def test_a_folder_without_wordings_or_of_a_bad_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="holds no wording"):
        read_pack(own_pack(tmp_path / "lab"))
    with pytest.raises(TemplateError, match="there is no pack"):
        find_pack(str(tmp_path / "nowhere"))
    with pytest.raises(TemplateError, match="name of a pack that ships"):
        read_pack(own_pack(tmp_path / "ours", fig_describe="Say."))
    with pytest.raises(TemplateError, match="cannot be the name"):
        read_pack(own_pack(tmp_path / "a b", fig_describe="Say."))


def test_a_mark_stands_for_the_name_and_for_all_that_is_sent(tmp_path: Path) -> None:
    first = read_pack(own_pack(tmp_path / "lab", scene_graph_phrase="{questions}!"))
    mark = first.mark("scene-graph")
    assert re.fullmatch(r"@lab\.[0-9a-f]{8}", mark)
    assert first.mark("fig") == ""  # its texts are ours
    second = read_pack(own_pack(tmp_path / "lab", scene_graph_phrase="{questions}?"))
    assert second.mark("scene-graph") != mark
    assert wording_mark(mark).ending == mark
    told = wording_mark(f"6+abc+parser-def{mark}")
    assert (told.name, f"@{told.name}.{told.version}") == ("lab", mark)
    assert str(wording_mark("6+abc+parser-def")) == "ours"


def test_a_copy_of_ours_is_ours_until_a_text_is_changed(tmp_path: Path) -> None:
    copies = copy_pack(find_pack("ours"), tmp_path / "lab")
    assert {path.stem for path in copies} == set(WORDINGS)
    pack = read_pack(tmp_path / "lab")
    assert not any(pack.mark(metric) for role in WORDINGS.values() for metric in role.metrics)
    with pytest.raises(TemplateError, match="nothing is overwritten"):
        copy_pack(find_pack("ours"), tmp_path / "lab")


def test_packs_of_the_store_are_found_by_name(tmp_path: Path) -> None:
    own_pack(tmp_path / "lab", fig_describe="Say.")
    assert pack_names(tmp_path) == ("ours", "as-published", "free", "lab")
    assert find_pack("lab", tmp_path).folder == tmp_path / "lab"


def test_a_template_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ihalla_ask.txt").write_bytes(b"\xff\xfe{question}")
    with pytest.raises(TemplateError, match="save it as UTF-8"):
        template("ihalla_ask", tmp_path)


def test_our_texts_are_byte_for_byte_those_by_which_stored_scores_are_named() -> None:
    versions = json.loads((Path(__file__).parent / "wording_versions.json").read_text("utf-8"))
    assert {name: template(name).version for name in WORDINGS} == versions
    assert {path.stem for path in OUR_TEXTS.glob("*.txt")} == set(WORDINGS)


@given(st.text(), st.text())
def test_what_is_filled_in_is_never_filled_again(question: str, choices: str) -> None:
    found = Template("{question}|{choices}|{other}", "", Path("x"))
    assert (
        found.fill({"question": question, "choices": choices}) == f"{question}|{choices}|{{other}}"
    )
