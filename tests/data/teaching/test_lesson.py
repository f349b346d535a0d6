"""Sets of exercises: what stands in a link comes back, a damaged link is one sentence, a file says
where it is wrong.
"""

import base64
import json
import zlib
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
    make_seal,
    opens,
    read_token,
    token,
)

NAMES = st.text("0aZ", min_size=1, max_size=9)
WORDS = st.text("aé“<&\"' 漢🔎", min_size=1, max_size=20)
DRAWN = st.builds(
    DrawnItem, WORDS, WORDS, st.one_of(WORDS, st.integers(0, 99)), st.integers(0, 2**31 - 1)
)
ITEMS = st.lists(st.one_of(DRAWN, st.builds(RunItem, NAMES, NAMES, WORDS)), min_size=1, max_size=8)


@settings(max_examples=40)
@given(WORDS.filter(str.strip), ITEMS, st.text("ab", max_size=4))
def test_a_link_gives_the_same_set_back(title: str, items: list[LessonItem], key: str) -> None:
    made = lesson(title, items, make_seal(key))
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
    made = lesson("A set", [item_of(GOOD)], make_seal("k3y"))
    assert "k3y" not in json.dumps(made.seal)
    assert not opens(lesson("A set", [item_of(GOOD)]), "")


# --- files
# --------------------------------------------------------------------------------------------------
