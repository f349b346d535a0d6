"""Explore begins with rounds from files; a round that is not there is one sentence."""

from typing import Any

import pytest

from hallascope.components.teach.odd_one_out import opening
from hallascope.data.teaching import odd_one_out as data
from hallascope.data.teaching.odd_one_out import FOLDER, read_rounds
from hallascope.pages.explore import odd_one_out


def test_every_round_can_be_asked_for() -> None:
    rounds = read_rounds().rounds
    assert [odd_one_out.more(number)["name"] for number in range(12)] == [r.name for r in rounds]


@pytest.mark.parametrize("number", [-1, 12, "1", None, {}])
def test_another_number_is_one_sentence(number: Any) -> None:
    assert odd_one_out.more(number) == {"wrong": odd_one_out.NO_ROUND}


def test_the_page_carries_the_first_round_alone() -> None:
    first = opening(read_rounds(), FOLDER)
    text = str(first)
    assert text.count("data:image/webp") == 5, "four images and the example"
    assert len(text) < 60_000


def test_missing_files_are_one_sentence_in_place_of_the_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> Any:
        raise data.BadRounds("The rounds are missing.")

    monkeypatch.setattr(odd_one_out, "read_rounds", fail)
    assert "The rounds are missing." in odd_one_out.build().value
