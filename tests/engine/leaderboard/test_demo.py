"""A saved leaderboard shows the same numbers where a store has none of its own."""

from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.leaderboard.board import leaderboard_rows
from hallascope.engine.leaderboard.demo import leaderboard_source, save_demo
from hallascope.engine.storage.store import Store


@pytest.mark.parametrize("name", ["leaderboard.jsonl", "leaderboard.jsonl.gz"])
def test_a_saved_leaderboard_has_the_rows_of_its_store(
    full: Store, store: Store, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "saved" / name
    assert save_demo(full, file, "Nine prompts") == 10
    shown = leaderboard_source(store, file)
    assert (shown.demo, shown.title) == (True, "Nine prompts")
    for by in ("model", "coi", "category"):
        assert leaderboard_rows(shown.store, by) == leaderboard_rows(full, by)


def test_own_numbers_come_before_the_demo_which_stays_a_choice(full: Store, tmp_path: Path) -> None:
    file = tmp_path / "leaderboard.jsonl"
    assert not leaderboard_source(full, file, shipped=True).demo, "there is no file"
    save_demo(full, file, "Nine prompts", runs=("r1",))
    own = leaderboard_source(full, file)
    assert (own.store, own.demo) == (full, False)
    assert leaderboard_source(full, file, shipped=True).demo


def test_nothing_to_save_and_a_faulty_line_are_one_sentence(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="nothing to save"):
        save_demo(store, tmp_path / "none.jsonl", "")
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(StoreError, match=r"Line 1 of 'cut\.jsonl\.gz'"):
        leaderboard_source(store, cut)
    file = tmp_path / "faulty.jsonl"
    file.write_text('{"title": "t", "judged": []}\n{"prompt": "a cat"}\n', encoding="utf-8")
    with pytest.raises(StoreError, match=r"Line 2 of 'faulty\.jsonl'"):
        leaderboard_source(store, file)
