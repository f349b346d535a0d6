"""Sets of exercises: what stands in a link comes back, a damaged link is one sentence, a file says
where it is wrong.
"""

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.teaching.lesson import (
    BadLesson,
    DrawnItem,
    Lesson,
    LessonItem,
    RunItem,
    item_of,
    lesson,
    opens,
    read_token,
    sealed,
    token,
)
from hallascope.primer.teaching.set_files import read_lesson

NAMES = st.text("0aZ", min_size=1, max_size=9)
WORDS = st.text("aé“<&\"' 漢🔎", min_size=1, max_size=20)
DRAWN = st.builds(
    DrawnItem, WORDS, WORDS, st.one_of(WORDS, st.integers(0, 99)), st.integers(0, 2**31 - 1)
)
ITEMS = st.lists(st.one_of(DRAWN, st.builds(RunItem, NAMES, NAMES, WORDS)), min_size=1, max_size=8)


@settings(max_examples=40)
@given(WORDS.filter(str.strip), ITEMS, st.text("ab", max_size=4))
def test_a_link_gives_the_same_set_back(title: str, items: list[LessonItem], key: str) -> None:
    made = lesson(title, items, sealed(key))
    found = read_token(token(made))
    assert found == made
    assert found.id == made.id
    assert opens(found, key) is bool(key)
    assert not opens(found, f"{key}x")


@given(
    st.one_of(
        st.text(max_size=200),
        st.binary(max_size=200).map(
            lambda raw: base64.urlsafe_b64encode(zlib.compress(raw)).decode()
        ),
    )
)
def test_whatever_stands_in_a_link_it_is_a_set_or_one_sentence(said: str) -> None:
    try:
        found: Lesson | str = read_token(said)
    except BadLesson as error:
        found = str(error)
    assert isinstance(found, Lesson) or found.endswith(".")


def packed(value: Any) -> str:
    return (
        base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode(), 9)).decode().rstrip("=")
    )


GOOD = ["a spider", "legs", 6, 0]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "no set of exercises"),
        ({"title": "A", "items": []}, "0 exercises"),
        ({"title": "A", "items": [GOOD] * 41}, "41 exercises"),
        ({"title": " ", "items": [GOOD]}, "no title"),
        ({"title": "A" * 121, "items": [GOOD]}, "no title"),
        ({"title": "A", "items": [["a spider", "legs", True, 0]]}, "cannot be read"),
        ({"title": "A", "items": [["a spider", "legs", 6, -1]]}, "cannot be read"),
        ({"title": "A", "items": [["", "../run", "x", "q"]]}, "cannot be read"),
        ({"title": "A", "items": [["", "run", "x", "q" * 401]]}, "cannot be read"),
        ({"title": "A", "items": [GOOD], "seal": "<b>"}, "seal"),
        ({"title": "A", "items": [["a" * 401, "legs", 6, 0]]}, "cannot be read"),
    ],
)
def test_a_set_that_is_none_is_refused(value: Any, said: str) -> None:
    with pytest.raises(BadLesson, match=said):
        read_token(packed(value))


def test_a_link_that_unfolds_to_megabytes_is_refused_unread() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 5_000_000, 9)).decode()
    assert len(bomb) < 12_000
    with pytest.raises(BadLesson, match="damaged"):
        read_token(bomb)
    with pytest.raises(BadLesson, match="too long"):
        read_token("A" * 12_001)


def test_only_who_has_the_key_may_see_the_answers() -> None:
    made = lesson("A set", [item_of(GOOD)], sealed("k3y"))
    assert "k3y" not in json.dumps(made.seal)
    assert not opens(lesson("A set", [item_of(GOOD)]), "")


# --- files
# --------------------------------------------------------------------------------------------------


def read(tmp_path: Path, said: str) -> Lesson:
    path = tmp_path / "set.yaml"
    path.write_text(said, encoding="utf-8")
    return read_lesson(path)


def test_a_file_names_faults_in_words_or_leaves_them_to_chance(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        """
title: Molecules
exercises:
  - {prompt: a molecule of methane, wrong: hydrogens, shown: five, seed: 6}
  - {prompt: a spider}
  - {number: 3, level: 3, coi: counting, category: Biology, seed: 1}
  - {run: 0a1b, picture: 2c3d, question: "How many legs?"}
""",
    )
    assert found.items[0] == DrawnItem("a molecule of methane", "hydrogens", 5, 6)
    assert found.items[1] == DrawnItem("a spider", "legs", 6, 0)
    assert len(found.items) == 6
    assert found.items[-1] == RunItem("0a1b", "2c3d", "How many legs?")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("title: A", "line 1: 'exercises' is missing: write a list of exercises, an entry each"),
        ("title: [", "line 1: This is no YAML"),
        ("titel: A\nexercises: [{prompt: a spider}]", "did you mean 'title'?"),
        (
            "title: A\nexercises: [spider]",
            (
                "line 2: Item 1 of 'exercises' is 'spider': write its keys as `name: value`, of"
                " prompt, "
            ),
        ),
        ("title: A\nexercises: [{promt: a spider}]", "neither `prompt` nor `run` nor `number`"),
        ("title: A\nexercises: [{prompt: a spider, wrog: legs}]", "did you mean 'wrong'?"),
        (
            "title: A\nexercises: [{prompt: a unicorn}]",
            "set.yaml, line 2: The Primer models cannot draw",
        ),
        ("title: A\nexercises: [{prompt: a spider, wrong: wheels}]", "choose of legs, segments"),
        (
            "title: A\nexercises: [{prompt: a spider, wrong: legs, shown: Eight}]",
            "'Eight' is no fault of 'legs'; choose of Six, Four.",
        ),
        ("title: A\nexercises: [{prompt: a spider, seed: -1}]", "a whole number from 0 on"),
        ("title: A\nexercises: [{number: 2, level: 4}]", "choose of 1, 2, 3"),
        ("title: A\nexercises: [{number: 2, coi: colour}]", "choose of existence, size, color"),
        ("title: A\nexercises: [{number: 30, level: 1, coi: counting}]", "where there are 0"),
        (
            "title: A\nexercises: [{run: ../x, picture: y, question: z}]",
            "`run`, `picture` and `question` must be as `hallascope export` writes them",
        ),
        (
            "title: A\nexercises:\n- prompt: a spider\n- {run: 0a, question: z}",
            "line 4: 'picture' of item 2 of 'exercises' is missing",
        ),
        ("exercises: [{prompt: a spider}]", "set.yaml, line 1: The set has no title"),
    ],
)
def test_a_faulty_file_says_where_and_what_to_do(said: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadLesson) as found:
        read(tmp_path, said)
    assert sentence in str(found.value)
    assert "set.yaml" in str(found.value)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadLesson, match="cannot be read"):
        read_lesson(tmp_path / "none.yaml")


def test_the_example_can_be_read() -> None:
    assert len(read_lesson(Path(__file__).parents[3] / "examples" / "exercises.yaml").items) == 6
