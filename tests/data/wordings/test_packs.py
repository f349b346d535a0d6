"""Packs of wordings: strict reading with file and line, marks, copies, and what ships."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.wordings.catalog import WORDINGS, WordingRole
from hallascope.data.wordings.packs import (
    AS_PUBLISHED,
    SHIPPED,
    copy_pack,
    find_folder,
    find_pack,
    pack_names,
    read_pack,
    wording_mark,
)
from hallascope.data.wordings.templates import OUR_TEXTS, TemplateError, read_template, template

# The versions of our texts before they could be replaced: stored scores are named by them.
OUR_VERSIONS = {
    "caption_describe": "4723bf2092dd",
    "factualbench_choice": "eb6c7b3bc613",
    "factualbench_composition": "d2864645c867",
    "factualbench_concept": "70fbc9c2085d",
    "factualbench_concept_prompt": "80560b3d71b9",
    "factualbench_concept_unseen": "0c1a8e5b5722",
    "factualbench_feasible": "a781ada41179",
    "factualbench_task": "6dcef3f35586",
    "factualbench_write": "bb1a472a487a",
    "fig_describe": "b76c8cda00ee",
    "fig_meta": "49665f4258be",
    "fig_phrases": "d46b49582a1d",
    "haloquest_ask": "b2eb50b2c42e",
    "haloquest_grade_schema": "15a7027e12bf",
    "haloquest_grade_text": "e60375521a71",
    "ihalla_category": "54bcf04a656d",
    "ihalla_repair": "14fb495796bc",
    "prompt_variants": "052e98e4cf2c",
    "haloquest_grade": "6cfd0261df0f",
    "ihalla_ask": "ade7bcdeb7d7",
    "ihalla_merge": "68e4ca823a86",
    "ihalla_questions": "12386a153eb4",
    "ihalla_reason": "51912c25c299",
    "ihalla_reason_unseen": "68b98c2fc1ad",
    "llmscore_rate": "9528a827c356",
    "prompt_reading": "503346b14fca",
    "scene_graph_answer": "32dd197caa57",
    "scene_graph_look": "c9e2f1531a93",
    "scene_graph_phrase": "3af89494dae6",
    "tifa_ask": "bf898eaf5bf6",
    "tifa_questions": "4d5466f45c77",
}
NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12)


def own_pack(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_our_texts_are_byte_for_byte_those_of_stored_scores() -> None:
    assert {name: template(name).version for name in WORDINGS} == OUR_VERSIONS
    assert {path.stem for path in OUR_TEXTS.glob("*.txt")} == set(WORDINGS)


def test_every_wording_is_in_the_docs_with_its_placeholders() -> None:
    docs = (Path(__file__).parents[3] / "docs" / "wording.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", docs.partition("## All wordings")[2], re.M)
    assert {name: tuple(re.findall(r"{(\w+)}", places)) for name, places in rows} == {
        name: role.placeholders for name, role in WORDINGS.items()
    }


@pytest.mark.parametrize("name", SHIPPED)
def test_packs_that_ship_can_be_used(name: str) -> None:
    pack = find_pack(name)
    assert pack.name == name
    changed = pack.changed_texts(WORDINGS)
    assert bool(changed) == (name == AS_PUBLISHED)


@given(st.lists(NAMES, max_size=4), st.lists(NAMES, unique=True, max_size=3))
def test_a_text_is_read_if_its_placeholders_are_those_of_its_wording(
    tmp_path_factory: pytest.TempPathFactory, present: list[str], required: list[str]
) -> None:
    path = tmp_path_factory.mktemp("texts") / "a.txt"
    lines = ["Look.", *(f"At {{{name}}} " for name in present)]
    path.write_text("\n".join(lines), encoding="utf-8")
    role = WordingRole(about="", sent_to="judge", metrics=(), required=tuple(required))
    unknown = [name for name in present if name not in required]
    missing = [name for name in required if name not in present]
    if not unknown and not missing:
        assert read_template(path, role).places == set(present)
        return
    with pytest.raises(TemplateError) as refused:
        read_template(path, role)
    message = str(refused.value)
    line = int(re.findall(r", line (\d+):", message)[0])
    if unknown:
        assert f"{{{unknown[0]}}}" in lines[line - 1]
        assert f"{{{unknown[0]}}}" in message
    else:
        assert line == len(lines)
        assert all(f"{{{name}}}" in message for name in missing)


def test_a_misspelt_placeholder_is_named_with_file_line_and_remedy(tmp_path: Path) -> None:
    folder = own_pack(tmp_path / "lab", ihalla_ask="Look.\n{quesiton}\n{choices}")
    with pytest.raises(TemplateError) as refused:
        read_pack(folder)
    assert str(refused.value) == (
        f"{folder / 'ihalla_ask.txt'}, line 2: {{quesiton}} is no placeholder here; did you mean"
        " {question}?"
    )


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("ihala_ask", "x", "did you mean 'ihalla_ask'?"),
        ("fig_describe", " \n", "is empty"),
        ("fig_describe", "Say {what}.", "has no placeholders"),
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
    assert pack_names(tmp_path) == ("ours", "as-published", "lab")
    assert find_pack("lab", tmp_path).folder == tmp_path / "lab"


@given(st.text(min_size=1).filter(lambda name: find_folder(name) is None))
def test_any_other_name_is_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(TemplateError, match="there is no pack of wordings"):
        find_pack(name)
